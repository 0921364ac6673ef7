"""Exercise 9.2: why norms stay in float32."""

import numpy as np


def layer_norm(x):
    """The numbers less their mean, divided by the root of their variance plus 1e-7; in float16, as ``x``."""
    wide = x.astype(np.float32)
    centred = wide - wide.mean()
    variance = (centred * centred).mean()
    return (centred / np.sqrt(variance + np.float32(1e-7))).astype(np.float16)
