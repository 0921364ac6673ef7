"""Functional wrappers of Fourier transforms: over some axes, and of short pieces of a signal."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_positive_int
from minispore.core.dtype import COMPLEX, FLOATS
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_complex import view_as_real
from minispore.ops.functional.array_filling import zeros
from minispore.ops.functional.nn_resize import pad
from minispore.ops.operations.array.gather import Gather
from minispore.ops.operations.array.joining import Concat
from minispore.ops.operations.linalg.fourier import Fourier

__all__ = ["fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "stft"]

_NORMS = (None, "backward", "forward", "ortho")
_gather = Gather()


def _as_complex(operation, x, argument="input"):
    """A Tensor of numbers as one of complex numbers: float64 as complex128, other real ones as complex64."""
    check_tensors(operation, **{argument: x})
    if x.array.dtype in COMPLEX:
        return x
    if x.array.dtype == np.bool_:
        raise type_error(operation, f"the '{argument}' must be a Tensor of numbers", x.dtype)
    return cast(x, np.dtype(np.complex128 if x.array.dtype == np.float64 else np.complex64))


def _resized(x, axis, length):
    """``x`` cut, or filled up with zeros at its end, to a length along an axis."""
    if length <= x.shape[axis]:
        return x[(*(slice(None),) * axis, slice(length))]
    rest = (*x.shape[:axis], length - x.shape[axis], *x.shape[axis + 1 :])
    return make(Concat, axis)((x, zeros(rest, x.dtype)))


def _ints(operation, argument, value):
    several = (value,) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(several, (tuple, list)) or any(type(n) is not int for n in several):
        raise type_error(operation, f"the '{argument}' must be ints", shown(value))
    return tuple(several)


def _transformed(operation, x, lengths, axes, norm, inverse):
    x = _as_complex(operation, x)
    check_choice(operation, "norm", norm, _NORMS)
    if axes is None:
        count = x.ndim if lengths is None else len(_ints(operation, "s", lengths))
        axes = tuple(range(-count, 0))
    axes = tuple(as_axis(operation, a, x.ndim, "dim") for a in _ints(operation, "dim", axes))
    if len(set(axes)) != len(axes):
        raise value_error(operation, "the 'dim' must name each axis once", axes)
    if lengths is not None:
        lengths = _ints(operation, "s", lengths)
        if len(lengths) != len(axes) or any(n < 1 for n in lengths):
            raise value_error(operation, f"the 's' must be {len(axes)} ints above 0", lengths)
        for axis, n in zip(axes, lengths, strict=True):
            x = _resized(x, axis, n)
    return make(Fourier, axes, inverse, norm or "backward")(x)


def fft(input, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Fourier transform along an axis: ``out[k] = sum of input[j] * e ** (-2 pi i j k / n)``.

    Dtypes: complex, kept; float16, float32 and ints give complex64; float64 gives complex128; TypeError for bools.

    Args:
        input (Tensor): Numbers; real ones are taken as complex ones.
        n (int): The length to which the axis is cut or filled up with zeros. Default: None, its own.
        dim (int): The axis. Default: -1.
        norm (str): "forward" divides by n, "ortho" by its root; "backward" and None do not. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If there is no such axis, n is below 1, or the norm is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.fft(ms.Tensor([1.0, 0.0, 0.0, 0.0])))
        [1.+0.j 1.+0.j 1.+0.j 1.+0.j]
    """
    return _transformed("fft", input, None if n is None else (n,), (dim,), norm, False)


