"""The loop: one level of the job, epoch by epoch, with a test and a checkpoint after each."""

import time

import numpy as np

from minispore import context
from minispore.tensor import Tensor
from minispore.train import checkpoint
from minispore.train.course import Course
from minispore.train.evaluate import accuracy
from minispore.train.progress import Progress

__all__ = ["Training"]


class Training:
    """One level of a job, ready to train. It changes as it trains; its ``course`` says what has happened.

    Making it reads the level's checkpoint, where the job resumes one: what is wrong with it is found before training.

    Args:
        job (Job): What is asked.
        level (str): The level.
        images (Images): What to train and test on.

    Raises:
        ValueError: If the checkpoint is broken, or of a run that was asked for something else.
        RuntimeError: If its parameters do not fit.
    """

    def __init__(self, job, level, images):
        self.job, self.level, self.images = job, level, images
        self.step = job.new_step(level)
        resumed = job.resume and job.checkpoint(level).exists()
        self.course = checkpoint.restore(job, level, images, self.step) if resumed else Course()
        self._batches = images.train.batches(job.batch_size)
        self._batches.epoch = self.course.epochs
        self._draws = context.seed.draws

    @property
    def network(self):
        """The converted network, without its loss."""
        return self.step.network._backbone

    def run(self):
        """Train the epochs that are not done yet."""
        context.set_seed(self.job.seed)
        context.seed.draws = self._draws
        done, steps = self.course.epochs, self._batches.dataset.get_dataset_size()
        progress = Progress(self.level, self.job.epochs, done, steps)
        try:
            for epoch in range(done, self.job.epochs):
                self._epoch(epoch, progress)
                checkpoint.save(self.job, self.level, self.images, self.step, self.course)
        finally:
            progress.close()

    def _epoch(self, epoch, progress):
        begun = time.perf_counter()
        self.step.optimizer.learning_rate.set_data(Tensor(np.float32(self.job.rate(epoch))))
        results = []
        for image, label in self._batches:
            results.append(self.step(image, label))
            progress.step()
        self.course.add_steps(results)
        right, seconds = accuracy(self.network, self.images.test), time.perf_counter() - begun
        self.course.add_epoch(right, seconds)
        progress.epoch(float(np.mean(self.course.losses[-len(results) :])), right, seconds)
