"""Functions of Python values under MindSpore's names: of numbers, tuples, lists and dicts, and of any value."""

from __future__ import annotations

import copy
import math
import operator
from typing import Any

from minispore.core.checks import check_int, check_text
from minispore.core.dtype import DType
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.operations.array.tensor_info import ScalarCast
from minispore.ops.operations.gradient_flow import identity

__all__ = [
    "deepcopy",
    "dict_getitem",
    "dict_setitem",
    "identity",
    "in_dict",
    "is_floating_point",
    "is_tensor",
    "list_equal",
    "list_getitem",
    "list_len",
    "list_setitem",
    "make_list",
    "make_range",
    "make_slice",
    "make_tuple",
    "not_in_dict",
    "numel",
    "reduced_shape",
    "scalar_add",
    "scalar_cast",
    "scalar_div",
    "scalar_eq",
    "scalar_floordiv",
    "scalar_ge",
    "scalar_gt",
    "scalar_le",
    "scalar_log",
    "scalar_lt",
    "scalar_mod",
    "scalar_mul",
    "scalar_pow",
    "scalar_sub",
    "scalar_uadd",
    "scalar_usub",
    "shape_mul",
    "tuple_div",
    "tuple_equal",
    "tuple_getitem",
    "tuple_len",
    "tuple_reversed",
    "tuple_setitem",
    "typeof",
]


def _checked(operation, argument, value, kind, words):
    if not isinstance(value, kind):
        raise type_error(operation, f"the '{argument}' must be {words}", shown(value))
    return value


def _a_tuple(operation, value, argument="x"):
    return _checked(operation, argument, value, tuple, "a tuple")


def _a_list(operation, value, argument="x"):
    return _checked(operation, argument, value, list, "a list")


def _a_dict(operation, value):
    return _checked(operation, "x", value, dict, "a dict")


def _a_number(operation, argument, value):
    return _checked(operation, argument, value, (bool, int, float), "a number")


# Any value


def deepcopy(input_x) -> Any:
    """A copy of a Tensor, or of a tuple, list or dict with all that it holds.

    Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([1, 2])
        >>> ops.deepcopy([x, "a"])
        [Tensor(shape=[2], dtype=Int64, value= [1, 2]), 'a']
    """
    _checked("deepcopy", "input_x", input_x, (Tensor, tuple, list, dict, bool, int, float, str), "a Tensor or a nest")
    try:
        return copy.deepcopy(input_x)
    except RecursionError:
        raise value_error("deepcopy", "the 'input_x' must be less deep a nest", shown(input_x)) from None


def typeof(x: Tensor) -> DType:
    """The dtype of a Tensor.

    Shapes and dtypes: any.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.typeof(ms.Tensor([1.0]))
        minispore.float32
    """
    check_tensors("typeof", x=x)
    return x.dtype


def is_tensor(obj) -> bool:
    """True if ``obj`` is a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.is_tensor(ms.Tensor([1.0])), ops.is_tensor(1.0)
        (True, False)
    """
    return isinstance(obj, Tensor)


def is_floating_point(input: Tensor) -> bool:
    """True if a Tensor is of a floating dtype.

    Shapes: any; the answer is a bool of Python.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.is_floating_point(ms.Tensor([1.0])), ops.is_floating_point(ms.Tensor([1]))
        (True, False)
    """
    check_tensors("is_floating_point", input=input)
    return input.is_floating_point()


def numel(input: Tensor) -> int:
    """The number of a Tensor's elements, an int.

    Shapes and dtypes: any.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.numel(ms.Tensor([[1, 2, 3], [4, 5, 6]]))
        6
    """
    check_tensors("numel", input=input)
    return input.size


# Tuples, lists and dicts


def make_tuple(*values) -> Any:
    """A tuple of the arguments.

    Examples:
        >>> from minispore import ops
        >>> ops.make_tuple(1, "a")
        (1, 'a')
    """
    return values


def make_list(*values) -> Any:
    """A list of the arguments.

    Examples:
        >>> from minispore import ops
        >>> ops.make_list(1, "a")
        [1, 'a']
    """
    return list(values)


