"""Tensor's methods that cast; ``operators.py`` installs them."""

from __future__ import annotations

from minispore.core.checks import check_switch
from minispore.core.dtype import (
    DTypeLike,
    bool_,
    float16,
    float32,
    int16,
    int32,
    int64,
)
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = []


def _as(kind):
    """Tensor's method that casts to ``kind``."""

    def method(self) -> Tensor:
        return F.cast(self, kind)

    return method


def _to(self, dtype: DTypeLike, copy: bool = True) -> Tensor:
    check_switch("astype", "copy", copy)
    return F.cast(self, dtype)


METHODS_OF_CASTS = {
    "astype": _to,
    "bool": _as(bool_),
    "float": _as(float32),
    "half": _as(float16),
    "int": _as(int32),
    "long": _as(int64),
    "short": _as(int16),
    "to": _to,
}
