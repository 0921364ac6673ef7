"""Operations that MindSpore keeps to itself, in ``_inner_ops``, and that its own programs call."""

from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the conventional name

__all__ = ["FlattenConcat"]


class FlattenConcat(Primitive):
    """The elements of all Tensors in one row for each dtype, in the order in which the dtypes come first.

    Args:
        fusion_size (int): 0, as rows are not cut into pieces. Default: 0.

    Raises:
        TypeError: If ``fusion_size`` is not an int, or the input is not a list or tuple of Tensors.
        ValueError: If ``fusion_size`` is not 0.
    """

    def __init__(self, fusion_size=0):
        if check_int(self.name, "fusion_size", fusion_size):
            raise value_error(self.name, "the 'fusion_size' must be 0", fusion_size)

    def __call__(self, tensors):
        """The rows."""
        if not isinstance(tensors, (list, tuple)) or not all(isinstance(x, Tensor) for x in tensors):
            raise type_error(self.name, "the 'tensors' must be a list or tuple of Tensors", type(tensors).__name__)
        rows = {}
        for x in tensors:
            rows.setdefault(x.dtype, []).append(x.reshape(-1))
        return tuple(F.concat(tuple(parts)) for parts in rows.values())
