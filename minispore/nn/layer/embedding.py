"""Layers on integers: Embedding looks rows of a table up, OneHot marks positions."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_int, check_positive_int
from minispore.core.dtype import DTypeLike, as_dtype, float32
from minispore.core.errors import type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initializer import initializer
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_number
from minispore.ops.operations.array.creation import OneHot as OneHotOperation

__all__ = ["Embedding", "OneHot"]


class Embedding(Cell):
    """Rows of a table: ``out = embedding_table[x]``.

    Args:
        vocab_size (int): How many rows the table has.
        embedding_size (int): How long they are.
        use_one_hot (bool): If True, rows are found by a product with one-hot rows, where an index outside the table
            gives zeros. Default: False.
        embedding_table (Union[Tensor, str, Initializer, number]): The table. Default: "normal", deviation 0.01.
        dtype (mindspore.dtype): As in MindSpore it is shown only: the table is float32, or of a given Tensor's dtype.
            Default: float32.
        padding_idx (int): The row that begins as zeros; it is trained like the others. Default: None.

    Inputs:
        x (Tensor): Integers of any shape, in ``[-vocab_size, vocab_size)``; a negative one counts from the end. With
            ``use_one_hot`` it gives zeros.

    Outputs:
        Tensor of shape ``(*x.shape, embedding_size)``.

    Raises:
        TypeError: If a size or ``padding_idx`` is not an int, ``use_one_hot`` not a bool, or x does not hold ints.
        ValueError: If a size is below 1, ``padding_idx`` out of the table, or a Tensor of another shape given; when
            called, if an index is out of the table. On a GPU the nearest row is taken instead: a check would make the
            host wait. With ``use_one_hot`` the row is zeros.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Embedding(10, 4)(ms.Tensor([[1, 2, 3]])).shape
        (1, 3, 4)
        >>> layer = ms.nn.Embedding(3, 2, embedding_table=ms.Tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]))
        >>> print(layer(ms.Tensor([2, 0])))
        [[4. 5.]
         [0. 1.]]
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table="normal",
        dtype: DTypeLike = float32,
        padding_idx: int | None = None,
    ) -> None:
        super().__init__()
        self.vocab_size = check_positive_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = check_positive_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot = check_bool("Embedding", "use_one_hot", use_one_hot)
        self.dtype, self.padding_idx = as_dtype(dtype, "Embedding", "dtype"), padding_idx
        shape = (vocab_size, embedding_size)
        if isinstance(embedding_table, Tensor) and embedding_table.shape != shape:
            raise value_error("Embedding", f"the 'embedding_table' must have the shape {shape}", embedding_table.shape)
        table = initializer(embedding_table, shape)
        if padding_idx is not None:
            table = self._without_row(table, padding_idx)
        self.embedding_table = Parameter(table, name="embedding_table")

    def _without_row(self, table, row):
        """The table with zeros in one row."""
        check_int("Embedding", "padding_idx", row)
        if not 0 <= row < self.vocab_size:
            raise value_error("Embedding", f"the 'padding_idx' must be in [0, {self.vocab_size})", row)
        values = Tensor(table).asnumpy().copy()
        values[row] = 0
        return Tensor(values)

    def construct(self, ids) -> Tensor:
        """Look the rows up."""
        if not self.use_one_hot:
            return F.gather(self.embedding_table, ids, 0)
        on, off = Tensor(1, self.embedding_table.dtype), Tensor(0, self.embedding_table.dtype)
        rows = F.matmul(F.one_hot(ids.reshape(-1), self.vocab_size, on, off), self.embedding_table)
        return rows.reshape((*ids.shape, self.embedding_size))

    def _check_fit(self, ids):
        if not isinstance(ids, Tensor) or ids.array.dtype.kind != "i":
            got = f"Tensor[{ids.dtype}]" if isinstance(ids, Tensor) else type(ids).__name__
            raise type_error("Embedding", "the 'x' must be a Tensor of integers", got)
        # Called after a failure only: the host has to wait for the indices here.
        values = ids.asnumpy()
        rows = self.vocab_size
        outside = values[(values < -rows) | (values >= rows)]
        if outside.size:
            raise value_error("Embedding", f"the 'x' must hold indices in [-{rows}, {rows})", outside[0])

    def extend_repr(self) -> Any:
        """The arguments."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class OneHot(Cell):
    """``on_value`` at each index along a new axis of length ``depth``, else ``off_value``.

    Shapes: any; the answer has an axis of length ``depth`` more, at ``axis``. Dtypes: ints; the answer is float32;
    TypeError for floats, bools and complex.

    Args:
        axis (int): Where the new axis stands. Default: -1, last.
        depth (int): Its length. Default: 1.
        on_value, off_value (float): Default: 1.0 and 0.0.
        dtype (mindspore.dtype): The output's dtype. Default: float32.

    Raises:
        TypeError: If ``axis`` or ``depth`` is not an int, or the indices are not ints.
        ValueError: If ``depth`` is below 0, or ``axis`` out of range.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.OneHot(depth=3)(ms.Tensor([2, 5])))
        [[0. 0. 1.]
         [0. 0. 0.]]
    """

    def __init__(
        self, axis: int = -1, depth: int = 1, on_value: float = 1.0, off_value: float = 0.0, dtype: DTypeLike = float32
    ) -> None:
        super().__init__()
        check_int("OneHot", "depth", depth)
        if depth < 0:
            raise value_error("OneHot", "the 'depth' must be at least 0", depth)
        for name, value in (("on_value", on_value), ("off_value", off_value)):
            if not isinstance(value, (bool, Tensor)):
                check_number("OneHot", name, value)
        self.depth, self.on_value, self.off_value = depth, Tensor(on_value, dtype), Tensor(off_value, dtype)
        self.one_hot = OneHotOperation(axis)

    def construct(self, indices) -> Tensor:
        """Mark the positions."""
        return self.one_hot(indices, self.depth, self.on_value, self.off_value)
