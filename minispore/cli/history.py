"""History: what one level's training has shown so far, by step and by epoch. It grows while training runs."""

from dataclasses import dataclass, field

import numpy as np

from minispore.dtype import float64
from minispore.tensor import Tensor

__all__ = ["History"]


@dataclass
class History:
    """The numbers of one level.

    Attributes:
        losses (list[float]): The loss of each step.
        overflows (list[float]): 1 for each step that was skipped, 0 for each other one.
        scales (list[float]): The loss scale of each step; empty where the level has no manager.
        accuracies (list[float]): The test accuracy after each epoch, between 0 and 1.
        seconds (list[float]): How long each epoch took, testing included; the last perhaps one that was interrupted.
    """

    losses: list = field(default_factory=list)
    overflows: list = field(default_factory=list)
    scales: list = field(default_factory=list)
    accuracies: list = field(default_factory=list)
    seconds: list = field(default_factory=list)

    @property
    def epochs(self):
        """How many epochs are done."""
        return len(self.accuracies)

    @property
    def skipped(self):
        """How many steps were skipped."""
        return int(sum(self.overflows))

    def add_steps(self, results):
        """Note what training steps returned: a loss, or ``(loss, overflow, scale)``."""
        for result in results:
            loss, *scaling = result if isinstance(result, tuple) else (result,)
            self.losses.append(float(loss))
            if scaling:
                self.overflows.append(float(bool(scaling[0])))
                self.scales.append(float(scaling[1]))

    def add_epoch(self, accuracy, seconds):
        """Note the end of an epoch."""
        self.pause(seconds)
        self.accuracies.append(accuracy)

    def pause(self, seconds):
        """Note for how long the running epoch was trained, further than before where it had been interrupted."""
        if len(self.seconds) > self.epochs:
            self.seconds[-1] += seconds
        else:
            self.seconds.append(seconds)

    def fits(self, steps):
        """Whether these may be the numbers of epochs of so many steps each, the last one perhaps only begun."""
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
        """The course that :meth:`tensors` wrote, or None where these are other Tensors."""
        tensors = {name: found.get(f"course.{name}") for name in cls.__dataclass_fields__}
        if not all(isinstance(x, Tensor) and x.ndim == 1 and x.dtype == float64 for x in tensors.values()):
            return None
        return cls(**{name: x.asnumpy().tolist() for name, x in tensors.items()})
