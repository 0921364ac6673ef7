"""The laws themselves: what they hold of, and what they are taken of."""

import numpy as np
import pytest

from minispore.tools.testing.laws import LAWS, Broken
from minispore.tools.testing.laws.rewriting import Construct
from minispore.tools.testing.runner import tried
from minispore.tools.testing.targets.minispore import Minispore

pytestmark = pytest.mark.usefixtures("restored")


class Narrow(Minispore):
    """An implementation elsewhere that computes float64 in float32."""

    def __init__(self):
        super().__init__()
        self.name = "narrow"

    def compute(self, call, inputs):
        return [y.astype(np.float32).astype(y.dtype) for y in super().compute(call, inputs)]

    def gradient(self, *case):
        return [g.astype(np.float32).astype(g.dtype) for g in super().gradient(*case)]

    def second(self, *case):
        return [g.astype(np.float32).astype(g.dtype) for g in super().second(*case)]


@pytest.mark.parametrize("law", ["gradient", "second_gradient"])
def test_gradients_of_a_target_elsewhere_are_held_to_the_formula_in_float64(law):
    """The difference quotient of what it computes itself would be of float32's few digits."""
    found = tried(LAWS[law], Narrow(), only="-Tanh")
    assert found.cases and found.failures == []


class Hides(Minispore):
    """A rewrite that gives a value where the network raises."""

    def rewrite(self, source, inputs, times):
        before, after = super().rewrite(source, inputs, times)
        return [before, [x if y is None else y for x, y in zip(inputs, after, strict=True)]]


def test_a_rewritten_network_must_raise_where_the_network_does():
    case = Construct(["y = self.nothing(x)"])
    LAWS["rewritten_network"](Minispore(), case)
    with pytest.raises(Broken, match=r"rewritten 1 times, it gives \[-1.5  0.5  2. \] for .*, not None"):
        LAWS["rewritten_network"](Hides(), case)


@pytest.mark.parametrize("inherits", [False, True])
def test_a_construct_computes_the_same_whether_its_class_inherits_what_it_uses(inherits):
    case = Construct(["y = self.helper(x)", "z = self.layers[0](y)"], inherits)
    LAWS["rewritten_network"](Minispore(), case)
    assert ("class Net(Random)" in case.source()) == inherits == case.label.startswith("inherits: ")
