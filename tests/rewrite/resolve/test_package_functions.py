"""The package's functions are told by what they are, not by their names."""

from minispore import ops
from minispore.ops import functional
from minispore.rewrite.resolve.package_functions import is_package_function


def matmul(x, w):
    """A user's function of the same name."""
    return x * w


def test_a_function_and_a_ready_made_primitive_of_the_package_are_known():
    assert all(map(is_package_function, (ops.matmul, functional.matmul, ops.relu)))


def test_what_a_user_makes_is_none_of_them():
    assert not any(map(is_package_function, (matmul, ops.ReLU(), ops.ReLU, len, None, [])))
