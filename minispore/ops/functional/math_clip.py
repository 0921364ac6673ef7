"""Functional wrappers that keep numbers, or norms, within bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.math_binary import maximum, minimum, select
from minispore.ops.functional.math_unary import sqrt
from minispore.ops.number_checks import check_no_complex, check_number
from minispore.ops.promotion import lowered_dtype

__all__ = ["clamp", "clip", "clip_by_global_norm", "clip_by_norm", "clip_by_value"]


def _check_bound(argument, bound):
    if bound is not None and not isinstance(bound, (int, float, Tensor)):
        raise type_error("clip_by_value", f"the '{argument}' must be None, a number or a Tensor", shown(bound))


def _clipped(x, low, high):
    if not isinstance(x, Tensor):
        raise type_error("clip_by_value", "the 'x' must be a Tensor or a tuple or list of them", type(x).__name__)
    out = x if low is None else maximum(x, low)
    out = out if high is None else minimum(out, high)
    kind = lowered_dtype(x)
    return out if out.array.dtype == kind else cast(out, kind)


def clip_by_value(x, clip_value_min=None, clip_value_max=None) -> Any:
    """Elements held between two bounds.

    ``min(max(x, clip_value_min), clip_value_max)``, in x's dtype; for a tuple or list, a tuple of them.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If x holds something else than Tensors, or a bound is neither a number nor a Tensor.
        ValueError: If both bounds are None.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.clip_by_value(ms.Tensor([-2.0, 0.5, 9.0]), -1.0, 1.0))
        [-1.   0.5  1. ]
    """
    if clip_value_min is None and clip_value_max is None:
        expected = "at least one of 'clip_value_min' and 'clip_value_max' must be given"
        raise value_error("clip_by_value", expected, "None and None")
    _check_bound("clip_value_min", clip_value_min)
    _check_bound("clip_value_max", clip_value_max)
    if isinstance(x, (tuple, list)):
        return tuple(_clipped(y, clip_value_min, clip_value_max) for y in x)
    return _clipped(x, clip_value_min, clip_value_max)


def clamp(input, min=None, max=None) -> Tensor:
    """Elements held between two bounds, of which one may be None: ``min(max(input, min), max)``.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.clamp(ms.Tensor([-2.0, 0.5, 9.0]), min=0.0))
        [0.  0.5 9. ]
    """
    return clip_by_value(input, min, max)


def clip(x, min=None, max=None) -> Tensor:
    """Elements held between two bounds, of which one may be None: ``min(max(x, min), max)``.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.clip(ms.Tensor([-2.0, 0.5, 9.0]), 0.0, 1.0))
        [0.  0.5 1. ]
    """
    return clip_by_value(x, min, max)


def _wide(x):
    return x if x.array.dtype == np.float64 else cast(x, float32.np)


def _root(total):
    """The square root, whose gradient at 0 is 0 instead of infinite."""
    above = total > 0
    return select(above, sqrt(select(above, total, total * 0 + 1)), total * 0)


def clip_by_norm(x: Tensor, clip_norm, axis=None) -> Tensor:
    """A Tensor scaled down until its norm is at most a bound.

    ``x * clip_norm / max(norm, clip_norm)``, with the Euclidean norm over ``axis``, all axes by default.

    It is computed, and given, in float32, or in float64 where x is.

    Shapes: any, kept. Dtypes: float32 and float64, kept; float16, ints and bools give float32; TypeError for complex.

    Raises:
        TypeError: If ``x`` is not a real number, an input is neither a Tensor nor a number, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.clip_by_norm(ms.Tensor([3.0, 4.0]), 1.0))  # the norm was 5
        [0.6 0.8]
        >>> print(ops.clip_by_norm(ms.Tensor([0.3, 0.4]), 1.0))  # it was below 1
        [0.3 0.4]
    """
    check_tensors("clip_by_norm", x=x)
    check_no_complex("clip_by_norm", "x", x)
    check_no_complex("clip_by_norm", "clip_norm", clip_norm)
    x, clip_norm = _wide(x), _wide(clip_norm) if isinstance(clip_norm, Tensor) else clip_norm
    axes = tuple(axis) if isinstance(axis, list) else axis
    norm = _root((x * x).sum(() if axes is None else axes, keepdims=True))
    return x * clip_norm / maximum(norm, clip_norm)


def clip_by_global_norm(x, clip_norm=1.0, use_norm=None) -> tuple[Tensor, Tensor]:
    """Tensors scaled down together until their common norm is at most a bound.

    ``x * clip_norm / max(norm, clip_norm)`` of each Tensor, with the Euclidean norm of all of them together.

    Dtypes: any, kept.

    Raises:
        TypeError: If x holds something else than Tensors, or ``clip_norm`` is not a number.
        ValueError: If ``clip_norm`` is not above 0, or ``use_norm``, which MindSpore does not take either, is given.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.clip_by_global_norm([ms.Tensor([3.0]), ms.Tensor([4.0])], 1.0))  # 5 is the norm of both
        [0.6] [0.8]
    """
    check_number("clip_by_global_norm", "clip_norm", clip_norm)
    if not clip_norm > 0:
        raise value_error("clip_by_global_norm", "the 'clip_norm' must be above 0", clip_norm)
    if use_norm is not None:
        raise value_error("clip_by_global_norm", "the 'use_norm' must be None", use_norm)
    tensors = tuple(x) if isinstance(x, (tuple, list)) else (x,)
    if not tensors:
        raise value_error("clip_by_global_norm", "the 'x' must hold at least one Tensor", "none")
    for y in tensors:
        if not isinstance(y, Tensor):
            raise type_error("clip_by_global_norm", "the 'x' must hold Tensors", type(y).__name__)
    total = sum((_wide(y).square().sum() for y in tensors[1:]), _wide(tensors[0]).square().sum())
    factor = clip_norm / maximum(_root(total), float(clip_norm))
    clipped = tuple(cast(_wide(y) * factor, y.array.dtype) for y in tensors)
    return clipped[0] if isinstance(x, Tensor) else clipped
