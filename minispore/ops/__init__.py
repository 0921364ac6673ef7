"""Operations: primitives (what an operation is), their functional faces, and functions of functions.

Primitives stand in one file a family; the heavy array algorithms that some of them compute with, in ``kernels/``.
"""

from minispore.ops import (
    composite,
    functional,
    loss_functions,
    operations,
    operators,  # noqa: F401 - it installs Tensor's table
)
from minispore.ops.composite import *  # noqa: F403 - the lists are each file's __all__
from minispore.ops.functional import *  # noqa: F403
from minispore.ops.loss_functions import *  # noqa: F403
from minispore.ops.operations import *  # noqa: F403

for _name in loss_functions.__all__:  # they stand above `functional`, and are reached through it as in MindSpore
    setattr(functional, _name, getattr(loss_functions, _name))

__all__ = sorted({*composite.__all__, *functional.__all__, *loss_functions.__all__, *operations.__all__})
