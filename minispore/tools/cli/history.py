"""History: the numbers of one level's training so far, by step and by epoch."""

from dataclasses import dataclass, field

import numpy as np

from minispore.core.dtype import float64
from minispore.core.tensor import Tensor

__all__ = ["History"]


@dataclass
class History:
    """The numbers of one level.

    Attributes:
        losses (list[float]): The loss of each step.
        overflows (list[float]): 1 for each skipped step, 0 for each other step.
        scales (list[float]): The loss scale of each step; empty if the level has no manager.
        accuracies (list[float]): The test accuracy after each epoch, between 0 and 1.
        seconds (list[float]): The duration of each epoch, testing included; the last one may have been interrupted.
    """

    losses: list = field(default_factory=list)
    overflows: list = field(default_factory=list)
    scales: list = field(default_factory=list)
    accuracies: list = field(default_factory=list)
    seconds: list = field(default_factory=list)

    @property
    def epochs(self):
        """The number of completed epochs."""
        return len(self.accuracies)

    @property
    def skipped(self):
        """The number of skipped steps."""
        return int(sum(self.overflows))

    def add_steps(self, results):
        """Append the results of training steps: a loss each, or ``(loss, overflow, scale)``."""
        for result in results:
            loss, *scaling = result if isinstance(result, tuple) else (result,)
            self.losses.append(float(loss))
            if scaling:
                self.overflows.append(float(bool(scaling[0])))
                self.scales.append(float(scaling[1]))

    def add_epoch(self, accuracy, seconds):
        """Append a completed epoch."""
        self.pause(seconds)
        self.accuracies.append(accuracy)

    def pause(self, seconds):
        """Set the duration of the unfinished epoch; one resumed after an interrupt continues its earlier duration."""
        if len(self.seconds) > self.epochs:
            self.seconds[-1] += seconds
        else:
            self.seconds.append(seconds)

    def fits(self, steps):
        """True if these can be the numbers of epochs of ``steps`` steps each; the last may be unfinished."""
        counts = len(self.overflows), len(self.scales)
        return (
            self.epochs * steps <= len(self.losses) <= (self.epochs + 1) * steps
            and counts in ((0, 0), (len(self.losses),) * 2)
            and len(self.seconds) - self.epochs in (0, 1)
            and all(0 <= accuracy <= 1 for accuracy in self.accuracies)
            and all(0 <= seconds < float("inf") for seconds in self.seconds)
            and all(scale > 0 for scale in self.scales)
        )

    def tensors(self):
        """The numbers as float64 Tensors by name, for a checkpoint."""
        return {f"course.{name}": Tensor(np.array(values, np.float64)) for name, values in vars(self).items()}

    @classmethod
    def from_tensors(cls, found):
        """The history written by :meth:`tensors`, or None if the Tensors are not one."""
        tensors = {name: found.get(f"course.{name}") for name in cls.__dataclass_fields__}
        if not all(isinstance(x, Tensor) and x.ndim == 1 and x.dtype == float64 for x in tensors.values()):
            return None
        return cls(**{name: x.asnumpy().tolist() for name, x in tensors.items()})
