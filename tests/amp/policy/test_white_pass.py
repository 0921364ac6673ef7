"""The white pass: listed cells and primitives compute in float16, everything else as before.

The probe: a Dense with the identity as weight returns 1 + 2**-12 as 1.0 in float16; ``x * (1 + 2**-12)``, that is
1.000244140625, in float32 keeps the bits that float16 has not.
"""

import copy
import pickle

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn, ops
from minispore.amp.policy.lists import AMP_WHITE_LIST
from minispore.amp.policy.white_pass import CastFloats, cast_listed_nodes, self_casting, white_pass, white_tree
from minispore.rewrite import SymbolTree, check

TINY = np.float32(1 + 2**-12)
WHITE = list(AMP_WHITE_LIST)


def identity(n=1):
    return nn.Dense(n, n, weight_init=ms.Tensor(np.eye(n, dtype=np.float32)), has_bias=False)


def probe(n=1):
    return ms.Tensor(np.full((n, n), TINY, np.float32) if n == 1 else np.eye(n, dtype=np.float32) * TINY)


def converted(net):
    """The network after the pass, whose trees are sound."""
    tree = white_tree(net, WHITE)
    for inside in tree.get_handler().forest.trees.values():
        check(inside)
    return tree.get_network()


def code(net):
    return white_tree(net, WHITE).get_code()


class Neighbours(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = identity()

    def construct(self, x):
        y = x * 1.000244140625
        return self.fc(x), y


def test_a_listed_cell_computes_in_float16_and_its_neighbour_keeps_its_bits():
    low, kept = converted(Neighbours())(probe())
    assert low.dtype == kept.dtype == ms.float32
    assert low.asnumpy() == 1.0
    assert kept.asnumpy() == TINY * TINY


def test_the_original_goes_on_in_float32_and_carries_no_mark():
    net = Neighbours()
    new = converted(net)
    assert new(probe())[0].asnumpy() == 1.0
    assert net(probe())[0].asnumpy() == TINY
    assert net.fc._compute_dtype is None and net.fc._user_dtype is None and not net.fc.to_float_fp16
    assert type(net) is Neighbours and isinstance(new, Neighbours) and new is not net


def test_the_parameters_are_the_originals():
    net = Network()
    new = converted(net)
    before, after = net.parameters_dict(), new.parameters_dict()
    assert list(before) == list(after)
    assert all(before[name] is after[name] and after[name].dtype == ms.float32 for name in before)


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.norm = identity(), nn.Identity()

    def construct(self, x):
        return self.norm(self.fc(x)) + x


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.chain = nn.SequentialCell(identity(), Block(), nn.SequentialCell(identity()))
        self.head = self.chain[0]
        self.twice = identity()
        self.untouched = nn.SequentialCell(nn.Identity())

    def construct(self, x):
        x = self.untouched(self.block(x))
        x = self.chain(x)
        return self.twice(self.twice(x)) + self.head(x)


def test_nested_cells_containers_and_cells_called_twice_are_converted():
    net = Network()
    new = converted(net)
    assert new(probe()).asnumpy() == np.float32(1 + TINY).astype(np.float16) * 4  # each Dense rounds, each sum does not
    listed = [cell for _, cell in new.cells_and_names() if isinstance(cell, nn.Dense)]
    assert len(listed) == 5 and all(cell.to_float_fp16 for cell in listed)


def test_the_same_copy_stands_under_every_name_and_what_is_not_edited_is_shared():
    net = Network()
    new = converted(net)
    assert new.head is new.chain[0] is new.chain.cell_list[0] and new.head is not net.head
    assert new.untouched is net.untouched and new.block.norm is net.block.norm
    assert type(new.block) is not Block and isinstance(new.block, Block)


def test_gradients_reach_the_shared_parameters_in_float32():
    net, x = Network(), probe()
    (before, after) = (ms.grad(n, 0, n.trainable_params())(x) for n in (net, converted(net)))
    for a, b in zip([before[0], *before[1]], [after[0], *after[1]], strict=True):
        assert b.dtype == ms.float32
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=2e-3)


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTMCell(2, 3)

    def construct(self, x, h, c):
        state = self.lstm(x, (h, c))
        h, c = self.lstm(x, state)
        return h, c, state[0]


