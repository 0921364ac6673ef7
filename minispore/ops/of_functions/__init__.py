"""Primitives whose call is a function of ``ops.functional``: gradients pass through the operations of that function."""

from minispore.core._exports import public as _public
from minispore.ops.of_functions.array import *
from minispore.ops.of_functions.base import *
from minispore.ops.of_functions.linalg import *
from minispore.ops.of_functions.math import *
from minispore.ops.of_functions.nn import *
from minispore.ops.of_functions.optimizer import *

__all__ = _public(globals())
