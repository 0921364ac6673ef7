"""Covariance of variables, and distances of the rows of a matrix from one another."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_int
from minispore.core.dtype import FLOATS
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.linalg_matmul import matmul
from minispore.ops.functional.reduce import reduce_sum
from minispore.ops.functional.reduce_statistics import cdist
from minispore.ops.number_checks import check_no_complex
from minispore.ops.operations.array.gather import Gather
from minispore.ops.promotion import lowered_dtype

__all__ = ["cov", "pdist"]
METHODS = "cov"

_gather = Gather()


def cov(
    input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """Covariance: ``out[i, j] = sum of w * (x[i] - mean x[i]) * (x[j] - mean x[j]) / (sum of w - correction)``.

    The weights w are 1, or ``fweights * aweights``; with aweights the correction is weighted too.

    Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Args:
        input (Tensor): A row for each variable, a column for each observation; a vector is one variable. Integers are
            taken as float32.
        correction (int): What is taken from the number of observations. Default: 1.
        fweights (Tensor): How often each observation counts, ints. Default: None, once.
        aweights (Tensor): How much each observation counts, floating. Default: None.

    Returns:
        Tensor, shape ``(variables, variables)``, 0-d for a vector.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the input has more than 2 axes, or weights do not fit its columns.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.cov(ms.Tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])))
        [[ 1. -1.]
         [-1.  1.]]
    """
    check_int("cov", "correction", correction)
    check_tensors("cov", input=input)
    if input.array.dtype == np.bool_:
        raise type_error("cov", "the 'input' must be a Tensor of numbers", input.dtype)
    check_no_complex("cov", "input", input)
    if input.ndim > 2:
        raise value_error("cov", "the 'input' must have at most 2 axes", f"shape {input.shape}")
    kind = lowered_dtype(input) if input.array.dtype in FLOATS else np.dtype(np.float32)
    x = input if input.array.dtype == np.float64 else cast(input, np.dtype(np.float32))
    x = x.reshape((1, -1)) if x.ndim < 2 else x
    weights = _weights(x, fweights, aweights)
    total = reduce_sum(weights)
    centred = x - reduce_sum(x * weights, 1, True) / total
    share = 1 if aweights is None else reduce_sum(weights * cast(aweights, x.array.dtype)) / total
    out = matmul(centred * weights, centred.swapaxes(0, 1)) / (total - share * correction).maximum(0)
    return cast(out if input.ndim == 2 else out.reshape(()), kind)


def _weights(x, fweights, aweights):
    """The weight of each observation, in the dtype of x."""
    found = x.new_ones((x.shape[1],))
    for name, weights, kinds in (("fweights", fweights, "int"), ("aweights", aweights, "float")):
        if weights is None:
            continue
        check_tensors("cov", **{name: weights})
        if (weights.array.dtype in FLOATS) != (kinds == "float") or weights.array.dtype == np.bool_:
            raise type_error("cov", f"the '{name}' must be a Tensor of {kinds}s", weights.dtype)
        if weights.shape != (x.shape[1],):
            raise value_error("cov", f"the '{name}' must have the shape ({x.shape[1]},)", weights.shape)
        found = found * cast(weights, x.array.dtype)
    return found


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Distances of the rows of a matrix: ``out = |input[i] - input[j]|`` in the norm p, for all i below j.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input (Tensor): Shape ``(..., rows, columns)``, floating.
        p (float): The norm, at least 0, or infinity. Default: 2.0.

    Returns:
        Tensor, shape ``(..., rows * (rows - 1) / 2)``.

    Raises:
        TypeError: If the input is not a floating Tensor, or p not a float.
        ValueError: If the input has fewer than 2 axes, or p is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.pdist(ms.Tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])))
        [5.        1.        4.2426405]
    """
    check_tensors("pdist", input=input)
    if input.ndim < 2:
        raise value_error("pdist", "the 'input' must have at least 2 axes", f"shape {input.shape}")
    rows = input.shape[-2]
    first, second = np.triu_indices(rows, 1)
    all_pairs = cdist(input, input, p).reshape((*input.shape[:-2], rows * rows))
    return _gather(all_pairs, Tensor(first * rows + second), all_pairs.ndim - 1)
