"""Distances of two surfaces: one label's region in a prediction, and its region in the truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs
from minispore.ops.number_checks import check_real, is_real

__all__ = ["HausdorffDistance", "MeanSurfaceDistance", "RootMeanSquareDistance"]

_LENGTHS = {
    "euclidean": lambda steps: np.sqrt((steps.astype(np.float64) ** 2).sum(-1)),
    "chessboard": lambda steps: np.abs(steps).max(-1),
    "taxicab": lambda steps: np.abs(steps).sum(-1),
}
_AT_ONCE = 1 << 22  # steps from point to point that are held in memory at once


def _surface(mask):
    """The places of a region that have a neighbour, along an axis, outside of it: shape ``(points, axes)``."""
    padded = np.pad(mask, 1)
    inside = mask.copy()
    for axis in range(mask.ndim):
        for shift in (-1, 1):
            inside &= np.roll(padded, shift, axis)[(slice(1, -1),) * mask.ndim]
    return np.argwhere(mask & ~inside)


def _nearest(points, others, length):
    """The distance of each point to the nearest of ``others``: infinite if ``others`` is empty."""
    if not len(others):
        return np.full(len(points), np.inf)
    rows = max(1, _AT_ONCE // max(others.size, 1))
    parts = [points[i : i + rows] for i in range(0, len(points), rows)]
    return np.concatenate([length(part[:, None] - others).min(1) for part in parts] or [np.empty(0)])


class _SurfaceDistance(Metric):
    """Base of distances between the surfaces of the last pair of regions."""

    def __init__(self, distance_metric) -> None:
        super().__init__()
        if not isinstance(distance_metric, str) or distance_metric not in _LENGTHS:
            expected = f"the 'distance_metric' must be one of {list(_LENGTHS)}"
            raise value_error(type(self).__name__, expected, shown(distance_metric))
        self.distance_metric = distance_metric
        self.clear()

    def clear(self) -> None:
        """Forget the pair."""
        self._surfaces = None

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Take ``(prediction, truth, label)`` in the place of the pair before: two arrays of labels, and one label.

        Raises:
            TypeError: If an array is not a Tensor, list or array, or the label not a number.
            ValueError: If there are not three inputs, the shapes differ, or the label is in neither array.
        """
        name = f"{type(self).__name__}.update"
        if len(inputs) != 3:
            raise value_error(name, "there must be 3 inputs", len(inputs))
        prediction, truth = (self._convert_data(x) for x in inputs[:2])
        label = inputs[2]
        if not is_real(label) and not isinstance(label, bool):
            raise type_error(name, "the label must be a number", shown(label))
        if prediction.shape != truth.shape or not prediction.size:
            got = f"{prediction.shape} and {truth.shape}"
            raise value_error(name, "the prediction and the truth must have one shape, with elements", got)
        masks = [x == label for x in (prediction, truth)]
        if not any(mask.any() for mask in masks):
            raise value_error(name, "the label must be in the prediction or in the truth", shown(label))
        self._surfaces = [_surface(mask) for mask in masks]

    def _distances(self, back=False):
        """From each point of the prediction's surface to the truth's (or ``back``), infinite if one is empty."""
        self._mean(0, self._surfaces is not None)
        points, others = self._surfaces[::-1] if back else self._surfaces
        return _nearest(points, others, _LENGTHS[self.distance_metric]) if len(points) else np.array([np.inf])

    def _mean_power(self, power, symmetric):
        """The mean of a power of the distances; with ``symmetric``, the mean of both directions."""
        means = [(self._distances(back) ** power).mean() for back in ((False, True) if symmetric else (False,))]
        return np.mean(means)


