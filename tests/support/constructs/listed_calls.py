"""The code forms that a SymbolTree understands, each with the source it becomes and the dtypes it computes in under O1.

Each returns what a listed cell or primitive made of x, and ``x * NEAR``, which is not listed. A log names the
primitives in the order of their calls, with the number of bits that they compute in.
"""

import functools

import numpy as np

import minispore as ms
from minispore import nn, ops

NEAR = 1.000244140625  # 1 + 2**-12, which float16 rounds to 1
FORMS = []
_matmul = ops.MatMul()


def form(after, log):
    """Register a network with what its construct becomes, and with its log."""

    def register(cell):
        FORMS.append((cell, after, log))
        return cell

    return register


def identity():
    return nn.Dense(1, 1, weight_init=ms.Tensor(np.eye(1, dtype=np.float32)), has_bias=False)


def decorated(function):
    @functools.wraps(function)
    def inner(self, *args):
        return function(self, *args)

    return inner


class Parts(nn.Cell):
    """What the constructs use."""

    def __init__(self):
        super().__init__()
        self.fc, self.head, self.relu, self.matmul = identity(), identity(), ops.ReLU(), ops.MatMul()
        self.layers = nn.CellList([identity(), identity()])
        self.chain = nn.SequentialCell(identity(), nn.Identity())
        self.steps, self.table = [identity(), ops.ReLU()], {"a": identity(), "b": [identity()]}
        self.lstm = nn.LSTMCell(1, 1)
        self.act = lambda t: self.head(t)
        self.k, self.off = 2, False
        self.weight = ms.Parameter(ms.Tensor(np.eye(1, dtype=np.float32)), name="weight")

    def helper(self, t, scale=1):
        return self.head(t) * scale

    def split(self, t):
        return self.fc(t), t

    @property
    def first(self):
        return self.layers[0]


class Block(nn.Cell):
    """A cell of the user's, called by others."""

    def __init__(self):
        super().__init__()
        self.fc, self.off = identity(), False

    def construct(self, t, scale=1):
        if self.off:
            return t
        return self.fc(t) * scale


class Blocks(Parts):
    """Parts, and cells of the user's."""

    def __init__(self):
        super().__init__()
        self.block, self.blocks = Block(), nn.CellList([Block(), Block()])


