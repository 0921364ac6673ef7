"""Targets: own dialects, what is refused, and what is asked of a target that says little."""

import numpy as np
import pytest

from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.oracles.loss_scale import Dialect, course
from minispore.tools.testing.runner import tried
from minispore.tools.testing.targets import Refused


class Torch:
    """The functions of a small implementation, under torch's names."""

    tanh, exp = np.tanh, np.exp


class Small:
    """A target as the page describes one: it has no 'has', and few of the functions."""

    name, version, speaks = "small", "1", "torch"

    def compute(self, said, inputs):
        return [eval(said, {"torch": Torch, "x0": inputs[0].astype(np.float64)}).astype(inputs[0].dtype)]


@pytest.mark.parametrize("error", [Refused("no float16"), NotImplementedError("no float16")])
def test_a_verb_refuses_what_it_does_not_have(error):
    class Narrow(Small):
        def compute(self, said, inputs):
            if inputs[0].dtype == np.float16:
                raise error
            return super().compute(said, inputs)

    result = tried(LAWS["formula"], Narrow(), only="-Tanh")
    assert (result.failures, result.refused) == ([], result.cases // 2)


def test_a_loss_scale_may_follow_a_dialect_of_its_own():
    thirds = Dialect("thirds", "its author", floor=0.1)

    class Thirds:
        name, version, faces = "thirds", "1", {"scaler": thirds}

        def scale_course(self, face, *case):
            return course(thirds, *case)

    assert tried(LAWS["loss_scale_course"], Thirds()).failures == []
