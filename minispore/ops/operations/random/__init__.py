"""Random operations: dropout, distributions, categories."""

from minispore.core._exports import public as _public
from minispore.ops.operations.random.categorical import *
from minispore.ops.operations.random.distributions import *
from minispore.ops.operations.random.dropout import *
from minispore.ops.operations.random.mask_choice import *
from minispore.ops.operations.random.rejection import *

__all__ = _public(globals())
