"""Networks of one layer or operation each, in every place of a network, and the dtype that a level gives them.

``LISTED`` has the classes on mixed precision's lists, by the documentation of MindSpore r2.1, and some unlisted
classes.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minispore.tools.testing.strategies.networks import CLASSES

__all__ = ["LEVELS", "LISTED", "PLACES", "Kept", "Listed", "lists_of"]

LEVELS = ("O0", "O1", "O2", "O3")

PARTS = {
    "Called": '''class Called(nn.Cell):
    """The call of an operation; what comes after its input are Parameters of these shapes, and plain values."""

    def __init__(self, operation, *shapes, rest=()):
        super().__init__()
        self.operation, self.rest, self.count = operation, rest, len(shapes)
        drawn = [np.linspace(0.3, 0.9, int(np.prod(shape))).reshape(shape) for shape in shapes]
        self.weight = ms.Parameter(ms.Tensor(drawn[0].astype(np.float32)), name="weight") if drawn else None

    def construct(self, x):
        if self.count == 0:
            return self.operation(x)
        if self.rest:
            return self.operation(x, self.weight, self.rest)
        return self.operation(x, self.weight)
''',
    "Stepped": '''class Stepped(nn.Cell):
    """A step of a recurrent cell, of one state or of two."""

    def __init__(self, cell, states):
        super().__init__()
        self.cell, self.states = cell, states
        self.state = ms.Parameter(ms.Tensor(np.full((2, 2), 0.4, np.float32)), name="state")

    def construct(self, x):
        if self.states == 2:
            return self.cell(x, (self.state, self.state))[0]
        return self.cell(x, self.state)
''',
    "Held": '''class Held(nn.Cell):
    """A cell of user code that calls another."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x)
''',
    "OwnNorm": '''class OwnNorm(nn.LayerNorm):
    """A LayerNorm of user code: a black list covers subclasses."""
''',
    "Looped": CLASSES["Looped"],
    "OwnMatMul": '''class OwnMatMul(ops.MatMul):
    """A MatMul of user code, which takes its inputs by keywords too."""

    def __call__(self, x1, x2):
        return super().__call__(x1, x2)
''',
    "Keyed": '''class Keyed(nn.Cell):
    """The call of an operation by a keyword."""

    def __init__(self, operation):
        super().__init__()
        self.operation = operation
        self.weight = ms.Parameter(ms.Tensor(np.linspace(0.3, 0.9, 9).reshape(3, 3).astype(np.float32)), name="weight")

    def construct(self, x):
        return self.operation(x, x2=self.weight)
