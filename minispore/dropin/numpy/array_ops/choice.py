"""Elements that indices, conditions or functions choose."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.checks import check_choice, check_switch
from minispore.core.dtype import FLOATS
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.array_ops.joining import stack
from minispore.dropin.numpy.array_ops.rearranging import broadcast_arrays, moveaxis
from minispore.dropin.numpy.utils import as_axes, as_axis, as_shape, common, operand, operands
from minispore.ops.object_checks import check_callable

__all__ = [
    "apply_along_axis",
    "apply_over_axes",
    "choose",
    "piecewise",
    "select",
    "take",
    "take_along_axis",
    "unique",
    "unravel_index",
    "where",
]


def where(condition, x=None, y=None) -> Tensor:
    """``x`` where the condition is true, else ``y``; shapes broadcast and types promote.

    Shapes: those of the three broadcast. Dtypes: floats, int32 and int64, kept; uint64 gives float64; int8, int16,
    uint8, uint16 and bools give int32; uint32 gives int64; TypeError for complex.

    Raises:
        TypeError: If ``x`` or ``y`` is left out: the places of what is true are those of ``ops.nonzero``.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> x = ms.Tensor([-1.0, 2.0])
        >>> print(mnp.where(x > 0, x, 0))
        [0. 2.]
    """
    if x is None or y is None:
        raise type_error("where", "the 'x' and 'y' must both be given", f"{shown(x)} and {shown(y)}")
    condition = _truth("where", condition, "condition")
    x, y = operands("where", x, y, "x", "y")
    return ops.select(*_stretched(condition, x, y))


def _truth(name, x, argument):
    x = operand(name, x, argument)
    return x if x.array.dtype == np.bool_ else ops.not_equal(x, 0)


def _stretched(*tensors):
    return broadcast_arrays(*tensors)


# By indices


def _index(name, indices, argument="indices"):
    """An operand whose elements are ints."""
    x = operand(name, indices, argument)
    if x.array.dtype in FLOATS or x.array.dtype == np.bool_:
        raise type_error(name, f"the '{argument}' must be ints", x.dtype)
    return x


def _inside(name, indices, length, mode, modes):
    """Indices of at least 0 and below ``length``, by the way that ``mode`` names."""
    check_choice(name, "mode", mode, modes)
    if not length:
        raise value_error(name, "the axis must have an element", "length 0")
    if mode == "wrap":
        return ops.floor_mod(indices, length)
    if mode == "clip":
        return ops.maximum(ops.minimum(indices, length - 1), 0)
    host = indices.asnumpy()
    if host.size and not -length <= host.min() <= host.max() < length:
        raise value_error(name, f"the indices must be in [-{length}, {length})", f"{host.min()} to {host.max()}")
    return ops.select(indices < 0, indices + length, indices)


def take(a, indices, axis=None, mode="clip") -> Tensor:
    """The elements at indices along an axis, or of all in a row for None.

    ``mode`` says what an index outside means: "clip" the nearest one inside, "wrap" counting around, "raise" an error.

    Shapes: the axis of ``a`` gives way to the axes of ``indices``; without an axis the shape of ``indices``. Dtypes:
    any, kept.

    Raises:
        TypeError: If ``a`` or ``indices`` holds no numbers, ``indices`` does not hold ints, or ``axis`` is not an int.
        ValueError: If the axis does not have an element, ``axis`` is no axis of the input, or ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.take(ms.Tensor([10.0, 20.0, 30.0]), ms.Tensor([0, 5])))  # 5 is outside: the nearest
        [10. 30.]
    """
    x, places = operand("take", a, "a"), _index("take", indices)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = as_axis("take", axis, x.ndim)
    places = _inside("take", places, x.shape[axis], mode, ("clip", "wrap", "raise"))
    return ops.gather(x, places, axis)


def take_along_axis(arr, indices, axis) -> Tensor:
    """The elements at indices along an axis, of as many axes as ``arr``; of all in a row for None.

    Shapes: that of ``indices``, which is as ``arr`` but along ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``arr`` or ``indices`` holds no numbers, ``indices`` does not hold ints, or ``axis`` is not an
            int.
        ValueError: If ``axis`` is no axis of the input, or ``arr`` and ``indices`` do not fit in all but the axis.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.take_along_axis(ms.Tensor([[10.0, 20.0], [30.0, 40.0]]), ms.Tensor([[1], [0]]), 1))
        [[20.]
         [30.]]
    """
    x, places = operand("take_along_axis", arr, "arr"), _index("take_along_axis", indices)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = as_axis("take_along_axis", axis, x.ndim)
    if places.ndim != x.ndim:
        raise value_error("take_along_axis", f"the 'indices' must have {x.ndim} axes", f"shape {places.shape}")
    around = [_around(n, m, i == axis) for i, (n, m) in enumerate(zip(x.shape, places.shape, strict=True))]
    x = ops.broadcast_to(x, tuple(n if i == axis else m for i, (n, m) in enumerate(zip(x.shape, around, strict=True))))
    places = ops.broadcast_to(places, tuple(around))
    return ops.gather_d(x, axis, places)


def _around(n, m, along):
    """The length of an axis that a Tensor and its indices have in common."""
    if not along and n != m and 1 not in (n, m):
        raise value_error("take_along_axis", "the 'arr' and 'indices' must fit in all but the axis", f"{n} and {m}")
    return m if along else max(n, m)


def choose(a, choices, mode="clip") -> Tensor:
    """Each element from the choice that the index there names.

    ``mode`` says what an index outside means: "clip" the nearest one inside, "wrap" counting around.

    Shapes: ``a`` and the choices broadcast; the answer has their common shape. Dtypes: ints, kept; TypeError for
    floats, bools and complex.

    Raises:
        TypeError: If ``a`` or ``choices`` holds no numbers, or ``a`` does not hold ints. Also if ``choices`` is not a
            Tensor, or a tuple or list of them.
        ValueError: If the shapes do not broadcast, or ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.choose(ms.Tensor([0, 1, 0]), [ms.Tensor([1, 2, 3]), ms.Tensor([10, 20, 30])]))
        [ 1 20  3]
    """
    places = _index("choose", a, "a")
    if not isinstance(choices, (tuple, list, Tensor)) or not len(choices):
        raise type_error("choose", "the 'choices' must be a Tensor, or a tuple or list of them", shown(choices))
    rows = common("choose", [operand("choose", x, "choices") for x in choices])
    places, *rows = _stretched(places, *rows)
    places = _inside("choose", places, len(rows), mode, ("clip", "wrap"))
    return ops.gather_d(ops.stack(rows), 0, places.expand_dims(0)).reshape(places.shape)


def unravel_index(indices, shape, order="C") -> Any:
    """The index along each axis of a shape of the elements at flat indices: a tuple of Tensors of the indices' shape.

    They are int64 for indices of that dtype, else int32. One index and one axis give a Tensor of shape (1,) alone.

    Raises:
        TypeError: If ``indices`` holds no numbers, an input is complex, or ``indices`` does not hold ints. Also if
            ``shape`` is not an int, or a tuple or list of ints.
        ValueError: If ``shape`` has a negative length, or ``order`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.unravel_index(ms.Tensor([1, 5]), (2, 3)))
        [0 1] [1 2]
    """
    check_choice("unravel_index", "order", order, ("C", "F"))
    places, lengths = _index("unravel_index", indices), as_shape("unravel_index", shape)
    kind = np.dtype(np.int64 if isinstance(indices, Tensor) and indices.itemsize == 8 else np.int32)
    if 0 in lengths:
        raise value_error("unravel_index", "the 'shape' must have elements", shown(shape))
    count = int(np.prod(lengths))
    places = ops.select(places < 0, places + count, places)
    places = _inside("unravel_index", places, count, "clip", ("clip",))
    out = []
    for n in lengths[::-1] if order == "C" else lengths:
        out.append(ops.cast(ops.floor_mod(places, n), kind))
        places = ops.floor_div(places, n)
    out = tuple(out[::-1] if order == "C" else out)
    return out[0].reshape(-1) if len(out) == 1 and not out[0].ndim else out


def unique(x, return_inverse: bool = False) -> Any:
    """The distinct elements as they come, and with ``return_inverse`` each element's place among them as int32.

    Shapes: any of N elements gives (number of distinct elements,); the places are (N,). Dtypes: floats, ints and bools,
    kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.unique(ms.Tensor([3, 1, 3, 2]), return_inverse=True))
        [3 1 2] [0 1 0 2]
    """
    return_inverse = check_switch("unique", "return_inverse", return_inverse)
    found, places = ops.unique(operand("unique", x).reshape(-1))
    return (found, places) if return_inverse else found


# By conditions


def _list_of(name, value, argument):
    """The elements of a list, or of a Tensor along its first axis, as operands."""
    if not isinstance(value, (tuple, list, Tensor)) or (isinstance(value, Tensor) and not value.ndim) or not len(value):
        raise type_error(name, f"the '{argument}' must be a Tensor, or a tuple or list of them", shown(value))
    return [operand(name, x, argument) for x in value]


def select(condlist, choicelist, default=0) -> Tensor:
    """Each element from the first choice whose condition is true there, ``default`` where none is.

    Dtypes: floats, int32 and int64, kept; uint64 gives float64; int8, int16, uint8 and uint16 give int32; uint32 and
    bools give int64; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> x = ms.Tensor([1.0, 2.0, 3.0])
        >>> print(mnp.select([x < 2, x > 2], [x, x * 10]))
        [ 1.  0. 30.]
    """
    conditions = [_truth("select", c, "condlist") for c in _list_of("select", condlist, "condlist")]
    choices = _list_of("select", choicelist, "choicelist")
    if len(conditions) != len(choices):
        expected = "the 'condlist' and 'choicelist' must be equally long"
        raise value_error("select", expected, f"{len(conditions)} and {len(choices)}")
    *choices, out = common("select", [*choices, operand("select", default, "default")])
    for condition, choice in zip(conditions[::-1], choices[::-1], strict=True):
        out = ops.select(*_stretched(condition, choice, out))
    return out


def piecewise(x, condlist, funclist, *args, **kw) -> Tensor:
    """``function(x, *args, **kw)`` or a number where its condition is true; one more is for where none is, else 0.

    Shapes: that of ``x``, to which the conditions broadcast. Dtypes: floats, int32 and int64, kept; uint64 gives
    float64; int8, int16, uint8 and uint16 give int32; uint32 gives int64; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``condlist`` is not a Tensor, or a tuple or list of them. Also if
            ``condlist`` holds no numbers, or ``funclist`` is not a list of functions and numbers.
        ValueError: If ``x`` does not broadcast to the shape, or the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> x = ms.Tensor([-2.0, 0.0, 3.0])
        >>> print(mnp.piecewise(x, [x < 0, x > 0], [lambda x: -x, 10]))
        [ 2.  0. 10.]
    """
    x = operand("piecewise", x)
    condlist = Tensor(condlist) if isinstance(condlist, bool) else condlist
    one = not getattr(condlist, "ndim", 1) or (isinstance(condlist, Tensor) and condlist.shape == x.shape)
    conditions = [
        _truth("piecewise", c, "condlist") for c in ([condlist] if one else _list_of("piecewise", condlist, "condlist"))
    ]
    if not isinstance(funclist, (tuple, list)):
        raise type_error("piecewise", "the 'funclist' must be a list of functions and numbers", shown(funclist))
    if len(funclist) - len(conditions) not in (0, 1):
        expected = f"the 'funclist' must have {len(conditions)} or {len(conditions) + 1} elements"
        raise value_error("piecewise", expected, len(funclist))
    pieces = [operand("piecewise", f(x, *args, **kw) if callable(f) else f, "funclist") for f in funclist]
    other = pieces.pop() if len(pieces) > len(conditions) else operand("piecewise", 0)
    *pieces, out = common("piecewise", [*pieces, other])
    for condition, piece in zip(conditions, pieces, strict=True):  # the last true one counts
        out = ops.select(*_stretched(condition, piece, out))
    return ops.broadcast_to(out, x.shape)


# By functions


def apply_along_axis(func1d, axis, arr, *args, **kwargs) -> Tensor:
    """``func1d(row, *args, **kwargs)`` of each row along an axis, whose place the axes of a result take.

    Shapes: the axis of ``arr`` gives way to the axes of the function's answer. Dtypes: floats, ints and complex, kept;
    bools give int32.

    Raises:
        TypeError: If ``func1d`` is not a function, ``axis`` is not an int, or ``arr`` holds no numbers.
        ValueError: If ``axis`` is no axis of the input, or ``arr`` has no rows.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.apply_along_axis(mnp.sum, 1, ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [3. 7.]
    """
    check_callable("apply_along_axis", "func1d", func1d)
    x = operand("apply_along_axis", arr, "arr")
    axis = as_axis("apply_along_axis", axis, x.ndim)
    rows = moveaxis(x, axis, -1)
    outer = rows.shape[:-1]
    results = [
        operand("apply_along_axis", func1d(row, *args, **kwargs), "func1d")
        for row in rows.reshape((-1, rows.shape[-1]))
    ]
    out = stack(results)
    out = out.reshape((*outer, *out.shape[1:]))
    own = range(len(outer), out.ndim)
    return ops.transpose(out, (*range(axis), *own, *range(axis, len(outer))))


def apply_over_axes(func, a, axes) -> Tensor:
    """``func(a, axis)`` for one axis after the other, each of which stays with length 1.

    Shapes: as ``a``, with length 1 at the axes. Dtypes: floats, ints and complex, kept; bools give int32.

    Raises:
        TypeError: If ``func`` is not a function, ``a`` holds no numbers, or ``axes`` is not an int.
        ValueError: If ``axes`` is no axis of the input, or ``axes`` does not name each axis once.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.apply_over_axes(mnp.sum, ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), (0, 1)))
        [[10.]]
    """
    check_callable("apply_over_axes", "func", func)
    x = operand("apply_over_axes", a, "a")
    for axis in as_axes("apply_over_axes", axes, x.ndim, "axes"):
        out = operand("apply_over_axes", func(x, axis), "func")
        x = out if out.ndim == x.ndim else out.expand_dims(axis)
    return x
