"""Operations: primitives (what an operation is), their functional faces, and functions of functions.

Primitives stand in one file a family, their faces in ``functional/`` likewise; the heavy array algorithms that some of
them compute with, in ``kernels/``.
"""

from minispore.ops import (
    composite,
    functional,
    operations,
    operators,  # noqa: F401 - it installs Tensor's table
)
from minispore.ops.composite import *  # noqa: F403 - the lists are each file's __all__
from minispore.ops.functional import *  # noqa: F403
from minispore.ops.operations import *  # noqa: F403

__all__ = sorted({*composite.__all__, *functional.__all__, *operations.__all__})
