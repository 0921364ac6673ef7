"""SGD with momentum, by PyTorch's formulas."""

import numpy as np
from dropin.experimental.optim.test_optimizer import GRADIENTS, parameters

from minispore import ops
from minispore.dropin.experimental import optim


def test_groups_have_settings_of_their_own_that_can_be_changed():
    first, second = parameters()
    optimizer = optim.SGD([{"params": [first], "lr": 0.5}, {"params": [second]}], lr=0.1)
    assert [group["lr"].item() for group in optimizer.param_groups] == [0.5, np.float32(0.1)]
    ops.assign(optimizer.param_groups[1]["lr"], 0.0)
    optimizer(GRADIENTS)
    np.testing.assert_allclose(first.asnumpy(), [0.95, -1.9, 2.85], rtol=1e-6)
    assert second.item() == 0.5 and "lr: 0.5" in str(optimizer) and "Parameter Group 1" in str(optimizer)
