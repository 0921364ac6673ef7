"""Padding: zeros, one number, or the elements of x itself around x."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.kernels.resample import border_taps
from minispore.ops.operations.nn.resize import ResampleGrad, Resampling
from minispore.ops.type_checks import check_tensor

__all__ = ["BorderPad", "ConstantPad", "MirrorPad", "Pad"]


def as_pairs(operation, argument, value):
    """Pairs of ints, as a tuple of tuples."""
    pairs = value if isinstance(value, (tuple, list)) else (None,)
    if not all(isinstance(p, (tuple, list)) and len(p) == 2 and all(map(is_int, p)) for p in pairs):
        raise type_error(operation, f"the '{argument}' must be pairs of ints", shown(value))
    return tuple((int(a), int(b)) for a, b in pairs)


class Pad(Primitive):
    """Zeros around ``x``: ``paddings[i]`` is the pair of lengths before and after along axis i.

    Shapes: each length grows by its pair of ``paddings``. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``paddings`` does not hold pairs of ints, or ``x`` is not a Tensor.
        ValueError: If ``paddings`` does not hold a pair of ints of at least 0 for each axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Pad(((0, 0), (1, 2)))(ms.Tensor([[1, 2, 3]])))
        [[0 1 2 3 0 0]]
    """

    def __init__(self, paddings) -> None:
        self.add_prim_attr("paddings", as_pairs(self.name, "paddings", paddings))

    def infer(self, x):
        check_tensor(self, "x", x)
        if len(self.paddings) != len(x.shape) or any(a < 0 or b < 0 for a, b in self.paddings):
            expected = f"the 'paddings' must be {len(x.shape)} pairs of ints of at least 0"
            raise value_error(self.name, expected, self.paddings)
        return Spec(tuple(n + a + b for n, (a, b) in zip(x.shape, self.paddings, strict=False)), x.dtype)

    def compute(self, xp, x):
        return xp.pad(x, self.paddings)

    def bprop(self, x, out, dout):
        return dout[tuple(slice(a, a + n) for n, (a, _) in zip(x.shape, self.paddings, strict=False))]


_LIMITS = {"reflect": 1, "symmetric": 0, "wrap": 0}  # by how much padding must be below the length, at least


class BorderPad(Resampling):
    """x padded by its own elements; ``pads[i]`` is the pair of lengths before and after along axis i.

    The mode "edge" repeats the last element, "reflect" mirrors x at it and "symmetric" behind it, "wrap" goes round.

    Shapes: each length grows by its pair of ``pads``. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        ValueError: If ``pads`` has not a pair for each axis, or padding is longer than x allows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BorderPad("wrap", ((1, 2),))(ms.Tensor([1, 2, 3])))
        [3 1 2 3 1 2]
    """

    def __init__(self, mode, pads) -> None:
        self.mode, self.pads = mode, as_pairs(self.name, "pads", pads)

    def infer(self, x):
        check_tensor(self, "x", x)
        if len(self.pads) != len(x.shape) or any(a < 0 or b < 0 for a, b in self.pads):
            expected = f"the padding must be {len(x.shape)} pairs of ints of at least 0"
            raise value_error(self.name, expected, self.pads)
        for length, pair in zip(x.shape, self.pads, strict=True):
            if max(pair) and max(pair) > max(length - _LIMITS.get(self.mode, 0), 0) and self.mode != "edge":
                raise value_error(self.name, f"the padding must fit into shape {x.shape}", self.pads)
            if max(pair) and not length:
                raise value_error(self.name, "the padded axes must not be empty", f"shape {x.shape}")
        return super().infer(x)

    def plan(self, shape):
        """The padded axes, their new lengths and taps."""
        return [
            (i, length + sum(pair), border_taps(length, *pair, self.mode))
            for i, (length, pair) in enumerate(zip(shape, self.pads, strict=True))
            if any(pair)
        ]


class MirrorPad(Primitive):
    """x padded by its mirror image: ``MirrorPad(mode)(x, paddings)``, a pair of lengths for each axis.

    The mode "REFLECT" mirrors at the last element, "SYMMETRIC" behind it, which is repeated.

    Shapes: each length grows by its pair of ``paddings``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``paddings`` is not a Tensor of ints.
        ValueError: If ``mode`` is unknown, or padding is negative or longer than x allows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MirrorPad("SYMMETRIC")(ms.Tensor([[1.0, 2.0, 3.0]]), ms.Tensor([[0, 0], [1, 2]])))
        [[1. 1. 2. 3. 3. 2.]]
    """

    def __init__(self, mode="REFLECT") -> None:
        if mode not in ("REFLECT", "SYMMETRIC"):
            raise value_error(self.name, "the 'mode' must be 'REFLECT' or 'SYMMETRIC'", shown(mode))
        self.add_prim_attr("mode", mode)

    def adapt(self, x, paddings):
        """Read the paddings as pairs of ints."""
        if not isinstance(paddings, Tensor) or paddings.array.dtype.kind not in "iu":
            raise type_error(self.name, "the 'paddings' must be a Tensor of ints", type(paddings).__name__)
        pairs = paddings.asnumpy()
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise value_error(self.name, "the 'paddings' must have the shape (n, 2)", pairs.shape)
        return x, tuple(map(tuple, pairs.tolist()))

    def _bordered(self, paddings):
        return self.cached_primitive(BorderPad, self.mode.lower(), paddings)

    def infer(self, x, paddings):
        try:
            return self._bordered(paddings).infer(x)
        except ValueError as error:
            raise ValueError(str(error).replace("BorderPad", self.name)) from None

    def compute(self, xp, x, paddings):
        return self._bordered(paddings).compute(xp, x)

    def bprop(self, x, paddings, out, dout):
        grad = self.cached_primitive(ResampleGrad, self._bordered(paddings))
        return (grad(dout, x.array.shape) if needs_grad(x) else None), None


class ConstantPad(Primitive):
    """``value`` around x; ``pads[i]`` is the pair of lengths before and after along axis i, below 0 for a cut.

    Shapes: each length grows by its pair of ``pads``. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        ValueError: If ``pads`` has not a pair for each axis, or nothing is left of an axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ConstantPad(((1, -1),), 9)(ms.Tensor([1, 2, 3])))
        [9 1 2]
    """

    def __init__(self, pads, value=0) -> None:
        self.pads, self.value = as_pairs(self.name, "pads", pads), value

    def infer(self, x):
        check_tensor(self, "x", x)
        if len(self.pads) != len(x.shape):
            raise value_error(self.name, f"the padding must be {len(x.shape)} pairs of ints", self.pads)
        shape = tuple(n + a + b for n, (a, b) in zip(x.shape, self.pads, strict=True))
        if any(n < 1 and any(pair) for n, pair in zip(shape, self.pads, strict=True)):
            raise value_error(self.name, f"the padding must leave something of shape {x.shape}", self.pads)
        return Spec(shape, x.dtype)

    def compute(self, xp, x):
        added = [(max(a, 0), max(b, 0)) for a, b in self.pads]
        wide = xp.pad(x, added, constant_values=np.asarray(self.value).astype(x.dtype).item())
        kept = [slice(max(-a, 0), n + min(b, 0)) for n, (a, b) in zip(wide.shape, self.pads, strict=True)]
        return wide[tuple(kept)]

    def bprop(self, x, out, dout):
        return self.cached_primitive(ConstantPad, tuple((-a, -b) for a, b in self.pads))(dout)
