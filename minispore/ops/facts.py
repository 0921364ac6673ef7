"""What is known of a Tensor without its values, as plain Python values: shape, rank, size, dtype."""

from minispore.errors import type_error
from minispore.ops.primitive import Primitive
from minispore.tensor import Tensor

__all__ = ["DType", "Rank", "Shape", "Size"]


class _Fact(Primitive):
    """Base of operations whose result is no Tensor, so that nothing is computed, wrapped or recorded."""

    differentiable = False

    def __call__(self, x):
        """The fact about ``x``."""
        if not isinstance(x, Tensor):
            raise type_error(self.name, "the 'input_x' must be a Tensor", type(x).__name__)
        return self.of(x)


class Shape(_Fact):
    """The lengths of the axes, a tuple of ints."""

    def of(self, x):
        return x.shape


class Rank(_Fact):
    """The number of axes, an int."""

    def of(self, x):
        return x.ndim


class Size(_Fact):
    """The number of elements, an int."""

    def of(self, x):
        return x.size


class DType(_Fact):
    """The data type."""

    def of(self, x):
        return x.dtype
