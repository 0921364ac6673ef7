"""The package's functions, such as ``ops.matmul``, and its ready-made primitives, such as ``ops.relu``."""

from functools import cache
from types import FunctionType

from minispore.core.primitive import Primitive
from minispore.ops import functional


def is_package_function(value):
    """True if a value is a function of ``minispore.ops``, or one of its ready-made primitives; False for a user's."""
    return isinstance(value, (FunctionType, Primitive)) and id(value) in _by_id()


@cache
def _by_id():
    return {id(function): function for function in (getattr(functional, name) for name in functional.__all__)}
