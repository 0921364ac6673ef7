"""Cell: what it owns and in which order, its marks and modes, its printed form, and how it is copied."""

import copy
from collections import OrderedDict

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.core.running import changes


class Net(nn.Cell):
    """A network with a Parameter assigned after its children, nested containers and a BatchNorm."""

    def __init__(self):
        super().__init__()
        self.seq = nn.SequentialCell(nn.Dense(1, 1), nn.SequentialCell(nn.BatchNorm2d(2)))
        self.lst = nn.CellList([nn.Dense(1, 1), nn.LSTMCell(1, 1)])
        self.p = ms.Parameter([1.0], name="myname")

    def construct(self, x):
        return x * self.p


class Scale(nn.Cell):
    """``x * w``, with a look at what construct sees."""

    def __init__(self, values=(2.0,)):
        super().__init__()
        self.w = ms.Parameter(list(values))

    def construct(self, x):
        self.seen = x.dtype, self.w.dtype
        return x * self.w


def ones(*shape, dtype=ms.float32):
    return ops.ones(shape, dtype)


PATHS = ["seq.0.weight", "seq.0.bias", "seq.1.0.moving_mean", "seq.1.0.moving_variance"]
PATHS += ["seq.1.0.gamma", "seq.1.0.beta"]
PATHS += ["lst.0.weight", "lst.0.bias", "lst.1.weight_ih", "lst.1.weight_hh", "lst.1.bias_ih", "lst.1.bias_hh"]


# What a Cell owns


def test_a_cells_own_parameters_come_before_its_childrens():
    assert [p.name for p in Net().get_parameters()] == ["myname", *PATHS]


def test_paths_follow_attributes_and_names_follow_the_parameters():
    found = [(path, p.name) for path, p in Net().parameters_and_names()]
    assert found == [("p", "myname"), *((path, path) for path in PATHS)]


def test_expand_false_shows_only_the_cells_own_parameters():
    assert [p.name for p in Net().get_parameters(expand=False)] == ["myname"]
    assert list(Net().parameters_dict(recurse=False)) == ["myname"]


def test_trainable_and_untrainable_share_the_parameters_out_in_order():
    trained, untrained = Net().trainable_params(), Net().untrainable_params()
    assert [p.name for p in untrained] == ["seq.1.0.moving_mean", "seq.1.0.moving_variance"]
    assert [p.name for p in trained] == ["myname", *[path for path in PATHS if "moving" not in path]]


def test_parameters_dict_is_an_ordered_dict_by_name():
    net = Net()
    assert type(net.parameters_dict()) is OrderedDict
    assert list(net.parameters_dict()) == ["myname", *PATHS]
    assert net.parameters_dict()["myname"] is net.p


def test_cells_and_names_lists_containers_without_cells():
    nested = nn.SequentialCell(nn.SequentialCell(), nn.ReLU(), nn.CellList())
    assert [name for name, _ in nested.cells_and_names()] == ["", "0", "1", "2"]


def test_cells_and_names_visits_parents_before_children_in_order():
    found = [(name, type(cell).__name__) for name, cell in Net().cells_and_names()]
    assert found == [
        ("", "Net"),
        ("seq", "SequentialCell"),
        ("seq.0", "Dense"),
        ("seq.1", "SequentialCell"),
        ("seq.1.0", "BatchNorm2d"),
        ("lst", "CellList"),
        ("lst.0", "Dense"),
        ("lst.1", "LSTMCell"),
    ]


def test_name_cells_and_cells_are_the_direct_children():
    net = Net()
    assert type(net.name_cells()) is OrderedDict
    assert list(net.name_cells().items()) == [("seq", net.seq), ("lst", net.lst)]
    assert list(net.cells()) == [net.seq, net.lst]


def test_apply_visits_children_before_their_parent_and_returns_the_cell():
    names, net = [], Net()
    assert net.apply(lambda cell: names.append(type(cell).__name__)) is net
    expected = ["Dense", "BatchNorm2d", "SequentialCell", "SequentialCell", "Dense", "LSTMCell", "CellList", "Net"]
    assert names == expected


class Shared(nn.Cell):
    """One Dense under three names."""

    def __init__(self):
        super().__init__()
        self.a = nn.Dense(1, 1)
        self.b = self.a
        self.c = nn.SequentialCell(self.a)


def test_a_shared_child_is_visited_once_under_its_first_name():
    assert [name for name, _ in Shared().cells_and_names()] == ["", "a", "c"]


