"""Elements along an axis at indices, of which some may be out of range."""

import numpy as np

from minispore.errors import value_error

__all__ = ["taken"]


def taken(xp, operation, x, indices, axis):
    """The elements of ``x`` along ``axis`` at ``indices``; a negative one counts from the end.

    An index out of range is an error on the host. A GPU would have to be waited for: there it is clipped.

    Raises:
        ValueError: On the host, if an index is outside of the axis.
    """
    if xp is np:
        return _taken_on_the_host(operation, x, indices, axis)
    length = x.shape[axis]
    return xp.take(x, xp.clip(indices.astype(np.int64), -length, length - 1), axis=axis)


def _taken_on_the_host(operation, x, indices, axis):
    try:
        return np.take(x, indices, axis=axis)
    except IndexError:
        length = x.shape[axis]
        expected = f"the 'input_indices' must be in [-{length}, {length}), the length of axis {axis}"
        outside = indices[(indices < -length) | (indices >= length)]
        raise value_error(operation, expected, outside.flat[0]) from None
