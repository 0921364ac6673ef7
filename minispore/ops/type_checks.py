"""Checks of the types of a primitive's inputs, which raise MindSpore's errors."""

import numpy as np

from minispore.core.dtype import COMPLEX, FLOATS, STORED
from minispore.core.errors import type_error
from minispore.core.primitive import Spec
from minispore.ops.number_kinds import named, not_computed_in


def check_tensor(op, argument, x):
    """Raise TypeError unless x is a Tensor."""
    if not isinstance(x, Spec):
        raise type_error(op.name, f"the '{argument}' must be a Tensor", type(x).__name__)


def check_float(op, argument, x):
    """Raise TypeError unless x is a floating Tensor, or a complex one where the operation takes complex numbers."""
    check_tensor(op, argument, x)
    if x.dtype not in FLOATS and x.dtype not in COMPLEX:
        raise type_error(op.name, f"the '{argument}' must be a floating Tensor", named(x.dtype))


def check_number(op, argument, x):
    """Raise TypeError unless x is a Tensor of numbers, which bools are not."""
    check_tensor(op, argument, x)
    if x.dtype == np.bool_:
        raise type_error(op.name, f"the '{argument}' must be a Tensor of numbers", named(x.dtype))
    if x.dtype in STORED:
        raise not_computed_in(op, x.dtype)


def check_same_type(op, **specs):
    """Raise TypeError, in MindSpore's words, unless all are Tensors of one dtype."""
    (first, x), *others = specs.items()
    check_tensor(op, first, x)
    for name, y in others:
        check_tensor(op, name, y)
        if y.dtype != x.dtype:
            got = f"'{first}' with type {named(x.dtype)} and '{name}' with type {named(y.dtype)}"
            raise type_error(op.name, f"the type of '{name}' should be same as '{first}'", got)
