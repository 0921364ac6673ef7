"""Placeholder: a Tensor without values, with a shape and a dtype only, to describe inputs to ``Cell.set_inputs``."""

from minispore.core.checks import is_int
from minispore.core.dtype import as_dtype
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.tensor import Tensor

__all__ = []

_ARRAY = Tensor.array  # where a Tensor keeps its array, and a placeholder its shape and type


def _unfilled(shape, kind):
    """The shape, with -1 for None, and the type of a placeholder."""
    expected = "the 'shape' of a placeholder must have None or ints above 0"
    for n in shape:
        if n is not None and not is_int(n):
            raise type_error("Tensor", expected, shown(shape))
        if n is not None and n < 1:
            raise value_error("Tensor", expected, shown(shape))
    if kind is None:
        raise value_error("Tensor", "the 'dtype' of a placeholder must be given", "None")
    return tuple(-1 if n is None else int(n) for n in shape), as_dtype(kind, "Tensor")


class _Placeholder(Tensor):
    """A Tensor without values: a shape, -1 where a length is unknown, and a type, for ``Cell.set_inputs``."""

    __slots__ = ()

    @property
    def array(self):
        """Raise RuntimeError: there are no values, which any computation would need."""
        got = f"a placeholder of shape {self.shape} and type {self.dtype}, which is for 'Cell.set_inputs'"
        raise runtime_error("Tensor", "there must be values to compute with", got)

    @property
    def shape(self):
        return _ARRAY.__get__(self)[0]

    @property
    def dtype(self):
        return _ARRAY.__get__(self)[1]

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return 0

    def dim(self):
        return self.ndim

    @property
    def itemsize(self):
        return self.dtype.np.itemsize

    def _refuse(self, *args):
        return self.array

    __len__ = __iter__ = __getitem__ = __setitem__ = _single = item = _refuse

    def __deepcopy__(self, memo):
        return self

    def __copy__(self):
        return self

    def __reduce__(self):
        return (Tensor, (None, self.dtype, tuple(None if n == -1 else n for n in self.shape)))

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value= )"


def _become_placeholder(self, shape, dtype):
    """Be a placeholder: a shape and a dtype without values."""
    self.__class__ = _Placeholder
    _ARRAY.__set__(self, _unfilled(shape, dtype))


Tensor._become_placeholder = _become_placeholder
