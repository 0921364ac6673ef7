"""Calls that are hard to see: through objects, helpers, captured variables, classes and names from outside.

Under O1 what is listed computes in float16 in those that are ``CONVERTED``, and is named in the receipt in those that
are ``NOTED``, with a reason that says what is in the way.
"""

import functools
import types

from support.constructs.listed_calls import NEAR, Block, Parts, identity

from minispore import nn, ops

CONVERTED, NOTED = [], []
RELU, HEAD = ops.ReLU(), identity()


def converted(cell):
    """Register a network whose listed calls are converted."""
    CONVERTED.append(cell)
    return cell


def noted(reason):
    """Register a network whose listed call stays in float32, and a part of the reason that the receipt gives."""

    def register(cell):
        NOTED.append((cell, reason))
        return cell

    return register


def apply(f, x):
    return f(x)


def apply_many(functions, x):
    for f in functions:
        x = f(x)
    return x


def uses_function(x):
    return ops.relu(x)


def uses_operator(x, w):
    return x @ w


def uses_name(x):
    return RELU(x)


def uses_helper(x):
    return uses_name(x)


class Plain:
    """An object that is no cell."""

    def __init__(self):
        self.cell = identity()

    def run(self, x):
        return self.cell(x)

    def __call__(self, x):
        return self.cell(x)


class Slots:
    """One without a dict."""

    __slots__ = ("cell",)

    def __init__(self):
        self.cell = identity()


mod = types.ModuleType("mod")
mod.cell, mod.relu, mod.ns = identity(), ops.ReLU(), types.SimpleNamespace(cell=identity())
CELLS, TABLE, HOLDER = [identity()], {"a": identity()}, Plain()


class Held(Parts):
    """What the constructs use."""

    def __init__(self):
        super().__init__()
        self.part, self.ns = functools.partial(apply, self.fc), types.SimpleNamespace(cell=identity())


class HoldsObject(Held):
    """A cell that holds an object."""

    def __init__(self):
        super().__init__()
        self.holder = Plain()
        self.meth = self.holder.run


class HoldsDeepObject(Held):
    """A cell that holds an object in a list."""

    def __init__(self):
        super().__init__()
        self.deep = {"a": [Plain()]}


class HoldsSlots(Held):
    """A cell that holds an object without a dict."""

    def __init__(self):
        super().__init__()
        self.slots = Slots()


class Applier(nn.Cell):
    """A cell that calls another that it is given."""

    def construct(self, f, x):
        return f(x)


class Names(nn.Cell):
    """A cell that calls others by names from outside."""

    def construct(self, x):
        return mod.cell(HEAD(x))


@converted
class HeldInNamespace(Held):
    def construct(self, x):
        return (self.ns.cell(x), x * NEAR)


@converted
class HeldInPartial(Held):
    def construct(self, x):
        return (self.part(x), x * NEAR)


@converted
class PartialMadeInConstruct(Held):
    def construct(self, x):
        f = functools.partial(apply, self.fc)
        return (f(x), x * NEAR)


@converted
class PrimitiveOfAnotherModule(Held):
    def construct(self, x):
        return (mod.relu(x), x * NEAR)


@converted
class PrimitiveMadeAndCalledInABranch(Held):
    def construct(self, x):
        r = ops.ReLU()
        if self.k:
            x = r(x)
        return (x, x * NEAR)


@converted
class FunctionHeldAsAnAttribute(Held):
    def __init__(self):
        super().__init__()
        self.f = ops.relu

    def construct(self, x):
        return (self.f(x), x * NEAR)


@converted
class CellHandedToAFunction(Held):
    def construct(self, x):
        return (apply(self.fc, x), x * NEAR)


@converted
class CellsHandedToAFunction(Held):
    def construct(self, x):
        return (apply_many(self.layers, x), x * NEAR)


@converted
class CellHandedByKeyword(Held):
    def construct(self, x):
        return (apply(f=self.fc, x=x), x * NEAR)


@converted
class MethodWithBranches(Held):
    def m(self, t):
        if t.ndim == 2:
            for layer in self.layers:
                t = layer(t)
        else:
            t = self.head(t)
        return t

    def construct(self, x):
        return (self.m(x), x * NEAR)


