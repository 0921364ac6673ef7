"""Small networks that the tests of mixed precision share, written as a user writes them."""

import numpy as np
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops


class ConvNet(nn.Cell):
    """A convolution, BatchNorm, a Dense: one of each list, and neither."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(4 * 6 * 6, 3)

    def construct(self, x):
        x = self.relu(self.bn(self.conv(x)))
        return self.fc(self.flatten(x))


class Block(nn.Cell):
    """A residual block of user code."""

    def __init__(self, width):
        super().__init__()
        self.dense = nn.Dense(width, width)
        self.norm = nn.LayerNorm((width,))

    def construct(self, x):
        return x + self.norm(self.dense(x))


class Nested(nn.Cell):
    """Blocks in a SequentialCell, one of them twice."""

    def __init__(self):
        super().__init__()
        block = Block(5)
        self.blocks = nn.SequentialCell(Block(5), block, block)
        self.head = nn.Dense(5, 2)

    def construct(self, x):
        return self.head(self.blocks(x))


def images(count=4, seed=0):
    """Images and class numbers for ConvNet."""
    rng = np.random.default_rng(seed)
    return ms.Tensor(rng.standard_normal((count, 1, 6, 6), np.float32)), ms.Tensor(rng.integers(0, 3, count, np.int32))


class DtypeLog:
    """The dtypes that primitives compute in, by listening at ``Primitive.__call__``'s results."""

    def __init__(self, monkeypatch):
        self.seen = []
        log = self.seen

        def listening(kind):
            compute = kind.compute

            def wrapper(self, xp, *arrays):
                out = compute(self, xp, *arrays)
                first = next((a for a in arrays if hasattr(a, "dtype")), None)
                log.append((self.name, None if first is None else first.dtype.name))
                return out

            return wrapper

        for kind in (ops.Conv2D, ops.MatMul, ops.BatchNorm, ops.LayerNorm, ops.ReLU, ops.Add):
            monkeypatch.setattr(kind, "compute", listening(kind))

    def of(self, name):
        """The dtypes that one primitive saw."""
        return {dtype for seen, dtype in self.seen if seen == name}


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
    "Momentum": lambda p: nn.Momentum(p, nn.dynamic_lr.cosine_decay_lr(0.01, 0.1, 10, 5, 2), 0.9, use_nesterov=True),
    "RMSProp": lambda p: nn.RMSProp(p, learning_rate=nn.ExponentialDecayLR(0.01, 0.5, 2), centered=True, momentum=0.5),
    "SGD": lambda p: nn.SGD(p, learning_rate=0.1, momentum=0.9, weight_decay=0.01),
}

WIDTH = 3  # of what goes into and comes out of every part of a random network


class Product(nn.Cell):
    """A listed primitive with a Parameter, in a user's cell."""

    def __init__(self):
        super().__init__()
        self.matmul, self.w = ops.MatMul(), ms.Parameter(np.eye(WIDTH, dtype=np.float32) / 2, name="w")

    def construct(self, x):
        return self.matmul(x, self.w)


class Functional(nn.Cell):
    """A functional form of a listed primitive."""

    def construct(self, x):
        return ops.relu(x) + x


class Looped(nn.Cell):
    """Parts in a CellList, called in a loop."""

    def __init__(self, parts):
        super().__init__()
        self.parts = nn.CellList(parts)

    def construct(self, x):
        for part in self.parts:
            x = part(x)
        return x


class Added(nn.Cell):
    """Parts whose outputs are added, each called twice."""

    def __init__(self, parts):
        super().__init__()
        self.inner = nn.SequentialCell(parts)

    def construct(self, x):
        return x + 0.5 * self.inner(self.inner(x))


LEAVES = {
    "dense": lambda: nn.Dense(WIDTH, WIDTH),
    "relu": nn.ReLU,
    "tanh": nn.Tanh,
    "batch norm": lambda: nn.BatchNorm1d(WIDTH),
    "layer norm": lambda: nn.LayerNorm((WIDTH,)),
    "dropout": lambda: nn.Dropout(p=0.3),
    "product": Product,
    "functional": Functional,
    "block": lambda: Block(WIDTH),
    "kept": lambda: nn.Dense(WIDTH, WIDTH).to_float(ms.float32),
}
HOLDERS = {"sequence": nn.SequentialCell, "loop": Looped, "sum": Added}


def plans():
    """Descriptions of random networks: a leaf's name, or a holder's with the plans of its parts."""
    leaf = st.sampled_from(sorted(LEAVES))
    part = st.recursive(
        leaf,
        lambda inner: st.tuples(st.sampled_from(sorted(HOLDERS)), st.lists(inner, min_size=1, max_size=3)),
        max_leaves=5,
    )
    return st.lists(part, min_size=1, max_size=4)


def planned(plan):
    """The network of a plan: a Dense, the parts, a Dense."""

    def made(part):
        return LEAVES[part]() if isinstance(part, str) else HOLDERS[part[0]]([made(inner) for inner in part[1]])

    return nn.SequentialCell([nn.Dense(WIDTH, WIDTH), *map(made, plan), nn.Dense(WIDTH, WIDTH)])


def rows(number, count=4):
    """An input of a random network, and a target."""
    rng = np.random.default_rng(number)
    return tuple(ms.Tensor(rng.standard_normal((count, WIDTH), np.float32)) for _ in range(2))
