"""Tensors cut into pieces."""

from __future__ import annotations

import itertools
from typing import Any

from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.dropin.numpy.utils import as_axis, operand

__all__ = ["array_split", "dsplit", "hsplit", "split", "vsplit"]


def _cut(name, x, indices_or_sections, axis, equal):
    """A tuple of as many pieces as an int says, or a list of those between the places of ints."""
    x = operand(name, x)
    axis = as_axis(name, axis, x.ndim)
    length, before = x.shape[axis], (slice(None),) * axis
    if is_int(indices_or_sections):
        stops, kind = _even(name, length, indices_or_sections, equal), tuple
    else:
        stops, kind = [*_places(name, indices_or_sections, length), length], list
    return kind(x[(*before, slice(a, b))] for a, b in itertools.pairwise([0, *stops]))


def _even(name, length, pieces, equal):
    """The ends of pieces as long as one another, but for the first ones, which may be one longer."""
    if pieces < 1 or pieces > max(length, 1):
        raise value_error(name, f"the 'indices_or_sections' must be in [1, {length}]", pieces)
    if equal and length % pieces:
        raise value_error(name, f"the 'indices_or_sections' must divide the length {length}", pieces)
    longer = length % pieces
    return list(itertools.accumulate(length // pieces + (i < longer) for i in range(pieces)))


def _places(name, places, length):
    if not isinstance(places, (tuple, list)) or not all(map(is_int, places)):
        raise type_error(name, "the 'indices_or_sections' must be an int, or a tuple or list of ints", shown(places))
    if any(a > b for a, b in itertools.pairwise([0, *places, length])):
        raise value_error(name, f"the 'indices_or_sections' must ascend from 0 to {length}", shown(places))
    return list(places)


def split(x, indices_or_sections, axis=0) -> Any:
    """The pieces of ``x`` along an axis: n equal ones for an int n, or pieces cut at several places.

    Shapes: as ``x``, but along ``axis``: its length / n, or the distance from place to place. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``indices_or_sections`` is not an int, or a tuple or list of ints. Also
            if ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input, n does not divide its length, or the places do not ascend
            within it.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.split(ms.Tensor([1, 2, 3, 4]), 2))
        [1 2] [3 4]
        >>> print(*mnp.split(ms.Tensor([1, 2, 3, 4]), [1, 3]))
        [1] [2 3] [4]
    """
    return _cut("split", x, indices_or_sections, axis, True)


def array_split(x, indices_or_sections, axis=0) -> Any:
    """:func:`split`, in which the first pieces may be one longer than the others.

    Shapes: as ``ary``, but along ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``indices_or_sections`` is not an int, or a tuple or list of ints. Also
            if ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.array_split(ms.Tensor([1, 2, 3]), 2))
        [1 2] [3]
    """
    return _cut("array_split", x, indices_or_sections, axis, False)


def _along(name, x, indices_or_sections, axis):
    x = operand(name, x)
    if x.ndim <= axis:
        raise value_error(name, f"the 'x' must have at least {axis + 1} axes", f"shape {x.shape}")
    return _cut(name, x, indices_or_sections, axis, True)


def vsplit(x, indices_or_sections) -> Any:
    r""":func:`split` along the first axis.

    Shapes: at least one axis; as ``x``, but along the first. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``indices_or_sections`` is not an int, or a tuple or list of ints.
        ValueError: If ``x`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.vsplit(ms.Tensor([[1, 2], [3, 4]]), 2), sep="\n")
        [[1 2]]
        [[3 4]]
    """
    return _along("vsplit", x, indices_or_sections, 0)


def hsplit(x, indices_or_sections) -> Any:
    r""":func:`split` along the second axis.

    Shapes: as ``x``, but along the second axis, of (N,) along the only one. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``indices_or_sections`` is not an int, or a tuple or list of ints.
        ValueError: If ``x`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.hsplit(ms.Tensor([[1, 2], [3, 4]]), 2), sep="\n")
        [[1]
         [3]]
        [[2]
         [4]]
    """
    return _along("hsplit", x, indices_or_sections, 1)


def dsplit(x, indices_or_sections) -> Any:
    """:func:`split` along the third axis.

    Shapes: at least three axes; as ``x``, but along the third. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``indices_or_sections`` is not an int, or a tuple or list of ints.
        ValueError: If ``x`` has fewer than 3 axes.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> left, right = mnp.dsplit(ms.Tensor([[[1, 2]], [[3, 4]]]), 2)
        >>> print(left.ravel())
        [1 3]
    """
    return _along("dsplit", x, indices_or_sections, 2)
