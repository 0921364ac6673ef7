"""Tools that a step of one's own finds in its base."""

import pytest
from nn.test_wrap import ClippedStep

from minispore import nn, ops

pytestmark = pytest.mark.usefixtures("restored")


@pytest.mark.parametrize("sens", [{}, {"sens": 8}])
def test_a_step_of_ones_own_finds_the_tools_of_its_base_and_trains_as_the_base_does(sens):
    x, y = ops.ones((4, 2)), ops.zeros((4, 1))
    after = []
    for kind in (nn.TrainOneStepCell, ClippedStep):
        net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        step = kind(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.01), **sens).set_train()
        assert (step.sens, step.reducer_flag, step.parallel_mode) == (sens.get("sens", 1.0), False, "stand_alone")
        after.append((float(step(x, y)), net.weight.asnumpy().tolist()))
    assert after[0] == after[1]
