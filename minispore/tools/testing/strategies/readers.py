"""Networks whose values are read by listed calls and by others, in numbers that float16 holds exactly.

The listed calls give few bits, so that nothing of them is rounded at O1. The results of the other calls have many
digits, and go into the output alone. So the output is float32's, unless one of these calls computes in float16.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

__all__ = ["Readers", "readers"]

LISTED = {
    "dense": "nn.Dense(3, 3, weight_init=ms.Tensor(np.eye(3, dtype=np.float32) / 2), has_bias=False)",
    "relu": "ops.ReLU()",
}
OTHERS = {"exp": "ops.Exp()", "tanh": "ops.Tanh()"}
WHITE = {"white_list": ["nn.Dense", "ops.ReLU"]}


@dataclass(frozen=True)
class Readers:
    """A network's statements ``(value, call, what it reads)``, and the level or the list that it is converted by."""

    statements: list
    how: object

    @property
    def label(self):
        """By which a deviation names it."""
        told = "; ".join(f"{value} = {call}({read})" for value, call, read in self.statements)
        return f"{self.how if isinstance(self.how, str) else 'white_list'} {told}"

    @property
    def size(self):
        """The number of calls in the network, without the sum at its end."""
        return len(self.statements)

    @property
    def inputs(self):
        """Numbers of few bits."""
        return [np.array([[0.75, -0.5, 1.5], [0.25, 1.0, -1.25]], np.float32)]

    def source(self):
        """The program whose ``make()`` makes the network: the sum of the unlisted calls."""
        made = [f"        self.{value}_call = {(LISTED | OTHERS)[call]}" for value, call, _ in self.statements]
        calls = [f"        {value} = self.{value}_call({read})" for value, _, read in self.statements]
        total = " + ".join(value for value, call, _ in self.statements if call in OTHERS)
        head = ["class Net(nn.Cell):", "    def __init__(self):", "        super().__init__()", *made, ""]
        end = [f"        return {total}", "", "", "def make():", "    return Net()", ""]
        return "\n".join([*head, "    def construct(self, x):", *calls, *end])

    def said_in(self, speaks):
        """The network and its conversion as a program of MindSpore's API."""
        head = "import mindspore as ms\nimport numpy as np\nfrom mindspore import amp, nn, ops\n\n\n"
        listed = f"white_list=[{', '.join(WHITE['white_list'])}]"
        level = f'auto_mixed_precision(make(), "{self.how}")'
        call = level if isinstance(self.how, str) else f"custom_mixed_precision(make(), {listed})"
        return f"{head}{self.source()}\n\nconverted = amp.{call}"


@st.composite
def readers(draw, how):
    """Networks of a listed call, one that is not listed, and up to four more, in any order of reading.

    Args:
        draw (Callable): Given by hypothesis.
        how (Union[str, dict]): The conversion.
    """
    statements, exact = [], ["x"]
    kinds = [*draw(st.lists(st.sampled_from([*LISTED, *OTHERS]), min_size=1, max_size=5)), "exp"]
    for number, call in enumerate(kinds):
        statements.append((f"v{number}", call, draw(st.sampled_from(exact))))
        exact += [f"v{number}"] if call in LISTED else []
    return Readers(statements, how)
