"""Matrices made of blocks or rows along a diagonal."""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor, wrap
from minispore.ops.axes import as_axis
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_rearrange import moveaxis
from minispore.ops.functional.nn_resize import pad
from minispore.ops.operations.array.creation import ZerosLike
from minispore.ops.operations.array.joining import Concat
from minispore.ops.operations.math.select import Select

__all__ = ["block_diag", "diag_embed"]


def block_diag(*inputs) -> Tensor:
    """The matrix with ``inputs`` along its diagonal and 0 elsewhere; a number is a block of one, a row one of one row.

    Shapes: matrices (N, M), (P, Q), ... give (N + P + ..., M + Q + ...). Dtypes: floats, ints and bools, kept;
    TypeError for complex.

    Raises:
        TypeError: If an input is not a Tensor, or the dtypes differ.
        ValueError: If there is no input, or one has more than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.block_diag(ms.Tensor([[1, 2], [3, 4]]), ms.Tensor([5])))
        [[1 2 0]
         [3 4 0]
         [0 0 5]]
    """
    if not inputs:
        raise value_error("block_diag", "the 'inputs' must be at least one Tensor", "none")
    check_tensors("block_diag", **{f"inputs[{i}]": x for i, x in enumerate(inputs)})
    for x in inputs:
        if x.ndim > 2:
            raise value_error("block_diag", "the 'inputs' must have at most 2 axes", f"shape {x.shape}")
    blocks = [x if x.ndim == 2 else x.reshape((1, x.size)) for x in inputs]
    width, before, rows = sum(x.shape[1] for x in blocks), 0, []
    for x in blocks:
        rows.append(pad(x, (before, width - before - x.shape[1])))
        before += x.shape[1]
    return make(Concat, 0)(tuple(rows))


def diag_embed(input: Tensor, offset=0, dim1=-2, dim2=-1) -> Tensor:
    """The last axis of ``input`` on the diagonal of matrices along the new axes ``dim1`` and ``dim2``; 0 elsewhere.

    The diagonal is above the main one for an ``offset`` above 0.

    Shapes: (..., N) gives the same with two axes of length N + abs(offset) for the last.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If input is not a Tensor, or another argument not an int.
        ValueError: If ``dim1`` and ``dim2`` are one axis or out of range, or input has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.diag_embed(ms.Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    check_tensors("diag_embed", input=input)
    if not input.ndim:
        raise value_error("diag_embed", "the 'input' must have at least 1 axis", f"shape {input.shape}")
    check_int("diag_embed", "offset", offset)
    rank = input.ndim + 1
    rows, columns = as_axis("diag_embed", dim1, rank, "dim1"), as_axis("diag_embed", dim2, rank, "dim2")
    if rows == columns:
        raise value_error("diag_embed", "the 'dim1' and 'dim2' must be two axes", f"{dim1} and {dim2}")
    placed = pad(input, (max(offset, 0), max(-offset, 0))).expand_dims(-2)
    mask = wrap(backend.from_host(np.eye(placed.shape[-1], k=offset, dtype=np.bool_)))
    shape = (*input.shape[:-1], *mask.shape)
    placed = placed.broadcast_to(shape)
    out = make(Select)(mask.broadcast_to(shape), placed, make(ZerosLike)(placed))
    return moveaxis(out, (-2, -1), (rows, columns))