def test_a_shared_childs_parameters_are_named_by_its_last_registration():
    assert [p.name for p in Shared().get_parameters()] == ["c.0.weight", "c.0.bias"]


def test_a_shared_child_is_printed_under_every_name():
    dense = "Dense<input_channels=1, output_channels=1, has_bias=True>"
    expected = f"Shared<\n  (a): {dense}\n  (b): {dense}\n  (c): SequentialCell<\n    (0): {dense}\n    >\n  >"
    assert repr(Shared()) == expected


def test_the_tables_that_mindspore_code_reaches_into_are_ordered_dicts():
    net = Net()
    assert list(net._cells) == ["seq", "lst"]
    assert list(net._params) == ["p"]
    assert isinstance(net._cells, OrderedDict) and isinstance(net._params, OrderedDict)


def test_a_parameter_without_a_name_takes_its_attributes():
    assert Scale().w.name == "w"
    assert Net().p.name == "myname"


def test_without_auto_prefix_a_childs_parameters_keep_their_names():
    class Plain(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.a, self.b = nn.Dense(1, 1), nn.Dense(1, 1)

    assert [p.name for p in Plain().get_parameters()] == ["weight", "bias", "weight", "bias"]


def test_update_parameters_name_puts_the_prefix_before_each_path():
    net = Net()
    net.update_parameters_name("pre.")
    assert [p.name for p in net.get_parameters()] == ["pre.p", *(f"pre.{path}" for path in PATHS)]


def test_update_parameters_name_without_recursion_leaves_the_children():
    net = Net()
    net.update_parameters_name("pre.", recurse=False)
    assert [p.name for p in net.get_parameters()] == ["pre.p", *PATHS]


def test_check_names_refuses_two_parameters_of_one_name():
    net = nn.Cell()
    net.a, net.b = ms.Parameter([1.0], name="w"), ms.Parameter([1.0], name="w")
    with pytest.raises(ValueError, match=r"For 'Cell', the name of 'b' must be unique, but got 'w' twice\."):
        net.check_names()
    assert Net().check_names() is None


# Assignment


def test_a_child_may_be_replaced_by_another_cell_or_none():
    net = Net()
    net.seq = nn.ReLU()
    net.lst = None
    assert [name for name, _ in net.cells_and_names()] == ["", "seq"]
    assert net.lst is None
    assert list(net._cells) == ["seq", "lst"]
    assert repr(net) == "Net<\n  (seq): ReLU<>\n  (lst): None\n  >"


def test_a_child_is_not_replaced_by_a_number():
    with pytest.raises(TypeError, match=r"For 'Net', the 'seq' must be a Cell, but got int\."):
        Net().seq = 3


def test_a_tensor_assigned_to_a_parameter_becomes_its_values():
    net = Scale()
    before = net.w
    net.w = ms.Tensor([5.0])
    assert net.w is before
    assert net.w.asnumpy() == [5.0]


def test_a_parameter_is_not_replaced_by_a_number_or_a_cell():
    with pytest.raises(TypeError, match=r"For 'Scale', the 'w' must be a Parameter or a Tensor, but got float\."):
        Scale().w = 3.0
    with pytest.raises(TypeError, match=r"For 'Scale', the 'w' must be a Parameter, but got ReLU\."):
        Scale().w = nn.ReLU()


def test_a_parameter_set_to_none_keeps_its_place_and_is_not_listed():
    net = Scale()
    net.w = None
    assert net.w is None
    assert list(net._params) == ["w"]
    assert list(net.get_parameters()) == []


def test_deleting_an_attribute_takes_the_parameter_or_cell_away():
    net = Net()
    del net.p, net.seq, net.training
    assert [p.name for p in net.get_parameters()] == PATHS[6:]
    with pytest.raises(AttributeError, match=r"The 'Net' object has no attribute 'p'\."):
        _ = net.p


def test_a_parameter_tuple_registers_its_members_by_their_names():
    net = nn.Cell()
    net.weights = ms.ParameterTuple([ms.Parameter([1.0], name="x.y"), ms.Parameter([1.0], name="z")])
    assert [p.name for p in net.get_parameters()] == ["x.y", "z"]
    assert isinstance(net.weights, ms.ParameterTuple)


def test_plain_lists_of_cells_and_parameters_are_not_registered():
    net = nn.Cell()
    net.cell_list, net.parameters = [nn.Dense(1, 1)], [ms.Parameter([1.0])]
    assert list(net.get_parameters()) == []
    assert list(net.cells()) == []


def nameless(count):
    return [ms.Parameter([1.0]) for _ in range(count)]


def held(make):
    class Holder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.rows = make()

    return Holder()


@pytest.mark.parametrize("kind", [tuple, list, ms.ParameterTuple])
def test_parameters_without_a_name_in_a_row_are_numbered(kind):
    named = ms.Parameter([1.0], name="Parameter$2")
    cell = held(lambda: kind([*nameless(1), named, *nameless(2)]))
    names = ["Parameter$1", "Parameter$2", "Parameter$3", "Parameter$4"]
    assert [p.name for p in cell.rows] == names
    assert list(cell.parameters_dict()) == (names if kind is ms.ParameterTuple else [])


def test_the_numbers_go_on_from_row_to_row():
    cell = held(lambda: tuple(nameless(2)))
    cell.more, cell.last = nameless(1), ms.ParameterTuple(nameless(1))
    cell.update_parameters_name("k.")
    assert [p.name for p in (*cell.rows, *cell.more, *cell.last)] == [
        "Parameter$1",
        "Parameter$2",
        "Parameter$3",
        "k.Parameter$4",
    ]


@pytest.mark.parametrize("kind", [tuple, list, ms.ParameterTuple])
def test_two_parameters_of_one_name_in_a_row_are_refused_and_one_twice_is_not(kind):
    with pytest.raises(ValueError, match="the names in 'rows' must differ, but got 'x' twice"):
        held(lambda: kind([ms.Parameter([1.0], name="x"), ms.Parameter([2.0], name="x")]))
    (same,) = nameless(1)
    assert [p.name for p in held(lambda: kind([same, same])).rows] == ["Parameter$1"] * 2


@pytest.mark.parametrize("kind", [list, tuple, lambda cells: dict(enumerate(cells))])
def test_trainable_cells_in_a_list_are_named_once_as_nobody_trains_them(kind, caplog):
    cell = nn.SequentialCell(held(lambda: kind([nn.ReLU(), nn.Dense(1, 1)])), held(lambda: kind([nn.ReLU()])))
    assert cell.trainable_params() == cell.trainable_params() == []
    (record,) = caplog.records
    assert record.name == "minispore" and "'Holder', the cells in the " in record.message and "'rows'" in record.message


def test_cells_in_a_list_that_are_owned_too_are_no_reason_to_warn(caplog):
    cell = held(lambda: [nn.Dense(1, 1)])
    cell.first = cell.rows[0]
    assert len(cell.trainable_params()) == 2 and not caplog.records


def test_an_attribute_that_is_missing_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"The 'Net' object has no attribute 'foo'\."):
        _ = Net().foo
    assert not hasattr(Net(), "foo")


