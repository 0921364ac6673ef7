"""Numbers at equal distances, and windows over them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.checks import check_bool, check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_axis, as_kind, converted, floating, operands
from minispore.ops.number_checks import check_real

__all__ = ["arange", "bartlett", "blackman", "geomspace", "hamming", "hanning", "linspace", "logspace"]

_MOST = 2**31  # elements of one axis


def _limit(argument, value):
    """A bound of a range as a Python number, which a Tensor of one element may hold."""
    if isinstance(value, Tensor) and value.size == 1:
        value = value.item()
    return value if isinstance(value, bool) else check_real("arange", argument, value)


def arange(start, stop=None, step=None, dtype=None) -> Tensor:
    """Numbers at equal distances, the end left out.

    ``start, start + step, ...`` before ``stop``, or ``0, 1, ...`` before ``start`` alone; ints give int32.

    Raises:
        ValueError: If there is no number between ``start`` and ``stop``, or the ``step`` is 0.
        TypeError: If ``start``, ``stop`` or ``step`` is not a number, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.arange(5))
        [0 1 2 3 4]
        >>> print(mnp.arange(0, 1, 0.25))
        [0.   0.25 0.5  0.75]
    """
    first, last = (0, start) if stop is None else (start, stop)
    first, last = _limit("start", first), _limit("stop", last)
    by = 1 if step is None else _limit("step", step)
    if by == 0 or not 0 < (last - first) / by < _MOST:
        raise value_error("arange", "the 'step' must lead from 'start' to 'stop'", f"{first}, {last} and {by}")
    kinds = [type(x) for x in (start, stop, step) if x is not None]
    default = (
        np.bool_ if kinds == [bool] else np.int32 if all(isinstance(x, int) for x in (first, last, by)) else np.float32
    )
    kind = np.dtype(default) if dtype is None else as_kind("arange", dtype).np
    return Tensor(np.arange(first, last, by).astype(kind))


def _ends(name, start, stop):
    """Two ends as floats that broadcast."""
    first, last = (floating(x, name) for x in operands(name, start, stop, "start", "stop"))
    return first, last


def _count(name, num):
    return check_int(name, "num", num, 1, _MOST)


def _between(name, start, stop, num, endpoint, axis):
    """``num`` floats at equal distances along a new axis, and the distance."""
    first, last = _ends(name, start, stop)
    num, parts = _count(name, num), num - 1 if check_bool(name, "endpoint", endpoint) else num
    step = (last - first) / parts if parts else first * np.nan
    first, last = ops.broadcast_to(first, step.shape), ops.broadcast_to(last, step.shape)
    axis = as_axis(name, axis, step.ndim + 1)
    steps = Tensor(np.arange(num).astype(first.array.dtype)).reshape((num,) + (1,) * (step.ndim - axis))
    out = first.expand_dims(axis) + (step.expand_dims(axis) * steps if parts else 0 * steps)
    if endpoint and num > 1:  # the last one is exact
        exact = np.arange(num).reshape(steps.shape) == num - 1
        out = ops.select(
            Tensor(np.broadcast_to(exact, out.shape)), ops.broadcast_to(last.expand_dims(axis), out.shape), out
        )
    return out, step


def linspace(start, stop, num=50, endpoint: bool = True, retstep: bool = False, dtype=None, axis=0) -> Any:
    """``num`` numbers at equal distances from ``start`` to ``stop``, without ``stop`` unless ``endpoint``.

    With ``retstep`` the answer is ``(numbers, distance)``.

    Raises:
        TypeError: If ``start`` or ``stop`` holds no numbers, ``num`` or ``axis`` is not an int, or ``endpoint`` or
            ``retstep`` is not a bool. Also if ``dtype`` is not a dtype.
        ValueError: If ``num`` is out of range, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.linspace(0, 1, 5))
        [0.   0.25 0.5  0.75 1.  ]
        >>> print(mnp.linspace(0, 1, 4, endpoint=False))
        [0.   0.25 0.5  0.75]
    """
    check_bool("linspace", "retstep", retstep)
    out, step = _between("linspace", start, stop, num, endpoint, axis)
    out = converted("linspace", out, dtype)
    return (out, step) if retstep else out


def logspace(start, stop, num=50, endpoint: bool = True, base=10.0, dtype=None, axis=0) -> Tensor:
    """Powers of a base with evenly spaced exponents.

    ``base ** linspace(start, stop, num)``.

    Raises:
        TypeError: If ``start`` or ``stop`` holds no numbers, ``num`` or ``axis`` is not an int, or ``endpoint`` is not
            a bool. Also if ``base`` is not a number.
        ValueError: If ``num`` is out of range, ``base`` is not finite, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.logspace(0, 2, 3))
        [  1.  10. 100.]
    """
    check_real("logspace", "base", base)
    exponents, _ = _between("logspace", start, stop, num, endpoint, axis)
    powers = ops.pow(ops.full_like(exponents, float(base)), exponents)
    return converted("logspace", powers, dtype)


def geomspace(start, stop, num=50, endpoint: bool = True, dtype=None, axis=0) -> Tensor:
    """``num`` numbers from ``start`` to ``stop``, each the one before times the same factor.

    Raises:
        TypeError: If ``start`` or ``stop`` holds no numbers, ``num`` or ``axis`` is not an int, or ``endpoint`` is not
            a bool. Also if ``dtype`` is not a dtype.
        ValueError: If ``num`` is out of range, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.geomspace(1, 8, 4))
        [1. 2. 4. 8.]
    """
    first, last = _ends("geomspace", start, stop)
    num, parts = _count("geomspace", num), num - 1 if check_bool("geomspace", "endpoint", endpoint) else num
    ratio = last / first
    axis = as_axis("geomspace", axis, ratio.ndim + 1)
    first = ops.broadcast_to(first, ratio.shape)
    shares = np.arange(num).astype(first.array.dtype) / max(parts, 1)
    shares = Tensor(shares.astype(first.array.dtype)).reshape((num,) + (1,) * (ratio.ndim - axis))
    out = first.expand_dims(axis) * ops.pow(
        ops.broadcast_to(ratio.expand_dims(axis), _beside(ratio, axis, num)), shares
    )
    return converted("geomspace", out, dtype)


def _beside(x, axis, num):
    return (*x.shape[:axis], num, *x.shape[axis:])


# Windows


def _window(name, points, numbers):
    if isinstance(points, bool) or not isinstance(points, (int, np.integer)):
        raise type_error(name, "the 'M' must be an int", shown(points))
    return Tensor(numbers(check_int(name, "M", max(points, 0), 0, _MOST)).astype(np.float32))


def bartlett(M) -> Tensor:  # noqa: N803 - MindSpore's name
    """Bartlett's window of M points: a triangle that is 0 at both ends.

    Raises:
        TypeError: If ``M`` is not an int.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.bartlett(5))
        [0.  0.5 1.  0.5 0. ]
    """
    return _window("bartlett", M, np.bartlett)


def blackman(M) -> Tensor:  # noqa: N803 - MindSpore's name
    """Blackman's window of M points: ``0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1))``.

    Raises:
        TypeError: If ``M`` is not an int.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.blackman(3) + 1)
        [1. 2. 1.]
    """
    return _window("blackman", M, np.blackman)


def hamming(M) -> Tensor:  # noqa: N803 - MindSpore's name
    """Hamming's window of M points: ``0.54 - 0.46 cos(2 pi n / (M - 1))``.

    Raises:
        TypeError: If ``M`` is not an int.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.hamming(3))
        [0.08 1.   0.08]
    """
    return _window("hamming", M, np.hamming)


def hanning(M) -> Tensor:  # noqa: N803 - MindSpore's name
    """Hann's window of M points: ``0.5 - 0.5 cos(2 pi n / (M - 1))``.

    Raises:
        TypeError: If ``M`` is not an int.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.hanning(3))
        [0. 1. 0.]
    """
    return _window("hanning", M, np.hanning)
