"""The records of a tape, ``(rule, inputs, out)``, and which of them name a Tensor."""

from minispore.core.tensor import Tensor

__all__ = []


class Tape(list):
    """Records ``(rule, inputs, out)``, oldest first, and an index of the records that name a Tensor.

    The index is made when a Tensor is first written, and goes on from there: most runs write none.
    """

    __slots__ = ("_indexed", "_places")

    def __init__(self):
        super().__init__()
        self._places, self._indexed = {}, 0  # id of a Tensor -> numbers of the records that name it

    def names(self, x):
        """True if a record so far names ``x``."""
        for number in range(self._indexed, len(self)):
            _, inputs, out = self[number]
            for y in (*inputs, *(out if type(out) is tuple else (out,))):
                if isinstance(y, Tensor):
                    self._places.setdefault(id(y), []).append(number)
        self._indexed = len(self)
        return id(x) in self._places

    def rename(self, x, other):
        """Put ``other`` in the place of ``x`` in every record so far."""
        if not self.names(x):
            return
        numbers = self._places.pop(id(x))
        for number in numbers:
            self[number] = renamed(self[number], {x: other})
        self._places.setdefault(id(other), []).extend(numbers)


def renamed(record, names):
    """A copy of a record with each Tensor ``x`` in ``names`` replaced by ``names[x]``."""
    rule, inputs, out = record
    outs = out if type(out) is tuple else (out,)
    if not any(isinstance(y, Tensor) and y in names for y in (*inputs, *outs)):
        return record
    swap = lambda y: names.get(y, y) if isinstance(y, Tensor) else y  # noqa: E731 - used twice in the line below
    return rule, tuple(map(swap, inputs)), tuple(map(swap, outs)) if type(out) is tuple else swap(out)
