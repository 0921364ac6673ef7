"""Networks as users write them, with calls that are hard to see: aliases, partials, helpers, bases, closures."""

import functools
import types

from support.constructs.listed_calls import identity

from minispore import nn, ops

NETWORKS = []


def network(cell):
    """Register a network."""
    NETWORKS.append(cell)
    return cell


def apply(f, x):
    return f(x)


def twice(f, x):
    return apply(f, apply(f, x))


class Holder:
    """An object that calls what it holds."""

    def __init__(self, f):
        self.f = f

    def __call__(self, x):
        return self.f(x)


class Inner(nn.Cell):
    """A cell whose methods others call."""

    def __init__(self):
        super().__init__()
        self.fc = identity()

    def construct(self, x):
        return self.fc(x)

    def extra(self, x):
        return ops.relu(self.fc(x))


class Base(nn.Cell):
    """A network that others extend."""

    def __init__(self):
        super().__init__()
        self.fc, self.tanh = identity(), nn.Tanh()

    def construct(self, x):
        return self.tanh(self.fc(x))


class Parts(Base):
    """What the constructs use."""

    def __init__(self):
        super().__init__()
        self.head, self.relu, self.inner, self.spare = identity(), ops.ReLU(), Inner(), identity()
        self.chain = nn.SequentialCell(identity(), nn.ReLU())


@network
class DictInALoop(Parts):
    def __init__(self):
        super().__init__()
        self.table = {"a": identity(), "b": nn.Tanh(), "c": identity()}

    def construct(self, x):
        for key in ("c", "a"):
            x = self.table[key](x)
        for _, part in self.table.items():
            x = part(x)
        return x


@network
class HelperGetsACell(Parts):
    def helper(self, f, x):
        return f(x) + x

    def construct(self, x):
        return self.helper(self.head, twice(self.fc, x)) * self.helper(f=self.relu, x=x)


@network
class Properties(Parts):
    @property
    def first(self):
        return self.chain[0]

    @property
    def last(self):
        return self.chain[len(self.chain) - 1]

    def construct(self, x):
        return self.last(self.first(x))


@network
class Partials(Parts):
    def __init__(self):
        super().__init__()
        self.part, self.product = functools.partial(self.fc), functools.partial(ops.mm, mat2=ops.ones((1, 1)))
        self.softmax, self.act = functools.partial(ops.softmax, axis=-1), functools.partial(ops.relu)

    def construct(self, x):
        made = functools.partial(self.head)
        return self.act(self.softmax(self.product(self.part(made(x)))))


@network
class MethodAliases(Parts):
    def __init__(self):
        super().__init__()
        self.run, self.go, self.call = self.step, self.head.construct, self.inner.__call__

    def step(self, x):
        return ops.relu(self.fc(x))

    other = step

    def construct(self, x):
        return self.other(self.run(self.go(self.call(x))))


@network
class CallsOfBases(Parts):
    def construct(self, x):
        return self.head(Base.construct(self, super().construct(x)))


@network
class DunderCalls(Parts):
    def construct(self, x, deep=True):
        if deep:
            return self.__call__(x, False)
        return self.inner.__call__(self.fc.__call__(x)) + self.inner.extra(x)


@network
class Closures(Parts):
    def __init__(self):
        super().__init__()
        fc, relu = identity(), ops.ReLU()

        def inner(x):
            return relu(fc(x)) + ops.softmax(x)

        self.f, self.functions = lambda x: inner(x), (inner,)
        self.make = lambda k: lambda x: fc(x) * k

    def construct(self, x):
        return self.f(x) + self.functions[0](x) + self.make(2)(x)


@network
class FunctionsInTables(Parts):
    """Functions of the package under names of the user's."""

    def __init__(self):
        super().__init__()
        self.space = types.SimpleNamespace(mm=ops.mm, many=[ops.relu, ops.mm], table={"mm": ops.matmul})
        self.module, self.functions, self.f = ops, [ops.mm, ops.softmax], ops.relu

    def construct(self, x):
        y = self.space.mm(x, x) + self.space.many[0](x) + self.space.table["mm"](x, x)
        y = y + self.module.mm(x, x) + self.functions[0](x, x) + self.f(x)
        (z,) = [self.space.mm(t, t) for t in (y,)]
        return z + self.space.many[1](y, y)


@network
class FunctionsUnderLocalNames(Parts):
    def __init__(self):
        super().__init__()
        self.space, self.module = types.SimpleNamespace(mm=ops.mm, many=[ops.relu, ops.softmax]), ops
        self.each = [lambda x: ops.mm(x, x), self.step]

    def step(self, x):
        return ops.relu(x)

    def construct(self, x):
        space, module = self.space, self.module
        x = space.many[1](space.mm(x, x) + module.mm(x, x))
        for function in self.each:
            x = function(x)
        return x


@network
class MethodsOfTensors(Parts):
    def construct(self, x):
        y = x.matmul(x) + x.mm(x) + x @ x + x.dot(x) + x.expand_dims(0).bmm(x.expand_dims(0))[0]
        return x.addmm(y, y) - y.sum() + (-y).softmax(-1) ** 2


@network
class ByNamesMadeOfText(Parts):
    def construct(self, x):
        for name in ("fc", "head"):
            x = getattr(self, name)(x)
        return getattr(ops, "mm")(x, getattr(ops, "re" + "lu")(x))  # noqa: B009 - a form


@network
class WalrusAndStars(Parts):
    def construct(self, x, f=None):
        if (g := self.fc) is not None:
            x = g(x)
        h = f or self.head
        first, *rest = [self.fc, self.head]
        x = (lambda q, *values: q(*values))(h, x) + [*rest, first][-1](x)
        return (self.fc if x.ndim == 2 else self.head)(x)


@network
class MethodsOfOtherCells(Parts):
    def __init__(self):
        super().__init__()
        self.others = [Inner()]

    def construct(self, x):
        values = [f(x) for f in (self.inner.extra, self.others[0].extra)]
        return values[0] + values[1] + self.others[0].extra(x)


@network
class Generators(Parts):
    def parts(self):
        yield self.fc
        yield from self.chain

    def construct(self, x):
        for part in self.parts():
            x = part(x)
        return self.chain[0](x)


@network
class KeptInPassing(Parts):
    def construct(self, x):
        self.current, stack, table = self.fc, [], {"f": ops.relu}
        stack.append(self.head)
        table["g"] = ops.mm
        x = stack[0](self.current(x))
        return table["g"](x, x) + table["f"](x)


@network
class Wrapped(Parts):
    @staticmethod
    def act(x):
        return ops.relu(x)

    @functools.cache  # noqa: B019 - a form
    def pick(self):
        return self.fc

    def construct(self, x):
        return self.act(self.pick()(x))


@network
class Objects(Parts):
    def __init__(self):
        super().__init__()
        self.cells, self.functions = Holder(self.fc), [Holder(ops.relu), Holder(lambda x: ops.mm(x, x))]

    def construct(self, x):
        return self.functions[1](self.functions[0](self.cells(x)))


@network
class SharedAndCalledTwice(Parts):
    def __init__(self):
        super().__init__()
        self.same, self.layers = self.fc, nn.CellList([self.fc, nn.SequentialCell(self.inner, self.inner)])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.same(self.fc(x))
