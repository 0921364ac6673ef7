"""Tensor's methods on its shape and the order of its axes; ``operators.py`` installs them."""

from __future__ import annotations

from minispore.core.checks import check_choice
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors

__all__ = []


def _shape_arguments(arguments):
    return arguments[0] if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)) else arguments


def _reshape(self, *shape) -> Tensor:
    return F.reshape(self, _shape_arguments(shape))


def _transpose(self, *axes) -> Tensor:
    axes = _shape_arguments(axes)
    return F.transpose(self, axes or tuple(range(self.ndim))[::-1])


def _permute(self, *axis) -> Tensor:
    return F.transpose(self, _shape_arguments(axis))


def _flatten(self, order: str = "C", *, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    check_choice("flatten", "order", order, ("C",))
    return F.flatten(self, start_dim=start_dim, end_dim=end_dim)


def _expand_as(self, x: Tensor) -> Tensor:
    check_tensors("expand_as", x=x)
    return F.broadcast_to(self, x.shape)


def _view_as(self, other: Tensor) -> Tensor:
    check_tensors("view_as", other=other)
    return F.reshape(self, other.shape)


METHODS_OF_SHAPES = {
    "expand_as": _expand_as,
    "flatten": _flatten,
    "permute": _permute,
    "reshape": _reshape,
    "transpose": _transpose,
    "view": _reshape,
    "view_as": _view_as,
}