@form(
    """
    self_weight = self.weight
    matmul = self.matmul(x, self_weight)
    fc = self.fc(matmul)
    relu = self.relu(fc)
    mult_var = x * NEAR
    tuple_var = (relu, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 ReLU16 Mul32",
)
class Nested(Parts):
    def construct(self, x):
        return self.relu(self.fc(self.matmul(x, self.weight))), x * NEAR


@form(
    """
    y = self.fc(x)
    y = self.fc(y)
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class CalledTwice(Parts):
    def construct(self, x):
        y = self.fc(x)
        y = self.fc(y)
        return y, x * NEAR


@form(
    """
    a, b = self.split(x)
    a, b = (b, a)
    relu = self.relu(b)
    tuple_var = (relu, b)
    subscript_var = tuple_var[0]
    mult_var = a * NEAR
    tuple_var_1 = (subscript_var, mult_var)
    return tuple_var_1
    """,
    "MatMul16 ReLU16 Mul32",
)
class Tuples(Parts):
    def construct(self, x):
        a, b = self.split(x)
        a, b = b, a
        return (self.relu(b), b)[0], a * NEAR


@form(
    """
    tuple_var = (x, x)
    h, c = self.lstm(x, tuple_var)
    fc = self.fc(x)
    first = second = fc
    add_var = first + second
    div_var = add_var / 2
    mult_var = x * NEAR
    tuple_var_1 = (div_var, mult_var, h, c)
    return tuple_var_1
    """,
    "LSTMStep16 MatMul16 Add32 Div32 Mul32",
)
class SeveralTargets(Parts):
    def construct(self, x):
        h, c = self.lstm(x, (x, x))
        first = second = self.fc(x)
        return (first + second) / 2, x * NEAR, h, c


@form(
    """
    block = self.block(t=x, scale=scale)
    mult_var = x * NEAR
    tuple_var = (block, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 Mul32",
)
class Keywords(Blocks):
    def construct(self, x, scale=1, *rest, low=True, **options):
        return self.block(t=x, scale=scale), x * NEAR


@form(
    """
    helper = self.helper(x, scale=1)
    mult_var = x * NEAR
    tuple_var = (helper, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 Mul32",
)
class Method(Parts):
    def construct(self, x):
        return self.helper(x, scale=1), x * NEAR


@form(
    """
    super_1 = super(SuperConstruct, self)
    y, kept = super_1.construct(x)
    fc = self.fc(y)
    tuple_var = (fc, kept)
    return tuple_var
    """,
    "MatMul16 MatMul16 ReLU16 Mul32 MatMul16",
)
class SuperConstruct(Nested):
    def construct(self, x):
        y, kept = super().construct(x)
        return self.fc(y), kept


@form(
    """
    self_weight = self.weight
    matmul = self.matmul(x, self_weight)
    fc = self.fc(matmul)
    relu = self.relu(fc)
    mult_var = x * NEAR
    tuple_var = (relu, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 ReLU16 Mul32",
)
class Inherited(Nested):
    pass


@form(
    """
    steps_0 = self.steps[0](x)
    steps_1 = self.steps[1](steps_0)
    mult_var = x * NEAR
    tuple_var = (steps_1, mult_var)
    return tuple_var
    """,
    "MatMul16 ReLU16 Mul32",
)
class HeldInList(Parts):
    def construct(self, x):
        return self.steps[1](self.steps[0](x)), x * NEAR


@form(
    """
    table_a = self.table['a'](x)
    table_b_0 = self.table['b'][0](table_a)
    mult_var = x * NEAR
    tuple_var = (table_b_0, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class HeldInDict(Parts):
    def construct(self, x):
        return self.table["b"][0](self.table["a"](x)), x * NEAR


@form(
    """
    layers_0 = self.layers[0](x)
    layers_1 = self.layers[-1](layers_0)
    mult_var = x * NEAR
    tuple_var = (layers_1, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class ElementOfCellList(Parts):
    def construct(self, x):
        return self.layers[-1](self.layers[0](x)), x * NEAR


@form(
    """
    self_layers = self.layers
    self_k = self.k
    sub_var = self_k - 1
    subscript_var = self_layers[sub_var]
    call = subscript_var(x)
    mult_var = x * NEAR
    tuple_var = (call, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class ComputedElement(Parts):
    def construct(self, x):
        return self.layers[self.k - 1](x), x * NEAR


@form(
    """
    twice = lambda t: self.fc(self.fc(t))
    twice_1 = twice(x)
    act = self.act(twice_1)
    mult_var = x * NEAR
    tuple_var = (act, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 MatMul16 Mul32",
)
class Lambda(Parts):
    def construct(self, x):
        twice = lambda t: self.fc(self.fc(t))  # noqa: E731 - a form
        return self.act(twice(x)), x * NEAR


@form(
    """
    fc = self.fc(x)
    mult_var = x * NEAR
    tuple_var = (fc, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class Decorated(Parts):
    @decorated
    def construct(self, x):
        return self.fc(x), x * NEAR


@form(
    """
    run = self.fc
    run_1 = run(x)
    mult_var = x * NEAR
    tuple_var = (run_1, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class Aliased(Parts):
    def construct(self, x):
        run = self.fc
        return run(x), x * NEAR


@form(
    """
    self_weight = self.weight
    _matmul_1 = _matmul(x, self_weight)
    Tensor = ms.Tensor(NEAR)
    mul = ops.mul(x, Tensor)
    tuple_var = (_matmul_1, mul)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class OfModule(Parts):
    def construct(self, x):
        return _matmul(x, self.weight), ops.mul(x, ms.Tensor(NEAR))


@form(
    """
    chain = self.chain(x)
    mult_var = x * NEAR
    tuple_var = (chain, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class Container(Parts):
    def construct(self, x):
        return self.chain(x), x * NEAR


@form(
    """
    block_1 = self.block(x)
    y = self.block(block_1, scale=1)
    for block in self.blocks:
        y = block(y)
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 MatMul16 Mul32 MatMul16 Mul32 MatMul16 Mul32 Mul32",
)
class NestedCells(Blocks):
    def construct(self, x):
        y = self.block(self.block(x), scale=1)
        for block in self.blocks:
            y = block(y)
        return y, x * NEAR


@form(
    """
    first = self.first(x)
    mult_var = x * NEAR
    tuple_var = (first, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class Property(Parts):
    def construct(self, x):
        return self.first(x), x * NEAR


@form(
    """
    def twice(t):
        return self.fc(self.fc(t))
    return (twice(x), x * NEAR)
    """,
    "MatMul16 MatMul16 Mul32",
)
class NestedFunction(Parts):
    def construct(self, x):
        def twice(t):
            return self.fc(self.fc(t))

        return twice(x), x * NEAR


@form(
    """
    y = me.fc(x)
    relu = me.relu(x)
    y *= relu
    assert y.ndim == 2, 'a message'
    kept = x * NEAR
    tuple_var = (y, kept)
    return tuple_var
    """,
    "MatMul16 ReLU16 Mul32 Mul32",
)
class AugmentedAndAsserted(Parts):
    def construct(me, x):  # noqa: N805 - a form
        """Docstrings are left out."""
        y = me.fc(x)
        y *= me.relu(x)
        assert y.ndim == 2, "a message"
        kept: ms.Tensor = x * NEAR
        return y, kept


@form(
    """
    MatMul = ops.MatMul(transpose_b=True)
    self_weight = self.weight
    MatMul_1 = MatMul(x, self_weight)
    mult_var = x * NEAR
    tuple_var = (MatMul_1, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class MadeInConstruct(Parts):
    def construct(self, x):
        return ops.MatMul(transpose_b=True)(x, self.weight), x * NEAR
