"""The adapter of PyTorch, for the parts that it has: gradients, losses, optimizers, the loss scale, overflow."""

import numpy as np
import pytest
from tools.testing.targets.test_targets import Small

from minispore.tools.testing.dialects import expression
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.runner import tried
from minispore.tools.testing.targets import has, misspelt


@pytest.mark.parametrize(("name", "refused"), [("-Tanh", False), ("-Exp float32", False), ("-Sinh", True)])
def test_an_operation_that_a_target_lacks_is_refused_and_not_failed(name, refused):
    result = tried(LAWS["formula"], Small(), only=name)
    assert result.cases and result.failures == []
    assert (result.refused == result.cases) == refused
    assert ("refuses every case, the first with AttributeError" in result.absent) == refused


def test_another_name_that_is_missing_is_a_failure():
    class Broken(Small):
        def compute(self, said, inputs):
            return [self.nowhere]

    assert tried(LAWS["formula"], Broken(), only="-Tanh").smallest.words.startswith("AttributeError: ")


def test_an_own_dialect_says_what_things_are_called():
    class Own(Small):
        speaks, says = "mine", {"Tanh": "mine(x0)", "MSELoss": "squares(x0, x1)"}

        def compute(self, said, inputs):
            assert said == "mine(x0)"
            return [np.tanh(inputs[0].astype(np.float64)).astype(inputs[0].dtype)]

    result = tried(LAWS["formula"], Own())
    assert result.cases == 6 and result.failures == []
    assert expression(Own(), "MSELoss", {"mindspore": "nn.MSELoss()(x0, x1)"}) == "squares(x0, x1)"
    assert expression(Own(), "L1Loss", {"mindspore": "nn.L1Loss()(x0, x1)"}) is None


def test_what_a_target_does_not_say_is_taken_to_be_there():
    assert has(Small(), "torch.tanh(x0)") and not has(Small(), None)


def test_a_name_that_is_far_from_every_verb_is_no_misspelling():
    class Helper(Small):
        def helper(self):
            pass

        def gradeint(self):
            pass

    assert misspelt(Helper()) == ["'gradeint' is no verb: did you mean 'gradient'?"]
