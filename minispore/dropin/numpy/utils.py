"""Reading the functions' arguments: operands, data types, shapes and axes."""

from collections.abc import Iterator

import numpy as np

from minispore import ops
from minispore.core.checks import check_int, check_switch, is_int
from minispore.core.dtype import FLOATS, as_dtype, float32, int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.dtype_promotion import promote
from minispore.ops.number_checks import check_no_complex

__all__ = [
    "as_axes",
    "as_axis",
    "as_kind",
    "as_shape",
    "common",
    "converted",
    "floating",
    "numbers_only",
    "operand",
    "operands",
    "promoted",
    "real",
    "values_of",
]

_READ = "a Tensor, a number, or a list or tuple of those"
_MOST_AXES = 32
_OF_PYTHON = {int: int32, float: float32, "int": int32, "float": float32}


def _plain(name, argument, value, depth=0):
    """A number or a nest of numbers and Tensors as an array; ``depth`` is that of the nests around it."""
    if isinstance(value, (list, tuple)):
        if depth == _MOST_AXES:
            raise value_error(name, f"the '{argument}' must have at most {_MOST_AXES} axes", "a deeper nest")
        value = [_plain(name, argument, x, depth + 1) for x in value]
    elif isinstance(value, (Tensor, np.ndarray)):
        return np.asarray(value)
    elif not isinstance(value, (bool, int, float, np.generic)):
        raise type_error(name, f"the '{argument}' must be {_READ}", shown(value))
    try:
        array = np.array(value)
    except ValueError:
        raise value_error(name, f"the '{argument}' must have rows of one length", shown(value)) from None
    if array.dtype.kind not in "biuf":
        raise value_error(name, f"the '{argument}' must hold numbers of at most 64 bits", shown(value))
    return array


def _of_default_width(name, argument, array):
    """The array as MindSpore's numpy keeps plain numbers: ints as int32, floats as float32."""
    if array.dtype.kind == "f":
        with np.errstate(all="ignore"):  # an overflow gives infinity, silently
            return array.astype(np.float32)
    if array.dtype.kind in "iu" and array.size and not -(2**31) <= array.min() <= array.max() < 2**31:
        raise value_error(name, f"the ints of the '{argument}' must fit into 32 bits", f"{array.min()}, {array.max()}")
    return array.astype(np.int32) if array.dtype.kind in "iu" else array


def operand(name, value, argument="x"):
    """``value`` as a Tensor: numbers and nests of them become int32, float32 or bool."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        raise type_error(name, f"the '{argument}' must be {_READ}", "a NumPy array")
    if isinstance(value, (list, tuple)) and any(isinstance(x, Tensor) for x in value):
        return ops.stack(common(name, [operand(name, x, argument) for x in value]))
    return Tensor(_of_default_width(name, argument, _plain(name, argument, value)))


def operands(name, x1, x2, first="x1", second="x2"):
    """Two operands as Tensors of the type that they promote to."""
    return common(name, (operand(name, x1, first), operand(name, x2, second)))


def promoted(tensors):
    """The NumPy dtype to which all Tensors promote."""
    kind = tensors[0].array.dtype
    for x in tensors[1:]:
        kind = promote(kind, x.array.dtype)
    return kind


def common(name, tensors):
    """The Tensors, cast to the type to which all of them promote."""
    if not tensors:
        raise value_error(name, "there must be at least one Tensor")
    kind = promoted(tensors)
    return [x if x.array.dtype == kind else ops.cast(x, kind) for x in tensors]


def real(name, x, argument="x"):
    """The Tensor ``x``, which must not hold complex numbers: a cast to floats would lose their imaginary parts."""
    check_no_complex(name, argument, x)
    return x


def floating(x, name="numpy"):
    """A Tensor as floats: ints and bools of one byte as float16, wider ones as float32; TypeError for complex ones."""
    if x.array.dtype in FLOATS:
        return x
    return ops.cast(real(name, x), np.dtype(np.float16 if x.itemsize == 1 else np.float32))


def numbers_only(name, x, argument="x"):
    """The Tensor ``x``, which must hold numbers, not bools."""
    if x.array.dtype == np.bool_:
        raise type_error(name, f"the '{argument}' must be a Tensor of numbers", x.dtype)
    return x


def as_kind(name, dtype, argument="dtype"):
    """A user's data type; Python's int and float have 32 bits here, by their names too."""
    kind = _OF_PYTHON.get(dtype) if isinstance(dtype, (str, type)) else None
    return kind or as_dtype(dtype, name, argument)


def converted(name, x, dtype):
    """``x`` in the type that a user asks for, or as it is for None."""
    return x if dtype is None else ops.cast(x, as_kind(name, dtype).np)


def values_of(name, value, argument="x"):
    """The values of an operand as a NumPy array, for what is computed on the host."""
    return operand(name, value, argument).asnumpy()


def listed(value):
    """The numbers of an array or a Tensor, or what an iterator gives, as a list; another value as it is."""
    if isinstance(value, (np.ndarray, Tensor)):
        return value.tolist()
    return list(value) if isinstance(value, Iterator) else value


def as_shape(name, shape, argument="shape"):
    """A shape from an int, or from a tuple, list, array or Tensor of ints."""
    lengths = shape if isinstance(shape, Iterator) else listed(shape)
    lengths = (lengths,) if is_int(lengths) else lengths
    if not isinstance(lengths, (tuple, list)) or not all(map(is_int, lengths)):
        raise type_error(name, f"the '{argument}' must be an int, or a tuple or list of ints", shown(shape))
    if len(lengths) > _MOST_AXES:
        raise value_error(name, f"the '{argument}' must have at most {_MOST_AXES} axes", len(lengths))
    return tuple(check_int(name, argument, n, low=0) for n in lengths)


def as_axis(name, axis, rank, argument="axis"):
    """An axis counted from the front."""
    check_int(name, argument, axis)
    if not -rank <= axis < rank:
        raise value_error(name, f"the '{argument}' must be in [-{rank}, {rank})", axis)
    return axis % rank


def as_axes(name, axis, rank, argument="axis", keepdims=False):
    """Axes counted from the front, in the order given; all of them for None."""
    check_switch(name, "keepdims", keepdims)
    if axis is None:
        return tuple(range(rank))
    axes = tuple(as_axis(name, a, rank, argument) for a in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if len(set(axes)) != len(axes):
        raise value_error(name, f"the '{argument}' must name each axis once", shown(axis))
    return axes
