"""Calls: make the node of a call, by the kind of callee: a cell, a primitive, a function, a method."""

import inspect
import textwrap

import numpy as np
import pytest
from rewrite.parse.test_parse import _TWO, Base, Nested

import minispore as ms
from minispore import ops
from minispore.rewrite import SymbolTree, check


class Rebinding(Base):
    def construct(self, x):
        x = self.fc(x)
        x = self.relu(x)
        return x


class Residual(Base):
    def construct(self, x):
        identity = x
        x = self.fc(x) * 2 - -x
        x += identity
        return x


class Tuples(Base):
    def construct(self, x, y):
        a, b = self.fc(x), self.fc(y)
        a, b = b, a
        return a, self.relu(b)


class Attributes(Base):
    def construct(self, x):
        return self.matmul(x, self.weight) + self.k * x.shape[0] + self.fc.weight + x.dtype.np.itemsize


class Calls(Base):
    def construct(self, x):
        x = self.helper(x).reshape((3, 3))
        return ops.concat(axis=0, tensors=(self.layers[0](x), ops.relu(x)))


class Subscripts(Base):
    def construct(self, x):
        x = x[0:2, 1] + self.fc(x)[..., -1][0]
        return x


class Conditions(Base):
    def construct(self, x):
        x = self.fc(x)
        if self.k > 1:
            x = self.relu(x)
        for layer in self.layers:
            x = layer(x)
        y = x if self.k else -x
        return sum([x * i for i in range(2)]) + y


class EarlyReturn(Base):
    def construct(self, x):
        if self.k > 1:
            return self.fc(x)
        return x


class NestedFunction(Base):
    def construct(self, x):
        def twice(y):
            return self.fc(y) + y

        x = twice(x)
        return x


class LateBinding(Base):
    def construct(self, x):
        late = lambda: x + 1  # noqa: E731 - a form to be parsed
        x = self.fc(x)
        return late()


class Everything(Base):
    def construct(self, x, *rest, scale=_TWO, **options):
        with np.errstate(all="ignore"):
            x = x * scale
        try:
            y = rest[0]
        except IndexError:
            y = x
        while y is None:
            y = x
        z = [*rest, x]
        z[0] = x
        assert len(z), f"{z}"
        w: ms.Tensor = self.fc(*z[:1], **options)
        return w if y is x and 0 < 1 < 2 else (v := w) + v


class OtherSelf(Base):
    def construct(me, x):  # noqa: N805 - a form to be parsed
        return me.fc(x)


class Inheriting(Nested):
    pass


class Extending(Nested):
    def construct(self, x):
        return super().construct(x) + x


class Mutating(Base):
    def construct(self, x, y):
        outs = []
        outs += [self.fc(x)]
        outs.append(y)
        first = second = outs
        second.append(x)
        return first[2] + first[0]


def body(cell):
    """The lines of the construct that the tree of a cell writes."""
    text = SymbolTree.create(cell).get_code()
    return textwrap.dedent(text[text.index("def construct") :].split("\n", 1)[1]).strip()


@pytest.mark.parametrize(
    ("cell", "after"),
    [
        (
            Nested,
            """
            fc = self.fc(x)
            fc_1 = self.fc(fc)
            relu = self.relu(fc_1)
            return relu
            """,
        ),
        (
            Rebinding,
            """
            x = self.fc(x)
            x = self.relu(x)
            return x
            """,
        ),
        (
            Residual,
            """
            identity = x
            fc = self.fc(x)
            mult_var = fc * 2
            usub_var = -x
            x = mult_var - usub_var
            x += identity
            return x
            """,
        ),
        (
            Tuples,
            """
            fc = self.fc(x)
            fc_1 = self.fc(y)
            a, b = (fc, fc_1)
            a, b = (b, a)
            relu = self.relu(b)
            tuple_var = (a, relu)
            return tuple_var
            """,
        ),
        (
            Attributes,
            """
            self_weight = self.weight
            matmul = self.matmul(x, self_weight)
            self_k = self.k
            x_shape = x.shape
            subscript_var = x_shape[0]
            mult_var = self_k * subscript_var
            add_var = matmul + mult_var
            self_fc_weight = self.fc.weight
            add_var_1 = add_var + self_fc_weight
            x_dtype = x.dtype
            x_dtype_np = x_dtype.np
            x_dtype_np_itemsize = x_dtype_np.itemsize
            add_var_2 = add_var_1 + x_dtype_np_itemsize
            return add_var_2
            """,
        ),
        (
            Calls,
            """
            helper = self.helper(x)
            x = helper.reshape((3, 3))
            layers_0 = self.layers[0](x)
            relu = ops.relu(x)
            tuple_var = (layers_0, relu)
            concat = ops.concat(axis=0, tensors=tuple_var)
            return concat
            """,
        ),
        (
            Conditions,
            """
            x = self.fc(x)
            if self.k > 1:
                x = self.relu(x)
            for layer in self.layers:
                x = layer(x)
            y = x if self.k else -x
            listcomp_var = [x * i for i in range(2)]
            sum_1 = sum(listcomp_var)
            add_var = sum_1 + y
            return add_var
            """,
        ),
        (
            NestedFunction,
            """
            def twice(y):
                return self.fc(y) + y
            x = twice(x)
            return x
            """,
        ),
        (
            OtherSelf,
            """
            fc = me.fc(x)
            return fc
            """,
        ),
        (
            Extending,
            """
            super_1 = super(Extending, self)
            construct = super_1.construct(x)
            add_var = construct + x
            return add_var
            """,
        ),
    ],
)
def test_a_construct_is_written_with_one_call_a_line(cell, after):
    assert body(cell()) == textwrap.dedent(after).strip()


_FORMS = [
    *(Nested, Rebinding, Residual, Tuples, Attributes, Calls, Subscripts, Conditions, EarlyReturn, NestedFunction),
    *(LateBinding, Everything, OtherSelf, Inheriting, Extending, Mutating),
]


def inputs(cell):
    """Two inputs, or one, as the construct takes."""
    x = ms.Tensor(np.linspace(-1, 2, 9, dtype=np.float32).reshape(3, 3))
    return [x, x + 1][: 2 if "y" in inspect.signature(cell.construct).parameters else 1]


def run(net, args):
    """Outputs and gradients as arrays."""

    def total(*values):
        out = net(*values)
        return sum((part.sum() for part in out), start=0.0) if isinstance(out, tuple) else out.sum()

    out = net(*args)
    grads = ms.grad(total, tuple(range(len(args))), net.trainable_params())(*args)
    flat = [*(out if isinstance(out, tuple) else (out,))]
    for part in grads:
        flat += part if isinstance(part, (tuple, list)) else [part]
    return [part.asnumpy() for part in flat]


@pytest.mark.parametrize("cell", _FORMS)
def test_a_rewritten_network_computes_the_same_outputs_and_gradients(cell):
    net = cell()
    tree = SymbolTree.create(net)
    check(tree.get_handler())
    new = tree.get_network()
    again = SymbolTree.create(new).get_network()
    for other in (new, again):
        for before, after in zip(run(net, inputs(net)), run(other, inputs(net)), strict=True):
            np.testing.assert_array_equal(before, after)


def test_users_through_methods_and_attributes_are_users():
    tree = SymbolTree.create(Calls())
    assert tree.get_node("helper").get_users() == [tree.get_node("reshape")]
    assert [user.get_name() for user in tree.get_node("reshape").get_users()] == ["layers_0", "relu"]