@pytest.mark.parametrize("value", [nn.ReLU(), ms.Parameter([1.0])], ids=["cell", "parameter"])
def test_assigning_before_super_init_is_an_attribute_error(value):
    class Forgetful(nn.Cell):
        def __init__(self):
            self.part = value

    with pytest.raises(AttributeError, match=r"For 'Forgetful', .*super\(\).__init__\(\).*'part' was assigned first"):
        Forgetful()


def test_calling_a_cell_without_super_init_is_an_attribute_error():
    class Forgetful(nn.Cell):
        def __init__(self):
            pass

    with pytest.raises(AttributeError, match=r"For 'Forgetful', .*super\(\).__init__\(\).*but it never was"):
        Forgetful()(ones(1))


def test_calling_a_cell_without_construct_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"For 'Cell', the method 'construct' is not defined\."):
        nn.Cell()(ones(1))


def test_construct_has_pythons_own_errors_for_wrong_arguments():
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        Scale()(ones(1), ones(1))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Scale()()
    assert Scale()(x=ones(1)).asnumpy() == [2.0]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_call_that_a_user_puts_around_a_cells_runs_once(mode, restored):
    class Counted(Scale):
        calls = 0

        def __call__(self, x):
            Counted.calls += 1
            return super().__call__(x)

    ms.set_context(mode=mode)
    cell = Counted()
    assert [cell(ones(1)).asnumpy() for _ in range(4)] == [2.0] * 4
    assert Counted.calls == 4


# insert_param_to_cell, insert_child_to_cell


def test_an_inserted_parameter_is_owned_and_takes_the_name():
    net = nn.Cell()
    net.insert_param_to_cell("k", ms.Parameter([1.0]))
    net.insert_param_to_cell("none", None)
    assert [p.name for p in net.get_parameters()] == ["k"]
    assert net.none is None


