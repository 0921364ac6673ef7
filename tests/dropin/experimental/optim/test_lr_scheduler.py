"""Schedules that set the learning rates of an optimizer's groups, once for each ``step()``."""

import numpy as np
import pytest
from dropin.experimental.optim.test_optimizer import parameters

from minispore.dropin.experimental import optim
from minispore.dropin.experimental.optim import lr_scheduler

# The rate at first and after each of six steps, in MindSpore 2.7.0
RATES = [
    ("StepLR", {"step_size": 2, "gamma": 0.5}, [0.1, 0.1, 0.05, 0.05, 0.025, 0.025, 0.0125]),
    ("LambdaLR", {"lr_lambda": lambda epoch: 0.9**epoch}, [0.1, 0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144]),
    ("MultiStepLR", {"milestones": [2, 4]}, [0.1, 0.1, 0.01, 0.01, 0.001, 0.001, 0.001]),
    ("ExponentialLR", {"gamma": 0.9}, [0.1, 0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144]),
    ("CosineAnnealingLR", {"T_max": 4, "eta_min": 0.01}, [0.1, 0.08682, 0.055, 0.02318, 0.01, 0.02318, 0.055]),
    ("LinearLR", {}, [0.033333, 0.046667, 0.06, 0.073333, 0.086667, 0.1, 0.1]),
    ("ConstantLR", {}, [0.033333, 0.033333, 0.033333, 0.033333, 0.033333, 0.1, 0.1]),
    ("PolynomialLR", {"total_iters": 4, "power": 2.0}, [0.1, 0.05625, 0.025, 0.00625, 0.0, 0.0, 0.0]),
]


@pytest.mark.parametrize(("name", "settings", "expected"), RATES)
def test_a_schedule_sets_mindspores_rates(name, settings, expected):
    optimizer = optim.SGD(parameters(), lr=0.1)
    schedule = getattr(lr_scheduler, name)(optimizer, **settings)
    found = [schedule.get_last_lr()[0].item()]
    for _ in range(6):
        schedule.step()
        found.append(optimizer.param_groups[0]["lr"].item())
    np.testing.assert_allclose(found, expected, atol=1e-6)
