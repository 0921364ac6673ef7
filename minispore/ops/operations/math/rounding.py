"""Roundings, elementwise; their gradient is zero."""

from minispore.ops.elementwise import FloatFunction, Function

__all__ = ["Ceil", "Floor", "Rint", "Round", "Trunc"]


class Floor(FloatFunction):
    """Elementwise rounding down.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.floor(ms.Tensor([1.7, -1.2])))
        [ 1. -2.]
    """

    differentiable = False

    ufunc = "floor"


class Ceil(FloatFunction):
    """Elementwise rounding up.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ceil(ms.Tensor([1.2, -1.7])))
        [ 2. -1.]
    """

    differentiable = False

    ufunc = "ceil"


class Rint(FloatFunction):
    """Elementwise rounding of floats to the nearest integer, halves to even.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Rint()(ms.Tensor([0.5, 1.5, 2.5, -0.7])))
        [ 0.  2.  2. -1.]
    """

    differentiable = False

    ufunc = "rint"


class _Whole(Function):
    """Base of roundings that leave a Tensor of integers as it is."""

    differentiable = False
    ufunc = None

    def compute(self, xp, x):
        return x if x.dtype.kind in "iu" else FloatFunction.compute(self, xp, x)


class Round(_Whole):
    """Elementwise rounding to the nearest integer, halves to even.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.round(ms.Tensor([0.5, 1.5, 2.5, -0.7])))
        [ 0.  2.  2. -1.]
    """

    def forward(self, xp, x):
        return xp.rint(x)


class Trunc(_Whole):
    """Elementwise rounding toward zero.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.trunc(ms.Tensor([1.7, -1.7])))
        [ 1. -1.]
    """

    def forward(self, xp, x):
        return xp.trunc(x)