class HausdorffDistance(_SurfaceDistance):
    """The largest distance from a point of one surface to the other surface.

    ``update(prediction, truth, label)`` takes arrays of classes of one shape, any number of axes: the region is where
    they are ``label``.

    Args:
        distance_metric (str): "euclidean", "chessboard" or "taxicab". Default: "euclidean".
        percentile (float): In the place of the largest distance this percentile, 0 to 100. Default: None.
        directed (bool): If True, only points of the prediction's surface count. Default: False.
        crop (bool): Accepted: the result is the same. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``distance_metric`` is unknown, or ``percentile`` not in 0 to 100.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.HausdorffDistance()
        >>> metric.update(ms.Tensor([[0, 1, 1], [0, 1, 1], [0, 0, 0]]), ms.Tensor([[1, 1, 0], [1, 1, 0], [0, 0, 0]]), 1)
        >>> print(metric.eval())
        1.0
    """

    def __init__(
        self, distance_metric: str = "euclidean", percentile: float | None = None, directed: bool = False, crop=True
    ) -> None:
        super().__init__(distance_metric)
        name = "HausdorffDistance"
        self.percentile = None if percentile is None else check_real(name, "percentile", percentile, 0, 100)
        self.directed = check_bool(name, "directed", directed)
        self.crop = check_bool(name, "crop", crop)

    def eval(self) -> Any:
        """The distance.

        Raises:
            RuntimeError: If there was no pair.
        """
        there = self._extreme(self._distances())
        return there if self.directed else max(there, self._extreme(self._distances(back=True)))

    def _extreme(self, distances):
        if self.percentile is None or np.isinf(distances).any():
            return distances.max()
        return np.percentile(distances, self.percentile)


class MeanSurfaceDistance(_SurfaceDistance):
    """The mean distance from the points of the prediction's surface to the truth's.

    ``update(prediction, truth, label)`` takes arrays of classes of one shape, any number of axes: the region is where
    they are ``label``.

    Args:
        symmetric (bool): If True, the mean covers both directions. Default: False.
        distance_metric (str): "euclidean", "chessboard" or "taxicab". Default: "euclidean".

    Raises:
        TypeError: If ``symmetric`` is not a bool.
        ValueError: If ``distance_metric`` is unknown. In ``update``, if there are not three inputs, or the shapes
            differ.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.MeanSurfaceDistance()
        >>> metric.update(ms.Tensor([[0, 1, 1], [0, 1, 1], [0, 0, 0]]), ms.Tensor([[1, 1, 0], [1, 1, 0], [0, 0, 0]]), 1)
        >>> print(f"{metric.eval():.4f}")
        0.5000
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = check_bool("MeanSurfaceDistance", "symmetric", symmetric)

    def eval(self) -> Any:
        """The mean distance.

        Raises:
            RuntimeError: If there was no pair.
        """
        return self._mean_power(1, self.symmetric)


class RootMeanSquareDistance(_SurfaceDistance):
    """The root of the mean square of the distances from the points of the prediction's surface to the truth's.

    ``update(prediction, truth, label)`` takes arrays of classes of one shape, any number of axes: the region is where
    they are ``label``.

    Args:
        symmetric (bool): If True, the mean covers both directions. Default: False.
        distance_metric (str): "euclidean", "chessboard" or "taxicab". Default: "euclidean".

    Raises:
        TypeError: If ``symmetric`` is not a bool.
        ValueError: If ``distance_metric`` is unknown. In ``update``, if there are not three inputs, or the shapes
            differ.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.RootMeanSquareDistance()
        >>> metric.update(ms.Tensor([[0, 1, 1], [0, 1, 1], [0, 0, 0]]), ms.Tensor([[1, 1, 0], [1, 1, 0], [0, 0, 0]]), 1)
        >>> print(f"{metric.eval():.4f}")
        0.7071
    """

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        super().__init__(distance_metric)
        self.symmetric = check_bool("RootMeanSquareDistance", "symmetric", symmetric)

    def eval(self) -> Any:
        """The root of the mean square.

        Raises:
            RuntimeError: If there was no pair.
        """
        return np.sqrt(self._mean_power(2, self.symmetric))
