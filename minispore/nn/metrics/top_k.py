"""Top-k accuracy: the share of labels among the k largest predictions."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy"]


class TopKCategoricalAccuracy(Metric):
    """The share of samples whose label is among the k largest predictions; among equal ones, lower classes win.

    Args:
        k (int): At least 1.

    Raises:
        TypeError: If k is not an int.
        ValueError: If k is below 1.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.TopKCategoricalAccuracy(2)
        >>> metric.update(ms.Tensor([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]]), ms.Tensor([2, 1]))
        >>> print(metric.eval())
        0.5
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        check_int("TopKCategoricalAccuracy", "k", k)
        if k < 1:
            raise value_error("TopKCategoricalAccuracy", "the 'k' must be at least 1", k)
        self.k = k
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._correct_num = self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(predictions, labels)``: shape ``(N, C)``, and class numbers ``(N,)`` or one-hot ``(N, C)``.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, the shapes do not fit, or there are fewer than k classes.
        """
        prediction, label = self._taken(inputs, 2)
        label = label.argmax(1) if label.ndim == 2 and label.shape == prediction.shape else label
        name = f"{type(self).__name__}.update"
        if prediction.ndim != 2 or label.shape != prediction.shape[:1]:
            got = f"{prediction.shape} and {label.shape}"
            raise value_error(name, "the inputs must have the shapes (N, C) and (N,), or be one-hot", got)
        if prediction.shape[1] < self.k:
            raise value_error(name, f"there must be at least k = {self.k} classes", prediction.shape[1])
        best = np.argsort(-prediction, axis=1, kind="stable")[:, : self.k]
        self._correct_num += (best == label[:, None]).any(1).sum()
        self._samples_num += len(label)

    def eval(self) -> Any:
        """The accuracy.

        Raises:
            RuntimeError: If there were no samples.
        """
        return self._mean(self._correct_num, self._samples_num)


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose label is the largest prediction.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Top1CategoricalAccuracy()
        >>> metric.update(ms.Tensor([[0.1, 0.9], [0.8, 0.2], [0.4, 0.6]]), ms.Tensor([1, 0, 0]))
        >>> print(f"{metric.eval():.4f}")
        0.6667
    """

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose label is among the five largest predictions.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Top5CategoricalAccuracy()
        >>> scores = ms.Tensor([[0.3, 0.2, 0.2, 0.1, 0.1, 0.0], [0.3, 0.2, 0.2, 0.1, 0.1, 0.0]])
        >>> metric.update(scores, ms.Tensor([0, 5]))
        >>> print(metric.eval())
        0.5
    """

    def __init__(self) -> None:
        super().__init__(5)
