"""Differences of neighbours, slopes, areas, limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.array_ops.rearranging import broadcast_arrays
from minispore.dropin.numpy.utils import (
    as_axes,
    as_axis,
    common,
    converted,
    numbers_only,
    operand,
    operands,
    real,
)
from minispore.ops.number_checks import check_real

__all__ = ["clip", "diff", "ediff1d", "gradient", "interp", "trapz", "unwrap"]


def clip(x, xmin, xmax, dtype=None) -> Tensor:
    """``x`` with what is below ``xmin`` raised to it, and what is above ``xmax`` lowered, in the type of ``x``.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.clip(ms.Tensor([-2.0, 0.5, 9.0]), -1, 1))
        [-1.   0.5  1. ]
    """
    if xmin is None and xmax is None:
        raise value_error("clip", "one of 'xmin' and 'xmax' must be given", "None and None")
    x = operand("clip", x)
    kind = x.dtype
    for argument, bound, pick in (("xmin", xmin, ops.maximum), ("xmax", xmax, ops.minimum)):
        if bound is not None:
            x = pick(*common("clip", [x, operand("clip", bound, argument)]))
    return converted("clip", ops.cast(x, kind), dtype)


def _part(x, axis, start, stop):
    """``x[start:stop]`` along an axis."""
    return x[(*(slice(None),) * axis, slice(start, stop))]


def diff(a, n=1, axis=-1, prepend=None, append=None) -> Tensor:
    """Each element less the one before it along an axis, ``n`` times; ``prepend`` and ``append`` are joined first.

    For an ``n`` of 0 it is ``a`` itself, to which nothing is joined.

    Shapes: as ``a``, shorter by ``n`` along ``axis``. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a``, ``prepend`` or ``append`` holds no numbers, or ``n`` or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input, or ``n`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.diff(ms.Tensor([1, 4, 9, 16])))
        [3 5 7]
    """
    x = operand("diff", a, "a")
    axis = as_axis("diff", axis, x.ndim)
    check_int("diff", "n", n, 0, x.shape[axis] + 1)
    if not n:
        return x
    before, after = (_ending("diff", name, e, x, axis) for name, e in (("prepend", prepend), ("append", append)))
    x = ops.concat(common("diff", [*before, x, *after]), axis) if before or after else x
    for _ in range(n):
        x = _part(x, axis, 1, None) - _part(x, axis, None, -1)
    return x


def _ending(name, argument, value, x, axis):
    """The Tensor to join to ``x`` along an axis, as a list of one Tensor or of none."""
    if value is None:
        return []
    end = operand(name, value, argument)
    if not end.ndim:
        return [ops.broadcast_to(end, tuple(1 if i == axis else n for i, n in enumerate(x.shape)))]
    if end.ndim != x.ndim or any(m != n for i, (m, n) in enumerate(zip(end.shape, x.shape, strict=True)) if i != axis):
        raise value_error(name, f"the '{argument}' must fit to the shape {x.shape}", end.shape)
    return [end]


def ediff1d(ary, to_end=None, to_begin=None) -> Tensor:
    """Each element of a row less the one before it, between ``to_begin`` and ``to_end``.

    Shapes: any of N elements gives (N - 1,), and longer by ``to_begin`` and ``to_end``. Dtypes: floats, ints and
    complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.ediff1d(ms.Tensor([1, 4, 9]), to_end=0))
        [3 5 0]
    """
    x = operand("ediff1d", ary, "ary").reshape(-1)
    parts = [x[1:] - x[:-1]]
    if to_begin is not None:
        parts.insert(0, ops.cast(operand("ediff1d", to_begin, "to_begin").reshape(-1), x.dtype))
    if to_end is not None:
        parts.append(ops.cast(operand("ediff1d", to_end, "to_end").reshape(-1), x.dtype))
    return ops.concat(parts) if len(parts) > 1 else parts[0]


def trapz(y, x=None, dx=1.0, axis=-1) -> Tensor:
    """The area under ``y`` along an axis, of trapezoids between the places ``x``, or at distances ``dx``.

    Shapes: without the axis. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Raises:
        TypeError: If ``y`` or ``x`` holds no numbers, ``y`` is not a real number, or ``dx`` is not a number. Also if
            ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input, or ``dx`` is not finite.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.trapz(ms.Tensor([1.0, 2.0, 3.0])))
        4.0
    """
    y = operand("trapz", y, "y")
    y = y if y.dtype.is_float else ops.cast(real("trapz", y, "y"), np.dtype(np.float32))
    axis = as_axis("trapz", axis, y.ndim)
    if x is None:
        width = check_real("trapz", "dx", dx)
    else:
        places = real("trapz", operand("trapz", x))
        along = places.ndim - 1 if places.ndim == 1 else as_axis("trapz", axis, places.ndim)
        if places.shape[along] != y.shape[axis]:
            raise value_error("trapz", f"the 'x' must have {y.shape[axis]} places", places.shape)
        width = ops.cast(diff(places, 1, along), y.dtype)
        width = width.reshape((-1,) + (1,) * (y.ndim - axis - 1)) if places.ndim == 1 else width
    heights = (_part(y, axis, 1, None) + _part(y, axis, None, -1)) / 2
    return ops.reduce_sum(heights * width, axis)


def gradient(f, *varargs, axis=None, edge_order=1) -> Any:
    """The slope along each of the axes: half the difference of both neighbours, at the ends that of one.

    ``varargs`` are the distances of neighbours: one number, or one for each axis.

    Shapes: any, kept; a list of as many Tensors as there are axes, or one Tensor for one axis. Dtypes: floats, kept;
    ints and bools give float32; TypeError for complex.

    Raises:
        TypeError: If ``f`` holds no numbers, ``f`` is not a real number, or ``axis`` or ``edge_order`` is not an int.
        ValueError: If ``axis`` is no axis of the input, or ``edge_order`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.gradient(ms.Tensor([1.0, 4.0, 9.0])))
        [3. 4. 5.]
    """
    x = real("gradient", operand("gradient", f, "f"), "f")
    x = x if x.dtype.is_float else ops.cast(x, np.dtype(np.float32))
    check_int("gradient", "edge_order", edge_order, 1, 2)
    axes = as_axes("gradient", axis, x.ndim)
    for distance in varargs:
        check_real("gradient", "varargs", distance)
    if len(varargs) not in (0, 1, len(axes)):
        raise type_error("gradient", f"there must be no distance, one, or {len(axes)}", len(varargs))
    widths = varargs if len(varargs) == len(axes) else (varargs or (1.0,)) * len(axes)
    slopes = [_slope(x, along, width) for along, width in zip(axes, widths, strict=True)]
    return slopes[0] if len(slopes) == 1 else slopes


def _slope(x, axis, width):
    if x.shape[axis] < 2:
        raise value_error("gradient", "the axes must have at least 2 elements", x.shape)
    rises = _part(x, axis, 1, None) - _part(x, axis, None, -1)
    inner = (_part(rises, axis, 1, None) + _part(rises, axis, None, -1)) / 2
    ends = [_part(rises, axis, None, 1), _part(rises, axis, -1, None)]
    between = [inner] if x.shape[axis] > 2 else []
    return ops.concat([ends[0], *between, ends[1]], axis) / width


def unwrap(p, discont=np.pi, axis=-1) -> Tensor:
    """Angles in which jumps of more than ``discont`` between neighbours are shortened by whole turns.

    Shapes: any but (), kept. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Raises:
        TypeError: If ``p`` holds no numbers, ``p`` is not a real number, ``discont`` is not a number, or ``axis`` is
            not an int.
        ValueError: If ``axis`` is no axis of the input, ``p`` has no elements there, or ``discont`` is not finite.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.unwrap(ms.Tensor([0.0, 3.0, -3.0])))
        [0.        3.        3.2831855]
    """
    x = real("unwrap", operand("unwrap", p, "p"), "p")
    x = x if x.dtype.is_float else ops.cast(x, np.dtype(np.float32))
    axis = as_axis("unwrap", axis, x.ndim)
    check_real("unwrap", "discont", discont)
    jumps = diff(x, 1, axis)
    turned = ops.floor_mod(jumps + np.pi, 2 * np.pi) - np.pi
    turned = ops.select(ops.logical_and(turned == -np.pi, jumps > 0), ops.full_like(turned, np.pi), turned)
    change = ops.select(ops.abs(jumps) < discont, ops.zeros_like(jumps), turned - jumps)
    return ops.concat([_part(x, axis, None, 1), _part(x, axis, 1, None) + ops.cumsum(change, axis)], axis)


def interp(x, xp, fp, left=None, right=None) -> Tensor:
    """The values at ``x`` of the lines through the points ``(xp, fp)``, whose ``xp`` ascend.

    Before the first point it is ``left`` and after the last one ``right``, the values there if they are not given.

    Shapes: that of ``x``, kept; ``xp`` and ``fp`` are (N,). Dtypes: floats, kept; ints give float32; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` is not a real number, ``x`` is not a Tensor, or ``xp`` or ``fp`` holds no numbers. Also if
            ``left`` or ``right`` is not a number.
        ValueError: If ``xp`` and ``fp`` are not rows of one length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.interp(ms.Tensor([0.5, 3.0]), ms.Tensor([0.0, 1.0]), ms.Tensor([10.0, 20.0])))
        [15. 20.]
    """
    xp, fp = operands("interp", xp, fp, "xp", "fp")
    if xp.ndim != 1 or xp.shape != fp.shape or xp.size < 1:
        raise value_error("interp", "the 'xp' and 'fp' must be rows of one length", f"{xp.shape} and {fp.shape}")
    x, xp, fp = (_wide(numbers_only("interp", operand("interp", t))) for t in (x, xp, fp))
    after = np.clip(np.searchsorted(xp.asnumpy(), x.asnumpy(), side="right"), 1, max(xp.size - 1, 1))
    upper = Tensor(np.minimum(after, xp.size - 1).astype(np.int64))
    lower = Tensor((after - 1).astype(np.int64))
    x0, x1, y0, y1 = xp[lower], xp[upper], fp[lower], fp[upper]
    gap = ops.select(x1 == x0, ops.ones_like(x1), x1 - x0)
    out = y0 + (y1 - y0) * (x - x0) / gap
    out = ops.select(*broadcast_arrays(x < xp[0], _end("left", left, fp[0]), out))
    return ops.select(*broadcast_arrays(x > xp[-1], _end("right", right, fp[-1]), out))


def _wide(x):
    return x if x.dtype.is_float else ops.cast(real("interp", x), np.dtype(np.float32))


def _end(argument, value, default):
    return (
        default if value is None else ops.cast(operand("interp", check_real("interp", argument, value)), default.dtype)
    )