@pytest.mark.parametrize("name", ["", "a.b", "construct", "training"])
def test_insert_param_to_cell_refuses_a_name_that_is_empty_dotted_or_an_attribute(name):
    net = Scale()
    with pytest.raises(KeyError, match="For 'insert_param_to_cell', the name"):
        net.insert_param_to_cell(name, ms.Parameter([1.0]))
    assert net.training is False


def test_insert_param_to_cell_takes_a_dot_where_the_check_is_off():
    net = nn.Cell()
    net.insert_param_to_cell("a.b", ms.Parameter([1.0]), check_name_contain_dot=False)
    assert [p.name for p in net.get_parameters()] == ["a.b"]


def test_insert_param_to_cell_refuses_what_is_no_parameter():
    message = r"For 'insert_param_to_cell', the 'param' must be a Parameter or None, but got int\."
    with pytest.raises(TypeError, match=message):
        nn.Cell().insert_param_to_cell("k", 3)


def test_an_inserted_child_keeps_its_parameters_names():
    net = nn.Cell()
    net.insert_child_to_cell("d", nn.Dense(1, 1))
    assert [p.name for p in net.get_parameters()] == ["weight", "bias"]
    net.insert_child_to_cell("none", None)
    assert repr(net).endswith("  (none): None\n  >")


@pytest.mark.parametrize("name", ["", "a.b", "training", "construct"])
def test_insert_child_to_cell_refuses_a_name_that_is_empty_dotted_or_an_attribute(name):
    with pytest.raises(KeyError, match="For 'insert_child_to_cell', the name"):
        nn.Cell().insert_child_to_cell(name, nn.ReLU())


def test_a_child_that_is_inserted_again_takes_the_place_of_the_first():
    net = nn.Cell()
    net.a, net.b = nn.Dense(1, 1), nn.ReLU()
    net.insert_child_to_cell("a", nn.Tanh())
    assert repr(net) == "Cell<\n  (a): Tanh<>\n  (b): ReLU<>\n  >"
    net.insert_child_to_cell("a", net.b)
    assert net.a is net.b


def test_insert_child_to_cell_refuses_what_is_no_cell():
    message = r"For 'insert_child_to_cell', the 'child_cell' must be a Cell or None, but got int\."
    with pytest.raises(TypeError, match=message):
        nn.Cell().insert_child_to_cell("k", 3)


# Modes and flags


def test_a_new_tree_is_neither_training_nor_differentiated():
    assert {(cell.training, cell.requires_grad) for _, cell in Net().cells_and_names()} == {(False, False)}


def test_a_mode_that_is_set_already_leaves_recordings_alone():
    net = Net().set_train()
    before = changes.count
    assert net.set_train() is net and changes.count == before
    assert not net.set_train(False).seq[0].training and changes.count > before


@pytest.mark.parametrize(("method", "attribute"), [("set_train", "training"), ("set_grad", "requires_grad")])
def test_a_mode_is_set_in_the_whole_tree_and_back(method, attribute):
    net = Net()
    assert getattr(net, method)() is net
    assert all(getattr(cell, attribute) for _, cell in net.cells_and_names())
    getattr(net, method)(False)
    assert not any(getattr(cell, attribute) for _, cell in net.cells_and_names())


@pytest.mark.parametrize(("mode", "training"), [(1, True), (None, False), (0, False), (np.True_, True)])
def test_a_mode_is_taken_by_its_truth_as_mindspore_takes_it(mode, training):
    assert Net().set_train(mode).training is training
    assert Net().set_train(mode).phase == ("train" if training else "predict")


def test_a_mode_that_is_neither_number_nor_none_is_told():
    with pytest.warns(UserWarning, match=r"For 'Net', the 'training' is no bool: 'yes' counts as one\."):
        assert Net().set_train("yes").training is True
    with pytest.warns(UserWarning, match="For 'Cell', the 'auto_prefix' is no bool: <class"):
        assert nn.Cell(nn.Cell)._auto_prefix is True


def test_flags_are_attributes_and_get_flags_lists_them():
    net = Net()
    assert net.add_flags(foo=True) is net
    net.add_flags(bar=1)
    assert net.get_flags() == {"foo": True, "bar": 1}
    assert (net.foo, net.bar) == (True, 1)
    assert nn.Cell(flags={"a": 1}).a == 1


