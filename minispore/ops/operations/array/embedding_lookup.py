"""The lookup of rows in a part of a table, whose rows begin at an offset."""

from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.operations.array.gather import Gather
from minispore.ops.operations.math.select import Select

__all__ = ["EmbeddingLookup"]

_gather, _select = Gather(), Select()


class EmbeddingLookup(Primitive):
    """Rows of a table at indices.

    ``out = input_params[input_indices - offset]``, and zeros if ``input_indices - offset`` is outside the table.

    The gradient of the table is zero but at the rows that were found.

    Shapes: a table (N, ...) and indices of any shape give the indices' shape, then (...). A table of any dtype keeps
    it, but bools become int64; indices are ints.

    Raises:
        TypeError: If the table is not a Tensor, the indices not a Tensor of ints, or ``offset`` not an int.
        ValueError: If the table has no axis or no row.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.EmbeddingLookup()(ms.Tensor([[1.0], [2.0]]), ms.Tensor([4, 5, 6]), 4))
        [[1.]
         [2.]
         [0.]]
    """

    def __call__(self, input_params, input_indices, offset):
        """The rows."""
        self._check(input_params, input_indices)
        offset = check_int(self.name, "offset", offset)
        rows = input_params.shape[0]
        indices = input_indices - offset
        inside = (indices >= 0).logical_and(indices < rows)
        found = _gather(input_params, _select(inside, indices, 0), 0)
        return _select(inside.reshape(inside.shape + (1,) * (input_params.ndim - 1)), found, 0)

    def _check(self, table, indices):
        if not isinstance(table, Tensor):
            raise type_error(self.name, "the 'input_params' must be a Tensor", type(table).__name__)
        if not isinstance(indices, Tensor) or indices.array.dtype.kind != "i":
            got = f"Tensor[{indices.dtype}]" if isinstance(indices, Tensor) else type(indices).__name__
            raise type_error(self.name, "the 'input_indices' must be a Tensor of ints", got)
        if not table.ndim or not table.shape[0]:
            raise value_error(self.name, "the 'input_params' must have at least one row", f"shape {table.shape}")