''',
}

# Place -> the network that has a cell there
PLACES = {
    "a cell": "Held({})",
    "a cell in a cell": "Held(Held({}))",
    "a SequentialCell": "Held(nn.SequentialCell([{}]))",
    "a loop": "Held(Looped([{}]))",
}


class Kind(NamedTuple):
    """The making of a class, its input's shape, and its membership in the white list and the black list.

    ``weighs`` is whether it has Parameters that are cast with its input; ``mark`` is the dtype that the user's own mark
    asks for, before the level's.
    """

    making: str
    shape: tuple
    white: bool = False
    black: bool = False
    weighs: bool = True
    mark: str = None


def _white(making, *shape, weighs=True):
    return Kind(making, shape, white=True, weighs=weighs)


LISTED = {
    "nn.Dense": _white("nn.Dense(3, 3)", 4, 3),
    "nn.Conv1d": _white("nn.Conv1d(2, 2, 2)", 2, 2, 5),
    "nn.Conv2d": _white("nn.Conv2d(2, 2, 2)", 2, 2, 3, 3),
    "nn.Conv3d": _white("nn.Conv3d(1, 2, 2)", 1, 1, 3, 3, 3),
    "nn.Conv1dTranspose": _white("nn.Conv1dTranspose(2, 2, 2)", 2, 2, 5),
    "nn.Conv2dTranspose": _white("nn.Conv2dTranspose(2, 2, 2)", 2, 2, 3, 3),
    "nn.Conv3dTranspose": _white("nn.Conv3dTranspose(1, 2, 2)", 1, 1, 3, 3, 3),
    "nn.RNNCell": _white("Stepped(nn.RNNCell(3, 2), 1)", 2, 3),
    "nn.GRUCell": _white("Stepped(nn.GRUCell(3, 2), 1)", 2, 3),
    "nn.LSTMCell": _white("Stepped(nn.LSTMCell(3, 2), 2)", 2, 3),
    "ops.MatMul": _white("Called(ops.MatMul(), (3, 3))", 4, 3),
    "ops.BatchMatMul": _white("Called(ops.BatchMatMul(), (2, 3, 3))", 2, 2, 3),
    "ops.Conv2D": _white("Called(ops.Conv2D(2, 2), (2, 2, 2, 2))", 2, 2, 3, 3),
    "ops.Conv3D": _white("Called(ops.Conv3D(2, 2), (2, 1, 2, 2, 2))", 1, 1, 4, 4, 4),
    "ops.Conv2DBackpropInput": _white(
        "Called(ops.Conv2DBackpropInput(2, 2), (2, 2, 2, 2), rest=(1, 2, 5, 5))", 1, 2, 4, 4
    ),
    "ops.PReLU": _white("Called(ops.PReLU(), (2,))", 3, 2, 2),
    "ops.ReLU": _white("Called(ops.ReLU())", 4, 3, weighs=False),
    "ops.Ger": _white("Called(ops.Ger(), (3,))", 4),
    "nn.BatchNorm1d": Kind("nn.BatchNorm1d(3)", (4, 3), black=True),
    "nn.BatchNorm2d": Kind("nn.BatchNorm2d(2)", (2, 2, 3, 3), black=True),
    "nn.BatchNorm3d": Kind("nn.BatchNorm3d(2)", (2, 2, 2, 2, 2), black=True),
    "nn.LayerNorm": Kind("nn.LayerNorm((3,))", (4, 3), black=True),
    "a subclass of nn.LayerNorm": Kind("OwnNorm((3,))", (4, 3), black=True),
    "nn.Tanh": Kind("nn.Tanh()", (4, 3), weighs=False),
    "nn.Softmax": Kind("nn.Softmax()", (4, 3), weighs=False),
    "ops.Exp": Kind("Called(ops.Exp())", (4, 3), weighs=False),
    "OwnMatMul": Kind("Keyed(OwnMatMul())", (4, 3)),  # a user's lists alone name it
    "nn.Dense marked float32": Kind("nn.Dense(3, 3).to_float(ms.float32)", (4, 3), mark="float32"),
    "nn.LayerNorm marked float16": Kind("nn.LayerNorm((3,)).to_float(ms.float16)", (4, 3), mark="float16"),
}


@dataclass(frozen=True)
class Listed:
    """A class in a place of a network, and a level."""

    name: str
    place: str
    level: str
    size = 1  # the number of calls

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.level} {self.name} in {self.place}"

    @property
    def inputs(self):
        """The inputs of the network."""
        rng = np.random.default_rng(0)
        return [
            (rng.uniform(0.2, 1.0, LISTED[self.name].shape) * rng.choice([-1, 1], LISTED[self.name].shape)).astype(
                np.float32
            )
        ]

    def source(self):
        """The program whose ``make()`` makes the network."""
        making = PLACES[self.place].format(LISTED[self.name].making)
        return "\n\n".join([*_needed(making), f"def make():\n    return {making}\n"])

    @property
    def how(self):
        """The way of conversion: a level, or a list of classes by its name."""
        kind, *listed = self.level.split()
        return {kind: listed} if listed else kind

    def said_in(self, speaks):
        """The network and its conversion as a program of MindSpore's API."""
        head = "import mindspore as ms\nimport numpy as np\nfrom mindspore import amp, nn, ops\n\n\n"
        kind, *listed = self.level.split()
        given = f"{kind}=[{listed[0]}]" if listed else f'"{kind}"'
        convert = "custom_mixed_precision" if listed else "auto_mixed_precision"
        return f"{head}{self.source()}\n\nconverted = amp.{convert}(make().set_train(False), {given})"

    @property
    def expected(self):
        """The dtypes that it computes in at its level, and the evidence: its inputs' digits, or its Parameters'.

        Above O1 the inputs of the whole network are cast. There the Parameters show a cell's dtype.
        """
        kind, level = LISTED[self.name], self.level
        if kind.mark:
            return kind.mark, "Parameters"
        if level not in LEVELS:
            of_list, listed = level.split()
            narrow = (listed == self.name) == (of_list == "white_list")
            return "float16" if narrow else "float32", "inputs" if of_list == "white_list" else "Parameters"
        if level in ("O0", "O1"):
            return ("float16" if level == "O1" and kind.white else "float32"), "inputs"
        if not kind.weighs or (kind.black and level == "O3"):
            return "float16", "inputs"
        return ("float32" if kind.black else "float16"), "Parameters"


def _needed(making):
    """The classes that an expression names."""
    return [text for name, text in PARTS.items() if f"{name}(" in making]


def lists_of(name):
    """Custom lists with a class and without it, which count in the place of the levels' own; none for most classes."""
    kinds = {"nn.Dense": ("white_list", "black_list"), "nn.LayerNorm": ("white_list", "black_list")}
    kinds["nn.Tanh"] = kinds["OwnMatMul"] = ("white_list",)
    return [f"{kind} {listed}" for kind in kinds.get(name, ()) for listed in (name, "nn.Flatten")]


OFFSET = '''class Offset(nn.Cell):
    """Adds a number beside which float16 has no room for small differences."""

    def __init__(self):
        super().__init__()
        self.offset = ms.Parameter(ms.Tensor(np.full(1, 100, np.float32)), name="offset")

    def construct(self, x):
        return x + self.offset
'''


@dataclass(frozen=True)
class Kept:
    """A black-listed layer behind a cell that is marked float32 and gives numbers near 100, in training at O2."""

    name: str
    size = 2

    @property
    def label(self):
        """By which a deviation names it."""
        return f"O2 {self.name} behind float32"

    @property
    def inputs(self):
        """Small differences, which the layer makes large."""
        return [x / 8 for x in Listed(self.name, "a cell", "O2").inputs]

    def source(self):
        """The program whose ``make()`` makes the network."""
        making = LISTED[self.name].making
        inside = f"Offset().to_float(ms.float32), {making}"
        return "\n\n".join([OFFSET, *_needed(making), f"def make():\n    return nn.SequentialCell([{inside}])\n"])
