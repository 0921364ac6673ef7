"""Functional wrappers that permute axes, reverse and roll elements, and take triangles and diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axes, as_axis
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_manipulation import broadcast_to, expand_dims, transpose
from minispore.ops.operations.array import slicing, triangular

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "diag",
    "diagonal",
    "expand",
    "flip",
    "fliplr",
    "flipud",
    "moveaxis",
    "movedim",
    "permute",
    "ravel",
    "reverse",
    "roll",
    "rot90",
    "swapaxes",
    "swapdims",
    "tril",
    "triu",
    "unsqueeze",
]
METHODS = """
    diag expand flip fliplr flipud moveaxis movedim ravel reverse roll rot90 swapaxes swapdims tril triu unsqueeze
"""


def swapaxes(input: Tensor, axis0, axis1) -> Tensor:
    """Two axes exchanged.

    Shapes: two lengths change places. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``axis0`` or ``axis1`` is not an int.
        ValueError: If ``axis1`` or ``axis0`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.swapaxes(ms.Tensor([[1, 2, 3], [4, 5, 6]]), 0, 1))
        [[1 4]
         [2 5]
         [3 6]]
    """
    check_tensors("swapaxes", input=input)
    axes = list(range(input.ndim))
    i, j = as_axis("swapaxes", axis0, input.ndim, "axis0"), as_axis("swapaxes", axis1, input.ndim, "axis1")
    if i == j:
        return input
    axes[i], axes[j] = axes[j], axes[i]
    return transpose(input, tuple(axes))


def swapdims(input: Tensor, dim0, dim1) -> Tensor:
    """Two axes exchanged: :func:`swapaxes`.

    Shapes: two lengths change places. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``dim0`` or ``dim1`` is not an int.
        ValueError: If ``dim0`` or ``dim1`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.swapdims(ms.Tensor([[1, 2, 3], [4, 5, 6]]), 0, -1))
        [[1 4]
         [2 5]
         [3 6]]
    """
    check_tensors("swapdims", input=input)
    return swapaxes(input, dim0, dim1)


def moveaxis(x: Tensor, source, destination) -> Tensor:
    """Axes moved to other places; the others keep their order.

    Shapes: the lengths move with their axes. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``source`` or ``destination`` is not an int.
        ValueError: If ``destination`` or ``source`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[1, 2, 3], [4, 5, 6]]])
        >>> ops.moveaxis(x, 0, 2).shape
        (2, 3, 1)
        >>> print(ops.moveaxis(x, 0, 2)[0])
        [[1]
         [2]
         [3]]
    """
    check_tensors("moveaxis", x=x)
    source, destination = (a if isinstance(a, (tuple, list)) else (a,) for a in (source, destination))
    if len(source) != len(destination):
        expected = "the 'source' and 'destination' must name as many axes"
        raise value_error("moveaxis", expected, f"{source} and {destination}")
    as_axes("moveaxis", source, x.ndim, "source"), as_axes("moveaxis", destination, x.ndim, "destination")
    moved = {d % x.ndim: s % x.ndim for s, d in zip(source, destination, strict=True)}
    others = iter(a for a in range(x.ndim) if a not in moved.values())
    return transpose(x, tuple(moved[i] if i in moved else next(others) for i in range(x.ndim)))


def movedim(x: Tensor, source, destination) -> Tensor:
    """Axes moved to other places: :func:`moveaxis`.

    Shapes: the lengths move with their axes. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``source`` or ``destination`` is not an int.
        ValueError: If ``source`` or ``destination`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[1, 2, 3], [4, 5, 6]]])
        >>> print(ops.movedim(x, 2, 0)[0])  # what was the first column
        [[1 4]]
    """
    check_tensors("movedim", x=x)
    return moveaxis(x, source, destination)


def permute(input: Tensor, axis) -> Tensor:
    """The axes in another order: :func:`transpose`.

    Shapes: the lengths move with their axes. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``axis`` is not an int or a tuple of ints.
        ValueError: If ``axis`` does not name each axis once, or ``axis`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.permute(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (1, 0)))
        [[1 4]
         [2 5]
         [3 6]]
    """
    return transpose(input, axis)


def ravel(input: Tensor) -> Tensor:
    """All elements in one row.

    Shapes: (number of elements,). Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ravel(ms.Tensor([[1, 2], [3, 4]])))
        [1 2 3 4]
    """
    check_tensors("ravel", input=input)
    return input.reshape((-1,))


def unsqueeze(input: Tensor, dim) -> Tensor:
    """A new axis of length 1: :func:`expand_dims`.

    Shapes: a length 1 more, at ``dim``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``dim`` is not an int.
        ValueError: If ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.unsqueeze(ms.Tensor([1, 2]), -1))
        [[1]
         [2]]
    """
    return expand_dims(input, dim)


def expand(input_x: Tensor, size) -> Tensor:
    """``input_x`` stretched to a size, a tuple or a Tensor of ints; -1 keeps a length.

    Shapes: ``size``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, or ``size`` is not an int.
        ValueError: If ``input_x`` does not broadcast to the shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.expand(ms.Tensor([[1], [2]]), (-1, 3)))
        [[1 1 1]
         [2 2 2]]
    """
    return broadcast_to(input_x, size)


def reverse(x: Tensor, axis) -> Tensor:
    """The elements in reverse order along axes: ``ReverseV2(axis)(x)``.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int, or a tuple or list of ints.
        ValueError: If ``axis`` is no axis of the input, or ``axis`` does not name each axis once.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reverse(ms.Tensor([[1, 2], [3, 4]]), (0,)))
        [[3 4]
         [1 2]]
    """
    return make(slicing.ReverseV2, tuple(axis) if isinstance(axis, list) else axis)(x)


def flip(input: Tensor, dims) -> Tensor:
    """The elements in reverse order along axes, a tuple or list: :func:`reverse`.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``dims`` is not an int, or a tuple or list of ints.
        ValueError: If ``dims`` is no axis of the input, or ``dims`` does not name each axis once.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.flip(ms.Tensor([[1, 2], [3, 4]]), (0, 1)))
        [[4 3]
         [2 1]]
    """
    return reverse(input, dims)


def fliplr(input: Tensor) -> Tensor:
    """The elements in reverse order along the second axis.

    Shapes: any of at least two axes, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``input`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.fliplr(ms.Tensor([[1, 2], [3, 4]])))
        [[2 1]
         [4 3]]
    """
    check_tensors("fliplr", input=input)
    if input.ndim < 2:
        raise value_error("fliplr", "the 'input' must have at least 2 axes", f"shape {input.shape}")
    return reverse(input, (1,))


def flipud(input: Tensor) -> Tensor:
    """The elements in reverse order along the first axis.

    Shapes: any of at least one axis, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.flipud(ms.Tensor([[1, 2], [3, 4]])))
        [[3 4]
         [1 2]]
    """
    return reverse(input, (0,))


def roll(input: Tensor, shifts, dims=None) -> Tensor:
    """The elements shifted along axes, wrapping around at the ends; without axes, of the flattened Tensor.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``shifts`` or ``dims`` is not an int, or a tuple or list of ints.
        ValueError: If ``dims`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.roll(ms.Tensor([1, 2, 3, 4]), 1))
        [4 1 2 3]
        >>> print(ops.roll(ms.Tensor([[1, 2], [3, 4]]), 1, 0))
        [[3 4]
         [1 2]]
    """
    check_tensors("roll", input=input)
    if dims is None:
        return roll(input.reshape((-1,)), shifts, 0).reshape(input.shape)
    shifts, dims = (tuple(v) if isinstance(v, list) else v for v in (shifts, dims))
    return make(slicing.Roll, shifts, dims)(input)


def rot90(input: Tensor, k, dims) -> Tensor:
    """``input`` rotated by ``k`` times 90 degrees, from the first towards the second of two axes.

    Shapes: the two lengths change places for an odd ``k``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``k`` is not an int.
        ValueError: If ``dims`` is no axis of the input, or ``dims`` is not two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.rot90(ms.Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
        [[2 4]
         [1 3]]
    """
    check_tensors("rot90", input=input)
    if not isinstance(dims, (tuple, list)) or len(dims) != 2:
        raise value_error("rot90", "the 'dims' must be two axes", shown(dims))
    first, second = as_axes("rot90", tuple(dims), input.ndim, "dims")
    k = check_int("rot90", "k", k)
    if dims[0] % input.ndim != first:
        first, second = second, first
    turned = {
        0: lambda x: x,
        1: lambda x: swapaxes(reverse(x, (second,)), first, second),
        2: lambda x: reverse(x, (first, second)),
        3: lambda x: swapaxes(reverse(x, (first,)), first, second),
    }
    return turned[k % 4](input)


def tril(input: Tensor, diagonal=0) -> Tensor:
    """The lower triangle of the last two axes: ``Tril(diagonal)(input)``.

    Shapes: (..., M, N), kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``diagonal`` is not an int.
        ValueError: If ``input`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tril(ms.Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])))
        [[1 0 0]
         [4 5 0]
         [7 8 9]]
    """
    return make(triangular.Tril, diagonal)(input)


def triu(input: Tensor, diagonal=0) -> Tensor:
    """The upper triangle of the last two axes: ``Triu(diagonal)(input)``.

    Shapes: (..., M, N), kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``diagonal`` is not an int.
        ValueError: If ``input`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.triu(ms.Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), 1))  # without the diagonal
        [[0 2 3]
         [0 0 6]
         [0 0 0]]
    """
    return make(triangular.Triu, diagonal)(input)


def diag(input: Tensor) -> Tensor:
    """``input`` on the diagonal of a Tensor of twice as many axes: ``Diag()(input)``.

    Shapes: all lengths twice: (N,) gives (N, N). Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``input`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.diag(ms.Tensor([1, 2, 3])))
        [[1 0 0]
         [0 2 0]
         [0 0 3]]
    """
    return make(triangular.Diag)(input)


def diagonal(input: Tensor, offset=0, dim1=0, dim2=1) -> Tensor:
    """The diagonal of two axes, as the last axis; above the main one for an ``offset`` above 0.

    Shapes: without the two axes, and with the diagonal's length at the end. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``offset``, ``dim1`` or ``dim2`` is not an int.
        ValueError: If ``input`` has fewer than 2 axes, or ``dim1`` or ``dim2`` is no axis of the input. Also if
            ``dim1`` and ``dim2`` are not two axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1, 2, 3], [4, 5, 6]])
        >>> print(ops.diagonal(x))
        [1 5]
        >>> print(ops.diagonal(x, 1))
        [2 6]
    """
    check_tensors("diagonal", input=input)
    if input.ndim < 2:
        raise value_error("diagonal", "the 'input' must have at least 2 axes", f"shape {input.shape}")
    rows, columns = as_axis("diagonal", dim1, input.ndim, "dim1"), as_axis("diagonal", dim2, input.ndim, "dim2")
    if rows == columns:
        raise value_error("diagonal", "the 'dim1' and 'dim2' must be two axes", f"{dim1} and {dim2}")
    x = moveaxis(input, (rows, columns), (-2, -1))
    height, width = x.shape[-2:]
    offset = max(-height, min(check_int("diagonal", "offset", offset), width))  # no number is too large for an array
    start = max(-offset, 0)
    row = np.arange(start, max(min(height, width - offset), start))
    return x[..., Tensor(row), Tensor(row + offset)]


def _raised(name, inputs, raised):
    if isinstance(inputs, Tensor):
        return raised(inputs)
    if not isinstance(inputs, (tuple, list)) or not all(isinstance(x, Tensor) for x in inputs):
        raise type_error(name, "the 'inputs' must be a Tensor, or a tuple or list of Tensors", shown(inputs))
    return tuple(map(raised, inputs))


def atleast_1d(inputs) -> Any:
    """A Tensor, or each of several, with at least one axis.

    Shapes: () gives (1,); others are kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``inputs`` is not a Tensor, or a tuple or list of Tensors.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.atleast_1d(ms.Tensor(3)))
        [3]
    """
    return _raised("atleast_1d", inputs, lambda x: x if x.ndim else x.reshape((1,)))


def atleast_2d(inputs) -> Any:
    """A Tensor, or each of several, with at least two axes, new ones in front.

    Shapes: () gives (1, 1), (N,) gives (1, N); others are kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``inputs`` is not a Tensor, or a tuple or list of Tensors.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.atleast_2d(ms.Tensor([1, 2])))
        [[1 2]]
    """
    return _raised("atleast_2d", inputs, lambda x: x.reshape((1,) * (2 - x.ndim) + x.shape) if x.ndim < 2 else x)


def atleast_3d(inputs) -> Any:
    """A Tensor, or each of several, with at least three axes: ``(N,)`` becomes (1, N, 1), ``(M, N)`` (M, N, 1).

    Dtypes: any, kept.

    Raises:
        TypeError: If ``inputs`` is not a Tensor, or a tuple or list of Tensors.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.atleast_3d(ms.Tensor([1, 2])))
        [[[1]
          [2]]]
    """

    def raised(x):
        shape = (1, *x.shape, 1) if x.ndim == 1 else (*x.shape, *(1,) * (3 - x.ndim))
        return x.reshape(shape) if x.ndim < 3 else x

    return _raised("atleast_3d", inputs, raised)
