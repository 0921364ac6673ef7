"""New values for a Parameter, in place of those that it has."""

from __future__ import annotations

from typing import Self

import numpy as np

from minispore.core import dtype
from minispore.core.checks import check_switch
from minispore.core.dtype import DTypeLike
from minispore.core.errors import type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.core.writes import write
from minispore.ops.added import add_to
from minispore.ops.dtype_promotion import promote

__all__ = []


class _NewValues:
    """The methods by which a Parameter gets other values."""

    def set_dtype(self, set_dtype: DTypeLike) -> None:
        """Convert the Parameter itself to another dtype."""
        kind = dtype.as_dtype(set_dtype, "set_dtype", "set_dtype")
        write(self, (self.copy() if kind == self.dtype else self.astype(kind)).array)

    def set_data(self, data: Tensor | float, slice_shape: bool = False) -> Self:
        """Replace the values; float16 becomes float32 where the Parameter is float32, and integers become floats.

        Args:
            data (Union[Tensor, int, float]): The new values, of the Parameter's shape.
            slice_shape (bool): Whether another shape is allowed. Default: False.

        Returns:
            Parameter, itself.

        Raises:
            TypeError: If ``data`` is not a Tensor or number, or its dtype cannot be converted without loss.
            ValueError: If the shapes differ.
        """
        check_switch("set_data", "slice_shape", slice_shape)
        if isinstance(data, (bool, int, float)):
            data = Tensor(np.full(self.shape, data))
            data = data if data.array.dtype.kind != "f" else Tensor(data, dtype.float32)
        if not isinstance(data, Tensor):
            raise type_error("set_data", "the 'data' must be a Tensor, an int or a float", type(data).__name__)
        if data.shape != self.shape and not slice_shape:
            raise value_error(
                "set_data", f"the 'data' must have the shape of Parameter '{self.name}', {self.shape}", data.shape
            )
        own, incoming = self.array.dtype, data.array.dtype
        if promote(own, incoming) != own:
            expected = f"the 'data' must be of a type that Parameter '{self.name}' ({self.dtype}) can take without loss"
            raise type_error("set_data", expected, data.dtype)
        write(self, (data.copy() if incoming == own else data.astype(self.dtype)).array)  # by operations: replayed
        return self


add_to(Parameter, _NewValues)
