"""Taking elements along an axis by their numbers, of which some may lie outside of it."""

import numpy as np

from minispore.errors import value_error

__all__ = ["taken"]


def taken(xp, operation, x, indices, axis):
    """The elements of ``x`` along ``axis`` at ``indices``; a negative one counts from the end.

    A number outside of the axis is an error on the host. A GPU, which would have to be waited for to tell, takes the
    nearest element there is.

    Raises:
        ValueError: On the host, if an index is outside of the axis.
    """
    length = x.shape[axis]
    if xp is not np:
        return xp.take(x, xp.clip(indices.astype(np.int64), -length, length - 1), axis=axis)
    try:
        return np.take(x, indices, axis=axis)
    except IndexError:
        expected = f"the 'input_indices' must be in [-{length}, {length}), the length of axis {axis}"
        outside = indices[(indices < -length) | (indices >= length)]
        raise value_error(operation, expected, outside.flat[0]) from None
