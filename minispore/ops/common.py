"""Tools of many primitives: checks of specs, broadcasting and its gradient, promotion of operands."""

import operator

import numpy as np

from minispore.core import backend
from minispore.core.context import running
from minispore.core.dtype import COMPLEX, FLOATS, INEXACT, float64, from_numpy, promote
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Spec
from minispore.core.tensor import Tensor, wrap
from minispore.ops.casting import cast


def named(numpy_type):
    """The way MindSpore's messages write a Tensor's type: ``Tensor[Float32]``."""
    return f"Tensor[{from_numpy(numpy_type)}]"


def lowered_dtype(x):
    """The NumPy dtype in which operations see a Tensor: the mark's for a floating one, in a cell of ``to_float``."""
    mark = running.cast
    return mark if isinstance(mark, np.dtype) and x.array.dtype in FLOATS else x.array.dtype


def check_tensor(op, argument, x):
    """Raise TypeError unless x is a Tensor."""
    if not isinstance(x, Spec):
        raise type_error(op.name, f"the '{argument}' must be a Tensor", type(x).__name__)


def check_input(op, x, axes):
    """Raise unless the ``x`` of an operation that others make up is a Tensor of so many axes."""
    if not isinstance(x, Tensor):
        raise type_error(op.name, "the 'x' must be a Tensor", type(x).__name__)
    if x.ndim != axes:
        raise value_error(op.name, f"the 'x' must have {axes} axes", f"shape {x.shape}")


def check_float(op, argument, x):
    """Raise TypeError unless x is a floating Tensor, or a complex one where the operation takes complex numbers."""
    check_tensor(op, argument, x)
    if x.dtype not in FLOATS and x.dtype not in COMPLEX:
        raise type_error(op.name, f"the '{argument}' must be a floating Tensor", named(x.dtype))


def check_number(op, argument, x):
    """Raise TypeError unless x is a Tensor of numbers; bools are not numbers."""
    check_tensor(op, argument, x)
    if x.dtype == np.bool_:
        raise type_error(op.name, f"the '{argument}' must be a Tensor of numbers", named(x.dtype))


def check_count(op, inputs, count):
    """Raise TypeError unless there are ``count`` inputs."""
    if len(inputs) != count:
        raise type_error(op.name, f"there must be {count} inputs", len(inputs))


def check_rank(op, argument, x, ranks):
    """Raise TypeError unless x is a Tensor, ValueError unless it has as many axes as one of ``ranks``."""
    check_tensor(op, argument, x)
    if len(x.shape) not in ranks:
        expected = " or ".join(map(str, ranks))
        raise value_error(op.name, f"the '{argument}' must have {expected} axes", f"shape {x.shape}")


def check_same_type(op, **specs):
    """Raise TypeError, in MindSpore's words, unless all are Tensors of one dtype."""
    (first, x), *others = specs.items()
    check_tensor(op, first, x)
    for name, y in others:
        check_tensor(op, name, y)
        if y.dtype != x.dtype:
            got = f"'{first}' with type {named(x.dtype)} and '{name}' with type {named(y.dtype)}"
            raise type_error(op.name, f"the type of '{name}' should be same as '{first}'", got)


def check_shape(op, argument, x, shape):
    """Raise ValueError unless the Tensor has ``shape``."""
    check_tensor(op, argument, x)
    if x.shape != tuple(shape):
        raise value_error(op.name, f"the '{argument}' must have the shape {tuple(shape)}", x.shape)


def _name_of(op):
    return op if isinstance(op, str) else op.name


def as_int(op, argument, value):
    """An int from an int or an integer Tensor of one element; ``op`` is a primitive, or an operation's name."""
    try:
        value = operator.index(value)
    except TypeError:
        raise type_error(_name_of(op), f"the '{argument}' must be an int", shown(value)) from None
    if -(2**63) <= value < 2**63:
        return value
    raise value_error(_name_of(op), f"the '{argument}' must be an int of at most 64 bits", shown(value))


def as_axis(op, value, rank, argument="axis"):
    """An axis counted from the front; ``op`` is a primitive, or an operation's name."""
    axis = as_int(op, argument, value)
    if not -rank <= axis < rank:
        raise value_error(_name_of(op), f"the '{argument}' must be in [-{rank}, {rank})", axis)
    return axis % rank


