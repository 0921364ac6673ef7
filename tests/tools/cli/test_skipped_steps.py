"""Skipped steps: the line on one of the first, also of a network that cannot run again."""

import pytest

import minispore as ms
from minispore import nn, ops
from minispore.tools.cli.skipped_steps import SkippedSteps


class Once(nn.Cell):
    """A network that overflows, and can run only once."""

    def __init__(self):
        super().__init__()
        self.fc, self.runs = nn.Dense(2, 2), [0]

    def construct(self, x):
        self.runs[0] += 1
        if self.runs[0] > 1:
            raise OSError("the file has ended")
        return ops.exp(self.fc(x) * 0 + 100) * self.fc(x)


@pytest.mark.usefixtures("restored")
def test_a_network_that_cannot_run_again_goes_on_training():
    ms.set_context(cpu_loss_scale=True)
    net = Once()
    step = ms.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), level="O2")
    skipped, x, y = SkippedSteps("O2", step), ops.ones((2, 2)), ops.zeros((2, 2))
    scale = skipped.scale()
    told = skipped.note(1, (x, y), scale, step(x, y))
    assert told == "O2 step 1 was skipped: it cannot run again: OSError: the file has ended"
