"""The similarity of the rows of a matrix to one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import shown, value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["CosineSimilarity"]


class CosineSimilarity(Metric):
    """The similarity of each row of the last batch to each other: ``x_i x_j / (|x_i| |x_j|)``.

    Args:
        similarity (str): "cosine", or "dot" for ``x_i x_j``. Default: "cosine".
        reduction (str): "none" for the matrix, or "sum" or "mean" of its rows. Default: "none".
        zero_diagonal (bool): If True, the similarity of a row to itself is set to 0. Default: True.

    Raises:
        TypeError: If ``zero_diagonal`` is not a bool.
        ValueError: If another argument is unknown.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.CosineSimilarity()
        >>> metric.update(ms.Tensor([[1.0, 0.0], [1.0, 1.0]]))
        >>> print(metric.eval().round(4))
        [[0.     0.7071]
         [0.7071 0.    ]]
    """

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True) -> None:
        super().__init__()
        name = "CosineSimilarity"
        self.similarity = _one_of(name, "similarity", similarity, ("dot", "cosine"))
        self.reduction = _one_of(name, "reduction", reduction, ("none", "sum", "mean"))
        self.zero_diagonal = check_bool(name, "zero_diagonal", zero_diagonal)
        self.clear()

    def clear(self) -> None:
        """Forget the batch."""
        self.sqr_mtx_res = None

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Take a batch, of shape ``(N, D)``, in the place of the one before.

        Raises:
            TypeError: If it is not a Tensor, list or array.
            ValueError: If there is not one input, or it has not two axes.
        """
        (x,) = self._taken(inputs, 1)
        if x.ndim != 2:
            raise value_error("CosineSimilarity.update", "the input must have two axes", f"shape {x.shape}")
        if self.similarity == "cosine":
            x = x / np.linalg.norm(x, axis=1, keepdims=True)
        self.sqr_mtx_res = x @ x.T

    def eval(self) -> Any:
        """The similarities.

        Raises:
            RuntimeError: If there was no batch.
        """
        self._mean(0, self.sqr_mtx_res is not None)
        matrix = self.sqr_mtx_res.copy()
        if self.zero_diagonal:
            np.fill_diagonal(matrix, 0)
        return matrix if self.reduction == "none" else getattr(matrix, self.reduction)(-1)


def _one_of(operation, argument, value, choices):
    if not isinstance(value, str) or value not in choices:
        raise value_error(operation, f"the '{argument}' must be one of {list(choices)}", shown(value))
    return value
