"""Resizing and padding that take their values from x: each output is a weighted sum of a few inputs along each axis."""

import numpy as np

from minispore.autograd import needs_grad
from minispore.checks import is_int
from minispore.errors import shown, type_error, value_error
from minispore.ops.common import check_float, check_number, check_rank, check_tensor
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.resample import border_taps, cubic_taps, linear_taps, nearest_taps, resample, resample_grad
from minispore.ops.operations.array.manipulation import as_pairs
from minispore.ops.primitive import Primitive, Spec
from minispore.tensor import Tensor

__all__ = [
    "BorderPad",
    "ConstantPad",
    "MirrorPad",
    "ResampleGrad",
    "Resize",
    "ResizeBilinear",
    "ResizeNearestNeighbor",
]


class _Resampling(Primitive):
    """Base: a subclass says in ``plan(shape)`` which axes are resampled to which length, by which taps."""

    picks = True  # whether every output is one element of x, which needs no arithmetic

    def infer(self, x):
        check_number(self, "x", x)
        shape = list(x.shape)
        for axis, count, _ in self.plan(x.shape):
            shape[axis] = count
        return Spec(tuple(shape), x.dtype)

    def compute(self, xp, x):
        y = x if self.picks else widen(xp, x)
        for axis, _, taps in self.plan(x.shape):
            y = resample(xp, y, axis, taps)
        return y if self.picks else narrow(xp, y, x.dtype)

    def bprop(self, x, out, dout):
        return self.cached_primitive(ResampleGrad, self)(dout, x.array.shape)


class ResampleGrad(Primitive):
    """The gradient of the resampling ``forward``: each dy goes back to the elements that it was made of."""

    def __init__(self, forward):
        if not isinstance(forward, _Resampling):
            raise type_error(self.name, "the 'forward' must be a primitive that resamples", shown(forward))
        self.forward = forward

    def infer(self, dy, x_shape):
        check_float(self, "dy", dy)
        return Spec(tuple(x_shape), dy.dtype)

    def compute(self, xp, dy, x_shape):
        dx = widen(xp, dy)
        for axis, _, taps in reversed(self.forward.plan(tuple(x_shape))):
            dx = resample_grad(xp, dx, axis, x_shape[axis], taps)
        return narrow(xp, dx, dy.dtype)

    def bprop(self, dy, x_shape, out, dout):
        return self.forward(dout), None


_TAPS = {"nearest": nearest_taps, "linear": linear_taps, "cubic": cubic_taps}


class Resize(_Resampling):
    """The last axes of x resampled to the lengths ``size``, by the mode "nearest", "linear" or "cubic".

    Output i of n stands at ``i * length / n`` among the inputs; with ``align_corners`` at ``i * (length - 1) / (n -
    1)``, with ``half_pixel_centers`` at ``(i + 0.5) * length / n - 0.5``.

    Raises:
        TypeError: If a flag is no bool, ``size`` no tuple or list of ints, or x a Tensor of bools.
        ValueError: If ``mode`` is unknown, both flags are set, a length is below 1, or x has an empty axis or too few.
    """

    rank = None

    def __init__(self, size, mode="nearest", align_corners=False, half_pixel_centers=False):
        if not isinstance(size, (tuple, list)):
            raise type_error(self.name, "the 'size' must be a tuple or a list", shown(size))
        if any(not is_int(n) for n in size):
            raise type_error(self.name, "the 'size' must hold ints", shown(size))
        if any(n < 1 for n in size):
            raise value_error(self.name, "the 'size' must hold ints above 0", size)
        for name, value in (("align_corners", align_corners), ("half_pixel_centers", half_pixel_centers)):
            self.add_prim_attr(name, value)
        if align_corners and half_pixel_centers:
            raise value_error(self.name, "the 'align_corners' must be False with 'half_pixel_centers'", align_corners)
        if mode not in _TAPS:
            raise value_error(self.name, f"the 'mode' must be one of {sorted(_TAPS)}", shown(mode))
        self.add_prim_attr("size", tuple(size))
        self.mode, self.picks = mode, mode == "nearest"

    def plan(self, shape):
        """The last axes, their new lengths and taps."""
        first = len(shape) - len(self.size)
        flags = self.align_corners, self.half_pixel_centers
        return [(first + i, n, _TAPS[self.mode](shape[first + i], n, *flags)) for i, n in enumerate(self.size)]

    def infer(self, x):
        check_tensor(self, "x", x)
        if self.rank is not None:
            check_rank(self, "x", x, (self.rank,))
        if len(x.shape) < len(self.size) or 0 in x.shape[len(x.shape) - len(self.size) :]:
            expected = f"the 'x' must have {len(self.size)} axes of at least 1 element"
            raise value_error(self.name, expected, f"shape {x.shape}")
        if self.mode != "nearest":
            check_float(self, "x", x)
        return super().infer(x)


def _two(op, size):
    if isinstance(size, (tuple, list)) and len(size) != 2:
        raise value_error(op.name, "the 'size' must be two ints", size)
    return size


class ResizeNearestNeighbor(Resize):
    """Planes (N, C, H, W) resized to ``size``, each output the nearest input: :class:`Resize`."""

    rank = 4

    def __init__(self, size, align_corners=False):
        super().__init__(_two(self, size), "nearest", align_corners)


class ResizeBilinear(Resize):
    """Planes (N, C, H, W) resized to ``size``, linearly along both axes: :class:`Resize`."""

    rank = 4

    def __init__(self, size, align_corners=False, half_pixel_centers=False):
        super().__init__(_two(self, size), "linear", align_corners, half_pixel_centers)


_LIMITS = {"reflect": 1, "symmetric": 0, "wrap": 0}  # by how much padding must be below the length, at least


class BorderPad(_Resampling):
    """x padded by its own elements; ``pads[i]`` is the pair of lengths before and after along axis i.

    The mode "edge" repeats the last element, "reflect" mirrors x at it and "symmetric" behind it, "wrap" goes round.

    Raises:
        ValueError: If ``pads`` has not a pair for each axis, or padding is longer than x allows.
    """

    def __init__(self, mode, pads):
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

    Raises:
        TypeError: If ``paddings`` is no Tensor of ints.
        ValueError: If ``mode`` is unknown, or padding is negative or longer than x allows.
    """

    def __init__(self, mode="REFLECT"):
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
        return needs_grad(x) and self.cached_primitive(ResampleGrad, self._bordered(paddings))(
            dout, x.array.shape
        ), None


class ConstantPad(Primitive):
    """``value`` around x; ``pads[i]`` is the pair of lengths before and after along axis i, below 0 for a cut.

    Raises:
        ValueError: If ``pads`` has not a pair for each axis, or nothing is left of an axis.
    """

    def __init__(self, pads, value=0):
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
