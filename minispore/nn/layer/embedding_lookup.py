"""EmbeddingLookup: an embedding with zeros for indices outside the table; the norm of its rows may be clipped."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_choice, check_int, check_positive_int, is_int
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer._parameters import new_parameter
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.array.embedding_lookup import EmbeddingLookup as EmbeddingLookupOperation

__all__ = ["EmbeddingLookup"]

_SLICE_MODES = ("batch_slice", "field_slice", "table_row_slice", "table_column_slice")


class EmbeddingLookup(Cell):
    """Rows of a table: ``out = embedding_table[indices]``, with zeros for an index outside the table.

    The table's gradient is dense here. With ``sparse`` MindSpore's holds only rows; an optimizer makes the same step.

    Args:
        vocab_size (int): How many rows the table has.
        embedding_size (int): How long they are.
        param_init (Union[Tensor, str, Initializer, number]): The table. Default: "normal", deviation 0.01.
        target (str): "CPU" or "DEVICE". Default: "CPU".
        slice_mode (str): How MindSpore slices the table over devices, "batch_slice", "field_slice",
            "table_row_slice" or "table_column_slice"; one process has it whole. Default: "batch_slice".
        manual_shapes (tuple[int]): As ``slice_mode``. Default: None.
        max_norm (float): The largest Euclidean norm of a row of the output. Default: None, no bound.
        sparse (bool): If True, MindSpore's gradient is one of rows; True for the target "CPU". Default: True.
        vocab_cache_size (int): 0, since there is no parameter server here. Default: 0.

    Inputs:
        indices (Tensor): Ints, of any shape.

    Outputs:
        Tensor of shape ``(*indices.shape, embedding_size)``.

    Raises:
        TypeError: If a size is not an int, ``sparse`` not a bool, ``max_norm`` not a float, or the indices not ints.
        ValueError: If a size is below 1, the target is unknown, or a Tensor of another shape is given. Also if
            ``sparse`` is False for the target "CPU", or ``vocab_cache_size`` is not 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.EmbeddingLookup(2, 3, "ones")(ms.Tensor([1, 2])))
        [[1. 1. 1.]
         [0. 0. 0.]]
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init="normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: tuple[int, ...] | None = None,
        max_norm: float | None = None,
        sparse: bool = True,
        vocab_cache_size: int = 0,
    ) -> None:
        super().__init__()
        name = "EmbeddingLookup"
        self.vocab_size = check_positive_int(name, "vocab_size", vocab_size)
        self.embedding_size = check_positive_int(name, "embedding_size", embedding_size)
        self.target = check_choice(name, "target", target, ("CPU", "DEVICE"))
        self.sparse = check_bool(name, "sparse", sparse)
        if target == "CPU" and not sparse:
            raise value_error(name, "the 'sparse' must be True for the 'target' 'CPU'", sparse)
        check_choice(name, "slice_mode", slice_mode, _SLICE_MODES)
        if manual_shapes is not None and not (isinstance(manual_shapes, tuple) and all(map(is_int, manual_shapes))):
            raise type_error(name, "the 'manual_shapes' must be None or a tuple of ints", shown(manual_shapes))
        if check_int(name, "vocab_cache_size", vocab_cache_size):
            expected = "the 'vocab_cache_size' must be 0, since there is no parameter server"
            raise value_error(name, expected, vocab_cache_size)
        self.vocab_cache_size = vocab_cache_size
        self.max_norm = None if max_norm is None else check_python_float(name, "max_norm", max_norm, 0, above=True)
        shape = (vocab_size, embedding_size)
        self.embedding_table = new_parameter(name, "param_init", param_init, shape, float32)
        self.embedding_table.name = "embedding_table"
        self.embeddinglookup = EmbeddingLookupOperation()

    def construct(self, indices: Tensor) -> Tensor:
        """Look the rows up."""
        out = self.embeddinglookup(self.embedding_table, indices, 0)
        return out if self.max_norm is None else F.clip_by_norm(out, self.max_norm, -1)
