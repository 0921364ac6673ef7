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
        """The elements in the dtype that the method names: ``ops.cast``.

        ``bool``, ``half`` (float16), ``float`` (float32), ``short`` (int16), ``int`` (int32) and ``long`` (int64).

        Shapes: any, kept.

        Examples:
            >>> import minispore as ms
            >>> x = ms.Tensor([0.0, 1.7, 70000.0])
            >>> print(x.int())
            [    0     1 70000]
            >>> print(x.half())  # above 65504 float16 is infinite
            [0.  1.7 inf]
            >>> print(x.bool())
            [False  True  True]
        """
        return F.cast(self, kind)

    return method


def _to(self, dtype: DTypeLike, copy: bool = True) -> Tensor:
    """The elements in another dtype, rounded once to nearest: ``ops.cast``; ``to`` is the same.

    A float becomes an integer by cutting its fraction off. ``copy`` is accepted, without effect.

    Raises:
        TypeError: If ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.7, -1.7]).astype(ms.int32))
        [ 1 -1]
        >>> print(ms.Tensor([1.0, 1e5, 1e-8]).to(ms.float16))  # too large, and too small
        [ 1. inf  0.]
    """
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
