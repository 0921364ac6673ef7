"""Comparisons, logic, and questions about elements."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_bool
from minispore.core.dtype import bool_
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_axes, converted, operand, operands
from minispore.ops.number_checks import check_real

__all__ = [
    "array_equal",
    "array_equiv",
    "equal",
    "greater",
    "greater_equal",
    "in1d",
    "isclose",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isscalar",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
    "signbit",
    "sometrue",
]


def _compared(name, compare, x1, x2, dtype):
    return converted(name, compare(*operands(name, x1, x2)), dtype)


def equal(x1, x2, dtype=None) -> Tensor:
    """Truth of ``x1 == x2``, element by element.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.equal(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 3.0])))
        [ True False]
    """
    return _compared("equal", ops.equal, x1, x2, dtype)


def not_equal(x1, x2, dtype=None) -> Tensor:
    """Truth of ``x1 != x2``, element by element.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.not_equal(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 3.0])))
        [False  True]
    """
    return _compared("not_equal", ops.not_equal, x1, x2, dtype)


def less(x1, x2, dtype=None) -> Tensor:
    """Truth of ``x1 < x2``, element by element.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.less(ms.Tensor([1.0, 2.0]), 2))
        [ True False]
    """
    return _compared("less", ops.less, x1, x2, dtype)


def less_equal(x1, x2, dtype=None) -> Tensor:
    """Truth of ``x1 <= x2``, element by element.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.less_equal(ms.Tensor([1.0, 2.0]), 2))
        [ True  True]
    """
    return _compared("less_equal", ops.less_equal, x1, x2, dtype)


def greater(x1, x2, dtype=None) -> Tensor:
    """Truth of ``x1 > x2``, element by element.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.greater(ms.Tensor([1.0, 3.0]), 2))
        [False  True]
    """
    return _compared("greater", ops.greater, x1, x2, dtype)


def greater_equal(x1, x2, dtype=None) -> Tensor:
    """Truth of ``x1 >= x2``, element by element.

    Shapes: those of the two broadcast. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.greater_equal(ms.Tensor([1.0, 2.0]), 2))
        [False  True]
    """
    return _compared("greater_equal", ops.greater_equal, x1, x2, dtype)


# Logic


def _truth(name, x, argument="x"):
    """True for each element other than 0."""
    x = operand(name, x, argument)
    return x if x.array.dtype == np.bool_ else ops.not_equal(x, 0)


def logical_and(x1, x2, dtype=None) -> Tensor:
    """True where both are other than 0, element by element.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.logical_and(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [ True False False]
    """
    both = ops.logical_and(_truth("logical_and", x1, "x1"), _truth("logical_and", x2, "x2"))
    return converted("logical_and", both, dtype)


def logical_or(x1, x2, dtype=None) -> Tensor:
    """True where one or both are other than 0, element by element.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.logical_or(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [ True  True False]
    """
    any_of_both = ops.logical_or(_truth("logical_or", x1, "x1"), _truth("logical_or", x2, "x2"))
    return converted("logical_or", any_of_both, dtype)


def logical_xor(x1, x2, dtype=None) -> Tensor:
    """True where exactly one is other than 0, element by element.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``x1`` or ``x2`` holds no numbers, or ``dtype`` is not a dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.logical_xor(ms.Tensor([True, True, False]), ms.Tensor([True, False, False])))
        [False  True False]
    """
    one = ops.logical_xor(_truth("logical_xor", x1, "x1"), _truth("logical_xor", x2, "x2"))
    return converted("logical_xor", one, dtype)


def logical_not(a, dtype=None) -> Tensor:
    """True for each element that is 0.

    Shapes: any, kept. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.logical_not(ms.Tensor([0.0, 0.5])))
        [ True False]
    """
    return converted("logical_not", ops.logical_not(_truth("logical_not", a, "a")), dtype)


def sometrue(a, axis=None, keepdims: bool = False) -> Tensor:
    """True where any element is other than 0, over axes, all of them for None.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``axis`` is not an int or a tuple of ints.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.sometrue(ms.Tensor([[True, False], [False, False]]), 1))
        [ True False]
    """
    x = _truth("sometrue", a, "a")
    return ops.reduce_any(x, as_axes("sometrue", axis, x.ndim, keepdims=keepdims), bool(keepdims))


# Elements


def isfinite(x, dtype=None) -> Tensor:
    """True for each element that is neither infinite nor nan.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.isfinite(ms.Tensor([1.0, np.inf, np.nan])))
        [ True False False]
    """
    return converted("isfinite", ops.isfinite(operand("isfinite", x)), dtype)


def isinf(x, dtype=None) -> Tensor:
    """True for each element that is infinite.

    Shapes: any, kept. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.isinf(ms.Tensor([1.0, np.inf, np.nan])))
        [False  True False]
    """
    return converted("isinf", _infinite(operand("isinf", x)), dtype)


def isnan(x, dtype=None) -> Tensor:
    """True for each element that is nan.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.isnan(ms.Tensor([1.0, np.inf, np.nan])))
        [False False  True]
    """
    return converted("isnan", ops.isnan(operand("isnan", x)), dtype)


def _infinite(x):
    return ops.isinf(x) if x.dtype.is_float else ops.zeros(x.shape, bool_)


def isneginf(x) -> Tensor:
    """True for each element that is -inf.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.isneginf(ms.Tensor([1.0, np.inf, -np.inf])))
        [False False  True]
    """
    x = operand("isneginf", x)
    return ops.logical_and(_infinite(x), ops.less(x, 0))


def isposinf(x) -> Tensor:
    """True for each element that is inf.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.isposinf(ms.Tensor([1.0, np.inf, -np.inf])))
        [False  True False]
    """
    x = operand("isposinf", x)
    return ops.logical_and(_infinite(x), ops.greater(x, 0))


def signbit(x, dtype=None) -> Tensor:
    """True for each element below 0, -0.0 not included.

    Shapes: any, kept. Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.signbit(ms.Tensor([-1.0, -0.0, 2.0])))
        [ True False False]
    """
    return converted("signbit", ops.less(operand("signbit", x), 0), dtype)


def isscalar(element) -> bool:
    """True if ``element`` is a number or a string, not a Tensor or another container.

    Shapes: any; the answer is a bool of Python. Any dtype is taken.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> mnp.isscalar(3), mnp.isscalar("a"), mnp.isscalar(ms.Tensor(3))
        (True, True, False)
    """
    return isinstance(element, (bool, int, float, complex, str, np.generic))


# Arrays


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan: bool = False) -> Tensor:
    """True where ``|a - b| <= atol + rtol * |b|``, element by element, or both are the same infinity.

    With ``equal_nan`` two nans are close.

    Shapes: those of the two broadcast. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``a`` or ``b`` holds no numbers, ``rtol`` or ``atol`` is not a number, or ``equal_nan`` is not a
            bool.
        ValueError: If the shapes do not broadcast, or ``rtol`` or ``atol`` is not finite.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.isclose(ms.Tensor([1.0, 1.0]), ms.Tensor([1.000001, 1.1])))
        [ True False]
    """
    check_real("isclose", "rtol", rtol), check_real("isclose", "atol", atol)
    check_bool("isclose", "equal_nan", equal_nan)
    a, b = operands("isclose", a, b, "a", "b")
    a, b = (x if x.dtype.is_float else ops.cast(x, np.dtype(np.float32)) for x in (a, b))
    near = ops.less_equal(ops.abs(a - b), ops.abs(b) * rtol + atol)
    near = ops.logical_or(ops.logical_and(near, ops.isfinite(b)), ops.equal(a, b))
    return ops.logical_or(near, ops.logical_and(ops.isnan(a), ops.isnan(b))) if equal_nan else near


def _are_equal(name, a, b, equal_nan):
    same = ops.equal(a, b)
    if equal_nan:
        same = ops.logical_or(same, ops.logical_and(ops.isnan(a), ops.isnan(b)))
    return ops.reduce_all(same)


def array_equal(a1, a2, equal_nan: bool = False) -> Tensor:
    """True if both have the same shape and elements, as a bool Tensor; with ``equal_nan`` nan equals nan.

    Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``a1`` or ``a2`` holds no numbers, or ``equal_nan`` is not a bool.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.array_equal(ms.Tensor([1, 2]), ms.Tensor([1, 2])))
        True
    """
    a1, a2 = operands("array_equal", a1, a2, "a1", "a2")
    check_bool("array_equal", "equal_nan", equal_nan)
    return _are_equal("array_equal", a1, a2, equal_nan) if a1.shape == a2.shape else Tensor(False)


def array_equiv(a1, a2) -> Tensor:
    """True if both have the same elements once they are broadcast to one shape, as a bool Tensor.

    Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``a1`` or ``a2`` holds no numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.array_equiv(ms.Tensor([1, 1]), ms.Tensor([[1], [1]])))
        True
    """
    a1, a2 = operands("array_equiv", a1, a2, "a1", "a2")
    fit = all(n == m or 1 in (n, m) for n, m in zip(a1.shape[::-1], a2.shape[::-1], strict=False))
    return _are_equal("array_equiv", a1, a2, False) if fit else Tensor(False)


def isin(element, test_elements, invert: bool = False) -> Tensor:
    """True for each element that is one of ``test_elements``, or with ``invert`` none of them.

    Shapes: that of ``element``. Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``element`` or ``test_elements`` holds no numbers, or ``invert`` is not a bool.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.isin(ms.Tensor([1, 2, 3]), [2, 5]))
        [False  True False]
    """
    return _among("isin", element, test_elements, invert)


def in1d(ar1, ar2, invert: bool = False) -> Tensor:
    """True for each element of ``ar1``, in a row, that is one of ``ar2``, or with ``invert`` none of them.

    Shapes: any of N elements gives (N,). Dtypes: any; the answer is bool.

    Raises:
        TypeError: If ``ar1`` or ``ar2`` holds no numbers, or ``invert`` is not a bool.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.in1d(ms.Tensor([1, 2, 3]), [2, 5]))
        [False  True False]
    """
    return _among("in1d", operand("in1d", ar1, "ar1").reshape(-1), ar2, invert)


def _among(name, x, others, invert):
    check_bool(name, "invert", invert)
    x, others = operands(name, x, others)
    found = ops.reduce_any(ops.equal(x.expand_dims(-1), others.reshape(-1)), -1)
    return ops.logical_not(found) if invert else found
