"""Checks of the arguments and inputs of recurrent layers and of stacks of layers."""

from minispore.core import dtype
from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.number_checks import check_real

__all__ = []


def check_layers(operation, argument, value):
    """``value`` as an int: how many layers a stack has."""
    return check_int(operation, argument, value, high=2**16)  # more would be made for hours before memory is full


def check_dropout(operation, value, kinds=(int, float)):
    """``value``, a probability to drop, in [0, 1); ``kinds`` is ``(float,)`` where MindSpore refuses the int 0."""
    return check_real(operation, "dropout", value, 0, 1, below=True, kinds=kinds)


def check_sequence(operation, x, width, batch_first):
    """Raise unless x is a Tensor of floats with 3 axes, the last of length ``width``; returns the sample count."""
    if not isinstance(x, Tensor):
        raise type_error(operation, "the 'x' must be a Tensor", type(x).__name__)
    if not x.dtype.is_float:
        raise type_error(operation, "the 'x' must be a Tensor of floats", x.dtype)
    axes = "N, T" if batch_first else "T, N"
    if x.ndim != 3 or x.shape[2] != width:
        raise value_error(operation, f"the 'x' must have the shape ({axes}, {width})", x.shape)
    if not x.shape[1 if batch_first else 0]:
        raise value_error(operation, f"the 'x' must have the shape ({axes}, {width}) with T above 0", x.shape)
    return x.shape[0 if batch_first else 1]


def checked_states(operation, x, hx, count, shape):
    """``hx`` as a tuple of ``count`` states, each of ``shape`` and of x's dtype; None stays None."""
    if hx is None:
        return None
    if count > 1 and (not isinstance(hx, tuple) or len(hx) != count):
        got = f"{len(hx)} elements" if isinstance(hx, tuple) else type(hx).__name__
        raise type_error(operation, "the 'hx' must be a tuple (h, c)", got)
    states = hx if count > 1 else (hx,)
    for i, state in enumerate(states):
        check_state(operation, f"hx[{i}]" if count > 1 else "hx", state, x, shape)
    return states


def check_state(operation, argument, state, x, shape):
    """Raise unless the state is a Tensor of x's dtype and of ``shape``."""
    if not isinstance(state, Tensor):
        raise type_error(operation, f"the '{argument}' must be a Tensor", type(state).__name__)
    if state.dtype != x.dtype:
        expected = f"the type of '{argument}' should be same as 'x'"
        raise type_error(operation, expected, f"'x' with type {x.dtype} and '{argument}' with type {state.dtype}")
    if state.shape != shape:
        raise value_error(operation, f"the '{argument}' must have the shape {shape}", state.shape)


def check_length(operation, seq_length, samples):
    """Raise unless ``seq_length`` is None or a Tensor of ints, one for each sample."""
    if seq_length is None:
        return
    if not isinstance(seq_length, Tensor):
        raise type_error(operation, "the 'seq_length' must be a Tensor", type(seq_length).__name__)
    if seq_length.dtype not in (dtype.int32, dtype.int64):
        raise type_error(operation, "the 'seq_length' must be a Tensor of int32 or int64", seq_length.dtype)
    if seq_length.shape != (samples,):
        raise value_error(
            operation, f"the 'seq_length' must have the shape ({samples},), x's samples", seq_length.shape
        )
