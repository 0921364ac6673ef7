"""The Dice coefficient of two masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.errors import value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs
from minispore.ops.number_checks import check_python_float

__all__ = ["Dice"]


class Dice(Metric):
    """``2 sum(x y) / (sum(x ** 2) + sum(y ** 2) + smooth)``, of each batch, summed, divided by the samples.

    Args:
        smooth (float): Keeps the quotient of two empty masks defined, as 0. Default: 1e-5.

    Raises:
        TypeError: If ``smooth`` is not a float.
        ValueError: If ``smooth`` is not finite.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Dice()
        >>> metric.update(ms.Tensor([[1.0, 1.0, 0.0]]), ms.Tensor([[1.0, 0.0, 0.0]]))
        >>> print(f"{metric.eval():.4f}")
        0.6667
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = check_python_float("Dice", "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._dice_coeff_sum, self._samples_num = 0, 0

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(predictions, labels)``, of one shape.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, or their shapes differ.
        """
        x, y = self._taken(inputs, 2)
        if x.shape != y.shape or not x.ndim:
            raise value_error("Dice.update", "the inputs must have one shape, not ()", f"{x.shape} and {y.shape}")
        x, y = (part.astype(np.float64) for part in (x, y))
        self._dice_coeff_sum += 2 * (x * y).sum() / ((x * x).sum() + (y * y).sum() + self.smooth)
        self._samples_num += len(y)

    def eval(self) -> Any:
        """The coefficient.

        Raises:
            RuntimeError: If there were no samples.
        """
        return float(self._mean(self._dice_coeff_sum, self._samples_num))
