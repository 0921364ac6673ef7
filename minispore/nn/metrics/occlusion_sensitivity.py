"""The fall of a class's score when a part of the input is covered."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from minispore.core.checks import check_int, check_positive_int, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.metrics.metric import Metric, rearrange_inputs
from minispore.ops.list_checks import check_axes
from minispore.ops.number_checks import check_python_float
from minispore.ops.object_checks import check_callable

__all__ = ["OcclusionSensitivity"]

_NAME = "OcclusionSensitivity"


class OcclusionSensitivity(Metric):
    """``model(x)[label] - model(x with [i - margin, i + margin) covered)[label]`` at each position i of the input x.

    Source: Zeiler and Fergus, Visualizing and understanding convolutional networks, 2014.

    Args:
        pad_val (float): What covers a part. Default: 0.0.
        margin (Union[int, list[int]]): Half the length of a part, for all axes or for each. Default: 2.
        n_batch (int): How many covered inputs the model takes at a time. Default: 128.
        b_box (list[int]): The first and last position of each axis without the batch's, below 0 for the ends.
            Default: None, all positions.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.train.OcclusionSensitivity(margin=1)
        >>> metric.update(lambda x: x.sum(1, keepdims=True), ms.Tensor([[1.0, 2.0, 3.0]]), ms.Tensor(0))
        >>> print(metric.eval())
        [1. 3. 5.]
    """

    def __init__(self, pad_val: float = 0.0, margin: int | Sequence[int] = 2, n_batch: int = 128, b_box=None) -> None:
        super().__init__()
        self.pad_val = check_python_float(_NAME, "pad_val", pad_val)
        self.margin = check_axes(_NAME, "margin", margin)
        for n in margin if isinstance(margin, (list, tuple)) else (margin,):
            check_int(_NAME, "margin", n, 0)
        self.n_batch = check_positive_int(_NAME, "n_batch", n_batch)
        if b_box is not None and not (isinstance(b_box, list) and all(map(is_int, b_box))):
            raise type_error(_NAME, "the 'b_box' must be a list of ints", shown(b_box))
        self.b_box = b_box
        self.clear()

    def clear(self) -> None:
        """Forget the input."""
        self._sensitivity_im = None

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Take a model, an input with a batch of one, and the label, a Tensor or array of one int.

        Raises:
            TypeError: If the model cannot be called, or another input is not a Tensor, list or array.
            ValueError: If there are not three inputs, or shapes do not fit.
        """
        if len(inputs) != 3:
            raise value_error(f"{_NAME}.update", "there must be 3 inputs", len(inputs))
        model = check_callable(f"{_NAME}.update", "model", inputs[0])
        x, label = self._taken(inputs[1:], 2)
        if x.ndim < 2 or x.shape[0] != 1:
            raise value_error(f"{_NAME}.update", "the input must be a batch of one", f"shape {x.shape}")
        label = self._label(label)
        firsts, lasts = self._box(x.shape[1:])
        places = itertools.product(*(range(a, b + 1) for a, b in zip(firsts, lasts, strict=True)))
        covered = [self._score(model, batch, label) for batch in self._batches(x[0], list(places))]
        fall = self._score(model, x, label) - np.concatenate(covered)
        self._sensitivity_im = fall.reshape([b - a + 1 for a, b in zip(firsts, lasts, strict=True)]).squeeze()

    def eval(self) -> Any:
        """The fall of the score at each position, without axes of length 1.

        Raises:
            RuntimeError: If there was no input.
        """
        if self._sensitivity_im is None:
            raise runtime_error(_NAME, "'update' must take samples in before 'eval' is called")
        return self._sensitivity_im

    def _label(self, label):
        if label.size != 1 or label.dtype.kind not in "iu":
            raise value_error(f"{_NAME}.update", "the label must be one int", shown(label))
        return int(label.reshape(()))

    def _box(self, lengths):
        """The first and the last position along each axis."""
        if self.b_box is None:
            return (0,) * len(lengths), tuple(n - 1 for n in lengths)
        if len(self.b_box) != 2 * len(lengths):
            expected = f"the 'b_box' must have two ints for each of the {len(lengths)} axes of the input"
            raise value_error(f"{_NAME}.update", expected, self.b_box)
        firsts = tuple(max(n, 0) for n in self.b_box[::2])
        lasts = tuple(n if n >= 0 else length - 1 for n, length in zip(self.b_box[1::2], lengths, strict=True))
        if any(not a <= b < n for a, b, n in zip(firsts, lasts, lengths, strict=True)):
            expected = f"the 'b_box' must have positions in the input's shape {lengths}, the first before the last"
            raise value_error(f"{_NAME}.update", expected, self.b_box)
        return firsts, lasts

    def _batches(self, x, places):
        """The input covered around each of the places, in batches."""
        margins = self.margin if isinstance(self.margin, (list, tuple)) else (self.margin,) * x.ndim
        if len(margins) != x.ndim:
            raise value_error(f"{_NAME}.update", f"the 'margin' must be an int or {x.ndim} of them", shown(self.margin))
        for i in range(0, len(places), self.n_batch):
            some = places[i : i + self.n_batch]
            batch = np.repeat(x[None], len(some), 0)
            for one, place in zip(batch, some, strict=True):
                one[tuple(slice(max(n - m, 0), n + m) for n, m in zip(place, margins, strict=True))] = self.pad_val
            yield batch

    def _score(self, model, batch, label):
        """The label's score of each input of a batch."""
        out = model(Tensor(batch))
        if not isinstance(out, Tensor) or out.ndim != 2 or not 0 <= label < out.shape[1]:
            got = f"shape {out.shape}" if isinstance(out, Tensor) else type(out).__name__
            raise value_error(f"{_NAME}.update", f"the model must return (N, classes) with a class {label}", got)
        return out.asnumpy()[:, label]
