"""The compute dtype of a Cell: the type in which the operations of its ``construct`` see floating Tensors."""

from __future__ import annotations

from typing import Self

from minispore.core.dtype import DType, bfloat16, float16, float32
from minispore.core.errors import shown, value_error

__all__ = []


class Marked:
    """Base of Cell: marks of a compute dtype, which ``Cell.__call__`` obeys."""

    def to_float(self, dst_type: DType) -> Self:
        """Set the compute dtype of the cell and its descendants: operations get floating Tensors cast to ``dst_type``.

        The cast happens at each operation, not at entry. It includes Parameters, but not their stored values; integers
        are unchanged. A later call overwrites an earlier one. ``to_float_fp16`` is set on this cell alone.

        Args:
            dst_type (mindspore.dtype): float16, bfloat16 or float32.

        Returns:
            Cell, itself.

        Raises:
            ValueError: If ``dst_type`` is another type.

        Examples:
            >>> import minispore as ms
            >>> dense = ms.nn.Dense(2, 3).to_float(ms.float16)
            >>> print(dense(ms.ops.ones((1, 2))).dtype, dense.weight.dtype)
            Float16 Float32
        """
        if not isinstance(dst_type, DType) or dst_type not in (float16, bfloat16, float32):
            raise value_error("to_float", "the 'dst_type' must be float16, bfloat16 or float32", shown(dst_type, str))
        for _, cell in self.cells_and_names():
            cell._user_dtype = None
        self._user_dtype = dst_type
        return self._set_compute_dtype(dst_type)

    def _set_compute_dtype(self, dst_type):
        """Let the cell and its descendants compute in ``dst_type``, without recording it as the user's choice."""
        for _, cell in self.cells_and_names():
            cell._compute_dtype = dst_type.np
        self.to_float_fp16 = dst_type == float16
        return self
