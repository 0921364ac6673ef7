"""Random networks of layers, as plans: each is drawn, shrinks, is built, and is printed as a program.

A plan is a list of parts; a part is a leaf's name, or a holder's name with the parts that it holds. In MindSpore's API
a plan is text that any MindSpore runs; the networks' own classes are text too, so that they are a user's.
"""

import numpy as np
from hypothesis import strategies as st

import minispore as ms
from minispore import nn
from minispore.nn.optim import dynamic_lr
from minispore.tools.testing.users_code import made

__all__ = [
    "HOLDERS",
    "LEAVES",
    "OPTIMIZERS",
    "WIDTH",
    "Block",
    "calls",
    "known_leaves",
    "planned",
    "plans",
    "rows",
    "source",
]

WIDTH = 3  # of what goes into and comes out of every part of a random network

# The classes of user code among the parts, by name
CLASSES = {
    "Block": '''class Block(nn.Cell):
    """A residual block of user code."""

    def __init__(self, width):
        super().__init__()
        self.dense = nn.Dense(width, width)
        self.norm = nn.LayerNorm((width,))

    def construct(self, x):
        return x + self.norm(self.dense(x))
''',
    "Product": '''class Product(nn.Cell):
    """A listed primitive with a Parameter, in a user's cell."""

    def __init__(self):
        super().__init__()
        self.matmul, self.w = ops.MatMul(), ms.Parameter(ms.Tensor(np.eye(3, dtype=np.float32) / 2), name="w")

    def construct(self, x):
        return self.matmul(x, self.w)
''',
    "Functional": '''class Functional(nn.Cell):
    """A functional form of a listed primitive."""

    def construct(self, x):
        return ops.relu(x) + x
''',
    "Looped": '''class Looped(nn.Cell):
    """Parts in a CellList, called in a loop."""

    def __init__(self, parts):
        super().__init__()
        self.parts = nn.CellList(parts)

    def construct(self, x):
        for part in self.parts:
            x = part(x)
        return x
''',
    "Added": '''class Added(nn.Cell):
    """Parts whose outputs are added, each called twice."""

    def __init__(self, parts):
        super().__init__()
        self.inner = nn.SequentialCell(parts)

    def construct(self, x):
        return x + 0.5 * self.inner(self.inner(x))
''',
}
_classes = made("\n\n".join(CLASSES.values()))
Block = _classes["Block"]

# Leaf -> the expression that makes it
LEAVES = {
    "dense": "nn.Dense(3, 3)",
    "relu": "nn.ReLU()",
    "tanh": "nn.Tanh()",
    "batch norm": "nn.BatchNorm1d(3)",
    "layer norm": "nn.LayerNorm((3,))",
    "dropout": "nn.Dropout(p=0.3)",
    "product": "Product()",
    "functional": "Functional()",
    "block": "Block(3)",
    "kept": "nn.Dense(3, 3).to_float(ms.float32)",
}
HOLDERS = {"sequence": "nn.SequentialCell", "loop": "Looped", "sum": "Added"}


def known_leaves(target):
    """The leaves with outputs that a target can repeat. A target without resettable random streams gets no Dropout."""
    return [leaf for leaf in LEAVES if leaf != "dropout" or getattr(target, "keeps_streams", False)]


def plans(leaves=None):
    """Descriptions of random networks: a leaf's name, or a holder's with the plans of its parts.

    Args:
        leaves (Iterable[str]): The leaves that may be drawn. Default: None, all.
    """
    leaf = st.sampled_from(sorted(LEAVES if leaves is None else leaves))
    part = st.recursive(
        leaf,
        lambda inner: st.tuples(st.sampled_from(sorted(HOLDERS)), st.lists(inner, min_size=1, max_size=3)),
        max_leaves=5,
    )
    return st.lists(part, min_size=1, max_size=4)


def calls(plan):
    """The number of calls of a plan's network, its first and its last Dense among them."""
    return 2 + sum(1 if isinstance(part, str) else calls(part[1]) - 2 for part in plan)


def expression(plan):
    """The expression that makes a plan's network: a Dense, the parts, a Dense."""

    def one(part):
        return LEAVES[part] if isinstance(part, str) else f"{HOLDERS[part[0]]}([{', '.join(map(one, part[1]))}])"

    return f"nn.SequentialCell([{', '.join([LEAVES['dense'], *map(one, plan), LEAVES['dense']])}])"


def source(plan):
    """The program of a plan: its classes, and ``make()``, which makes the network."""
    made_by = expression(plan)
    needed = [text for name, text in CLASSES.items() if f"{name}(" in made_by]
    return "\n\n".join([*needed, f"def make():\n    return {made_by}\n"])


_compiled = {}


def planned(plan):
    """The network of a plan, in minispore."""
    made_by = expression(plan)
    if made_by not in _compiled:
        _compiled[made_by] = made(f"def make():\n    return {made_by}\n", **_classes)["make"]
    return _compiled[made_by]()


def rows(number, count=4):
    """An input of a random network, and a target."""
    rng = np.random.default_rng(number)
    return tuple(ms.Tensor(rng.standard_normal((count, WIDTH), np.float32)) for _ in range(2))


def _plain_optimizers():
    for name, kind in vars(nn.optim).items():
        if isinstance(kind, type) and issubclass(kind, nn.Optimizer) and kind is not nn.Optimizer:
            yield name, lambda p, kind=kind: kind(p, learning_rate=0.01)


# One of each optimizer, by its class's name: what makes it for a list of Parameters.
OPTIMIZERS = dict(_plain_optimizers()) | {
    "AdaFactor": lambda p: nn.AdaFactor(p, learning_rate=0.01, relative_step=False),
    "Adadelta": lambda p: nn.Adadelta(p, learning_rate=0.1),
    "Adagrad": lambda p: nn.Adagrad(p, learning_rate=0.1),
    "AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, learning_rate=0.01, weight_decay=0.1),
    "LARS": lambda p: nn.LARS(nn.Momentum(p, 0.1, 0.9)),
    "Momentum": lambda p: nn.Momentum(p, dynamic_lr.cosine_decay_lr(0.01, 0.1, 10, 5, 2), 0.9, use_nesterov=True),
    "RMSProp": lambda p: nn.RMSProp(p, learning_rate=nn.ExponentialDecayLR(0.01, 0.5, 2), centered=True, momentum=0.5),
    "SGD": lambda p: nn.SGD(p, learning_rate=0.1, momentum=0.9, weight_decay=0.01),
}
