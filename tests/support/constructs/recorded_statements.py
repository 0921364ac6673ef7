"""Networks whose constructs are more than calls, which MindSpore 2.0.0 rewrites wrongly, or not at all.

The recorder runs this file under MindSpore 2.0.0, the tests with ``mindspore`` resolved to minispore.
"""

import contextlib

import mindspore as ms
from mindspore import nn, ops

__all__ = ["BEYOND"]


class Parts(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.fc(x))


class ThroughAttribute(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        y = self.fc(x)
        z = y.T
        return self.relu(z)


class ThroughTuple(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        y = self.fc(x)
        t = (y, x)
        return self.relu(t[0])


class ThroughMethod(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def helper(self, t):
        return self.fc(t)

    def construct(self, x):
        y = self.helper(x)
        return self.relu(y)


class LeftToRight(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        return self.fc(x) + x * 2


class Condition(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()
        self.off = False

    def construct(self, x):
        if self.off:  # noqa: SIM108 - a form
            x = self.fc(x)
        else:
            x = self.relu(x)
        return x


class EarlyReturn(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        if x.ndim > 5:
            return x
        return self.fc(x)


class Loop(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.layers = nn.CellList([nn.Dense(4, 4), nn.ReLU()])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Repeats(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        i = 0
        while i < 2:
            x = self.fc(x)
            i += 1
        return x


class Element(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()
        self.layers = nn.CellList([nn.Dense(4, 4), nn.ReLU()])

    def construct(self, x):
        x = self.layers[0](x)
        return self.relu(x)


class Entry(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.table = {"a": nn.ReLU()}

    def construct(self, x):
        return self.table["a"](self.fc(x))


class Ternary(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        x = self.fc(x) if x.ndim == 2 else x
        return x


class Comprehension(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        y = [self.fc(x) for _ in range(2)]
        return y[0]


class Lambda(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        f = lambda t: self.fc(t)  # noqa: E731 - a form
        return f(x)


class With(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        with contextlib.nullcontext():
            x = self.fc(x)
        return x


class Try(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        try:
            x = self.fc(x)
        except ValueError:
            x = self.relu(x)
        return x


class Augmented(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        x += self.fc(x)
        return x


class KeywordOnly(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x, *, scale=2):
        return self.fc(x)


class Starred(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, *xs):
        return self.fc(xs[0])


class NotCalledSelf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(me, x):  # noqa: N805 - a form
        x = me.fc(x)
        return x


class Inherited(Parts):
    pass


class CallsSuper(Parts):
    def construct(self, x):
        x = super().construct(x)
        return self.relu(x)


class Functional(nn.Cell):
    def construct(self, x):
        return ops.relu(ops.tanh(x))


class ReadsParameter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.add = ops.Add()
        self.w = ms.Parameter(ms.Tensor([1.5]), name="w")

    def construct(self, x):
        y = self.add(x, self.w)
        return y


BEYOND = [
    *(
        ThroughAttribute,
        ThroughTuple,
        ThroughMethod,
        LeftToRight,
        Condition,
        EarlyReturn,
        Loop,
        Repeats,
        Element,
        Entry,
    ),
    *(Ternary, Comprehension, Lambda, With, Try, Augmented, KeywordOnly, Starred, NotCalledSelf, Inherited, CallsSuper),
    *(Functional, ReadsParameter),
]
