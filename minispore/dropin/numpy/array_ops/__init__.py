"""Shapes, order, pieces and selections of Tensors."""

from minispore.core._exports import public as _public
from minispore.dropin.numpy.array_ops.choice import *
from minispore.dropin.numpy.array_ops.joining import *
from minispore.dropin.numpy.array_ops.pieces import *
from minispore.dropin.numpy.array_ops.rearranging import *

__all__ = _public(globals())
