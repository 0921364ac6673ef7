"""What the dynamic loss scale must do, counted naively."""

import numpy as np


def naive_scales(scale, factor, window, overflows):
    """The scales after each step, counted as the sentence says."""
    good, scales = 0, []
    for overflow in overflows:
        if overflow:
            scale, good = max(scale / factor, 1.0), 0
        else:
            good += 1
            if good == window:
                scale, good = scale * factor, 0
        scales.append(np.float32(min(scale, np.finfo(np.float32).max)))
    return scales
