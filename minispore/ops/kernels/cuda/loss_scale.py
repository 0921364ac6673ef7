"""The rule of a dynamic loss scale: one launch."""

import numpy as np

from minispore.ops.kernels.cuda.launch import elementwise

__all__ = []

_ADVANCE = (
    "advance_loss_scale",
    "T scale, raw int32 step, raw int32 last, raw bool overflow, float64 factor, int64 window, float64 largest",
    "T new_scale, int32 new_step, int32 new_last",
    """
    double wide = scale;
    new_step = step[0] + 1;
    bool grows = !overflow[0] && new_step - last[0] >= window;
    new_last = overflow[0] || grows ? new_step : last[0];
    if (overflow[0]) wide = fmax(fmin(wide, largest) / factor, 1.0);
    else if (grows && wide * factor <= largest) wide *= factor;
    new_scale = T(wide);
    """,
)


def advanced(xp, scale, step, last, overflow, factor, window):
    """(scale, step, last) after a step; None unless they are as the update cell keeps them, and overflow a bool."""
    if scale.dtype != np.float32 or overflow.dtype != bool or {step.dtype, last.dtype} != {np.dtype(np.int32)}:
        return None
    largest = float(np.finfo(np.float32).max)
    new, count, change = elementwise(xp, *_ADVANCE)(scale, step, last, overflow, factor, window, largest)
    return new, count.reshape(step.shape), change.reshape(last.shape)
