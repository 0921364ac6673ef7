"""Resizing: each output is a weighted sum of a few inputs along each axis."""

from __future__ import annotations

from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.resample import cubic_taps, linear_taps, nearest_taps, resample, resample_grad
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float, check_number, check_tensor

__all__ = [
    "ResampleGrad",
    "Resize",
    "ResizeBilinear",
    "ResizeNearestNeighbor",
]


class Resampling(Primitive):
    """Base: the method ``plan(shape)`` of a subclass gives each resampled axis, its new length and its taps."""

    picks = True  # True if every output is one element of x, which needs no arithmetic

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
    """The gradient of the resampling ``forward``: each dy goes back to the elements that it was made of.

    Shapes: ``dy`` as the resampled Tensor gives ``x_shape``. Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If ``forward`` is not a primitive that resamples, or ``dy`` is not a Tensor.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> twice = ops.Resize((4,))
        >>> print(ops.ResampleGrad(twice)(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]]), (1, 1, 2)))
        [[[3. 7.]]]
    """

    def __init__(self, forward) -> None:
        if not isinstance(forward, Resampling):
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


class Resize(Resampling):
    """The last axes of x resampled to the lengths ``size``, by the mode "nearest", "linear" or "cubic".

    Output i of n stands at ``i * length / n`` among the inputs; with ``align_corners`` at ``i * (length - 1) / (n -
    1)``, with ``half_pixel_centers`` at ``(i + 0.5) * length / n - 0.5``.

    Shapes: (N, C, ...) gives (N, C, ``size``). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If a flag is not a bool, ``size`` not a tuple or list of ints, or x a Tensor of bools.
        ValueError: If ``mode`` is unknown, both flags are set, a length is below 1, or x has an empty axis or too few.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Resize((4,), mode="linear")(ms.Tensor([[[0.0, 3.0]]])))
        [[[0.  1.5 3.  3. ]]]
    """

    rank = None

    def __init__(self, size, mode="nearest", align_corners: bool = False, half_pixel_centers: bool = False) -> None:
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
    """Planes (N, C, H, W) resized to ``size``, each output the nearest input: :class:`Resize`.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``size`` is not a tuple or a list, ``align_corners`` is not a bool, or ``x`` is not a Tensor.
        ValueError: If ``size`` is not two ints, ``size`` does not hold ints above 0, or ``x`` does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ResizeNearestNeighbor((1, 4))(ms.Tensor([[[[1.0, 2.0]]]])))
        [[[[1. 1. 2. 2.]]]]
    """

    rank = 4

    def __init__(self, size, align_corners: bool = False) -> None:
        super().__init__(_two(self, size), "nearest", align_corners)


class ResizeBilinear(Resize):
    """Planes (N, C, H, W) resized to ``size``, linearly along both axes: :class:`Resize`.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``size`` is not a tuple or a list, ``align_corners`` or ``half_pixel_centers`` is not a bool, or
            ``x`` is not a Tensor.
        ValueError: If ``size`` is not two ints, ``size`` does not hold ints above 0, or ``x`` does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ResizeBilinear((1, 3), align_corners=True)(ms.Tensor([[[[0.0, 2.0]]]])))
        [[[[0. 1. 2.]]]]
    """

    rank = 4

    def __init__(self, size, align_corners: bool = False, half_pixel_centers: bool = False) -> None:
        super().__init__(_two(self, size), "linear", align_corners, half_pixel_centers)