def test_recursive_flags_reach_the_whole_tree():
    net = Net()
    assert net.add_flags_recursive(foo=3) is net
    assert all(cell.foo == 3 for _, cell in net.cells_and_names())


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_flags_fp16_and_fp32_mark_the_cells_that_have_them_and_the_last_mark_holds(mode, restored):
    ms.set_context(mode=mode)
    x = ms.Tensor([[1.0, 2.0]])
    dense = nn.Dense(2, 3)
    steps = (
        ({"fp16": True}, ms.float16),
        ({"fp16": False}, ms.float16),
        ({"fp32": True}, ms.float32),
        ({"fp32": False, "fp16": True}, ms.float16),
    )
    for flags, kind in steps:
        dense.add_flags(**flags)
        assert {dense(x).dtype for _ in range(6)} == {kind}
    assert dense.to_float(ms.float32)(x).dtype == ms.float32
    assert dense.weight.dtype == ms.float32


def test_a_recursive_flag_marks_the_whole_tree_and_another_the_cell_alone():
    x = ms.Tensor([[1.0, 2.0]])
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))
    assert net.add_flags(fp16=True)(x).dtype == ms.float32
    assert net.add_flags_recursive(fp16=True)(x).dtype == ms.float16
    assert net.add_flags_recursive(fp32=True)(ms.Tensor([[1.0, 2.0]], ms.float16)).dtype == ms.float32


def test_cls_name_and_param_prefix_are_mindspores():
    assert (Net().cls_name, Net().param_prefix) == ("Net", "")


@pytest.mark.needs("dropin")
def test_a_jit_config_is_kept_as_a_dict():
    class JitConfig:
        jit_config_dict = {"jit_level": "O1"}  # noqa: RUF012 - stands in for ms.JitConfig

    net = Net()
    assert net.jit_config_dict == {}
    net.set_jit_config(JitConfig())
    assert net.jit_config_dict == {"jit_level": "O1"}


# Printed form


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()


def test_the_printed_form_of_a_network_is_mindspores():
    net = nn.SequentialCell(OrderedDict(block=Block(), fc=nn.Dense(2, 3, activation="relu")))
    assert repr(net) == (
        "SequentialCell<\n"
        "  (block): Block<\n"
        "    (relu): ReLU<>\n"
        "    >\n"
        "  (fc): Dense<\n"
        "    input_channels=2, output_channels=3, has_bias=True, activation=ReLU<>\n"
        "    (activation): ReLU<>\n"
        "    >\n"
        "  >"
    )
    assert str(net) == repr(net)


# Copies


def test_a_shallow_copy_shares_parameters_and_children_but_not_tables_and_marks():
    net = Net()
    other = copy.copy(net)
    assert (other.p is net.p, other.seq is net.seq) == (True, True)
    other.extra = nn.ReLU()
    other.to_float(ms.float16)
    other.add_flags(foo=1)
    assert "extra" not in net._cells
    assert (net.to_float_fp16, net.get_flags()) == (False, {})
    assert Net()(ones(1)).dtype == net(ones(1)).dtype == ms.float32


def test_a_deep_copy_has_parameters_of_its_own_with_the_same_names_and_values():
    net = Net()
    other = copy.deepcopy(net)
    assert [p.name for p in other.get_parameters()] == [p.name for p in net.get_parameters()]
    for mine, its in zip(net.get_parameters(), other.get_parameters(), strict=True):
        assert mine is not its
        np.testing.assert_array_equal(mine.asnumpy(), its.asnumpy())
        assert mine.requires_grad == its.requires_grad
    other.p.set_data(ms.Tensor([9.0]))
    assert net.p.asnumpy() == [1.0]


def test_a_deep_copy_keeps_the_sharing_within_the_tree():
    other = copy.deepcopy(Shared())
    assert other.a is other.b
    assert other.c[0] is other.a
    assert len(list(other.get_parameters())) == 2


def test_a_deep_copy_computes_with_its_own_containers():
    net = nn.SequentialCell(Scale(), Scale((3.0,)))
    other = copy.deepcopy(net)
    other[0].w.set_data(ms.Tensor([10.0]))
    assert (net(ones(1)).asnumpy(), other(ones(1)).asnumpy()) == ([6.0], [30.0])


@pytest.mark.parametrize("nest", [lambda a, b: [a, b], lambda a, b: ((a, b), a * 1), lambda a, b: (a, b)])
def test_a_cell_with_its_own_bprop_may_nest_its_outputs(nest):
    class Own(nn.Cell):
        def construct(self, x):
            return nest(x * 2, x * 3)

        def bprop(self, x, out, dout):
            first = dout[0]
            return (first[0] if isinstance(first, tuple) else first) * 7

    def function(a):
        first = Own()(a)[0]
        return first[0] if isinstance(first, tuple) else first

    assert ms.grad(function)(Tensor([1.0])).asnumpy().tolist() == [7]
