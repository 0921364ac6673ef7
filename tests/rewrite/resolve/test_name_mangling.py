"""Private names: a network that says ``self.__fc`` is rewritten, saved and converted like any other."""

import numpy as np

import minispore as ms
from minispore import amp, nn
from minispore.rewrite import Node, SymbolTree

X = ms.Tensor(np.full((1, 2), 1.000244140625, np.float32))


class _Secret(nn.Cell):
    def __init__(self):
        super().__init__()
        self.__fc = nn.Dense(2, 2)

    def __twice(self, t):
        return self.__fc(t) * 2

    def construct(self, __x):
        __y = self.__fc(__x)
        for __t in (__x, __y):
            __y = __y + self.__twice(__t)
        return __y


class Derived(_Secret):
    def __init__(self):
        super().__init__()
        self.__fc = nn.Dense(2, 2)

    def construct(self, x):
        def run(__t):
            return self.__fc(__t)

        return run(super().construct(x))


def rewritten(net):
    return SymbolTree.create(net).get_network()


def test_private_names_mean_those_of_the_class_that_says_them():
    for net in (_Secret(), Derived()):
        new = rewritten(net)
        expected = net(X).asnumpy()
        assert (new(X).asnumpy() == expected).all() and (rewritten(new)(X).asnumpy() == expected).all()


def test_private_names_are_written_as_they_are_read():
    code = SymbolTree.create(_Secret()).get_code()
    assert "def construct(self, _Secret__x):" in code and "= self._Secret__fc(_Secret__x)" in code


def test_private_cells_and_methods_are_converted():
    for net in (_Secret(), Derived()):
        new = amp.auto_mixed_precision(net, "O1", strict=True)
        assert {entry.dtype for entry in new.amp_report.entries} == {"float16"}
        np.testing.assert_allclose(new(X).asnumpy(), net(X).asnumpy(), rtol=5e-3, atol=5e-3)


def __doubled(x):
    return x + x


def test_what_is_put_in_under_a_private_name_is_called_by_one_that_is_not():
    net = _Secret()
    tree = SymbolTree.create(net)
    (value,) = tree.get_inputs()[0].get_targets()
    first = tree.insert(
        tree.after(tree.get_inputs()[0]), Node.create_call_cell(nn.Identity(), ["x"], [value], name="__same")
    )
    second = tree.insert(tree.after(first), tree.create_call_function(__doubled, ["x"], first))
    tree.set_output(0, second)
    assert (tree.get_network()(X).asnumpy() == 2 * X.asnumpy()).all()
