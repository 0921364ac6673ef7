"""Fourier transforms of complex and of real numbers. They are linear: a gradient is transformed the other way."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int, is_int
from minispore.core.dtype import COMPLEX, float32, float64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.operations.array.joining import Concat
from minispore.ops.operations.array.slicing import ReverseV2
from minispore.ops.operations.math.complex_numbers import Conj, Real
from minispore.ops.type_checks import check_tensor, named

__all__ = ["FFTWithSize"]

_TURNED = {"backward": "forward", "forward": "backward", "ortho": "ortho"}  # the norm of the transform's adjoint
_beside, _mirror, _conj, _real = Concat(-1), ReverseV2([-1]), Conj(), Real()


class Fourier(Primitive):
    """The discrete Fourier transform of complex numbers over ``axes``, or its inverse."""

    complex_numbers = "as written"

    def __init__(self, axes, inverse, norm):
        for name, value in (("axes", axes), ("inverse", inverse), ("norm", norm)):
            self.add_prim_attr(name, value)

    def infer(self, x):
        check_tensor(self, "x", x)
        if x.dtype not in COMPLEX:
            raise type_error(self.name, "the 'x' must be a complex Tensor", named(x.dtype))
        return x

    def compute(self, xp, x):
        transform = xp.fft.ifftn if self.inverse else xp.fft.fftn
        return transform(x, axes=self.axes, norm=self.norm).astype(x.dtype, copy=False)

    def bprop(self, x, out, dout):
        return self.cached_primitive(Fourier, self.axes, not self.inverse, _TURNED[self.norm])(dout)


class FFTWithSize(Primitive):
    """Fourier transform over the last 1 to 3 axes: ``out[k] = sum of x[n] * e ** (-2 pi i k n / N)``, or its inverse.

    Shapes: any with as many axes; a real transform shortens the last axis to n // 2 + 1, its inverse undoes that.
    Dtypes: float32 gives complex64; float64 gives complex128; TypeError for float16, ints, bools and complex.

    Args:
        signal_ndim (int): The number of axes, 1, 2 or 3.
        inverse (bool): If True, the inverse is computed.
        real (bool): If True, x is real, or with ``inverse`` the result.
        norm (str): The place of the division by N: the inverse ("backward"), the transform ("forward"), or both, by the
            root of N ("ortho"). Default: "backward".
        onesided (bool): If True, a real signal's transform has only the first half of the last axis, the other being
            its conjugate. Default: True.
        signal_sizes (tuple): The lengths of the axes of a real inverse. Default: (), the last an even one.

    Inputs: ``x``, float32 or float64 where it is real, else complex64 or complex128.

    Raises:
        TypeError: If an argument or the input is of a wrong kind.
        ValueError: If an argument has another value than listed, or x has too few axes.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([2.0, 1.0, 2.0])
        >>> print(ms.ops.FFTWithSize(signal_ndim=1, inverse=False, real=True)(x))
        [5. +0.j        0.5+0.8660254j]
    """

    def __init__(
        self, signal_ndim: int, inverse: bool, real: bool, norm: str = "backward", onesided=True, signal_sizes=()
    ) -> None:
        check_choice(self.name, "signal_ndim", check_int(self.name, "signal_ndim", signal_ndim), (1, 2, 3))
        for name, value in (("inverse", inverse), ("real", real), ("onesided", onesided)):
            check_bool(self.name, name, value)
        check_choice(self.name, "norm", norm, ("backward", "forward", "ortho"))
        sizes = tuple(signal_sizes) if isinstance(signal_sizes, (tuple, list)) else signal_sizes
        if not isinstance(sizes, tuple) or not all(is_int(n) and n > 0 for n in sizes):
            raise type_error(self.name, "the 'signal_sizes' must be a tuple of ints above 0", shown(signal_sizes))
        arguments = {key: value for key, value in locals().items() if key not in ("self", "name", "value", "__class__")}
        for name, value in arguments.items():
            self.add_prim_attr(name, value)

    def __call__(self, x):
        """The transform."""
        self._check_signal(x)
        if not self.real:
            return self._transform(-self.signal_ndim, 0)(x)
        if self.inverse:
            return self._real_signal(x)
        wide = cast(x, np.dtype(np.complex64 if x.dtype == float32 else np.complex128))
        out = self._transform(-self.signal_ndim, 0)(wide)
        return out[..., : x.shape[-1] // 2 + 1] if self.onesided else out

    def _transform(self, first, end):
        return self.cached_primitive(Fourier, tuple(range(first, end)), self.inverse, self.norm)

    def _real_signal(self, x):
        """The real signal of a transform; with ``onesided`` x is the first half of the last axis."""
        if self.onesided:
            lead = self._transform(-self.signal_ndim, -1)(x) if self.signal_ndim > 1 else x
            length = self.signal_sizes[-1] if self.signal_sizes else 2 * (x.shape[-1] - 1)
            if length // 2 + 1 != x.shape[-1]:
                expected = f"the last of the 'signal_sizes' must fit the last axis of 'x', {x.shape[-1]}"
                raise value_error(self.name, expected, length)
            others = lead[..., 1 : (length + 1) // 2]
            return _real(self._transform(-1, 0)(_beside((lead, _conj(_mirror(others))))))
        return _real(self._transform(-self.signal_ndim, 0)(x))

    def _check_signal(self, x):
        real = self.real and not self.inverse
        if not isinstance(x, Tensor) or x.array.dtype not in ((float32.np, float64.np) if real else COMPLEX):
            expected = f"the 'x' must be a Tensor of {'float32 or float64' if real else 'complex64 or complex128'}"
            raise type_error(self.name, expected, x.dtype if isinstance(x, Tensor) else type(x).__name__)
        if x.ndim < self.signal_ndim:
            raise value_error(self.name, f"the 'x' must have at least {self.signal_ndim} axes", f"shape {x.shape}")
        if self.signal_sizes and len(self.signal_sizes) != self.signal_ndim:
            raise value_error(self.name, f"the 'signal_sizes' must be {self.signal_ndim} lengths", self.signal_sizes)
