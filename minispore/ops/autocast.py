"""Autocast: a mark under which each operation, by its class, decides the type that its inputs are cast to."""

from functools import reduce

from minispore.core.dtype import FLOATS, float32
from minispore.core.tensor import Tensor
from minispore.ops.dtype_promotion import promote

__all__ = ["Autocast"]


class Autocast:
    """The value of ``running.cast``, in place of one type, while a network at the level "auto" runs.

    A cell without a mark of its own computes under its caller's Autocast; a mark set by ``to_float`` ends it. It is a
    value: equal to another of the same type and lists.

    Args:
        dtype (DType): float16 or bfloat16.
        white (Sequence[type]): Primitives whose floating inputs are cast to ``dtype``.
        black (Sequence[type]): Primitives whose floating inputs are cast to float32.
        promoted (Sequence[type]): Primitives whose floating inputs are cast to the widest type among them.
    """

    __slots__ = ("dtype", "promoted", "rules")

    def __init__(self, dtype, white, black, promoted):
        self.dtype, self.promoted = dtype, frozenset(promoted)
        self.rules = dict.fromkeys(white, dtype.np) | dict.fromkeys(black, float32.np)

    def __eq__(self, other):
        return type(other) is Autocast and all(getattr(self, n) == getattr(other, n) for n in self.__slots__)

    def __hash__(self):
        return hash(self.dtype)

    @property
    def name(self):
        """``auto(float16)`` or ``auto(bfloat16)``."""
        return f"auto({self.dtype.np.name})"

    def __repr__(self):
        return self.name

    def dtype_for(self, kind, args):
        """The NumPy dtype that a primitive of class ``kind`` gets its floating inputs in; None for as they are."""
        if kind not in self.promoted:
            return self.rules.get(kind)
        floats = {x.array.dtype for x in args if isinstance(x, Tensor)} & FLOATS
        return reduce(promote, floats) if len(floats) > 1 else None