@converted
class RecursiveMethod(Held):
    def m(self, t, n):
        return t if n == 0 else self.m(self.fc(t), n - 1)

    def construct(self, x):
        return (self.m(x, 2), x * NEAR)


@converted
class PropertyThatGivesACell(Held):
    @property
    def act2(self):
        return self.steps[0]

    def construct(self, x):
        return (self.act2(x), x * NEAR)


@converted
class PropertyThatComputes(Held):
    @property
    def out(self):
        return self.fc(self.inp)

    def construct(self, x):
        self.inp = x
        return (self.out, x * NEAR)


@converted
class LambdaMadeByAMethod(Held):
    def maker(self):
        fc = self.fc
        return lambda t: fc(t)

    def construct(self, x):
        return (self.maker()(x), x * NEAR)


@converted
class CapturedByAnAttribute(Held):
    def __init__(self):
        super().__init__()
        c = identity()
        self.f = lambda t: c(t)

    def construct(self, x):
        return (self.f(x), x * NEAR)


@converted
class DefaultOfAnAttribute(Held):
    def __init__(self):
        super().__init__()

        def f(t, c=identity()):  # noqa: B008 - a form
            return c(t)

        self.f = f

    def construct(self, x):
        return (self.f(x), x * NEAR)


@converted
class MethodsThatCallMethods(Held):
    def a(self, t):
        return self.b(t)

    def b(self, t):
        return super().helper(t)

    def construct(self, x):
        return (self.a(x), x * NEAR)


@converted
class TakenFromTheTable(Held):
    def construct(self, x):
        return (self._cells["fc"](x), x * NEAR)


@converted
class TakenFromVars(Held):
    def construct(self, x):
        return (vars(self)["steps"][0](x), x * NEAR)


@converted
class AttributeOfTheClass(Held):
    CELL = identity()

    def construct(self, x):
        return (self.CELL(x), x * NEAR)


@converted
class ListOfTheClass(Held):
    CELLS = (identity(),)

    def construct(self, x):
        return (self.CELLS[0](x), x * NEAR)


@converted
class DunderCall(Held):
    def construct(self, x):
        return (self.fc.__call__(x), x * NEAR)


@converted
class MappedOver(Held):
    def construct(self, x):
        return (list(map(self.fc, [x]))[-1], x * NEAR)


@converted
class Reduced(Held):
    def construct(self, x):
        return (functools.reduce(lambda a, c: c(a), self.layers, x), x * NEAR)


@converted
class ElementOfAContainer(Held):
    def construct(self, x):
        return (self.chain[0](x), x * NEAR)


@converted
class CellOfAnotherCell(Held):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def construct(self, x):
        return (self.block.fc(x), x * NEAR)


@converted
class CellHandedToACell(Held):
    def __init__(self):
        super().__init__()
        self.ap = Applier()

    def construct(self, x):
        return (self.ap(self.fc, x), x * NEAR)


@converted
class GeneratorMethod(Held):
    def gen(self, t):
        for layer in self.layers:
            yield layer(t)

    def construct(self, x):
        return (list(self.gen(x))[-1], x * NEAR)


@converted
class ClassInConstruct(Held):
    def construct(self, x):

        class K:
            def r(s, t):  # noqa: N805 - a form
                return self.fc(t)

        return (K().r(x), x * NEAR)


@noted("an object")
class HeldByAnObject(HoldsObject):
    def construct(self, x):
        return (self.holder.cell(x), x * NEAR)


@noted("an object")
class MethodOfAnObject(HoldsObject):
    def construct(self, x):
        return (self.holder.run(x), x * NEAR)


@noted("an object")
class ObjectThatIsCalled(HoldsObject):
    def construct(self, x):
        return (self.holder(x), x * NEAR)


@noted("an object")
class ObjectInAList(HoldsDeepObject):
    def construct(self, x):
        return (self.deep["a"][0].cell(x), x * NEAR)


@noted("an object")
class ObjectWithSlots(HoldsSlots):
    def construct(self, x):
        return (self.slots.cell(x), x * NEAR)


@noted("an object")
class BoundMethodOfAnObject(HoldsObject):
    def construct(self, x):
        return (self.meth(x), x * NEAR)


@noted("from outside the network")
class CellOfAnotherModule(Held):
    def construct(self, x):
        return (mod.cell(x), x * NEAR)


