"""MindSpore's checks of arguments, ``from mindspore import _checkparam as validator``, as networks and tools call them.

Each function takes the value, the argument's name and the operation's, and returns the value or raises TypeError for a
wrong kind and ValueError for a wrong value. A bool is no number. The package's own checks are in ``checks``.
"""

import inspect
import operator
from functools import partial, wraps

from minispore.core import errors
from minispore.core.checks import is_int
from minispore.core.dtype import DType, as_dtype
from minispore.core.errors import shown

__all__ = []

EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)

# Relation -> (whether a value has it to a bound, how it is said)
_TO_ONE = {
    EQ: (operator.eq, "= {}"),
    NE: (operator.ne, "!= {}"),
    LT: (operator.lt, "< {}"),
    LE: (operator.le, "<= {}"),
    GT: (operator.gt, "> {}"),
    GE: (operator.ge, ">= {}"),
    IN: (lambda value, values: value in values, "in {}"),
    NOT_IN: (lambda value, values: value not in values, "not in {}"),
}
_TO_TWO = {
    INC_NEITHER: (operator.gt, operator.lt, "in ({}, {})"),
    INC_LEFT: (operator.ge, operator.lt, "in [{}, {})"),
    INC_RIGHT: (operator.gt, operator.le, "in ({}, {}]"),
    INC_BOTH: (operator.ge, operator.le, "in [{}, {}]"),
}


def type_error(prim_name, expected, got):
    """The house sentence of a wrong kind; without an operation, of the check itself."""
    return errors.type_error(prim_name or "check", expected, got)


def value_error(prim_name, expected, got):
    """The house sentence of a wrong value; without an operation, of the check itself."""
    return errors.value_error(prim_name or "check", expected, got)


def _words(arg_name):
    return f"the '{arg_name}'" if arg_name else "the input value"


def _is_number(value, kind):
    return is_int(value) if kind is int else isinstance(value, kind) and not isinstance(value, bool)


def _check_kind(arg_value, kind, arg_name, prim_name):
    if not _is_number(arg_value, kind):
        raise type_error(prim_name, f"{_words(arg_name)} must be of type {kind.__name__}", shown(arg_value))
    return arg_value


def check(arg_name, arg_value, value_name, value, rel=EQ, prim_name=None, excp_cls=ValueError):
    """``arg_value``, which must have the relation ``rel`` to ``value``."""
    holds, words = _TO_ONE[rel]
    if not holds(arg_value, value):
        right = f"{value_name}: {shown(value)}" if value_name else shown(value)
        error = type_error if issubclass(excp_cls, TypeError) else value_error
        raise error(prim_name, f"{_words(arg_name)} must be {words.format(right)}", shown(arg_value))
    return arg_value


def check_number(arg_name, arg_value, value, rel, prim_name):
    """``arg_value``, a number that has the relation ``rel`` to ``value``."""
    return check(arg_name, arg_value, "", value, rel, prim_name)


def _checked(kind, arg_value, value, rel, arg_name=None, prim_name=None):
    """``arg_value``, a number of ``kind`` that has the relation ``rel`` to ``value``."""
    _check_kind(arg_value, kind, arg_name, prim_name)
    return check(arg_name, arg_value, "", value, rel, prim_name)


def check_int(arg_value, value, rel, arg_name=None, prim_name=None):
    """``arg_value``, an int that has the relation ``rel`` to ``value``."""
    return _checked(int, arg_value, value, rel, arg_name, prim_name)


def check_float(arg_value, value, rel, arg_name=None, prim_name=None):
    """``arg_value``, a float that has the relation ``rel`` to ``value``."""
    return _checked(float, arg_value, value, rel, arg_name, prim_name)


