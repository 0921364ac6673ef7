"""NumPy's functions of Tensors, as ``np.exp(x)``: the Tensor's method of that name computes, and gives a Tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.tensor import Tensor
from minispore.ops.added import add_to

__all__ = []

_OF_TWO = {  # the name of an operator -> NumPy's function of two inputs, which ``array + x`` calls
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "matmul": np.matmul,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
_COMPARED = {
    np.equal: ("__eq__", "__eq__"),
    np.not_equal: ("__ne__", "__ne__"),
    np.less: ("__lt__", "__gt__"),
    np.less_equal: ("__le__", "__ge__"),
    np.greater: ("__gt__", "__lt__"),
    np.greater_equal: ("__ge__", "__le__"),
}
OPERATORS = {ufunc: (f"__{name}__", f"__r{name}__") for name, ufunc in _OF_TWO.items()} | _COMPARED
OF_ONE = {np.negative: "__neg__", np.positive: "__pos__", np.absolute: "__abs__", np.invert: "__invert__"}


class _Ufuncs:
    """The method that every Tensor gets."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **settings: Any) -> Any:
        """NumPy's function of Tensors, or of an array and a Tensor: the operator or the method of the Tensor.

        A setting of NumPy's, ``reduce`` and functions without such a method are refused: NumPy raises a TypeError.
        """
        grown = settings.pop("out", ())  # of ``array += x``, whose array stays as it is: the name gets the Tensor
        if method != "__call__" or settings or (grown and grown[0] is not inputs[0]):
            return NotImplemented
        forward, reflected = OPERATORS.get(ufunc, (OF_ONE.get(ufunc, ufunc.__name__), None))
        if isinstance(inputs[0], Tensor):
            function = getattr(inputs[0], forward, None)
            return NotImplemented if function is None else function(*inputs[1:])
        return NotImplemented if reflected is None else getattr(inputs[1], reflected)(inputs[0])


add_to(Tensor, _Ufuncs)
