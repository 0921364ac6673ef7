"""Exercise 7.3: a law: what a skipped step must not move."""

import numpy as np

GOOD, HUGE = np.ones((4, 3), np.float32), np.full((4, 3), 1e30, np.float32)
LABELS = np.zeros(4, np.float32)


def law(given):
    """Fail on a class of steps of which a skipped one moves more than the scale."""
    step = given()
    first = step.state()
    assert step(GOOD, LABELS) is False
    before = step.state()
    assert all(np.any(first[name] != before[name]) for name in first)
    scale, good = step.scale, step.good
    assert good == 1
    assert step(HUGE, LABELS) is True
    after = step.state()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert step.scale == scale / 2
    assert step.good == 0
