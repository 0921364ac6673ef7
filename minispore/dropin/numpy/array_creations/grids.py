"""Grids of coordinates and of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.checks import check_bool, check_choice
from minispore.core.dtype import int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_kind, as_shape, operand
from minispore.ops.number_checks import is_real

__all__ = ["indices", "ix_", "meshgrid", "mgrid", "ogrid"]


def meshgrid(*xi, sparse: bool = False, indexing="xy") -> list[Tensor]:
    r"""The coordinates of a grid over rows, as a list; with ``indexing`` "xy" the first two axes change places.

    ``sparse`` grids keep length 1 along all axes but their own.

    Shapes: K rows (N,), (M,), ... give K Tensors (M, N, ...), with "ij" (N, M, ...). Dtypes: any, kept.

    Raises:
        TypeError: If ``xi`` holds no numbers.
        ValueError: If ``indexing`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.meshgrid(ms.Tensor([1, 2, 3]), ms.Tensor([10, 20])), sep="\n")
        [[1 2 3]
         [1 2 3]]
        [[10 10 10]
         [20 20 20]]
    """
    check_bool("meshgrid", "sparse", sparse)
    check_choice("meshgrid", "indexing", indexing, ("xy", "ij"))
    rows = [operand("meshgrid", x, "xi").reshape(-1) for x in xi]
    rank, grids = len(rows), []
    for number, row in enumerate(rows):
        place = 1 - number if indexing == "xy" and rank > 1 and number < 2 else number
        grids.append(row.reshape((1,) * place + (row.size,) + (1,) * (rank - 1 - place)))
    shape = tuple(max(lengths) if 0 not in lengths else 0 for lengths in zip(*(g.shape for g in grids), strict=True))
    return grids if sparse else [ops.broadcast_to(grid, shape) for grid in grids]


def indices(dimensions, dtype=int32, sparse: bool = False) -> list[Tensor]:
    r"""The index of each element along each axis of a shape, a list of one Tensor for each axis.

    Raises:
        TypeError: If ``dimensions`` is not a tuple or list of ints, ``dtype`` is not a dtype, or ``sparse`` is not a
            bool.
        ValueError: If ``dimensions`` is below 0.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(*mnp.indices((2, 2)), sep="\n")
        [[0 0]
         [1 1]]
        [[0 1]
         [0 1]]
    """
    if not isinstance(dimensions, (tuple, list)):
        raise type_error("indices", "the 'dimensions' must be a tuple or list of ints", shown(dimensions))
    kind = as_kind("indices", dtype)
    rows = [Tensor(np.arange(n), kind) for n in as_shape("indices", dimensions, "dimensions")]
    return meshgrid(*rows, sparse=sparse, indexing="ij")


def ix_(*args) -> Any:
    r"""Rows of indices, each along an axis of its own, so that they broadcast to a grid.

    Shapes: K rows (N,) give K Tensors of K axes, of length 1 but along one's own. Dtypes: floats, ints and complex,
    kept; TypeError for bools.

    Raises:
        TypeError: If an argument holds no numbers, or an argument does not hold ints.
        ValueError: If an argument has more than one axis.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.ix_(ms.Tensor([0, 1]), ms.Tensor([2, 3])), sep="\n")
        [[0]
         [1]]
        [[2 3]]
    """
    rows = [operand("ix_", x, "args") for x in args]
    for x in rows:
        if x.ndim != 1:
            raise value_error("ix_", "the 'args' must have 1 axis each", f"shape {x.shape}")
        if x.array.dtype == np.bool_:
            raise type_error("ix_", "the 'args' must be ints", x.dtype)
    return tuple(meshgrid(*rows, sparse=True, indexing="ij"))


def _row(name, part):
    """The numbers of one slice: ``start:stop:step``, or ``start:stop:numberj`` for that many with both ends."""
    if not isinstance(part, slice):
        raise type_error(name, "the index must be slices", shown(part))
    start, step = 0 if part.start is None else part.start, 1 if part.step is None else part.step
    many = isinstance(step, complex)
    if not all(map(is_real, (start, part.stop, abs(step)))):
        raise type_error(name, "the slices must be of numbers", shown(part))
    if (many and int(abs(step)) < 1) or step == 0:
        raise value_error(name, "the step of a slice must not be 0", shown(part))
    row = np.linspace(start, part.stop, int(abs(step))) if many else np.arange(start, part.stop, step)
    return Tensor(row.astype(np.float32 if row.dtype.kind == "f" else np.int32))


class _Grid:
    """Maker of a grid from the slices that index it: ``mgrid[0:2, 0:3]``."""

    def __init__(self, name, sparse):
        self._name, self._sparse = name, sparse

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return _row(self._name, key)
        rows = [_row(self._name, part) for part in key]
        grids = meshgrid(*rows, sparse=self._sparse, indexing="ij")
        if self._sparse:
            return grids
        if len({row.dtype for row in rows}) > 1:
            raise type_error(self._name, "the slices must be all of ints or all of floats", shown(key))
        return ops.stack(grids)

    def __reduce__(self):
        return self._name


mgrid, ogrid = _Grid("mgrid", False), _Grid("ogrid", True)
mgrid.__doc__ = "The indices of a full grid over slices, stacked: ``mgrid[0:2, 0:3]`` has the shape (2, 2, 3)."
ogrid.__doc__ = "The indices of an open grid over slices, a list of Tensors that broadcast to the grid."
