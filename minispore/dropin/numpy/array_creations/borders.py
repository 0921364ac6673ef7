"""Borders around a Tensor."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_choice, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import listed, operand
from minispore.ops.number_checks import is_float_sized
from minispore.ops.object_checks import check_callable

__all__ = ["pad"]

_MOST = 2**31  # elements along one axis

_FROM_INSIDE = ("edge", "reflect", "symmetric", "wrap")
_OF_A_PART = {"maximum": ops.reduce_max, "minimum": ops.reduce_min, "mean": ops.reduce_mean}
_MODES = ("constant", "empty", "linear_ramp", *_FROM_INSIDE, *_OF_A_PART)


def _is_length(value):
    return is_int(value) and -_MOST < value < _MOST


def _pairs(argument, value, rank, allowed):
    """A pair for each axis, of a number, of one pair or of several."""
    value = listed(value)
    rows = value if isinstance(value, (tuple, list)) else (value,)
    rows = rows if any(isinstance(row, (tuple, list)) for row in rows) else (rows,)
    rows = [tuple(row) if isinstance(row, (tuple, list)) else (row,) for row in rows]
    if not all(allowed(n) for row in rows for n in row):
        raise type_error("pad", f"the '{argument}' must be numbers: one, a pair, or a pair for each axis", shown(value))
    if len(rows) not in (1, rank) or any(len(row) not in (1, 2) for row in rows):
        raise value_error("pad", f"the '{argument}' must be one, a pair, or {rank} pairs", shown(value))
    pairs = [row * 2 if len(row) == 1 else row for row in rows]
    return pairs * rank if len(pairs) == 1 else pairs


def pad(
    arr,
    pad_width,
    mode="constant",
    stat_length=None,
    constant_values=0,
    end_values=0,
    reflect_type="even",
    **kwargs,
) -> Tensor:
    """``arr`` with ``pad_width`` elements before and after along each axis.

    ``mode`` says what they are: "constant" and "empty" ``constant_values``, "linear_ramp" a line to ``end_values``,
    "edge" the last element, "reflect" and "symmetric" a mirror image without and with that (turned upside down with
    ``reflect_type`` "odd"), "wrap" the other end, "maximum", "minimum" and "mean" those of the ``stat_length``
    elements at that end, of all for None. A function gets and returns each row: ``mode(row, widths, axis, kwargs)``.

    Shapes: each length grows by the two of its axis. Dtypes: any, kept.

    Raises:
        TypeError: If ``arr`` holds no numbers, or an argument is not numbers: one, a pair, or a pair for each axis.
        ValueError: If ``mode`` or ``reflect_type`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.pad(ms.Tensor([1, 2, 3]), (1, 2), constant_values=9))
        [9 1 2 3 9 9]
        >>> print(mnp.pad(ms.Tensor([1, 2, 3]), (1, 2), mode="wrap"))
        [3 1 2 3 1 2]
    """
    x = operand("pad", arr, "arr")
    widths = _pairs("pad_width", pad_width, x.ndim, _is_length)
    if min((n for pair in widths for n in pair), default=0) < 0:
        widths = [[max(n, 0) for n in pair] for pair in widths]  # as MindSpore reads them
    check_choice("pad", "reflect_type", reflect_type, ("even", "odd"))
    if callable(mode):
        return _by_function(x, widths, mode, kwargs)
    check_choice("pad", "mode", mode, _MODES)
    settings = {
        "constant": _pairs("constant_values", constant_values, x.ndim, is_float_sized),
        "linear_ramp": _pairs("end_values", end_values, x.ndim, is_float_sized),
    }
    parts = None if stat_length is None else _pairs("stat_length", stat_length, x.ndim, _is_length)
    for axis, width in enumerate(widths):
        if mode in ("constant", "empty", "linear_ramp"):
            ends = settings["linear_ramp" if mode == "linear_ramp" else "constant"][axis]
            x = _mapped(x, axis, width, mode.replace("empty", "constant"), ends, {})
        elif mode in _OF_A_PART:
            x = _of_parts(x, axis, width, mode, parts and parts[axis])
        elif reflect_type == "odd" and mode in ("reflect", "symmetric"):
            x = _mapped(x, axis, width, mode, None, {"reflect_type": "odd"})
        else:
            x = _from_inside(x, axis, width, mode)
    return x


def _from_inside(x, axis, width, mode):
    """Elements of ``x`` itself: those at the places that NumPy finds for them."""
    if not x.shape[axis]:
        raise value_error("pad", f"the axis {axis} must have elements for the mode '{mode}'", x.shape)
    return ops.gather(x, Tensor(np.pad(np.arange(x.shape[axis]), width, mode)), axis)


def _mapped(x, axis, width, mode, ends, options):
    """A border that is a sum of products of the elements along the axis, and what ``ends`` adds to it."""
    length, kind = x.shape[axis], x.array.dtype
    fixed = {} if ends is None else {"constant_values" if mode == "constant" else "end_values": ends}
    row = np.pad(np.zeros(length), width, mode, **fixed, **options)
    if mode == "constant":
        sides = [np.full(_side(x, axis, n), end).astype(kind) for n, end in zip(width, ends, strict=True)]
        return ops.concat([Tensor(sides[0]), x, Tensor(sides[1])], axis)
    shares = np.pad(np.eye(length), (width, (0, 0)), mode, **options)
    shape = (-1,) + (1,) * (x.ndim - axis - 1)
    moved = ops.tensor_dot(Tensor(shares.astype(np.float32)), ops.cast(x, np.dtype(np.float32)), ((1,), (axis,)))
    out = ops.transpose(moved, (*range(1, axis + 1), 0, *range(axis + 1, x.ndim)))
    return ops.cast(out + Tensor(row.astype(np.float32).reshape(shape)), kind)


def _side(x, axis, length):
    return (*x.shape[:axis], length, *x.shape[axis + 1 :])


def _of_parts(x, axis, width, mode, lengths):
    """The maximum, minimum or mean of the elements at each end."""
    length, sides = x.shape[axis], []
    for end, count in enumerate(width):
        part = length if lengths is None else min(lengths[end], length)
        if part < 1:
            raise value_error("pad", "the 'stat_length' must be above 0, and the axes must have elements", lengths)
        chosen = slice(0, part) if end == 0 else slice(length - part, None)
        value = _OF_A_PART[mode](x[(*(slice(None),) * axis, chosen)], axis, True)
        sides.append(ops.broadcast_to(ops.cast(value, x.dtype), _side(x, axis, count)))
    return ops.concat([sides[0], x, sides[1]], axis)


def _by_function(x, widths, function, options):
    """A border of zeros, and then each row along each axis as the function gives it back."""
    check_callable("pad", "mode", function)
    x = pad(x, widths)
    for axis, width in enumerate(widths):
        order = (*(i for i in range(x.ndim) if i != axis), axis)
        moved = ops.transpose(x, order)
        rows = [_row(function, row, tuple(width), axis, options) for row in moved.reshape((-1, x.shape[axis]))]
        back = [order.index(i) for i in range(x.ndim)]
        x = ops.transpose(ops.stack(rows).reshape(moved.shape), tuple(back))
    return x


def _row(function, row, width, axis, options):
    out = operand("pad", function(row, width, axis, options), "mode")
    if out.shape != row.shape:
        raise value_error("pad", f"the function must return a row of the shape {row.shape}", out.shape)
    return out