def test_every_float16_target_is_cast_back_tuples_included():
    net = Recurrent()
    x, h = ms.Tensor(np.ones((1, 2), np.float32)), ms.Tensor(np.ones((1, 3), np.float32))
    before, after = net(x, h, h), converted(net)(x, h, h)
    for a, b in zip(before, after, strict=True):
        assert b.dtype == ms.float32
        assert not np.array_equal(a.asnumpy(), b.asnumpy())
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), atol=2e-3)


class Primitives(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul, self.relu = ops.MatMul(), ops.ReLU()
        self.weight = ms.Parameter(ms.Tensor(np.eye(1, dtype=np.float32)), name="weight")

    def construct(self, x):
        return self.relu(self.matmul(x, self.weight))


def test_a_listed_primitive_sees_float16_arguments_and_returns_float32():
    out = converted(Primitives())(probe())
    assert out.dtype == ms.float32 and out.asnumpy() == 1.0


def test_casts_that_undo_each_other_are_removed():
    lines = [line.strip() for line in code(Primitives()).split("\n") if " = self." in line]
    assert lines == [
        "self_weight = self.weight",
        "x_1 = self.incast_matmul0(x, minispore.float16)",
        "self_weight_1 = self.incast_matmul1(self_weight, minispore.float16)",
        "matmul = self.matmul(x_1, self_weight_1)",
        "relu = self.relu(matmul)",
        "relu = self.outcast_relu(relu, minispore.float32)",
    ]


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.relu, self.second = identity(), ops.ReLU(), identity()

    def construct(self, x):
        x = self.relu(self.first(x))
        y = self.second(x)
        return y + self.relu(y)


def test_a_chain_of_listed_cells_and_primitives_casts_once_and_a_cast_that_others_read_stays():
    text = code(Chain())
    assert "outcast_first" not in text and "incast_relu0" not in text and "outcast_relu(" not in text
    assert text.count("self.outcast_second(") == 1 and text.count("self.incast_relu_10(") == 1
    assert converted(Chain())(probe()).asnumpy() == 2.0


class Marked(nn.Cell):
    def __init__(self, dtype):
        super().__init__()
        self.fc, self.block, self.free = identity().to_float(dtype), Block().to_float(dtype), identity()

    def construct(self, x):
        return self.fc(x), self.block(x), self.free(x)


@pytest.mark.parametrize("dtype", [ms.float16, ms.float32])
def test_a_users_own_to_float_is_respected(dtype):
    net = Marked(dtype)
    tree = white_tree(net, WHITE)
    new = tree.get_network()
    assert new.fc is net.fc and new.block is net.block
    assert [out.dtype for out in new(probe())] == [dtype, dtype, ms.float32]
    assert [(note.path, note.type) for note in tree.notes] == [("fc", nn.Dense), ("block.fc", nn.Dense)]
    assert all("to_float" in note.reason for note in tree.notes)


def test_a_listed_network_is_converted_itself():
    net = identity()
    new = white_pass(net, WHITE)
    out = new(probe())
    assert out.asnumpy() == 1.0 and out.dtype == ms.float32
    assert net(probe()).asnumpy() == TINY and new.weight is net.weight
    assert isinstance(new, nn.Dense) and new is not net


def test_a_sequential_network_is_converted():
    net = nn.SequentialCell(identity(), nn.Identity())
    new = converted(net)
    assert new(probe()).asnumpy() == 1.0 and net(probe()).asnumpy() == TINY
    assert len(new) == 2 and new[0].weight is net[0].weight


class Attention(nn.Cell):
    """A user's cell with parts of its own, listed as a whole."""

    def __init__(self):
        super().__init__()
        self.project = nn.SequentialCell(identity())

    def construct(self, x):
        return self.project(x) * x


def test_a_listed_cell_of_the_users_is_marked_with_copies_of_its_parts():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.attention = Attention()

        def construct(self, x):
            return self.attention(x)

    net = Outer()
    new = white_pass(net, [Attention])
    assert new(probe()).asnumpy() == 1.0 and new(probe()).dtype == ms.float32
    assert all(cell._compute_dtype is None for _, cell in net.cells_and_names())
    assert new.attention.project[0]._compute_dtype is not None


def test_only_exact_classes_are_listed():
    class Special(nn.Dense):
        pass

    net = Holder(Special(1, 1, weight_init=ms.Tensor(np.eye(1, dtype=np.float32)), has_bias=False))
    assert white_pass(net, [nn.Dense])(probe()).asnumpy() == TINY


class Holder(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x)


class InPython(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.free = identity(), identity()
        self.layers = nn.CellList([identity()])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        if x.ndim == 2:
            x = self.fc(x)
        return self.fc(self.free(x)), ops.relu(x)


def test_what_python_code_may_call_casts_by_itself():
    net = InPython()
    tree = white_tree(net, WHITE)
    new = tree.get_network()
    out, functional = new(probe())
    assert out.asnumpy() == 1.0 and out.dtype == functional.dtype == ms.float32
    for copied in (new.free, new.fc, new.layers[0]):
        assert copied.to_float_fp16 and type(copied) is nn.Dense
    assert new.fc.weight is net.fc.weight and net.fc(probe()).asnumpy() == TINY
    assert [(note.path, note.type.__name__) for note in tree.notes] == [("relu", "ReLU")]


class CalledBoth(nn.Cell):
    """A cell that a node calls, and that a variable holds."""

    def __init__(self):
        super().__init__()
        self.fc = identity()

    def construct(self, x):
        x = self.fc(x)
        held = self.fc
        return held(x)


def test_a_cell_that_is_called_by_a_variable_too_casts_by_itself():
    assert converted(CalledBoth())(probe()).dtype == ms.float32


class HeldAnyhow(nn.Cell):
    """Listed cells and primitives in a list, a dict, a lambda, a bound method, and a cell that Python code calls."""

    def __init__(self):
        super().__init__()
        self.fc, self.block = identity(), Block()
        self.steps, self.table = [ops.ReLU(), self.fc], {"a": identity(), "b": (ops.ReLU(),)}
        self.same = self.steps
        self.short, self.method = lambda x: self.fc(x), self.helper

    def helper(self, x):
        return self.table["a"](x)

    def construct(self, x):
        calls = [*self.steps, self.short, self.method, *[self.table[k] for k in "a"], self.table["b"][0], self.block]
        return tuple(call(x) for call in calls)


def test_what_casts_by_itself_does_so_wherever_it_is_held():
    net = HeldAnyhow()
    new = converted(net)
    outs = new(probe())
    assert [out.asnumpy().item() for out in outs[:-1]] == [1.0] * 6
    assert outs[-1].asnumpy() == np.float32(1 + TINY) and all(out.dtype == ms.float32 for out in outs)
    assert new.same is new.steps and new.steps[1] is new.fc
    assert [out.asnumpy().item() for out in net(probe())] == [TINY] * 6 + [TINY * 2]


def test_a_primitive_that_casts_by_itself_follows_the_mark_of_the_cell_that_calls_it():
    relu = self_casting(ops.ReLU())
    assert isinstance(relu, ops.ReLU) and relu.name == "ReLU"

    class Caller(nn.Cell):
        def construct(self, x):
            return relu(x)

    x = probe()
    assert [relu(x).dtype, Caller()(x).dtype, Caller().to_float(ms.float16)(x).dtype] == [
        *(ms.float32, ms.float32, ms.float16)
    ]
    assert relu(x).asnumpy() == 1.0 and Caller().to_float(ms.float32)(x).asnumpy() == TINY
    again = pickle.loads(pickle.dumps(copy.deepcopy(relu)))
    assert type(again) is type(relu) and again(x).asnumpy() == 1.0 and again.name == "ReLU"


class ByKeywords(ops.MatMul):
    """A user's own primitive that takes its inputs by keywords too."""

    def __call__(self, x1, x2):
        assert x1.dtype == x2.dtype
        return super().__call__(x1, x2)


class KeywordsInALoop(nn.Cell):
    def __init__(self):
        super().__init__()
        self.steps = [ByKeywords(), ByKeywords()]
        self.one = ms.Parameter(ms.Tensor([[1.0]], ms.float32), name="one")

    def construct(self, x):
        for step in self.steps:
            x = step(x, x2=self.one)
        return x


def test_a_primitive_that_casts_by_itself_casts_what_keywords_name():
    out = white_pass(KeywordsInALoop(), [ByKeywords])(probe())
    assert out.dtype == ms.float32 and out.asnumpy() == 1.0


class AddsUp(ops.AssignAdd):
    """A user's own primitive that may be given by keyword what it writes."""

    def __call__(self, variable, value):
        return super().__call__(variable, value)


def test_a_primitive_that_casts_by_itself_writes_what_a_keyword_names():
    total = ms.Parameter(ms.Tensor([TINY]), name="total")
    self_casting(AddsUp())(variable=total, value=ms.Tensor([1.0], ms.float32))
    assert total.dtype == ms.float32 and total.asnumpy() == np.float32(1 + TINY)


def test_an_empty_list_changes_nothing():
    net = Network()
    np.testing.assert_array_equal(white_pass(net, [])(probe()).asnumpy(), net(probe()).asnumpy())


def test_modes_flags_and_hooks_are_kept():
    net = Network().set_train()
    net.add_flags(fancy=True)
    net.twice.set_grad()
    seen = []
    net.block.register_forward_hook(lambda cell_id, args, out: seen.append(out.dtype))
    net.twice.register_forward_hook(lambda cell_id, args, out: seen.append(out.dtype))
    new = converted(net)
    assert all(cell.training for _, cell in new.cells_and_names())
    assert new.fancy and new.get_flags() == {"fancy": True} and new.twice.requires_grad
    new(probe())
    assert seen == [ms.float32, ms.float16, ms.float16]


def test_the_cast_between_precisions_leaves_all_else_alone():
    cast = CastFloats()
    integer, double = ms.Tensor([1]), ms.Tensor(np.ones(1))
    assert cast(integer, ms.float16) is integer and cast(double, ms.float32) is double and cast(3, ms.float16) == 3
    low, (lower, kept) = cast((double, [double, integer]), ms.float16)
    assert low.dtype == lower.dtype == ms.float16 and kept is integer


def test_the_two_functions_can_be_run_on_a_tree():
    tree = SymbolTree.create(Neighbours())
    cast_listed_nodes(tree, [nn.Dense])
    assert [n.get_name() for n in tree.nodes()] == ["input_x", "binop_mult", "fc", "outcast_fc", "tuple", "return"]


class Product(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(np.ones((2, 2), np.float32), name="w")

    def construct(self, x):
        return ms.ops.matmul(x, self.w)


def test_functional_forms_stay_unless_they_are_asked_for():
    codes = []
    for asked in ({}, {"functional": False}, {"functional": True}):
        tree = SymbolTree.create(Product())
        cast_listed_nodes(tree, [ms.ops.BatchMatMul], **asked)
        codes.append(tree.get_code())
    assert codes[0] == codes[1] == SymbolTree.create(Product()).get_code() != codes[2]


def test_a_class_is_named_opt_where_its_construct_is_edited_and_keeps_its_name_where_only_its_children_are():
    class Inner(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = identity()

        def construct(self, x):
            return self.dense(x)

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def construct(self, x):
            return self.inner(x)

    net = converted(nn.SequentialCell([Outer(), nn.ReLU()]))
    assert [type(cell).__name__ for cell in (net[0], net[0].inner, net[0].inner.dense)] == [
        "Outer",
        "InnerOpt",
        "Dense",
    ]


class CalledInALambda(nn.Cell):
    """A cell that the user marked, called by code that stays Python."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2).to_float(ms.float16)

    def construct(self, x):
        call = lambda t: self.fc(t)  # noqa: E731 - a lambda is what is tested
        return call(x)


def test_a_mark_of_the_users_stays_on_a_cell_that_python_code_calls():
    x = ms.Tensor(np.ones((1, 2), np.float32))
    assert white_pass(CalledInALambda(), list(AMP_WHITE_LIST))(x).dtype == CalledInALambda()(x).dtype == ms.float16


class AddsUpByName(ops.AssignAdd):
    """A user's own primitive, whose inputs have names."""

    def __call__(self, variable, value):
        return super().__call__(variable, value)


@pytest.mark.parametrize("by_name", [False, True])
def test_what_a_listed_primitive_writes_is_written_however_it_is_given(by_name):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.total, self.add = ms.Parameter([1.0], name="total"), AddsUpByName()

        def construct(self, x):
            return self.add(variable=self.total, value=x) if by_name else self.add(self.total, x)

    net = amp.custom_mixed_precision(Net(), white_list=[AddsUpByName])
    net(ms.Tensor([1.0]))
    assert net.total.asnumpy() == [2.0]