def as_axes(op, value, rank, argument="axis"):
    """Axes counted from the front, in order: all for None or (); ``op`` is a primitive, or an operation's name."""
    if value is None or (isinstance(value, tuple) and not value):
        return tuple(range(rank))
    values = value if isinstance(value, (tuple, list)) else (value,)
    axes = tuple(sorted(as_axis(op, v, rank, argument) for v in values))
    if len(set(axes)) != len(axes):
        raise value_error(_name_of(op), f"the '{argument}' must name each axis once", value)
    return axes


def broadcast_shape(op, x, y, names=("x", "y")):
    """The shape that two shapes broadcast to."""
    try:
        return np.broadcast_shapes(x, y)
    except RuntimeError:  # NumPy broadcasts no more
        expected = f"the '{names[0]}' and '{names[1]}' must have at most 32 axes"
        raise value_error(op.name, expected, f"{len(x)} and {len(y)}") from None
    except ValueError:
        expected = f"the shapes of '{names[0]}' and '{names[1]}' must broadcast"
        raise value_error(op.name, expected, f"{x} and {y}") from None


def broadcast(op, x, y):
    """The Spec of an elementwise operation on two Tensors of one dtype."""
    return Spec(broadcast_shape(op, x.shape, y.shape), x.dtype)


def sum_to(gradient, shape):
    """Undo broadcasting: the sum of ``gradient`` over the axes along which ``shape`` was stretched."""
    have = gradient.array.shape
    if have == shape:
        return gradient
    lead = len(have) - len(shape)
    axes = (*range(lead), *(lead + i for i, n in enumerate(shape) if n == 1 and have[lead + i] != 1))
    return gradient.sum(axes).reshape(shape)


_SMALL = 60000.0  # smaller numbers overflow in no floating type: the common case needs no errstate


def _scalar(op, value, like):
    """The 0-d Tensor that a Python number becomes beside a Tensor of NumPy dtype ``like``."""
    if isinstance(value, (bool, np.bool_)):
        wish = like
    elif isinstance(value, (int, np.integer)):
        wish = np.dtype(np.int64) if like == np.bool_ else like
    elif isinstance(value, (float, np.floating)):
        wish = like if like in INEXACT else np.dtype(np.float32)
    else:
        expected = "the inputs must be Tensors or numbers"
        if isinstance(value, complex):
            expected += " (a complex number goes in a Tensor)"
        raise type_error(op.name, expected, f"{shown(value)} of type {type(value).__name__}")
    array = np.asarray(value)
    if -_SMALL < value < _SMALL:
        return wrap(backend.from_host(array.astype(wish)))
    try:
        with np.errstate(all="ignore"):  # an overflow gives infinity, silently
            return wrap(backend.from_host(array.astype(wish)))
    except OverflowError:  # an int of more than 64 bits
        raise value_error(op.name, f"the number beside a {named(wish)} must fit into it", shown(value)) from None


def tensor_beside(value, x):
    """``value``, a Tensor, an array or Python's numbers, as a Tensor of the dtype of ``x``.

    Python's floats keep their precision on the way to a dtype that holds more than float32 does.
    """
    dtype = x.array.dtype
    if not isinstance(value, Tensor):
        read = Tensor(value)
        from_floats = read.array.dtype == np.float32 and not isinstance(value, (np.ndarray, np.generic))
        value = Tensor(value, float64) if from_floats and dtype.kind in "iuf" and dtype.itemsize > 2 else read
    return value if value.array.dtype == dtype else cast(value, dtype)


def _operand(op, value, other):
    """An operand as a Tensor: numbers, alone or in lists, follow the Tensor beside them; arrays keep their dtype."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if not isinstance(value, (list, tuple)):
        return _scalar(op, value, other.array.dtype)
    values = Tensor(value)
    wish = _scalar(op, values.array.dtype.type(0), other.array.dtype).array.dtype
    return values if values.array.dtype == wish else cast(values, wish)


def promoted(op, x, y):
    """Two operands as Tensors of the dtype that they promote to; a number follows the Tensor beside it."""
    try:
        if x.array.dtype is y.array.dtype:
            return x, y
    except AttributeError:  # one of them is not a Tensor
        if not isinstance(x, Tensor) and not isinstance(y, Tensor):
            got = f"{type(x).__name__} and {type(y).__name__}"
            raise type_error(op.name, "one of the inputs must be a Tensor", got) from None
        x, y = _operand(op, x, y), _operand(op, y, x)
    a, b = x.array.dtype, y.array.dtype
    if a == b:
        return x, y
    meet = promote(a, b)
    return (x if a == meet else cast(x, meet)), (y if b == meet else cast(y, meet))
