"""Patterns: what matches, and what is put in its place."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, PatternEngine, PatternNode, Replacement, SymbolTree, VarNode, check
from minispore.tools.testing.users_code import made


class Building(Replacement):
    """Builds with a function, and remembers what it was called with."""

    def __init__(self, build=lambda matched: []):
        self._build, self.seen = build, []

    def build(self, pattern, is_chain_pattern, matched):
        self.seen.append((pattern, is_chain_pattern, {name: node.get_name() for name, node in matched.items()}))
        return self._build(matched)


def lines(tree):
    text = tree.get_code()
    return [line.strip() for line in text[text.rindex("def construct") :].split("\n")[1:] if line.strip()]


def called(primitive, target, args, name=""):
    return Node.create_call_cell(primitive, [target], args, name=name)


class Fork(nn.Cell):
    """Two branches that meet, and a chain behind."""

    def __init__(self):
        super().__init__()
        self.neg, self.abs, self.relu = ops.Neg(), ops.Abs(), ops.ReLU()
        self.mul, self.add = ops.Mul(), ops.Add()

    def construct(self, x, y):
        a = self.neg(x)
        b = self.abs(y)
        c = self.mul(a, b)
        d = self.add(c, x)
        return self.relu(d)


X, Y = ms.Tensor(np.array([-1.0, 2.0], np.float32)), ms.Tensor(np.array([3.0, -4.0], np.float32))


def outputs(tree):
    check(tree.get_handler())
    return tree.get_network()(X, Y).asnumpy().tolist()


def test_a_chain_is_matched_by_the_classes_that_it_calls():
    tree, building = SymbolTree.create(Fork()), Building()
    engine = PatternEngine([ops.Add, ops.ReLU], building)
    assert not engine.apply(tree)
    chain = {f"0-{ops.Add}": "add", f"1-{ops.ReLU}": "relu"}
    assert building.seen == [(engine.pattern(), True, chain)]
    assert engine.pattern().type() is ops.ReLU and engine.pattern().get_inputs()[0].get_inputs() == []


def test_a_tree_of_several_inputs_is_replaced_by_several_nodes():
    tree = SymbolTree.create(Fork())
    before = outputs(tree)
    neg, absolute = PatternNode("neg", ops.Neg, [VarNode()]), PatternNode("abs", ops.Abs, [VarNode()])
    product = PatternNode("mul", ops.Mul, [neg, absolute])

    def build(matched):
        x, y = (matched[name].get_args()[0] for name in ("neg", "abs"))
        positive = called(ops.Abs(), "positive", [y])
        product = called(ops.Mul(), "product", [positive.get_targets()[0], x])
        return [positive, product, called(ops.Neg(), "negated", [product.get_targets()[0]])]

    building = Building(build)
    assert PatternEngine(product, building).apply(tree)
    assert building.seen[0][1:] == (False, {"neg": "neg", "abs": "abs", "mul": "mul"})
    assert lines(tree) == [
        "positive = self.positive(y)",
        "product = self.product(positive, x)",
        "c = self.negated(product)",
        "d = self.add(c, x)",
        "relu = self.relu(d)",
        "return relu",
    ]
    assert outputs(tree) == before


def test_new_nodes_are_put_in_their_order_of_reading():
    tree = SymbolTree.create(Fork())

    def build(matched):
        first = called(ops.Neg(), "first", matched["relu"].get_args())
        return [called(ops.Abs(), "second", first.get_targets()), first]

    assert PatternEngine(PatternNode("relu", ops.ReLU), Building(build)).apply(tree)
    assert lines(tree)[-3:] == ["first = self.first(d)", "relu = self.second(first)", "return relu"]


def test_names_that_new_nodes_share_follow_the_order_given():
    tree = SymbolTree.create(Fork())

    def build(matched):
        return [called(ops.Neg(), "t", matched["relu"].get_args()), *(called(ops.Neg(), "t", ["t"]) for _ in range(2))]

    assert PatternEngine(PatternNode("relu", ops.ReLU), Building(build)).apply(tree)
    assert lines(tree)[-4:] == ["t = self.t(d)", "t_1 = self.t_1(t)", "relu = self.t_2(t_1)", "return relu"]


def test_a_value_that_is_read_elsewhere_keeps_its_node_from_being_matched():
    class Shared(Fork):
        def construct(self, x, y):
            a = self.neg(x)
            return self.relu(a) + a

    building = Building()
    assert not PatternEngine([ops.Neg, ops.ReLU], building).apply(SymbolTree.create(Shared()))
    assert building.seen == []


def test_a_matched_node_that_new_nodes_read_stays():
    tree = SymbolTree.create(Fork())

    def build(matched):
        return [called(ops.Neg(), "n", matched[f"0-{ops.Add}"].get_targets())]

    assert PatternEngine([ops.Add, ops.ReLU], Building(build)).apply(tree)
    assert lines(tree)[-3:] == ["d = self.add(c, x)", "relu = self.n(d)", "return relu"]


class Silu(nn.Cell):
    def __init__(self):
        super().__init__()
        self.sigmoid, self.mul = nn.Sigmoid(), ops.Mul()

    def construct(self, x, y):
        first = self.mul(x, self.sigmoid(x))
        return self.mul(first, self.sigmoid(y))


class Swish(nn.Cell):
    def construct(self, x):
        return x * ops.sigmoid(x)


def test_one_var_node_in_two_places_is_one_value():
    x = VarNode()
    pattern = PatternNode("mul", ops.Mul, [x, PatternNode("sigmoid", nn.Sigmoid, [x])])
    tree = SymbolTree.create(Silu())
    silu = Building(lambda matched: [called(Swish(), "s", matched["sigmoid"].get_args(), "silu")])
    before = outputs(tree)
    assert PatternEngine(pattern, silu).apply(tree)
    assert [seen[2] for seen in silu.seen] == [{"sigmoid": "sigmoid", "mul": "mul"}]
    assert lines(tree)[0] == "first = self.silu(x)"
    np.testing.assert_allclose(outputs(tree), before, rtol=1e-6)


def test_inputs_match_in_number_and_order():
    tree = SymbolTree.create(Fork())
    neg, absolute = PatternNode("neg", ops.Neg), PatternNode("abs", ops.Abs)
    for inputs in ([neg], [absolute, neg], [neg, absolute, VarNode()], [neg, PatternNode("relu", ops.ReLU)]):
        building = Building()
        PatternEngine(PatternNode("mul", ops.Mul, inputs), building).apply(tree)
        assert building.seen == []
    building = Building()
    PatternEngine(PatternNode("mul", ops.Mul), building).apply(tree)
    assert len(building.seen) == 1


def test_subclasses_do_not_match():
    class Special(nn.ReLU):
        pass

    building = Building()
    PatternEngine([nn.ReLU], building).apply(SymbolTree.create(nn.SequentialCell(Special(), nn.ReLU())))
    assert [seen[2] for seen in building.seen] == [{f"0-{nn.ReLU}": "ReLU"}]


def test_what_was_put_in_takes_part_in_later_matches():
    class Halves(Replacement):
        def build(self, pattern, is_chain_pattern, matched):
            first = next(iter(matched.values()))
            return [called(nn.ReLU(), "x", first.get_args(), "both")]

    tree = SymbolTree.create(nn.SequentialCell([nn.ReLU() for _ in range(4)]))
    assert PatternEngine([nn.ReLU, nn.ReLU], Halves()).apply(tree)
    assert lines(tree) == ["input_data = self._cells['3'](input_data)", "return input_data"]


def test_a_pattern_that_is_put_in_again_ends():
    tree = SymbolTree.create(Fork())
    twice = Building(lambda m: [called(ops.ReLU(), "t", m["r"].get_args()), called(ops.ReLU(), "t", ["t"])])
    assert PatternEngine(PatternNode("r", ops.ReLU), twice).apply(tree)
    assert lines(tree)[-3:] == ["t = self.t(d)", "relu = self.t_1(t)", "return relu"]


def test_a_pattern_is_made_from_a_node():
    tree = SymbolTree.create(Fork())
    one, whole = (make(tree.get_node("mul")) for make in (PatternNode.from_node, PatternNode.create_pattern_from_node))
    assert (one.name(), one.type(), one.get_inputs()) == ("mul", ops.Mul, [])
    neg, absolute = whole.get_inputs()
    assert (neg.type(), absolute.type()) == (ops.Neg, ops.Abs)
    assert [type(part) for part in neg.get_inputs()] == [VarNode]
    building = Building()
    PatternEngine(whole, building).apply(tree)
    assert building.seen[0][2] == {"neg": "neg", "abs": "abs", "mul": "mul"}


def test_a_replacement_that_cannot_stand_changes_nothing():
    tree = SymbolTree.create(Fork())
    before = lines(tree)
    for build, error in (
        (lambda m: [called(ops.Neg(), "n", ["d"]), m["0-" + str(ops.ReLU)]], ValueError),
        (lambda m: 3, TypeError),
        (lambda m: [3], TypeError),
    ):
        with pytest.raises(error):
            PatternEngine([ops.ReLU], Building(build)).apply(tree)
        assert lines(tree) == before


def test_constants_and_outside_names_are_no_inputs():
    class Casting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cast, self.neg = ops.Cast(), ops.Neg()

        def construct(self, x, y):
            return self.neg(self.cast(x, ms.float16)) + y

    building = Building()
    PatternEngine(PatternNode("cast", ops.Cast, [VarNode()]), building).apply(SymbolTree.create(Casting()))
    assert [seen[2] for seen in building.seen] == [{"cast": "cast"}]


def test_two_targets_of_one_node_are_two_values():
    class Halves(nn.Cell):
        def __init__(self):
            super().__init__()
            self.add, self.pair = ops.Add(), Pair()

        def construct(self, x, y):
            a, b = self.pair(x)
            return self.add(a, b) + self.add(a, a)

    class Pair(nn.Cell):
        def construct(self, x):
            return x, x + 1

    same, building = VarNode(), Building()
    PatternEngine(PatternNode("add", ops.Add, [same, same]), building).apply(SymbolTree.create(Halves()))
    assert [seen[2] for seen in building.seen] == [{"add": "add_1"}]


class Two(nn.Cell):
    def __init__(self):
        super().__init__()
        self.neg, self.relu = ops.Neg(), nn.ReLU()


@pytest.mark.parametrize("names", ["xxx", "xyz"])
def test_a_matched_node_that_the_replacement_reads_stays(names):
    class Tanh(Replacement):
        def build(self, pattern, is_chain_pattern, matched):
            last = [*matched.values()][-1]
            return [called(nn.Tanh(), "t", last.get_args(), "new")]

    given, middle, last = names
    text = f"    def construct(self, {given}):\n        {middle} = self.neg({given})\n"
    net = made(f"class Net(Two):\n{text}        {last} = self.relu({middle})\n        return {last}\n", Two=Two)[
        "Net"
    ]()
    tree = SymbolTree.create(net)
    assert PatternEngine([ops.Neg, nn.ReLU], Tanh()).apply(tree)
    x = ms.Tensor(np.array([-1.0, 2.0], np.float32))
    np.testing.assert_allclose(tree.get_network()(x).asnumpy(), np.tanh([1.0, -2.0]), rtol=1e-6)