@noted("from outside the network")
class NamespaceOfAnotherModule(Held):
    def construct(self, x):
        return (mod.ns.cell(x), x * NEAR)


@noted("from outside the network")
class CellOfAnotherModuleInABranch(Held):
    def construct(self, x):
        if self.k:
            x = mod.cell(x)
        return (x, x * NEAR)


@noted("from outside the network")
class CellOfAnotherModuleInAComprehension(Held):
    def construct(self, x):
        return ([mod.cell(t) for t in (x,)][-1], x * NEAR)


@noted("the code makes it")
class CellMadeInConstruct(Held):
    def construct(self, x):
        return (nn.Dense(1, 1, weight_init="ones", has_bias=False)(x), x * NEAR)


@noted("the code makes it")
class CellMadeInALambda(Held):
    def construct(self, x):
        return ((lambda t: nn.Dense(1, 1, weight_init="ones", has_bias=False)(t))(x), x * NEAR)


@noted("the code makes it")
class PrimitiveMadeInALambda(Held):
    def construct(self, x):
        return ((lambda t: ops.ReLU()(t))(x), x * NEAR)


@noted("the code makes it")
class PrimitiveMadeForAComprehension(Held):
    def construct(self, x):
        r = ops.ReLU()
        return ([r(t) for t in (x,)][-1], x * NEAR)


@noted("as a function")
class FunctionCalled(Held):
    def construct(self, x):
        return (ops.relu(x), x * NEAR)


@noted("as a function")
class FunctionInALambda(Held):
    def construct(self, x):
        return ((lambda t: ops.relu(t))(x), x * NEAR)


@noted("as a function")
class FunctionInAComprehension(Held):
    def construct(self, x):
        return ([ops.relu(t) for t in (x,)][-1], x * NEAR)


@noted("as a function")
class FunctionInANestedFunction(Held):
    def construct(self, x):

        def f(t):
            return ops.relu(t)

        return (f(x), x * NEAR)


@noted("as a function")
class FunctionInAHelper(Held):
    def construct(self, x):
        return (uses_function(x), x * NEAR)


@noted("as a function")
class OperatorInAHelper(Held):
    def construct(self, x):
        return (uses_operator(x, self.weight), x * NEAR)


@noted("from outside the network")
class NameInAHelper(Held):
    def construct(self, x):
        return (uses_name(x), x * NEAR)


@noted("from outside the network")
class NameInAHelpersHelper(Held):
    def construct(self, x):
        return (uses_helper(x), x * NEAR)


@noted("as a function")
class FunctionInAMethod(Held):
    def m(self, t):
        return ops.relu(t)

    def construct(self, x):
        return (self.m(x), x * NEAR)


@noted("as a function")
class FunctionInAStaticMethod(Held):
    @staticmethod
    def m(t):
        return ops.relu(t)

    def construct(self, x):
        return (self.m(x), x * NEAR)


@noted("from outside the network")
class NameInAStaticMethod(Held):
    @staticmethod
    def m(t):
        return RELU(t)

    def construct(self, x):
        return (self.m(x), x * NEAR)


@noted("from outside the network")
class ClassMethod(Held):
    RE = ops.ReLU()

    @classmethod
    def m(cls, t):
        return cls.RE(t)

    def construct(self, x):
        return (self.m(x), x * NEAR)


@noted("handed over")
class FunctionUnderAnotherName(Held):
    def construct(self, x):
        f = ops.relu
        return (f(x), x * NEAR)


@noted("handed over")
class FunctionHandedOver(Held):
    def construct(self, x):
        return (apply(ops.relu, x), x * NEAR)


@noted("method of a Tensor")
class MethodOfATensor(Held):
    def construct(self, x):
        return (x.matmul(self.weight), x * NEAR)


@noted("an object that is no cell")
class ObjectCapturedByAFunction(Held):
    def __init__(self):
        super().__init__()
        c = Plain()
        self.f = lambda t: c.cell(t)

    def construct(self, x):
        return (self.f(x), x * NEAR)


@noted("of class 'Plain'")
class ObjectsAttributeByGetattr(HoldsObject):
    def construct(self, x):
        return getattr(self.holder, "cell")(x), x * NEAR  # noqa: B009 - a form


