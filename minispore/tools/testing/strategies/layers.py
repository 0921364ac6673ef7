"""Calls of layers: a layer with drawn arguments and the inputs that fit them.

A call is text of MindSpore's API, ``nn.Conv2d(2, 2, 3, stride=2)``. So other implementations run it, and it prints as a
program to paste.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.strategies.arrays import in_source
from minispore.tools.testing.strategies.layer_arguments import CLASSES, LAYERS

__all__ = ["LayerCall", "layer_calls"]

_FILLED = """\
rng = np.random.default_rng({seed})
for parameter in layer.get_parameters():
    drawn = rng.uniform(-0.7, 0.7, parameter.shape)
    drawn = 1 + 0.3 * drawn if parameter.name.split(".")[-1] in ("gamma", "variance", "moving_variance") else drawn
    parameter.set_data(ms.Tensor(drawn.astype(np.float32)))"""


@dataclass(frozen=True)
class LayerCall:
    """A layer and its inputs.

    Attributes:
        name (str): The layer's class.
        making (str): The expression that makes it.
        given (tuple): An ``Input`` for each of its inputs.
        seed (int): Of the inputs, and of the Parameters.
    """

    name: str
    making: str
    given: tuple
    seed: int
    size = 1  # the number of calls

    @property
    def label(self):
        """By which a deviation names it."""
        return self.making

    @property
    def inputs(self):
        """Its inputs, as arrays of float32 and int32."""
        rng = np.random.default_rng(self.seed)
        return [each.drawn(rng) for each in self.given]

    def source(self, then=""):
        """The program whose ``make()`` makes the layer; ``then``: a method's call, ``.to_float(ms.float16)``."""
        needed = [text for name, text in CLASSES.items() if self.making.startswith(f"{name}(")]
        return "\n\n".join([*needed, f"def make():\n    return {self.making}{then}\n"])

    def said_in(self, speaks):
        """The call as a program of MindSpore's API."""
        head = "import mindspore as ms\nimport numpy as np\nfrom mindspore import nn"
        given = [f"x{i} = ms.Tensor({in_source(x)})" for i, x in enumerate(self.inputs)]
        made = f"layer = make().set_train(False)\n{_FILLED.format(seed=self.seed)}"
        called = f"y = layer({', '.join(f'x{i}' for i in range(len(given)))})"
        return "\n".join([head, "\n", self.source(), "", made, *given, called, "print(y)"])


def layer_calls(names=None):
    """Calls of layers: matching arguments, matching inputs, a seed; they shrink to the plainest form.

    Args:
        names (Iterable[str]): The layers' names, of ``LAYERS``. Default: None, any.
    """
    return st.sampled_from(sorted(LAYERS if names is None else names)).flatmap(_of)


def _of(name):
    seeds = st.integers(0, 999)
    return st.builds(lambda told, seed: LayerCall(name, *told, seed), LAYERS[name], seeds)