def make_slice(start, stop, step) -> Any:
    """``slice(start, stop, step)`` of ints or None.

    Raises:
        TypeError: If ``start``, ``stop`` or ``step`` is not an int.

    Examples:
        >>> from minispore import ops
        >>> ops.make_slice(1, None, 2)
        slice(1, None, 2)
    """
    for name, value in (("start", start), ("stop", stop), ("step", step)):
        if value is not None:
            check_int("make_slice", name, value)
    return slice(start, stop, step)


def make_range(*limits) -> Any:
    """The numbers of ``range(*limits)``, a tuple of ints.

    Raises:
        TypeError: If ``limits`` is not an int.
        ValueError: If the step is 0.

    Examples:
        >>> from minispore import ops
        >>> ops.make_range(2, 8, 2)
        (2, 4, 6)
    """
    if not 1 <= len(limits) <= 3:
        raise type_error("make_range", "there must be one to three limits", len(limits))
    for value in limits:
        check_int("make_range", "limits", value)
    if limits[2:] == (0,):
        raise value_error("make_range", "the step must not be 0", 0)
    return tuple(range(*limits))


def tuple_len(x) -> int:
    """The length of a tuple.

    Raises:
        TypeError: If ``x`` is not a tuple.

    Examples:
        >>> from minispore import ops
        >>> ops.tuple_len((1, 2))
        2
    """
    return len(_a_tuple("tuple_len", x))


def tuple_getitem(x, index) -> Any:
    """The element of a tuple at an index.

    Raises:
        TypeError: If ``x`` is not a tuple, or ``index`` is not an int.
        ValueError: If ``index`` is out of range.

    Examples:
        >>> from minispore import ops
        >>> ops.tuple_getitem((1, 2, 3), -1)
        3
    """
    return _item(_a_tuple("tuple_getitem", x), "tuple_getitem", index)


def tuple_setitem(x, index, value) -> Any:
    """A tuple with another element at an index.

    Raises:
        TypeError: If ``x`` is not a tuple, or ``index`` is not an int.
        ValueError: If ``index`` is out of range.

    Examples:
        >>> from minispore import ops
        >>> ops.tuple_setitem((1, 2, 3), 0, 9)
        (9, 2, 3)
    """
    changed = list(_a_tuple("tuple_setitem", x))
    _item(x, "tuple_setitem", index)
    changed[index] = value
    return tuple(changed)


def tuple_reversed(x) -> Any:
    """A tuple from its end to its beginning.

    Raises:
        TypeError: If ``x`` is not a tuple.

    Examples:
        >>> from minispore import ops
        >>> ops.tuple_reversed((1, 2, 3))
        (3, 2, 1)
    """
    return _a_tuple("tuple_reversed", x)[::-1]


def tuple_equal(x, y) -> bool:
    """True if two tuples are equal.

    Raises:
        TypeError: If ``x`` or ``y`` is not a tuple.

    Examples:
        >>> from minispore import ops
        >>> ops.tuple_equal((1, 2), (1, 2)), ops.tuple_equal((1, 2), (2, 1))
        (True, False)
    """
    return _a_tuple("tuple_equal", x) == _a_tuple("tuple_equal", y, "y")


