"""Patterns in control flow: a chain is replaced where it stands, and moves over nothing that matters."""

import numpy as np

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, PatternEngine, Replacement, SymbolTree, check

X, Y = ms.Tensor(np.array([-1.0, 2.0], np.float32)), ms.Tensor(np.array([3.0, -1.0], np.float32))


ONE = ms.Tensor(np.array([-1.0, -1.0], np.float32))


class OneExp(Replacement):
    """An exponential of what the first call reads; remembers the matches."""

    def __init__(self):
        self.seen = []

    def build(self, pattern, is_chain_pattern, matched):
        self.seen.append([node.get_name() for node in matched.values()])
        first = next(iter(matched.values()))
        return [Node.create_call_cell(ops.Exp(), ["e"], first.get_args(), name="positive")]


def outputs(tree):
    check(tree.get_handler())
    return tree.get_network()(X, Y).asnumpy().tolist()


class Loops(nn.Cell):
    """Chains in a body, and into a body."""

    def __init__(self):
        super().__init__()
        self.neg, self.abs, self.relu, self.exp = ops.Neg(), ops.Abs(), ops.ReLU(), ops.Exp()

    def construct(self, x, y):
        before = self.neg(y)
        for _ in range(2):
            x = self.abs(self.exp(x))
            x = x + 1
            x = self.relu(x)
        if y.sum() > 0:
            x = x + self.relu(before)
        return x


def test_a_chain_is_replaced_inside_a_body():
    tree = SymbolTree.create(Loops())
    before = outputs(tree)
    assert PatternEngine([ops.Exp, ops.Abs], OneExp()).apply(tree)
    assert "self.positive(" in tree.get_code() and "self.abs(" not in tree.get_code()
    assert outputs(tree) == before


def test_a_call_does_not_move_into_a_body():
    chain = OneExp()
    assert not PatternEngine([ops.Neg, ops.ReLU], chain).apply(SymbolTree.create(Loops()))
    assert chain.seen == []


def test_a_call_does_not_move_over_a_change_of_what_it_reads():
    tree, chain = SymbolTree.create(Loops()), OneExp()
    add, relu = tree.get_node("binop_add"), tree.get_node("relu")
    neg = tree.insert(tree.before(add), Node.create_call_cell(ops.Neg(), ["n"], relu.get_args(), name="early"))
    relu.set_arg_by_node(0, neg)
    before = outputs(tree)
    assert not PatternEngine([ops.Neg, ops.ReLU], chain).apply(tree)
    assert (chain.seen, outputs(tree)) == ([], before)


class SameVariable(nn.Cell):
    """Two loops that assign one variable."""

    def __init__(self):
        super().__init__()
        self.neg, self.relu, self.parts = ops.Neg(), ops.ReLU(), [ONE, ONE]

    def construct(self, x, y):
        for part in self.parts:
            x = x + part
        early = self.neg(part)
        for part in [Y]:
            x = x + part
        return x + self.relu(early)


def test_a_call_does_not_move_over_a_loop_that_assigns_what_it_reads():
    tree, chain = SymbolTree.create(SameVariable()), OneExp()
    assert tree.get_node("neg").get_args() == tree.get_node("For").get_targets()[:1]
    before = outputs(tree)
    assert not PatternEngine([ops.Neg, ops.ReLU], chain).apply(tree)
    assert (chain.seen, outputs(tree)) == ([], before)
