"""An operation computed again on the host, in the widest floating type that it supports."""

import numpy as np

from minispore.core import backend
from minispore.core.dtype import FLOATS
from minispore.core.primitive import Spec
from minispore.ops.kernels.float16.cast import widen

__all__ = []

_WIDEST_FIRST = np.dtype(np.float64), np.dtype(np.float32)


def on_host(array):
    """An array of the current device on the host, in float64 if it is floating."""
    if array.dtype not in FLOATS:
        return backend.to_host(array)
    return backend.to_host(widen(backend.xp, array)).astype(np.float64, copy=False)


def computed_in_float64(primitive, inputs):
    """The outputs of an operation as a tuple of arrays, in float64, or in float32 if it has no float64; or None.

    Args:
        primitive (Primitive): The operation.
        inputs (list): Its inputs: arrays of the host, and values; floating types among the values are widened, too.
    """
    for dtype in _WIDEST_FIRST:
        given = [_widened(a, dtype) for a in inputs]
        if _takes(primitive, given):
            with np.errstate(all="ignore"):
                result = primitive.compute(np, *given)
            return tuple(map(np.asarray, result if type(result) is tuple else (result,)))
    return None


def _takes(primitive, inputs):
    try:
        primitive.infer(*[Spec(a.shape, a.dtype) if isinstance(a, np.ndarray) else a for a in inputs])
    except TypeError:
        return False
    return True


def _widened(a, dtype):
    if isinstance(a, np.dtype):
        return dtype if a in FLOATS else a
    return a.astype(dtype, copy=False) if isinstance(a, np.ndarray) and a.dtype in FLOATS else a
