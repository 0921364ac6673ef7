"""Networks whose constructs are made of calls alone, written in the MindSpore API.

The recorder runs this file under MindSpore 2.0.0, the tests with ``mindspore`` resolved to minispore. Each class
derives from ``nn.Cell`` itself: what 2.0.0 generates for another cannot be run.
"""

import mindspore as ms
import numpy as np
from mindspore import nn, ops


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.fc(x)
        x = self.relu(x)
        return x


class NestedCalls(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.fc(self.relu(x)))


class Repeated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        y = self.fc(self.fc(x))
        z = self.relu(self.fc(y))
        return z


class Primitives(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul(transpose_b=True)
        self.add = ops.Add()
        self.mul = ops.Mul()
        self.neg = ops.Neg()

    def construct(self, x, y):
        a = self.matmul(x, y)
        b = self.add(a, self.neg(a))
        return self.mul(b, self.add(a, b))


class TwiceRead(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul(transpose_b=True)
        self.add = ops.Add()
        self.mul = ops.Mul()
        self.neg = ops.Neg()

    def construct(self, x, y):
        a = self.neg(x)
        b = self.add(a, a)
        c = self.mul(b, y)
        return c


class Rebound(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul(transpose_b=True)
        self.add = ops.Add()
        self.mul = ops.Mul()
        self.neg = ops.Neg()

    def construct(self, x, y):
        y = self.neg(x)
        x = self.add(x, y)
        y = self.mul(x, y)
        x = self.neg(y)
        return x


class Constants(nn.Cell):
    def __init__(self):
        super().__init__()
        self.reshape = ops.Reshape()
        self.concat = ops.Concat(1)
        self.mean = ops.ReduceMean()

    def construct(self, x):
        y = self.reshape(x, (2, 2))
        z = self.mean(y, 1)
        return z


class Keywords(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = TwoInputs()

    def construct(self, x, y):
        return self.inner(x, other=y)


class TwoInputs(nn.Cell):
    def __init__(self):
        super().__init__()
        self.add = ops.Add()

    def construct(self, x, other):
        z = self.add(x, other)
        return z


class SubTrees(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = Chain()
        self.second = NestedCalls()
        self.both = TwoInputs()

    def construct(self, x):
        a = self.first(x)
        b = self.second(a)
        return self.both(a, b)


class DeepTrees(nn.Cell):
    def __init__(self):
        super().__init__()
        self.trees = SubTrees()
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.relu(self.trees(x))
        return x


class SharedTree(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block = Chain()

    def construct(self, x):
        x = self.block(x)
        x = self.block(x)
        return x


class Containers(nn.Cell):
    def __init__(self):
        super().__init__()
        self.seq = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU(), nn.Dense(4, 4))
        self.norm = nn.LayerNorm((4,))

    def construct(self, x):
        x = self.seq(x)
        x = self.norm(x)
        return x


class NestedContainers(nn.Cell):
    def __init__(self):
        super().__init__()
        self.seq = nn.SequentialCell([nn.SequentialCell([nn.Dense(4, 4), nn.ReLU()]), Chain()])

    def construct(self, x):
        return self.seq(x)


class Functions(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        x = ops.tanh(self.fc(x))
        return x


class FunctionNamedAsACell(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.fc(x)
        return ops.relu(x)


class Unused(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        y = self.fc(x)
        self.relu(y)
        return y


class SameTargets(nn.Cell):
    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d(2)
        self.conv1 = nn.Conv2d(1, 2, 3)
        self.conv2 = nn.Conv2d(2, 1, 3)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.pool(self.conv1(x))
        x = self.pool(self.conv2(x))
        return self.flatten(x)


class TwoTargets(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 3)
        self.add = ops.Add()

    def construct(self, x, h, c):
        h1, c1 = self.cell(x, (h, c))
        return self.add(h1, c1)


class ManyTrees(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = DeepTrees()
        self.second = SharedTree()
        self.third = Containers()
        self.both = TwoInputs()

    def construct(self, x):
        a = self.first(x)
        b = self.third(self.second(a))
        return self.both(self.first(b), a)


class SameClassTwice(nn.Cell):
    def __init__(self):
        super().__init__()
        self.left = Chain()
        self.right = Chain()
        self.add = ops.Add()

    def construct(self, x):
        return self.add(self.left(x), self.right(x))


class ContainersInTrees(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Containers()
        self.seq = nn.SequentialCell([NestedContainers(), nn.ReLU()])

    def construct(self, x):
        return self.seq(self.inner(x))


NETWORKS = [
    *(Chain, NestedCalls, Repeated, Primitives, TwiceRead, Rebound, Constants, Keywords, SubTrees, DeepTrees),
    *(SharedTree, Containers, NestedContainers, Functions, FunctionNamedAsACell, Unused, SameTargets, TwoTargets),
    *(ManyTrees, SameClassTwice, ContainersInTrees),
]

_SHAPES = {
    **{"Primitives": [(3, 4), (3, 4)], "TwiceRead": [(2, 4)] * 2, "Rebound": [(2, 4)] * 2, "Keywords": [(2, 4)] * 2},
    **{"Constants": [(1, 4)], "SameTargets": [(2, 1, 8, 8)], "TwoTargets": [(2, 4), (2, 3), (2, 3)]},
}


def made(network):
    """An object of a class above, with weights that are the same wherever it is made."""
    net = network()
    for i, parameter in enumerate(net.get_parameters()):
        values = np.sin(np.arange(parameter.size) + i).reshape(parameter.shape)
        parameter.set_data(ms.Tensor(values.astype(np.float32)))
    return net


def inputs(network):
    """Inputs for it, the same everywhere."""
    shapes = _SHAPES.get(network.__name__, [(2, 4)])
    return [ms.Tensor(np.cos(np.arange(np.prod(s)) + i).reshape(s).astype(np.float32)) for i, s in enumerate(shapes)]
