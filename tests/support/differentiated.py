"""The gradient of a function of Tensors beside its difference quotient."""

from minispore import Tensor, grad
from minispore.tools.testing.laws.operations import assert_gradient

__all__ = ["assert_differentiated"]


def assert_differentiated(function, *arrays):
    """Raise unless the gradients of a function of float64 Tensors to one of one number are its difference quotient."""
    found = grad(function, tuple(range(len(arrays))))(*map(Tensor, arrays))
    found = found if isinstance(found, tuple) else (found,)
    assert_gradient("the function", lambda *xs: float(function(*map(Tensor, xs))), arrays, [g.asnumpy() for g in found])