def check_is_int(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, an int."""
    return _check_kind(arg_value, int, arg_name, prim_name)


def check_is_float(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, a float."""
    return _check_kind(arg_value, float, arg_name, prim_name)


def check_is_number(arg_value, arg_type, arg_name=None, prim_name=None):
    """``arg_value``, a number of a type."""
    return _check_kind(arg_value, arg_type, arg_name, prim_name)


def check_equal_int(arg_value, value, arg_name=None, prim_name=None):
    """``arg_value``, the int ``value``."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def check_positive_int(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, an int above 0."""
    return check_int(arg_value, 0, GT, arg_name, prim_name)


def check_negative_int(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, an int below 0."""
    return check_int(arg_value, 0, LT, arg_name, prim_name)


def check_non_positive_int(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, an int of at most 0."""
    return check_int(arg_value, 0, LE, arg_name, prim_name)


def check_non_negative_int(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, an int of at least 0."""
    return check_int(arg_value, 0, GE, arg_name, prim_name)


def check_positive_float(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, a float above 0."""
    return check_float(arg_value, 0, GT, arg_name, prim_name)


def check_negative_float(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, a float below 0."""
    return check_float(arg_value, 0, LT, arg_name, prim_name)


def check_non_positive_float(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, a float of at most 0."""
    return check_float(arg_value, 0, LE, arg_name, prim_name)


def check_non_negative_float(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, a float of at least 0."""
    return check_float(arg_value, 0, GE, arg_name, prim_name)


def check_number_range(arg_value, lower_limit, upper_limit, rel, value_type, arg_name=None, prim_name=None):
    """``arg_value``, a number of a type between two bounds, which ``rel`` includes or not."""
    _check_kind(arg_value, value_type, arg_name, prim_name)
    above, below, words = _TO_TWO[rel]
    if not (above(arg_value, lower_limit) and below(arg_value, upper_limit)):
        expected = f"{_words(arg_name)} must be {words.format(lower_limit, upper_limit)}"
        raise value_error(prim_name, expected, shown(arg_value))
    return arg_value


def check_int_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """``arg_value``, an int between two bounds, which ``rel`` includes or not."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)


def check_float_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """``arg_value``, a float between two bounds, which ``rel`` includes or not."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name)


def _sequence_checker(one, words):
    def checker(sequence, arg_name=None, prim_name=None):
        for i, value in enumerate(sequence):
            one(value, f"{arg_name}[{i}]" if arg_name else f"[{i}]", prim_name)
        return sequence

    checker.__doc__ = f"``sequence``, whose elements are {words}."
    return checker


check_positive_int_sequence = _sequence_checker(check_positive_int, "ints above 0")
check_non_negative_int_sequence = _sequence_checker(check_non_negative_int, "ints of at least 0")
check_positive_float_sequence = _sequence_checker(check_positive_float, "floats above 0")


def check_bool(arg_value, arg_name=None, prim_name=None):
    """``arg_value``, a bool."""
    if not isinstance(arg_value, bool):
        raise type_error(prim_name, f"{_words(arg_name)} must be a bool", shown(arg_value))
    return arg_value


def check_string(arg_value, valid_values, arg_name=None, prim_name=None):
    """``arg_value``, a str that is one of ``valid_values``."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        expected = f"{_words(arg_name)} must be a str, one of {list(valid_values)}"
        raise value_error(prim_name, expected, shown(arg_value))
    return arg_value


def check_value_type(arg_name, arg_value, valid_types, prim_name=None):
    """``arg_value``, of one of some types; a bool is an int only where bool is among them."""
    kinds = tuple(valid_types) if isinstance(valid_types, (list, tuple)) else (valid_types,)
    if not isinstance(arg_value, kinds) or (isinstance(arg_value, bool) and not {bool, object} & set(kinds)):
        names = [kind.__name__ for kind in kinds]
        expected = names[0] if len(names) == 1 else f"one of {names}"
        raise type_error(prim_name, f"the type of {_words(arg_name)} must be {expected}", type(arg_value).__name__)
    return arg_value


def check_isinstance(arg_name, arg_value, classes):
    """``arg_value``, an instance of one of some classes; ValueError for another."""
    if not isinstance(arg_value, classes):
        raise value_error(None, f"{_words(arg_name)} must be an instance of {classes}", shown(arg_value))
    return arg_value


def check_type_name(arg_name, arg_type, valid_types, prim_name):
    """``arg_type``, a data type or class that is one of ``valid_types``."""
    kinds = list(valid_types) if isinstance(valid_types, (list, tuple, set, frozenset)) else [valid_types]
    if arg_type not in kinds:
        raise type_error(prim_name, f"{_words(arg_name)} must be one of {[str(kind) for kind in kinds]}", arg_type)
    return arg_type


def check_subclass(arg_name, type_, template_types, prim_name, addition_error_info=None):
    """Raise TypeError unless a data type, or a class, is one of ``template_types`` or derived from it."""
    kinds = template_types if isinstance(template_types, (list, tuple)) else (template_types,)
    if not any(_is_kind(type_, kind) for kind in kinds):
        further = f" {addition_error_info}" if addition_error_info else ""
        expected = f"{_words(arg_name)} must be one of {[str(kind) for kind in kinds]}{further}"
        raise type_error(prim_name, expected, type_)


def _is_kind(type_, kind):
    if isinstance(type_, type) and isinstance(kind, type):
        return issubclass(type_, kind)
    return type_ == kind or (str(kind) == "Number" and isinstance(type_, DType))


def check_types_same_and_valid(args, valid_values, prim_name):
    """Raise TypeError unless the data types in a dict of arguments are the same one of ``valid_values``."""
    for name, found in args.items():
        check_type_name(name, found, valid_values, prim_name)
    first = next(iter(args.values()), None)
    if any(found != first for found in args.values()):
        raise type_error(prim_name, f"the types of {list(args)} must be the same", [str(t) for t in args.values()])


def check_astype_dtype(dtype):
    """The data type that ``Tensor.astype`` takes by a name, a type of Python or NumPy, or as a data type."""
    return as_dtype(dtype, "astype")


def _repeated(arg_value, count):
    if is_int(arg_value):
        return (arg_value,) * count
    if not isinstance(arg_value, tuple):
        raise TypeError(f"The value must be an int or a tuple of {count} ints, but got {shown(arg_value)}.")
    if len(arg_value) == 1:
        return arg_value * count
    if len(arg_value) != count:
        raise TypeError(f"The value must be an int or a tuple of {count} ints, but got {shown(arg_value)}.")
    return arg_value


once, twice, triple = (partial(_repeated, count=count) for count in (1, 2, 3))


def args_type_check(*type_args, **type_kwargs):
    """Decorate a function: its arguments must be of the types that are given for them, by position or by name.

    None is taken for each argument.

    Raises:
        TypeError: If an argument of a call is of another type; when decorating, if there is no such argument.
    """

    def decorate(function):
        signature = inspect.signature(function)
        kinds = signature.bind_partial(*type_args, **type_kwargs).arguments

        @wraps(function)
        def checked(*args, **kwargs):
            for name, value in signature.bind(*args, **kwargs).arguments.items():
                if name in kinds and value is not None and not isinstance(value, kinds[name]):
                    raise type_error(function.__qualname__, f"the '{name}' must be {kinds[name]}", type(value))
            return function(*args, **kwargs)

        return checked

    return decorate
