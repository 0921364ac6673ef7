"""Float16 numbers kept in float32 arrays: rounded in place, to nearest even."""

import numpy as np

from minispore.ops.kernels.errstate import quiet
from minispore.ops.kernels.float16.cast import SMALL, narrow, widen
from minispore.ops.kernels.float16.halves import round_in_place


@quiet
def on_half_grid(xp, x):
    """``float32(float16(x))``, in the memory of ``x`` if it is a large float32 array."""
    if xp is np and isinstance(x, np.ndarray) and x.size >= SMALL and x.flags.c_contiguous:
        round_in_place(x)
        return x
    return widen(xp, narrow(xp, xp.asarray(x), np.float16))
