"""Casts of Parameters to narrow floats, which the optimizer's launch may have written already."""

import numpy as np

from minispore.core.dtype import NARROW_FLOATS
from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import narrow_copies
from minispore.ops.casting import Cast

__all__ = []


@kernel_of(Cast, "cuda")
def _cast(op, xp, x, dtype):
    return narrow_copies.cast(x, dtype) if x.dtype == np.float32 and dtype in NARROW_FLOATS else None
