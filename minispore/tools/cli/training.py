"""Training: one level of the job, epoch by epoch, with a test and a checkpoint after each."""

import itertools
import time

import numpy as np

from minispore.core import context, seeds
from minispore.core.tensor import Tensor
from minispore.tools.cli import checkpoint, ranks
from minispore.tools.cli.accuracy import accuracy
from minispore.tools.cli.history import History
from minispore.tools.cli.interrupts import HeldInterrupt
from minispore.tools.cli.progress import Progress
from minispore.tools.cli.skipped_steps import SkippedSteps
from minispore.tools.cli.standing_scale import StandingScale

__all__ = ["Training"]


class Training:
    """One level of a job, ready to train. It changes as it trains.

    ``history`` has the recorded epochs, ``skipped`` the reasons of the first skipped steps.

    Construction loads the level's checkpoint if the job resumes one, so that errors in it are found before training.

    Args:
        job (Job): The job.
        level (str): The level.
        images (Images): The training and test images.

    Raises:
        ValueError: If the checkpoint is broken, or belongs to a run with other settings.
        RuntimeError: If its parameters do not fit.
    """

    def __init__(self, job, level, images):
        self.job, self.level, self.images = job, level, images
        self.step = job.new_step(level)
        self._resumed = job.resume and job.checkpoint(level).exists()
        self.history = checkpoint.restore(job, level, images, self.step) if self._resumed else History()
        self._batches = images.train.batches(job.batch_size)
        self._batches.epoch = self.history.epochs
        self._draws = seeds.seed.draws
        self.skipped, self._standing = SkippedSteps(level, self.step), StandingScale(level)

    @property
    def network(self):
        """The converted network, without its loss."""
        return self.step.network._backbone

    def run(self):
        """Train the remaining epochs.

        Raises:
            KeyboardInterrupt: On Ctrl-C; the steps until then are saved.
        """
        context.set_seed(self.job.seed)
        seeds.seed.draws = self._draws
        if not self._resumed:
            self._save()  # so that a run can be resumed from the first step on
        progress = Progress(self.level, self.job.epochs, self._steps, len(self.history.losses), not ranks.is_first())
        try:
            with HeldInterrupt() as interrupt:
                for epoch in range(self.history.epochs, self.job.epochs):
                    self._epoch(epoch, progress, interrupt)
                    self._save()
                    if interrupt.came:
                        raise KeyboardInterrupt
        finally:
            progress.close()

    @property
    def _steps(self):
        """Steps in an epoch."""
        return self._batches.dataset.get_dataset_size()

    def _save(self):
        if ranks.is_first():
            checkpoint.save(self.job, self.level, self.images, self.step, self.history)

    def _epoch(self, epoch, progress, interrupt):
        """Train an epoch, or the rest of an interrupted one, and test; or train until Ctrl-C."""
        begun = time.perf_counter()
        self.step.optimizer.learning_rate.set_data(Tensor(np.float32(self.job.rate(epoch))))
        done = len(self.history.losses)
        self.history.add_steps(self._steps_until(interrupt, progress, done - epoch * self._steps))
        self.history.losses[done:] = ranks.mean(self.history.losses[done:])
        if interrupt.came:
            self.history.pause(time.perf_counter() - begun)
            return
        right = ranks.of_first(lambda: accuracy(self.network, self.images.test))
        self.history.add_epoch(right, time.perf_counter() - begun)
        loss = float(np.mean(self.history.losses[-self._steps :]))
        progress.epoch(epoch + 1, loss, right, self.history.seconds[-1])

    def _steps_until(self, interrupt, progress, done):
        """The results of the epoch's training steps, without the first ``done`` ones, until Ctrl-C."""
        results = []
        for inputs in itertools.islice(self._batches, done, None):
            inputs, scale = tuple(map(ranks.part, inputs)), self.skipped.scale()
            results.append(self.step(*inputs))
            progress.step(results[-1])
            number = len(self.history.losses) + len(results)
            for line in (self.skipped.note(number, inputs, scale, results[-1]), self._standing.note(results[-1])):
                if line:
                    progress.say(line)
            interrupt.came = ranks.anywhere(interrupt.came)
            if interrupt.came:
                break
        return results
