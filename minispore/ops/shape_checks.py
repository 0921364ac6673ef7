"""Checks of the shapes and the number of a primitive's inputs."""

from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.type_checks import check_tensor


def check_input(op, x, axes):
    """Raise unless the ``x`` of an operation that others make up is a Tensor of so many axes."""
    if not isinstance(x, Tensor):
        raise type_error(op.name, "the 'x' must be a Tensor", type(x).__name__)
    if x.ndim != axes:
        raise value_error(op.name, f"the 'x' must have {axes} axes", f"shape {x.shape}")


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


def check_shape(op, argument, x, shape):
    """Raise ValueError unless the Tensor has ``shape``."""
    check_tensor(op, argument, x)
    if x.shape != tuple(shape):
        raise value_error(op.name, f"the '{argument}' must have the shape {tuple(shape)}", x.shape)
