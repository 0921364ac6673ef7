"""A Tensor's shape, rank, size and dtype, and Tensors made from Python numbers."""

import numpy as np

from minispore.dtype import float32
from minispore.errors import shown, type_error
from minispore.ops.primitive import Primitive
from minispore.tensor import Tensor

__all__ = ["DType", "Rank", "ScalarToTensor", "Shape", "Size", "TupleToArray"]


class _Fact(Primitive):
    """Base of operations whose result is a plain Python value, so that nothing is computed, wrapped or recorded."""

    differentiable = False

    def __call__(self, x):
        """The fact about ``x``."""
        if not isinstance(x, Tensor):
            raise type_error(self.name, "the 'input_x' must be a Tensor", type(x).__name__)
        return self.forward(x)


class Shape(_Fact):
    """The lengths of the axes, a tuple of ints."""

    def forward(self, x):
        return x.shape


class Rank(_Fact):
    """The number of axes, an int."""

    def forward(self, x):
        return x.ndim


class Size(_Fact):
    """The number of elements, an int."""

    def forward(self, x):
        return x.size


class DType(_Fact):
    """The data type."""

    def forward(self, x):
        return x.dtype


class TupleToArray(Primitive):
    """A tuple of numbers, or a range, as a Tensor: int32 where the first is an int, else float32."""

    differentiable = False

    def __call__(self, input_x):
        """The Tensor of the numbers."""
        if not isinstance(input_x, (tuple, range)) or not input_x:
            raise type_error(self.name, "the 'input_x' must be a tuple of numbers or a range", shown(input_x))
        return Tensor(np.array(input_x).astype(np.int32 if isinstance(input_x[0], int) else np.float32))


class ScalarToTensor(Primitive):
    """A number as a 0-d Tensor of ``dtype``."""

    differentiable = False

    def __call__(self, input_x, dtype=float32):
        """The Tensor of the number."""
        if not isinstance(input_x, (bool, int, float)):
            raise type_error(self.name, "the 'input_x' must be a number", type(input_x).__name__)
        return Tensor(input_x, dtype)
