"""The same elements in another shape or order, or repeated."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_axes, as_axis, as_shape, operand
from minispore.ops.list_checks import is_axes

__all__ = [
    "array_str",
    "broadcast_arrays",
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "moveaxis",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "rollaxis",
    "rot90",
    "size",
    "squeeze",
    "swapaxes",
    "tile",
    "transpose",
]


def reshape(x, new_shape) -> Tensor:
    """The same elements in another shape, an int or ints; one length may be -1, which stands for what is left.

    Shapes: the product of the lengths stays; ValueError where it cannot. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``new_shape`` is not an int, or a tuple or list of ints.
        ValueError: If ``shape`` does not hold as many elements as the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.reshape(ms.Tensor([1, 2, 3, 4, 5, 6]), (2, -1)))
        [[1 2 3]
         [4 5 6]]
    """
    x = operand("reshape", x)
    if not is_axes(new_shape):
        raise type_error("reshape", "the 'new_shape' must be an int, or a tuple or list of ints", shown(new_shape))
    return ops.reshape(x, (new_shape,) if is_int(new_shape) else tuple(new_shape))


def ravel(x) -> Tensor:
    """The elements in a row.

    Shapes: any of N elements gives (N,). Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.ravel(ms.Tensor([[1, 2], [3, 4]])))
        [1 2 3 4]
    """
    return operand("ravel", x).reshape(-1)


def transpose(a, axes=None) -> Tensor:
    """The axes in another order, the opposite one for None.

    Shapes: the same lengths in another order. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``axes`` is not an int.
        ValueError: If ``axes`` is no axis of the input, or ``axes`` does not name all axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.transpose(ms.Tensor([[1, 2, 3], [4, 5, 6]])))
        [[1 4]
         [2 5]
         [3 6]]
    """
    x = operand("transpose", a, "a")
    order = tuple(range(x.ndim))[::-1] if axes is None else as_axes("transpose", axes, x.ndim, "axes")
    if len(order) != x.ndim:
        raise value_error("transpose", f"the 'axes' must name all {x.ndim} axes", shown(axes))
    return ops.transpose(x, order)


def swapaxes(x, axis1, axis2) -> Tensor:
    """Two axes in each other's places.

    Shapes: the same lengths, two of them exchanged. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``axis1`` or ``axis2`` is not an int.
        ValueError: If ``axis2`` or ``axis1`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.swapaxes(ms.Tensor([[1, 2, 3], [4, 5, 6]]), 0, 1))
        [[1 4]
         [2 5]
         [3 6]]
    """
    x = operand("swapaxes", x)
    first, second = as_axis("swapaxes", axis1, x.ndim, "axis1"), as_axis("swapaxes", axis2, x.ndim, "axis2")
    return ops.swapaxes(x, first, second)


def moveaxis(a, source, destination) -> Tensor:
    """Axes moved to other places; those left keep their order.

    Shapes: the same lengths in another order. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``source`` or ``destination`` is not an int.
        ValueError: If ``destination`` or ``source`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.moveaxis(ms.Tensor([[1, 2, 3], [4, 5, 6]]), 0, 1))
        [[1 4]
         [2 5]
         [3 6]]
    """
    x = operand("moveaxis", a, "a")
    old = as_axes("moveaxis", source, x.ndim, "source")
    new = as_axes("moveaxis", destination, x.ndim, "destination")
    if source is None or destination is None or len(old) != len(new):
        expected = "the 'source' and 'destination' must name equally many axes"
        raise value_error("moveaxis", expected, f"{shown(source)} and {shown(destination)}")
    order = [axis for axis in range(x.ndim) if axis not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return ops.transpose(x, tuple(order))


def rollaxis(x, axis, start=0) -> Tensor:
    """``axis`` moved back until it stands before ``start``.

    Shapes: the same lengths in another order. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``axis`` or ``start`` is not an int.
        ValueError: If ``axis`` is no axis of the input, or ``start`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.rollaxis(ms.Tensor([[1, 2, 3], [4, 5, 6]]), 1))
        [[1 4]
         [2 5]
         [3 6]]
    """
    x = operand("rollaxis", x)
    axis, rank = as_axis("rollaxis", axis, x.ndim), x.ndim
    check_int("rollaxis", "start", start, -rank, rank + 1)
    start += rank if start < 0 else 0
    order = [a for a in range(rank) if a != axis]
    order.insert(start - (start > axis), axis)
    return ops.transpose(x, tuple(order))


def expand_dims(a, axis) -> Tensor:
    """New axes of length 1 at the places ``axis`` of the result.

    Shapes: a length 1 more at each place of ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``axis`` is not an int or a tuple of ints.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.expand_dims(ms.Tensor([1, 2]), 1))
        [[1]
         [2]]
    """
    x = operand("expand_dims", a, "a")
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    if axis is None:
        raise type_error("expand_dims", "the 'axis' must be an int, or a tuple or list of ints", "None")
    places = as_axes("expand_dims", axis, x.ndim + count)
    lengths = iter(x.shape)
    return x.reshape(tuple(1 if i in places else next(lengths) for i in range(x.ndim + count)))


def squeeze(a, axis=None) -> Tensor:
    """Without axes of length 1: all of them for None.

    Shapes: without the axes of length 1. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.squeeze(ms.Tensor([[[1], [2]]])))
        [1 2]
    """
    x = operand("squeeze", a, "a")
    places = [i for i, n in enumerate(x.shape) if n == 1] if axis is None else as_axes("squeeze", axis, x.ndim)
    if any(x.shape[i] != 1 for i in places):
        raise value_error("squeeze", "the 'axis' must be of length 1", f"{shown(axis)} of shape {x.shape}")
    return x.reshape(tuple(n for i, n in enumerate(x.shape) if i not in places))


def broadcast_to(array, shape) -> Tensor:
    """``array`` stretched to ``shape``.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``array`` holds no numbers, or ``shape`` is not a tuple or list of ints.
        ValueError: If ``array`` does not broadcast to ``shape``, or ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.broadcast_to(ms.Tensor([1, 2]), (2, 2)))
        [[1 2]
         [1 2]]
    """
    x = operand("broadcast_to", array, "array")
    if not isinstance(shape, (tuple, list)):
        raise type_error("broadcast_to", "the 'shape' must be a tuple or list of ints", shown(shape))
    return ops.broadcast_to(x, as_shape("broadcast_to", shape))


def broadcast_arrays(*args) -> list[Tensor]:
    r"""The Tensors stretched to the shape to which all of them broadcast, as a list.

    Dtypes: any, kept.

    Raises:
        TypeError: If an argument holds no numbers.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.broadcast_arrays(ms.Tensor([1, 2]), ms.Tensor([[10], [20]])), sep="\n")
        [[1 2]
         [1 2]]
        [[10 10]
         [20 20]]
    """
    tensors = [operand("broadcast_arrays", x, "args") for x in args]
    try:
        shape = np.broadcast_shapes(*(x.shape for x in tensors))
    except ValueError:
        raise value_error("broadcast_arrays", "the shapes must broadcast", shown([x.shape for x in tensors])) from None
    return [ops.broadcast_to(x, shape) for x in tensors]


# Order


def flip(m, axis=None) -> Tensor:
    """The elements in the opposite order along axes, all of them for None.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``m`` holds no numbers, or ``axis`` is not an int or a tuple of ints.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.flip(ms.Tensor([[1, 2], [3, 4]])))
        [[4 3]
         [2 1]]
    """
    x = operand("flip", m, "m")
    return ops.reverse(x, as_axes("flip", axis, x.ndim))


def _flipped(name, m, axis):
    x = operand(name, m, "m")
    if x.ndim <= axis:
        raise value_error(name, f"the 'm' must have at least {axis + 1} axes", f"shape {x.shape}")
    return ops.reverse(x, (axis,))


def fliplr(m) -> Tensor:
    """The elements in the opposite order along the second axis.

    Shapes: at least two axes, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``m`` holds no numbers.
        ValueError: If ``m`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.fliplr(ms.Tensor([[1, 2], [3, 4]])))
        [[2 1]
         [4 3]]
    """
    return _flipped("fliplr", m, 1)


def flipud(m) -> Tensor:
    """The elements in the opposite order along the first axis.

    Shapes: at least one axis, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``m`` holds no numbers.
        ValueError: If ``m`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.flipud(ms.Tensor([[1, 2], [3, 4]])))
        [[3 4]
         [1 2]]
    """
    return _flipped("flipud", m, 0)


def roll(a, shift, axis=None) -> Tensor:
    """The elements shifted along axes, wrapping around at the ends; without axes, of all in a row.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``shift`` is not an int, or a tuple or list of ints. Also if ``axis``
            is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.roll(ms.Tensor([1, 2, 3, 4]), 1))
        [4 1 2 3]
    """
    x = operand("roll", a, "a")
    shifts = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,)
    if not all(map(is_int, shifts)):
        raise type_error("roll", "the 'shift' must be an int, or a tuple or list of ints", shown(shift))
    if axis is None:
        return ops.roll(x.reshape(-1), sum(shifts), 0).reshape(x.shape)
    axes = tuple(as_axis("roll", n, x.ndim) for n in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    if 1 not in (len(shifts), len(axes)) and len(shifts) != len(axes):
        raise value_error("roll", "the 'shift' and 'axis' must be equally many", f"{shown(shift)} and {shown(axis)}")
    most = max(len(shifts), len(axes))
    pairs = zip(shifts * (most // max(len(shifts), 1)), axes * (most // max(len(axes), 1)), strict=True)
    for by, along in pairs:
        x = ops.roll(x, by, along)
    return x


def rot90(a, k=1, axes=(0, 1)) -> Tensor:
    """``a`` rotated by ``k`` times 90 degrees, from the first towards the second of two axes.

    Shapes: at least two axes, whose two lengths are exchanged for an odd ``k``. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``k`` is not an int.
        ValueError: If ``a`` has fewer than 2 axes, or ``axes`` is not two axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.rot90(ms.Tensor([[1, 2], [3, 4]])))
        [[2 4]
         [1 3]]
    """
    x = operand("rot90", a, "a")
    if x.ndim < 2:
        raise value_error("rot90", "the 'a' must have at least 2 axes", f"shape {x.shape}")
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        raise value_error("rot90", "the 'axes' must be two axes", shown(axes))
    first, second = as_axes("rot90", axes, x.ndim, "axes")
    return ops.rot90(x, check_int("rot90", "k", k), (first, second))


# Repeated


def tile(a, reps) -> Tensor:
    """``a`` repeated along its axes, ``reps`` times along each; an int is that of the last axis.

    Shapes: each length times its number in ``reps``; missing axes count as 1. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``reps`` is not an int, or a tuple or list of ints.
        ValueError: If ``reps`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.tile(ms.Tensor([1, 2]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
    """
    x = operand("tile", a, "a")
    times = as_shape("tile", reps, "reps")
    x = x.reshape((1,) * (len(times) - x.ndim) + x.shape)
    times = (1,) * (x.ndim - len(times)) + times
    if 0 in times:
        return ops.zeros(tuple(n * t for n, t in zip(x.shape, times, strict=True)), x.dtype)
    return ops.tile(x, times)


def repeat(a, repeats, axis=None) -> Tensor:
    """Each element along an axis ``repeats`` times in a row, or as often as its own number says; of all for None.

    Shapes: as ``a``, longer along ``axis``; (N,) without one. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``repeats`` is not an int, or a tuple or list of ints. Also if ``axis``
            is not an int.
        ValueError: If ``repeats`` is below 0, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.repeat(ms.Tensor([1, 2]), 2))
        [1 1 2 2]
    """
    x = operand("repeat", a, "a")
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = as_axis("repeat", axis, x.ndim)
    times = as_shape("repeat", repeats, "repeats")
    if len(times) not in (1, x.shape[axis]):
        raise value_error("repeat", f"the 'repeats' must be one or {x.shape[axis]} numbers", shown(repeats))
    places = np.repeat(np.arange(x.shape[axis]), times)
    return ops.gather(x, Tensor(places), axis)


# About them


def size(a, axis=None) -> int:
    """Number of elements of ``a``, or its length along an axis.

    Shapes: any; the answer is an int. Any dtype is taken.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> mnp.size(ms.Tensor([[1, 2, 3], [4, 5, 6]])), mnp.size(ms.Tensor([[1, 2, 3], [4, 5, 6]]), 1)
        (6, 3)
    """
    x = operand("size", a, "a")
    return x.size if axis is None else x.shape[as_axis("size", axis, x.ndim)]


def array_str(a) -> str:
    """The values of a Tensor as text.

    Shapes: any; the answer is a str. Any dtype is taken.

    Raises:
        TypeError: If ``a`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> mnp.array_str(ms.Tensor([1, 2]))
        '[1 2]'
    """
    if not isinstance(a, Tensor):
        raise type_error("array_str", "the 'a' must be a Tensor", shown(a))
    return str(a)
