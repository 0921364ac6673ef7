"""Tensor's mathematical methods whose arguments are not their function's; ``operators.py`` installs them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.dtype import FLOATS, DTypeLike
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.casting import cast
from minispore.ops.functional.linalg_matrix import trace_along
from minispore.ops.number_checks import check_no_complex, check_number

__all__ = []


def _widened(x):
    """A Tensor of bools as int32, which can be added up."""
    return cast(x, np.dtype(np.int32)) if x.array.dtype == np.bool_ else x


def _sum(self, axis=None, dtype: DTypeLike | None = None, keepdims: bool = False, initial=None) -> Tensor:
    out = F.reduce_sum(_widened(self if dtype is None else cast(self, dtype)), axis, keepdims)
    out = out if dtype is None else cast(out, dtype)
    check_no_complex("sum", "initial", initial)
    return out if initial is None else out + initial


def _mean(self, axis=None, keep_dims: bool = False) -> Tensor:
    return F.reduce_mean(self, axis, keep_dims)


def _all(self, axis=None, keep_dims: bool = False) -> Tensor:
    return F.reduce_all(self, axis, keep_dims)


def _any(self, axis=None, keep_dims: bool = False) -> Tensor:
    return F.reduce_any(self, axis, keep_dims)


def _argmax(self, axis=None, keepdims: bool = False) -> Tensor:
    return F.argmax(self, axis, keepdims)


def _extreme(with_index, alone):
    """Tensor's ``max`` or ``min``: the value, with ``return_indices`` its first position too."""

    def method(
        self, axis=None, keepdims: bool = False, *, initial=None, where=True, return_indices: bool = False
    ) -> Any:
        check_bool("max", "return_indices", return_indices)
        if return_indices or isinstance(axis, int):
            value, index = with_index(self, axis, keepdims, initial=initial, where=where)
            return (value, index) if return_indices else value
        return alone(self, axis, keepdims, initial=initial, where=where)

    return method


def _var(self, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    check_number("var", "ddof", ddof)
    if self.array.dtype in FLOATS:
        return F.var(self, axis, ddof, keepdims)
    centred = self - F.reduce_mean(self, axis, True)
    count = self.size // max(F.reduce_mean(self, axis).size, 1)
    return F.reduce_sum(centred * centred, axis, keepdims) / (count - ddof)


def _std(self, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    check_number("std", "ddof", ddof)
    if self.array.dtype in FLOATS:
        return F.std(self, axis, ddof, keepdims)
    return F.sqrt(cast(_var(self, axis, ddof, keepdims), np.dtype(np.float32)))


def _logsumexp(self, axis, keepdims: bool = False) -> Tensor:
    return F.logsumexp(self, axis, keepdims)


def _of_vectors(function):
    """Tensor's ``addmv`` or ``addr``, whose factors need not be named."""

    def method(self, first, second, beta=1, alpha=1) -> Tensor:
        return function(self, first, second, beta=beta, alpha=alpha)

    return method


def _with_value(function):
    """Tensor's ``argmax_with_value`` or ``argmin_with_value``: ``(value, index)``."""

    def method(self, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
        return function(self, axis, keep_dims)

    return method


METHODS_OF_MATH = {
    "addmv": _of_vectors(F.addmv),
    "addr": _of_vectors(F.addr),
    "all": _all,
    "any": _any,
    "argmax": _argmax,
    "argmax_with_value": _with_value(F.max),
    "argmin_with_value": _with_value(F.min),
    "logsumexp": _logsumexp,
    "max": _extreme(F.max, F.amax),
    "mean": _mean,
    "min": _extreme(F.min, F.amin),
    "std": _std,
    "sum": _sum,
    "trace": trace_along,
    "var": _var,
}