def ifft(input, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Inverse Fourier transform along an axis: ``out[k] = sum of input[j] * e ** (2 pi i j k / n) / n``.

    Arguments and errors are those of :func:`fft`; "forward" does not divide, "ortho" divides by the root of n.

    Shapes: any, kept; ``n`` gives the length of the axis. Dtypes: complex, kept; float16, float32 and ints give
    complex64; float64 gives complex128; TypeError for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``n`` or ``dim`` does not hold ints.
        ValueError: If ``dim`` is no axis of the input, ``n`` does not hold ints above 0, or ``norm`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.ifft(ms.Tensor([1.0, 1.0])))
        [1.+0.j 0.+0.j]
    """
    return _transformed("ifft", input, None if n is None else (n,), (dim,), norm, True)


def fft2(input, s=None, dim=(-2, -1), norm: str | None = None) -> Tensor:
    """Fourier transform over two axes, with a length for each in ``s``; otherwise as :func:`fft`.

    Shapes: any of at least two axes, kept; ``s`` gives the lengths of the two. Dtypes: complex, kept; float16, float32
    and ints give complex64; float64 gives complex128; TypeError for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``s`` or ``dim`` does not hold ints.
        ValueError: If ``dim`` is no axis of the input, ``s`` does not hold ints above 0, or ``norm`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.fft2(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[10.+0.j -2.+0.j]
         [-4.+0.j  0.+0.j]]
    """
    return _transformed("fft2", input, s, dim, norm, False)


def ifft2(input: Tensor, s=None, dim=(-2, -1), norm: str | None = None) -> Tensor:
    """Inverse Fourier transform over two axes, with a length for each in ``s``; otherwise as :func:`ifft`.

    Shapes: any of at least two axes, kept; ``s`` gives the lengths of the two. Dtypes: complex, kept; float16, float32
    and ints give complex64; float64 gives complex128; TypeError for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``s`` or ``dim`` does not hold ints.
        ValueError: If ``dim`` is no axis of the input, ``s`` does not hold ints above 0, or ``norm`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.ifft2(ops.fft2(x)))
        [[1.+0.j 2.+0.j]
         [3.+0.j 4.+0.j]]
    """
    return _transformed("ifft2", input, s, dim, norm, True)


def fftn(input: Tensor, s=None, dim=None, norm: str | None = None) -> Tensor:
    """Fourier transform over the axes ``dim``: by default all, or as many of the last as ``s`` has lengths.

    Shapes: any, kept; ``s`` gives the lengths of the axes. Dtypes: complex, kept; float16, float32 and ints give
    complex64; float64 gives complex128; TypeError for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``s`` or ``dim`` does not hold ints.
        ValueError: If ``s`` does not hold ints above 0, ``dim`` is no axis of the input, or ``norm`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.fftn(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[10.+0.j -2.+0.j]
         [-4.+0.j  0.+0.j]]
    """
    return _transformed("fftn", input, s, dim, norm, False)


def ifftn(input: Tensor, s=None, dim=None, norm: str | None = None) -> Tensor:
    """Inverse Fourier transform over the axes ``dim``: by default all, or as many of the last as ``s`` has lengths.

    Shapes: any, kept; ``s`` gives the lengths of the axes. Dtypes: complex, kept; float16, float32 and ints give
    complex64; float64 gives complex128; TypeError for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``s`` or ``dim`` does not hold ints.
        ValueError: If ``s`` does not hold ints above 0, ``dim`` is no axis of the input, or ``norm`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ifftn(ops.fftn(ms.Tensor([1.0, 2.0, 3.0, 4.0]))))
        [1.+0.j 2.+0.j 3.+0.j 4.+0.j]
    """
    return _transformed("ifftn", input, s, dim, norm, True)


def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """Fourier transforms of the pieces of a signal: ``out[k, m] = fft of window * x[m * hop : m * hop + n_fft]``.

    Args:
        x (Tensor): A signal ``(length,)``, or several ``(n, length)``; real or complex.
        n_fft (int): The length of a piece.
        hop_length (int): The distance of pieces. Default: None, a quarter of ``n_fft``.
        win_length (int): The length of the window, in the middle of a piece. Default: None, ``n_fft``.
        window (Tensor): The window. Default: None, ones.
        center (bool): If True, half a piece is padded on both sides, so that piece m has ``m * hop`` in its middle.
            Default: True.
        pad_mode (str): "CONSTANT", "REFLECT" or "EDGE", in capital or small letters. Default: "REFLECT".
        normalized (bool): If True, it is divided by the root of ``n_fft``. Default: False.
        onesided (bool): If True, only the first half of the frequencies. Default: None, True for a real signal.
        return_complex (bool): If False or None, real and imaginary parts along a new last axis. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If lengths do not fit, a complex signal is to have one side, or the padding is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.stft(ms.ops.ones(8), 4, 4, center=False, return_complex=True))
        [[4.+0.j 4.+0.j]
         [0.+0.j 0.+0.j]
         [0.+0.j 0.+0.j]]
    """
    onesided = _checked_signal(x, center, normalized, onesided, return_complex)
    check_positive_int("stft", "n_fft", n_fft)
    hop = check_positive_int("stft", "hop_length", max(n_fft // 4, 1) if hop_length is None else hop_length)
    length = check_positive_int("stft", "win_length", n_fft if win_length is None else win_length)
    x = _centred(x, n_fft, pad_mode) if center else x
    if x.shape[-1] < n_fft:
        raise value_error("stft", f"the signal must have at least {n_fft} elements, 'n_fft'", x.shape[-1])
    starts = np.arange(0, x.shape[-1] - n_fft + 1, hop)
    pieces = _gather(x, Tensor(starts[:, None] + np.arange(n_fft)), x.ndim - 1)
    pieces = pieces if window is None and length == n_fft else pieces * _window(window, length, n_fft, x)
    out = fft(pieces, norm="ortho" if normalized else None).swapaxes(-1, -2)
    out = out[..., : n_fft // 2 + 1, :] if onesided else out
    return out if return_complex else view_as_real(out)


def _checked_signal(x, center, normalized, onesided, return_complex):
    """True if only the first half of the frequencies is wished for; raise for a wrong signal or flag."""
    check_tensors("stft", x=x)
    check_bool("stft", "center", center), check_bool("stft", "normalized", normalized)
    if return_complex is not None:
        check_bool("stft", "return_complex", return_complex)
    if x.ndim not in (1, 2) or (x.array.dtype not in FLOATS and x.array.dtype not in COMPLEX):
        raise type_error("stft", "the 'x' must be a floating or complex Tensor of 1 or 2 axes", f"{x.dtype} {x.shape}")
    real = x.array.dtype in FLOATS
    onesided = real if onesided is None else check_bool("stft", "onesided", onesided)
    if onesided and not real:
        raise value_error("stft", "the 'onesided' must be False for a complex signal", True)
    return onesided


def _centred(x, n_fft, pad_mode):
    """A signal with half a piece of padding on both sides."""
    modes = {"constant": "constant", "reflect": "reflect", "edge": "replicate"}
    check_choice("stft", "pad_mode", pad_mode, (*modes, *map(str.upper, modes)))
    rows = x.reshape((1, -1, x.shape[-1]))
    padded = pad(rows, (n_fft // 2, n_fft // 2), modes[pad_mode.lower()])
    return padded.reshape((*x.shape[:-1], padded.shape[-1]))


def _window(window, length, n_fft, x):
    """The window in the middle of a piece, with zeros around it."""
    if length > n_fft:
        raise value_error("stft", f"the 'win_length' must be at most {n_fft}, 'n_fft'", length)
    if window is None:
        values = np.ones(length, np.float64 if x.itemsize == 8 and x.array.dtype in FLOATS else np.float32)
        window = Tensor(values)
    check_tensors("stft", window=window)
    if window.shape != (length,):
        raise value_error("stft", f"the 'window' must have the shape ({length},)", window.shape)
    before = (n_fft - length) // 2
    return pad(window, (before, n_fft - length - before))