@noted("from outside the network")
class ClassByName(Held):
    CELL = identity()

    def construct(self, x):
        return (ClassByName.CELL(x), x * NEAR)


@noted("its method is called")
class ConstructCalledItself(Held):
    def construct(self, x):
        return (self.fc.construct(x), x * NEAR)


@noted("from outside the network")
class ElementOfAListOfTheModule(Held):
    def construct(self, x):
        return (CELLS[0](x), x * NEAR)


@noted("from outside the network")
class EntryOfADictOfTheModule(Held):
    def construct(self, x):
        return (TABLE["a"](x), x * NEAR)


@noted("from outside the network")
class ObjectOfTheModule(Held):
    def construct(self, x):
        return (HOLDER.cell(x), x * NEAR)


@noted("from outside the network")
class LoopOverAListOfTheModule(Held):
    def construct(self, x):
        for c in CELLS:
            x = c(x)
        return (x, x * NEAR)


@noted("from outside the network")
class NamesInACellInside(Held):
    def __init__(self):
        super().__init__()
        self.inner = Names()

    def construct(self, x):
        return (self.inner(x), x * NEAR)


@noted("a hook holds it")
class CellInAHook(Held):
    def __init__(self):
        super().__init__()
        extra = identity()
        self.nn_id = nn.Identity()
        self.nn_id.register_forward_hook(lambda i, a, o: extra(o))

    def construct(self, x):
        return (self.nn_id(x), x * NEAR)


class Wrap(nn.Cell):
    """A cell of the user's that holds a listed one."""

    def __init__(self):
        super().__init__()
        self.fc = identity()

    def construct(self, x):
        return self.fc(x)


WRAPPED = Wrap()


@converted
class NameHandedToAFunction(Parts):
    def construct(self, x):
        return apply(RELU, apply(f=HEAD, x=x)), x * NEAR


@converted
class NameUnderAnotherName(Parts):
    def construct(self, x):
        f = HEAD
        return f(x), x * NEAR


@converted
class LoopOverNames(Parts):
    def construct(self, x):
        y = x
        for f in (HEAD, RELU):
            y = f(y)
        return y, x * NEAR


@converted
class ListOfNames(Parts):
    def construct(self, x):
        fs = [HEAD, RELU]
        return fs[1](fs[0](x)), x * NEAR


@converted
class NameChosen(Parts):
    def construct(self, x):
        f = HEAD if self.k else RELU
        return f(x), x * NEAR


@converted
class NameInANestedFunction(Parts):
    def construct(self, x):
        def f(t):
            return apply(HEAD, t)

        return f(x), x * NEAR


@converted
class CellClassInConstruct(Parts):
    def construct(self, x):
        class Inner(nn.Cell):
            def construct(this, t):  # noqa: N805 - a form
                return self.fc(t)

        return Inner()(x), x * NEAR


@converted
class UsersCellByName(Parts):
    def construct(self, x):
        return WRAPPED(x), x * NEAR


@noted("from outside the network")
class UsersCellByNameInAMethod(Parts):
    def helper(self, t, scale=1):
        return WRAPPED(t)

    def construct(self, x):
        return self.helper(x), x * NEAR


@noted("from outside the network")
class CellInAUsersCellByName(Parts):
    def construct(self, x):
        return WRAPPED.fc(x), x * NEAR


@noted("the code makes it")
class UsersCellMadeInConstruct(Parts):
    def construct(self, x):
        return Wrap()(x), x * NEAR


@noted("the code makes it")
class PrimitiveMadeAmongOthers(Parts):
    def construct(self, x):
        f, _ = ops.ReLU(), 1
        return f(x), x * NEAR


@noted("the code makes it")
class PrimitiveMadeAndHandedOver(Parts):
    def construct(self, x):
        return apply(ops.ReLU(), x), x * NEAR


@noted("the code makes it")
class PrimitiveMadeByAMethod(Parts):
    def helper(self, t, scale=1):
        return ops.ReLU()(t)

    def construct(self, x):
        return self.helper(x), x * NEAR


@noted("the code makes it")
class PrimitiveMadeInACondition(Parts):
    def construct(self, x):
        if ops.ReLU()(x).sum() > 0:
            return x, x * NEAR
        return x, x
