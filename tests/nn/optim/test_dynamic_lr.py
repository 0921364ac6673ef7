"""Lists of learning rates, one for each step, for an optimizer's ``learning_rate``."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import nn


@given(steps=st.lists(st.integers(1, 5), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_a_piecewise_rate_holds_up_to_its_milestone(steps, seed):
    milestones = np.cumsum(steps).tolist()
    rates = np.random.default_rng(seed).random(len(steps)).tolist()
    expected = [rate for rate, count in zip(rates, steps, strict=True) for _ in range(count)]
    assert nn.piecewise_constant_lr(milestones, rates) == expected
    assert nn.piecewise_constant_lr(tuple(milestones), tuple(rates)) == expected


def test_equal_milestones_leave_a_rate_out():
    assert nn.piecewise_constant_lr([2, 2], [0.1, 0.2]) == [0.1, 0.1]


DECAY = (0.1, 0.9, 7, 2, 2)


WRONG = [
    (TypeError, "For 'exponential_decay_lr', the 'learning_rate' must be a float, but got 1", (1, *DECAY[1:])),
    (ValueError, "the 'learning_rate' must be finite and above 0, but got 0.0", (0.0, *DECAY[1:])),
    (TypeError, "the 'decay_rate' must be a float, but got 1", (0.1, 1, *DECAY[2:])),
    (ValueError, "the 'decay_rate' must be finite and above 0", (0.1, 0.0, *DECAY[2:])),
    (TypeError, "the 'total_step' must be an int, but got 7.0", (0.1, 0.9, 7.0, 2, 2)),
    (TypeError, "the 'total_step' must be an int, but got True", (0.1, 0.9, True, 2, 2)),
    (ValueError, "the 'step_per_epoch' must be above 0, but got 0", (0.1, 0.9, 7, 0, 2)),
    (ValueError, "the 'decay_epoch' must be above 0, but got -1", (0.1, 0.9, 7, 2, -1)),
    (TypeError, "the 'is_stair' must be a bool, but got 1", (*DECAY, 1)),
]


@pytest.mark.parametrize(("kind", "message", "arguments"), WRONG)
def test_a_wrong_argument_of_a_decay_is_refused_by_name(kind, message, arguments):
    with pytest.raises(kind, match=message):
        nn.exponential_decay_lr(*arguments)
