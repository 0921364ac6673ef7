"""Windows of signals, and numbers spaced evenly on a logarithmic scale."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_int, check_switch
from minispore.core.dtype import as_dtype, float32, float64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.casting import cast
from minispore.ops.number_checks import check_real

__all__ = [
    "bartlett_window",
    "blackman_window",
    "hamming_window",
    "hann_window",
    "kaiser_window",
    "logspace",
]


def _window(operation, length, periodic, dtype, values, default=float32):
    """The window that ``values`` computes for a symmetric length; a periodic one lacks the last of the next length."""
    if isinstance(length, Tensor) and length.shape not in ((), (1,)):
        raise value_error(operation, "the 'window_length' must be one int", f"shape {length.shape}")
    length = as_int(operation, "window_length", length)
    if length < 0:
        raise value_error(operation, "the 'window_length' must be at least 0", length)
    kind = default if dtype is None else as_dtype(dtype, operation)
    if not kind.is_float:
        raise type_error(operation, "the 'dtype' must be a float type", kind)
    check = check_bool if length > 1 else check_switch  # MindSpore asks it only of several numbers
    whole = length + (check(operation, "periodic", periodic) and length > 1)
    return Tensor(values(whole)[:length], kind) if length else Tensor(np.zeros(0, np.float32), kind)


def _cosines(*coefficients):
    """The function of a length that sums cosines of ``2 pi i n / (length - 1)`` with alternating signs."""

    def values(length):
        angle = 2 * np.pi * np.arange(length) / max(length - 1, 1)
        out = sum((-1) ** i * c * np.cos(i * angle) for i, c in enumerate(coefficients))
        return out if length > 1 else np.ones(1)

    return values


def bartlett_window(window_length, periodic: bool = True, *, dtype=None) -> Tensor:
    """Window of a triangle: ``out[n] = 1 - |2 n / (N - 1) - 1|``.

    Args:
        window_length (Union[int, Tensor]): The length, at least 0.
        periodic (bool): If True, N is one more than the length. Default: True.
        dtype (DType): A float type. Default: None, float32.

    Raises:
        TypeError: If an argument is of a wrong kind, or the dtype no float type.
        ValueError: If the length is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.bartlett_window(5, False))
        [0.  0.5 1.  0.5 0. ]
    """
    return _window("bartlett_window", window_length, periodic, dtype, np.bartlett)


def blackman_window(window_length, periodic: bool = True, *, dtype=None) -> Tensor:
    """Window of Blackman: ``out[n] = 0.42 - 0.5 cos(2 pi n / (N - 1)) + 0.08 cos(4 pi n / (N - 1))``.

    Arguments and errors are those of :func:`bartlett_window`.

    Raises:
        TypeError: If ``window_length`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``window_length`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.blackman_window(4)[1:])
        [0.34 1.   0.34]
    """
    return _window("blackman_window", window_length, periodic, dtype, _cosines(0.42, 0.5, 0.08))


def hamming_window(
    window_length, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype=None
) -> Tensor:
    """Window of Hamming: ``out[n] = alpha - beta cos(2 pi n / (N - 1))``.

    Args:
        window_length (Union[int, Tensor]): The length, at least 0.
        periodic (bool): If True, N is one more than the length. Default: True.
        alpha (float): Default: 0.54.
        beta (float): Default: 0.46.
        dtype (DType): A float type. Default: None, float32.

    Raises:
        TypeError: If an argument is of a wrong kind, or the dtype no float type.
        ValueError: If the length is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.hamming_window(4))
        [0.08 0.54 1.   0.54]
    """
    check_real("hamming_window", "alpha", alpha), check_real("hamming_window", "beta", beta)
    return _window("hamming_window", window_length, periodic, dtype, _cosines(alpha, beta))


def hann_window(window_length, periodic: bool = True, *, dtype=None) -> Tensor:
    """Window of Hann: ``out[n] = 0.5 - 0.5 cos(2 pi n / (N - 1))``; float64 where no dtype is given.

    Arguments and errors are those of :func:`bartlett_window`.

    Raises:
        TypeError: If ``window_length`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``window_length`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.hann_window(4))
        [0.  0.5 1.  0.5]
    """
    return _window("hann_window", window_length, periodic, dtype, _cosines(0.5, 0.5), float64)


def kaiser_window(window_length, periodic: bool = True, beta: float = 12.0, *, dtype=None) -> Tensor:
    """Window of Kaiser: ``out[n] = I0(beta * sqrt(1 - (2 n / (N - 1) - 1) ** 2)) / I0(beta)``.

    Args:
        window_length (Union[int, Tensor]): The length, at least 0.
        periodic (bool): If True, N is one more than the length. Default: True.
        beta (float): How narrow the window is. Default: 12.0.
        dtype (DType): A float type. Default: None, float64.

    Raises:
        TypeError: If an argument is of a wrong kind, or the dtype no float type.
        ValueError: If the length is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.kaiser_window(5, False).max())
        1.0
    """
    check_real("kaiser_window", "beta", beta)
    return _window("kaiser_window", window_length, periodic, dtype, lambda n: np.kaiser(n, beta), float64)


def logspace(start: Tensor, end: Tensor, steps: int, base: int = 10, *, dtype=float32) -> Tensor:
    """Powers of a base with evenly spaced exponents: ``out[i] = base ** (start + i * (end - start) / (steps - 1))``.

    Dtypes: floats; the answer is float32; TypeError for ints, bools and complex.

    Args:
        start (Tensor): The first exponent, one float.
        end (Tensor): The last exponent, one float.
        steps (int): How many there are, at least 0.
        base (int): Default: 10.
        dtype (DType): A float type. Default: float32.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``steps`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.logspace(ms.Tensor(0.0), ms.Tensor(3.0), 4, 2))
        [1. 2. 4. 8.]
    """
    check_int("logspace", "steps", steps, 0), check_int("logspace", "base", base)
    kind = as_dtype(dtype, "logspace")
    for name, x in (("start", start), ("end", end)):
        if not isinstance(x, Tensor) or x.size != 1 or not x.dtype.is_float:
            raise type_error("logspace", f"the '{name}' must be a Tensor of one float", shown(x))
    first, last = (cast(x.reshape(()), float64) for x in (start, end))
    share = Tensor(np.arange(steps) / max(steps - 1, 1))
    return cast(base ** (first + share * (last - first)), kind)
