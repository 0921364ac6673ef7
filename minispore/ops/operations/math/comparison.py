"""Comparisons, logic and tests of numbers: operations with a bool result and no gradient."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import plain
from minispore.core.dtype import STORED
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.broadcasting import broadcast
from minispore.ops.kernels.float16.cast import widen
from minispore.ops.kernels.float16.elementwise import compared
from minispore.ops.number_kinds import not_computed_in
from minispore.ops.promotion import promoted
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_float, check_number, check_same_type, check_tensor, named

__all__ = [
    "ApproximateEqual",
    "Equal",
    "EqualCount",
    "Greater",
    "GreaterEqual",
    "IsClose",
    "IsFinite",
    "IsInf",
    "IsNan",
    "Less",
    "LessEqual",
    "LogicalAnd",
    "LogicalNot",
    "LogicalOr",
    "LogicalXor",
    "NotEqual",
]

_BOOL = np.dtype(np.bool_)


class _Comparison(Primitive):
    """Base of comparisons of two Tensors, with broadcasting and promotion."""

    differentiable = False
    adapt = promoted

    def infer(self, x, y):
        if x.dtype in STORED:
            raise not_computed_in(self, x.dtype)
        return Spec(broadcast(self, x, y).shape, _BOOL)

    def compute(self, xp, x, y):
        return compared(xp, getattr(xp, self.function), x, y)


class Equal(_Comparison):
    """Elementwise ``x == y``.

    Shapes: any that broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.equal(ms.Tensor([1.0, 2.0, np.nan]), ms.Tensor([1.0, 3.0, np.nan])))  # nan equals nothing
        [ True False False]
    """

    complex_numbers = "as written"
    function = "equal"


class NotEqual(_Comparison):
    """Elementwise ``x != y``.

    Shapes: any that broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.not_equal(ms.Tensor([1.0, 2.0, np.nan]), ms.Tensor([1.0, 3.0, np.nan])))  # nan equals nothing
        [False  True  True]
    """

    complex_numbers = "as written"
    function = "not_equal"


class Less(_Comparison):
    """Elementwise ``x < y``.

    Shapes: any that broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.less(ms.Tensor([1.0, 2.0, np.nan]), ms.Tensor(2.0)))
        [ True False False]
    """

    function = "less"


class LessEqual(_Comparison):
    """Elementwise ``x <= y``.

    Shapes: any that broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.less_equal(ms.Tensor([1.0, 2.0, np.nan]), ms.Tensor(2.0)))
        [ True  True False]
    """

    function = "less_equal"


class Greater(_Comparison):
    """Elementwise ``x > y``.

    Shapes: any that broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.greater(ms.Tensor([1.0, 3.0, np.nan]), ms.Tensor(2.0)))
        [False  True False]
    """

    function = "greater"


class GreaterEqual(_Comparison):
    """Elementwise ``x >= y``.

    Shapes: any that broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.greater_equal(ms.Tensor([1.0, 2.0, np.nan]), ms.Tensor(2.0)))
        [False  True False]
    """

    function = "greater_equal"


class _Logic(_Comparison):
    """Base of logic on two Tensors of bools."""

    def infer(self, x, y):
        for name, spec in (("x", x), ("y", y)):
            if spec.dtype != _BOOL:
                raise type_error(self.name, f"the '{name}' must be a Tensor of bools", named(spec.dtype))
        return broadcast(self, x, y)


class LogicalAnd(_Logic):
    """Elementwise ``x and y``.

    Shapes: any that broadcast. Dtypes: bools, kept; TypeError for floats, ints and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LogicalAnd()(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [ True False False]
    """

    function = "logical_and"


class LogicalOr(_Logic):
    """Elementwise ``x or y``.

    Shapes: any that broadcast. Dtypes: bools, kept; TypeError for floats, ints and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LogicalOr()(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [ True  True False]
    """

    function = "logical_or"


class LogicalXor(_Logic):
    """Elementwise exclusive or.

    Shapes: any that broadcast. Dtypes: bools, kept; TypeError for floats, ints and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LogicalXor()(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [False  True False]
    """

    function = "logical_xor"


class LogicalNot(Primitive):
    """Elementwise ``not x``.

    Shapes: any, kept. Dtypes: bools, kept; TypeError for floats, ints and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LogicalNot()(ms.Tensor([True, False])))
        [False  True]
    """

    differentiable = False

    def infer(self, x):
        check_tensor(self, "x", x)
        if x.dtype != _BOOL:
            raise type_error(self.name, "the 'x' must be a Tensor of bools", named(x.dtype))
        return x

    def compute(self, xp, x):
        return xp.logical_not(x)


class _Test(Primitive):
    """Base of tests of numbers."""

    differentiable = False
    autocast = False

    def infer(self, x):
        check_tensor(self, "x", x)
        return Spec(x.shape, _BOOL)

    def compute(self, xp, x):
        return getattr(xp, self.function)(x)


class IsFinite(_Test):
    """True for each element that is neither infinite nor nan.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.isfinite(ms.Tensor([1.0, np.inf, np.nan])))
        [ True False False]
    """

    function = "isfinite"


class IsInf(_Test):
    """True for each element that is infinite, of either sign; of floating Tensors.

    Shapes: any, kept. Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.isinf(ms.Tensor([1.0, np.inf, -np.inf, np.nan])))
        [False  True  True False]
    """

    function = "isinf"

    def infer(self, x):
        check_float(self, "x", x)
        return super().infer(x)


class IsNan(_Test):
    """True for each element that is nan, not a number.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.isnan(ms.Tensor([1.0, np.inf, np.nan])))
        [False False  True]
    """

    function = "isnan"


class ApproximateEqual(_Comparison):
    """Elementwise ``|x - y| < tolerance``, of two floating Tensors of one shape.

    Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Raises:
        RuntimeError: If the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ApproximateEqual(0.1)(ms.Tensor([1.0, 2.0]), ms.Tensor([1.05, 2.5])))
        [ True False]
    """

    def __init__(self, tolerance=1e-5) -> None:
        self.add_prim_attr("tolerance", tolerance)

    def infer(self, x, y):
        check_float(self, "x", x)
        if x.shape != y.shape:
            raise runtime_error(self.name, "the 'x' and 'y' must have the same shape", f"{x.shape} and {y.shape}")
        return Spec(x.shape, _BOOL)

    def compute(self, xp, x, y):
        return xp.abs(widen(xp, x) - widen(xp, y)) < self.tolerance


class IsClose(Primitive):
    """Elementwise ``|x1 - x2| <= atol + rtol * |x2|``, of two Tensors of one dtype; infinities are close to themselves.

    Dtypes: floats and ints; the answer is bool; TypeError for bools and complex.

    Args:
        rtol (float): The allowed difference, relative to x2. Default: 1e-5.
        atol (float): The allowed difference besides. Default: 1e-8.
        equal_nan (bool): If True, nan is close to nan. Default: True.

    Raises:
        TypeError: If ``rtol`` or ``atol`` is not a number, ``equal_nan`` is not a bool, or ``x1`` or ``x2`` is not a
            Tensor. Also if ``x2`` and ``x1`` differ in dtype.
        ValueError: If ``rtol`` or ``atol`` is below 0, or the shapes do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.IsClose()(ms.Tensor([1.0, 1.0, np.nan]), ms.Tensor([1.000001, 1.1, np.nan])))
        [ True False  True]
    """

    differentiable = False

    def __init__(self, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = True) -> None:
        for name, value in (("rtol", rtol), ("atol", atol)):
            if not isinstance(plain(value), float):
                raise type_error("IsClose", f"the '{name}' must be a float", shown(value))
            if value < 0:
                raise value_error("IsClose", f"the '{name}' must be at least 0", value)
            self.add_prim_attr(name, value)
        self.add_prim_attr("equal_nan", equal_nan)

    def infer(self, x1, x2):
        check_number(self, "x1", x1)
        check_same_type(self, x1=x1, x2=x2)
        return Spec(broadcast(self, x1, x2).shape, _BOOL)

    def compute(self, xp, x1, x2):
        return xp.isclose(widen(xp, x1), widen(xp, x2), self.rtol, self.atol, self.equal_nan)


class EqualCount(Primitive):
    """Number of equal elements of two Tensors of one shape, in their dtype and with the shape (1,).

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` or ``y`` is not a Tensor, or ``y`` and ``x`` differ in dtype.
        ValueError: If ``y`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.EqualCount()(ms.Tensor([1, 2, 3]), ms.Tensor([1, 5, 3])))
        [2]
    """

    differentiable = False

    def infer(self, x, y):
        check_number(self, "x", x)
        check_same_type(self, x=x, y=y)
        check_shape(self, "y", y, x.shape)
        return Spec((1,), x.dtype)

    def compute(self, xp, x, y):
        return (x == y).sum().reshape(1).astype(x.dtype)
