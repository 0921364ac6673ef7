"""Course and evaluation: the numbers that a level's training leaves."""

import numpy as np
import pytest

import minispore as ms
from minispore.tools.cli.accuracy import accuracy
from minispore.tools.cli.data import Labelled
from minispore.tools.cli.history import History


def test_steps_without_a_scale_leave_losses_alone():
    history = History()
    history.add_steps([ms.Tensor(2.0), ms.Tensor(1.0)])
    assert (history.losses, history.overflows, history.scales, history.skipped) == ([2.0, 1.0], [], [], 0)


def test_steps_with_a_scale_leave_overflows_and_scales_too():
    history = History()
    history.add_steps([(ms.Tensor(2.0), ms.Tensor(True), ms.Tensor(8.0)), (ms.Tensor(1.0), False, ms.Tensor(4.0))])
    assert (history.losses, history.scales, history.skipped) == ([2.0, 1.0], [8.0, 4.0], 1)


def test_a_history_comes_back_from_its_tensors_bit_for_bit():
    history = History([0.1, float("inf")], [0.0, 1.0], [2.0**24, 2.0**23], [1 / 3], [1.25])
    assert History.from_tensors(history.tensors()) == history
    assert History.from_tensors(History().tensors()) == History()


def test_an_epoch_that_was_interrupted_takes_the_seconds_of_all_its_parts():
    history = History()
    history.pause(1.0)
    history.pause(2.0)
    assert (history.seconds, history.epochs, history.fits(5)) == ([3.0], 0, True)
    history.add_steps([ms.Tensor(1.0)] * 5)
    history.add_epoch(0.5, 4.0)
    assert (history.seconds, history.epochs, history.fits(5), history.fits(4)) == ([7.0], 1, True, True)
    history.add_epoch(0.5, 1.0)
    assert history.seconds == [7.0, 1.0] and not history.fits(5)


class Sum(ms.nn.Cell):
    """Calls an image by the class that its first row's first ten pixels show; notes the modes it ran in."""

    def __init__(self):
        super().__init__()
        self.modes = set()

    def construct(self, x):
        self.modes.add(self.training)
        return x[:, 0, 0, :10]


@pytest.mark.parametrize("mode", [True, False])
@pytest.mark.parametrize("batch_size", [3, 10, 100])
def test_accuracy_counts_every_image_once_and_puts_the_mode_back(mode, batch_size):
    images = np.zeros((10, 1, 28, 28), np.float32)
    images[range(10), 0, 0, range(10)] = 1
    labels = np.array([0, 1, 2, 3, 4, 5, 6, 0, 0, 0], np.int32)
    network = Sum().set_train(mode)
    assert accuracy(network, Labelled(images, labels), batch_size) == 0.7
    assert network.modes == {False} and network.training is mode
