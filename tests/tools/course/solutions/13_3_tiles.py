"""Exercise 13.3: a scale for each tile."""

import ml_dtypes
import numpy as np

TILE, LARGEST = 32, 448.0


def quantized(x):
    """The numbers of a float32 matrix, rounded to e4m3 with a scale for each tile of a row."""
    out = np.zeros_like(x)
    for start in range(0, x.shape[1], TILE):
        tile = x[:, start : start + TILE]
        largest = np.abs(tile).max(axis=1, keepdims=True)
        scale = 2.0 ** np.ceil(np.log2(np.where(largest > 0, largest, LARGEST) / LARGEST))
        codes = (tile / scale).astype(ml_dtypes.float8_e4m3fn)
        out[:, start : start + TILE] = codes.astype(np.float32) * scale
    return out
