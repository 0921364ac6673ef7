"""More calls that are hard to see, by what stands outside the construct: defaults, classes, captured names."""

import types

from support.constructs.hidden_calls import NOTED, noted
from support.constructs.listed_calls import NEAR, Parts, identity

from minispore import ops

__all__ = ["NOTED"]

ACTS, SPACE, RELU = [ops.ReLU()], types.SimpleNamespace(relu=ops.ReLU()), ops.ReLU()


class Constants:
    """What a class holds."""

    relu = ops.ReLU()


def with_default(t, f=ops.relu):
    return f(t)


@noted("from outside the network")
class PrimitiveOfAnotherClass(Parts):
    def construct(self, x):
        return Constants.relu(x), x * NEAR


@noted("from outside the network")
class PrimitiveInAListOfTheModule(Parts):
    def construct(self, x):
        return ACTS[0](x), x * NEAR


@noted("from outside the network")
class PrimitiveOfANamespace(Parts):
    def construct(self, x):
        return SPACE.relu(x), x * NEAR


@noted("the default of a parameter")
class CellAsADefault(Parts):
    def construct(self, x, f=identity()):  # noqa: B008 - a form
        return f(x), x * NEAR


@noted("the default of a parameter")
class PrimitiveAsADefaultByKeyword(Parts):
    def construct(self, x, *, f=RELU):
        return f(x), x * NEAR


@noted("the default of a parameter")
class PrimitiveAsADefaultOfAMethod(Parts):
    def apply(self, t, f=RELU):
        return f(t)

    def construct(self, x):
        return self.apply(x), x * NEAR


@noted("the default of a parameter")
class PrimitiveAsADefaultOfAStaticMethod(Parts):
    @staticmethod
    def apply(t, f=RELU):
        return f(t)

    def construct(self, x):
        return self.apply(x), x * NEAR


@noted("the default of a parameter")
class FunctionAsADefaultOfAFunction(Parts):
    def construct(self, x):
        return with_default(x), x * NEAR


@noted("as a function")
class ProductAssigned(Parts):
    def construct(self, x):
        y = x
        y @= self.weight
        return y, x * NEAR


@noted("not a plain name")
class ProductAssignedToAnElement(Parts):
    def construct(self, x):
        table = {"x": x}
        table["x"] @= self.weight
        return table["x"], x * NEAR


@noted("as a function")
class FunctionInALambda(Parts):
    def __init__(self):
        super().__init__()
        self.act = lambda t: ops.relu(t)

    def construct(self, x):
        return self.act(x), x * NEAR


@noted("from outside the network")
class NameInALambda(Parts):
    def __init__(self):
        super().__init__()
        self.act = lambda t, scale=1: RELU(t) * scale

    def construct(self, x):
        return self.act(x), x * NEAR


def _capturing():
    fc, relu, acts = identity(), ops.ReLU(), [ops.ReLU()]

    def function(t):
        return fc(t)

    @noted("from outside the network")
    class CapturedByAMethod(Parts):
        def helper(self, t, scale=1):
            return relu(t)

        def construct(self, x):
            return self.helper(x), x * NEAR

    @noted("from outside the network")
    class CapturedByACapturedFunction(Parts):
        def construct(self, x):
            return function(x), x * NEAR

    @noted("from outside the network")
    class PrimitiveInACapturedList(Parts):
        def construct(self, x):
            return acts[0](x), x * NEAR


_capturing()
