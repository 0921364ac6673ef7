"""MindSpore's marks of the inputs of a user's primitive: they are noted, and change no number here.

A class writes them as ``__mindspore_signature__``. MindSpore's compiler casts inputs of one mark to one type; here the
primitive's own rules see the inputs as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

__all__ = ["Signature", "make_sig", "sig_dtype", "sig_kind", "sig_rw"]


class sig_rw(Enum):  # noqa: N801 - MindSpore's name
    """The use of an input: read, written or referred to."""

    RW_READ, RW_WRITE, RW_REF, RW_EMPTY_DEFAULT_VALUE = range(4)


class sig_kind(Enum):  # noqa: N801 - MindSpore's name
    """The way in which an input is given."""

    KIND_POSITIONAL_KEYWORD, KIND_VAR_POSITIONAL, KIND_KEYWORD_ONLY, KIND_VAR_KEYWARD, KIND_EMPTY_DEFAULT_VALUE = range(
        5
    )


class sig_dtype(Enum):  # noqa: N801 - MindSpore's name
    """The group of inputs that are of one type."""

    T, T1, T2, T3, T4, T5, T6, T7, T8, T9, T_EMPTY_DEFAULT_VALUE = range(11)


@dataclass(frozen=True)
class Signature:
    """The marks of one input."""

    name: str
    rw: sig_rw
    kind: sig_kind
    default: Any
    dtype: sig_dtype


def make_sig(
    name: str = "var",
    rw: sig_rw = sig_rw.RW_READ,
    kind: sig_kind = sig_kind.KIND_POSITIONAL_KEYWORD,
    default: Any = sig_kind.KIND_EMPTY_DEFAULT_VALUE,
    dtype: sig_dtype = sig_dtype.T_EMPTY_DEFAULT_VALUE,
) -> Signature:
    """The marks of one input, for ``__mindspore_signature__``."""
    return Signature(name, rw, kind, default, dtype)