def tuple_div(x, y) -> Any:
    """Quotients of two tuples of ints, element by element, which must be whole.

    Raises:
        TypeError: If ``x`` or ``y`` is not a tuple.
        ValueError: If ``x`` and ``y`` do not have the same length, or each of ``y`` does not divide its element of
            ``x``.

    Examples:
        >>> from minispore import ops
        >>> ops.tuple_div((8, 9), (2, 3))
        (4, 3)
    """
    x, y = _a_tuple("tuple_div", x), _a_tuple("tuple_div", y, "y")
    if len(x) != len(y):
        raise value_error("tuple_div", "the 'x' and 'y' must have the same length", f"{len(x)} and {len(y)}")
    for a, b in zip(x, y, strict=True):
        if check_int("tuple_div", "y", b) == 0 or check_int("tuple_div", "x", a) % b:
            raise value_error("tuple_div", "each of 'y' must divide its element of 'x'", f"{a} and {b}")
    return tuple(a // b for a, b in zip(x, y, strict=True))


def list_len(x) -> int:
    """The length of a list.

    Raises:
        TypeError: If ``x`` is not a list.

    Examples:
        >>> from minispore import ops
        >>> ops.list_len([1, 2])
        2
    """
    return len(_a_list("list_len", x))


def list_getitem(x, index) -> Any:
    """The element of a list at an index.

    Raises:
        TypeError: If ``x`` is not a list, or ``index`` is not an int.
        ValueError: If ``index`` is out of range.

    Examples:
        >>> from minispore import ops
        >>> ops.list_getitem([1, 2, 3], 1)
        2
    """
    return _item(_a_list("list_getitem", x), "list_getitem", index)


def list_setitem(x, index, value) -> Any:
    """A list with another element at an index; ``x`` stays as it is.

    Raises:
        TypeError: If ``x`` is not a list, or ``index`` is not an int.
        ValueError: If ``index`` is out of range.

    Examples:
        >>> from minispore import ops
        >>> ops.list_setitem([1, 2, 3], 0, 9)
        [9, 2, 3]
    """
    changed = list(_a_list("list_setitem", x))
    _item(x, "list_setitem", index)
    changed[index] = value
    return changed


def list_equal(x, y) -> bool:
    """True if two lists are equal.

    Raises:
        TypeError: If ``x`` or ``y`` is not a list.

    Examples:
        >>> from minispore import ops
        >>> ops.list_equal([1, 2], [1, 2])
        True
    """
    return _a_list("list_equal", x) == _a_list("list_equal", y, "y")


def _item(x, operation, index):
    check_int(operation, "index", index)
    if not -len(x) <= index < len(x):
        raise value_error(operation, f"the 'index' must be in [-{len(x)}, {len(x)})", index)
    return x[index]


def dict_getitem(x, key) -> Any:
    """The value that a dict has for a key, a str.

    Raises:
        TypeError: If ``x`` is not a dict, or ``key`` is not a str.
        ValueError: If ``key`` is unknown.

    Examples:
        >>> from minispore import ops
        >>> ops.dict_getitem({"a": 1}, "a")
        1
    """
    if check_text("dict_getitem", "key", key) not in _a_dict("dict_getitem", x):
        raise value_error("dict_getitem", f"the 'key' must be one of {list(x)}", key)
    return x[key]


def dict_setitem(x, key, value) -> Any:
    """A dict with another value for a key, a str; ``x`` stays as it is.

    Raises:
        TypeError: If ``x`` is not a dict, or ``key`` is not a str.

    Examples:
        >>> from minispore import ops
        >>> ops.dict_setitem({"a": 1}, "b", 2)
        {'a': 1, 'b': 2}
    """
    return {**_a_dict("dict_setitem", x), check_text("dict_setitem", "key", key): value}


def in_dict(key, x) -> bool:
    """True if a dict has a key, a str.

    Raises:
        TypeError: If ``key`` is not a str, or ``x`` is not a dict.

    Examples:
        >>> from minispore import ops
        >>> ops.in_dict("a", {"a": 1})
        True
    """
    return check_text("in_dict", "key", key) in _a_dict("in_dict", x)


def not_in_dict(key, x) -> bool:
    """True if a dict lacks a key, a str.

    Raises:
        TypeError: If ``key`` is not a str, or ``x`` is not a dict.

    Examples:
        >>> from minispore import ops
        >>> ops.not_in_dict("b", {"a": 1})
        True
    """
    return check_text("not_in_dict", "key", key) not in _a_dict("not_in_dict", x)


# Shapes


def shape_mul(shape) -> int:
    """The product of a tuple of ints.

    Raises:
        TypeError: If ``shape`` is not a tuple.

    Examples:
        >>> from minispore import ops
        >>> ops.shape_mul((2, 3, 4))
        24
    """
    return math.prod(check_int("shape_mul", "shape", n) for n in _a_tuple("shape_mul", shape, "shape"))


def reduced_shape(input_shape, axis) -> Any:
    """A shape with the length 1 at each of the axes.

    Raises:
        TypeError: If ``input_shape`` or ``axis`` is not a tuple.
        ValueError: If ``axis`` is no axis of the shape.

    Examples:
        >>> from minispore import ops
        >>> ops.reduced_shape((2, 3, 4), (1,))
        (2, 1, 4)
    """
    kept = list(_a_tuple("reduced_shape", input_shape, "input_shape"))
    for i in _a_tuple("reduced_shape", axis, "axis"):
        _item(kept, "reduced_shape", i)
        kept[i] = 1
    return tuple(kept)


# Numbers


def scalar_cast(input_x, input_y) -> Any:
    """A number as a Python number of the kind of a dtype: ``ScalarCast()(input_x, input_y)``.

    Raises:
        TypeError: If ``input_x`` is not a number, or ``input_y`` is not a dtype.
        ValueError: If ``input_x`` is not finite for an integer type.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.scalar_cast(2.7, ms.int32)
        2
    """
    return make(ScalarCast)(input_x, input_y)


def _of_numbers(operation, calculate):
    """The function of two numbers, which checks them first; a division by 0 is a ValueError."""

    def checked(x, y):
        _a_number(operation, "x", x)
        _a_number(operation, "y", y)
        try:
            return calculate(x, y)
        except (ArithmeticError, ValueError) as error:
            raise value_error(operation, "the 'x' and 'y' must have a result", f"{x} and {y}") from error

    return checked


_NUMBERS = {
    name: _of_numbers(f"scalar_{name}", calculate)
    for name, calculate in {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.truediv,
        "floordiv": operator.floordiv,
        "mod": operator.mod,
        "pow": operator.pow,
        "eq": operator.eq,
        "lt": operator.lt,
        "le": operator.le,
        "gt": operator.gt,
        "ge": operator.ge,
    }.items()
}


def scalar_add(x, y) -> Any:
    """Sum of two numbers.

    ``x + y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_add(2, 0.5)
        2.5
    """
    return _NUMBERS["add"](x, y)


def scalar_sub(x, y) -> Any:
    """Difference of two numbers.

    ``x - y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_sub(2, 5)
        -3
    """
    return _NUMBERS["sub"](x, y)


def scalar_mul(x, y) -> Any:
    """Product of two numbers.

    ``x * y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_mul(2, 5)
        10
    """
    return _NUMBERS["mul"](x, y)


def scalar_div(x, y) -> Any:
    """Quotient of two numbers.

    ``x / y`` of two numbers, a float.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.
        ValueError: If ``x`` and ``y`` do not have a result.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_div(4, 2)
        2.0
    """
    return _NUMBERS["div"](x, y)


def scalar_floordiv(x, y) -> Any:
    """Quotient of two numbers, rounded down.

    ``x // y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.
        ValueError: If ``x`` and ``y`` do not have a result.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_floordiv(-7, 2)
        -4
    """
    return _NUMBERS["floordiv"](x, y)


def scalar_mod(x, y) -> Any:
    """Remainder of two numbers.

    ``x % y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.
        ValueError: If ``x`` and ``y`` do not have a result.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_mod(-7, 2)
        1
    """
    return _NUMBERS["mod"](x, y)


def scalar_pow(x, y) -> Any:
    """Power of two numbers.

    ``x ** y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_pow(2, 10)
        1024
    """
    return _NUMBERS["pow"](x, y)


def scalar_eq(x, y) -> bool:
    """``x == y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_eq(1, 1.0)
        True
    """
    return _NUMBERS["eq"](x, y)


def scalar_lt(x, y) -> bool:
    """``x < y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_lt(1, 2)
        True
    """
    return _NUMBERS["lt"](x, y)


def scalar_le(x, y) -> bool:
    """``x <= y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_le(2, 2)
        True
    """
    return _NUMBERS["le"](x, y)


def scalar_gt(x, y) -> bool:
    """``x > y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_gt(1, 2)
        False
    """
    return _NUMBERS["gt"](x, y)


def scalar_ge(x, y) -> bool:
    """``x >= y`` of two numbers.

    Raises:
        TypeError: If ``x`` or ``y`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_ge(2, 2)
        True
    """
    return _NUMBERS["ge"](x, y)


def scalar_uadd(x) -> Any:
    """A number itself.

    Raises:
        TypeError: If ``x`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_uadd(-3)
        -3
    """
    return _a_number("scalar_uadd", "x", x)


def scalar_usub(x) -> Any:
    """``-x`` of a number.

    Raises:
        TypeError: If ``x`` is not a number.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_usub(-3)
        3
    """
    return -_a_number("scalar_usub", "x", x)


def scalar_log(x) -> Any:
    """The natural logarithm of a number above 0.

    Raises:
        TypeError: If ``x`` is not a number.
        ValueError: If ``x`` is not above 0.

    Examples:
        >>> from minispore import ops
        >>> ops.scalar_log(1)
        0.0
    """
    if not _a_number("scalar_log", "x", x) > 0:
        raise value_error("scalar_log", "the 'x' must be above 0", x)
    return math.log(x)
