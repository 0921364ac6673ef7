"""Operands: Python's numbers, lists and arrays beside a Tensor become Tensors too."""

import numpy as np

from minispore.core import backend
from minispore.core.dtype import INEXACT, float64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor, wrap
from minispore.ops.casting import cast
from minispore.ops.type_checks import named

_SMALL = 60000.0  # numbers below it overflow in no floating type, so that the common case need not be silenced


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


def operand(op, value, other):
    """A Tensor made of another operand: numbers, alone or in lists, take the dtype beside them; arrays keep theirs."""
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if not isinstance(value, (list, tuple)):
        return _scalar(op, value, other.array.dtype)
    values = Tensor(value)
    wish = _scalar(op, values.array.dtype.type(0), other.array.dtype).array.dtype
    return values if values.array.dtype == wish else cast(values, wish)
