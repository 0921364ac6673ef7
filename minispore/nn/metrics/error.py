"""Metrics that are means: of the loss, of absolute and of squared errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.errors import value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["MAE", "MSE", "Loss"]


class _MeanMetric(Metric):
    """Base of means over samples, accumulated in float64."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._sum, self._count = np.float64(0), 0

    def eval(self) -> Any:
        """The mean.

        Raises:
            RuntimeError: If there were no samples.
        """
        return self._mean(self._sum, self._count)


class Loss(_MeanMetric):
    """The mean of the batches' losses.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Loss()
        >>> metric.update(ms.Tensor(0.5))
        >>> metric.update(ms.Tensor(0.25))
        >>> print(metric.eval())
        0.375
    """

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add a loss: 0-d, or 1-d, which counts once by its mean.

        Raises:
            TypeError: If it is not a Tensor, list or array.
            ValueError: If there is not one input, or it has more axes.
        """
        (loss,) = self._taken(inputs, 1)
        if loss.ndim > 1:
            raise value_error("Loss.update", "the loss must have at most one axis", f"shape {loss.shape}")
        self._sum += loss.mean()  # in its own type, as MindSpore
        self._count += 1


class _ErrorMetric(_MeanMetric):
    """Base of mean errors: summed over a sample, averaged over the samples (axis 0)."""

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(predictions, labels)``, of equal size.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, or their sizes differ.
        """
        prediction, label = self._taken(inputs, 2)
        if prediction.size != label.size or not prediction.ndim:
            got = f"{prediction.shape} and {label.shape}"
            raise value_error(f"{type(self).__name__}.update", "the inputs must have one shape, not ()", got)
        self._sum += self.error(label.reshape(prediction.shape) - prediction).sum()  # in the inputs' type, as MindSpore
        self._count += len(prediction)


class MAE(_ErrorMetric):
    """Mean absolute error: ``sum |prediction - label| / samples``.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.MAE()
        >>> metric.update(ms.Tensor([1.0, 2.0]), ms.Tensor([1.5, 1.0]))
        >>> print(metric.eval())
        0.75
    """

    def error(self, difference) -> Any:
        """The absolute value."""
        return np.abs(difference)


class MSE(_ErrorMetric):
    """Mean squared error: ``sum (prediction - label) ** 2 / samples``.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.MSE()
        >>> metric.update(ms.Tensor([1.0, 2.0]), ms.Tensor([1.5, 1.0]))
        >>> print(metric.eval())
        0.625
    """

    def error(self, difference) -> Any:
        """The square."""
        return np.square(difference)
