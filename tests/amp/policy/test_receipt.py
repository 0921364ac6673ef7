"""The receipt: every call site with its place, class, dtype and reason; what was missed; the source's difference."""

import inspect

import numpy as np
import pytest
from support.mixed_networks import ConvNet, images

import minispore as ms
from minispore import amp, nn, ops

WITHOUT_ROWS = (
    "Not shown: operators other than @, and Tensor methods such as x.sum(). "
    "They compute in the type of their inputs, or of their cell."
)


class Planted(nn.Cell):
    """A listed cell, an unlisted one, a function that stands for a listed primitive, a cell of the user's mark."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.own = nn.Dense(4, 4).to_float(ms.float32)
        self.tanh = nn.Tanh()
        self.mm = ops.MatMul()

    def construct(self, x):
        x = self.tanh(self.fc(x))
        x = ops.relu(self.own(x))
        return self.mm(x, x)


def line_of(text):
    """The line of this file on which a text stands in Planted's construct."""
    lines, first = inspect.getsourcelines(Planted)
    return f"{__file__}:{first + next(i for i, line in enumerate(lines) if text in line)}"


def rows(receipt):
    return {entry.path: (entry.kind, entry.dtype, entry.reason) for entry in receipt.entries}


def test_o1_tells_each_call_site_with_its_reason():
    network = Planted()
    receipt = amp.auto_mixed_precision(network, "O1").amp_report
    found = rows(receipt)
    assert found["fc"] == ("Dense", "float16", "white list")
    assert found["mm"] == ("MatMul", "float16", "white list")
    assert found["tanh"] == ("Tanh", "float32", "not listed")
    assert found["own"][:2] == ("Dense", "float32")
    assert "to_float was called on it" in found["own"][2]
    assert found["ops.relu"] == ("ReLU", "float32", "listed, but not converted: it is called as a function")
    assert {entry.path for entry in receipt.missed} == {"own", "ops.relu"}
    assert receipt.counts == {"float16": 2, "float32": 3}


def test_each_site_has_its_file_and_line():
    receipt = amp.explain(Planted(), "O1")
    places = {entry.path: entry.place for entry in receipt.entries}
    assert places["fc"] == places["tanh"] == line_of("self.tanh(self.fc(x))")
    assert places["ops.relu"] == line_of("ops.relu(self.own(x))")


def test_explaining_converts_nothing():
    network = ConvNet()
    for level in ("O0", "O1", "O2", "O3"):
        receipt = amp.explain(network, level)
        assert receipt.level == level
    assert all(cell._compute_dtype is None for _, cell in network.cells_and_names())
    assert "amp_report" not in vars(network)
    assert amp.auto_mixed_precision(network, "O2") is not network


@pytest.mark.parametrize(
    ("level", "convolution", "norm", "reason"),
    [
        ("O0", "float32", "float32", "O0 converts nothing"),
        ("O2", "float16", "float32", "black list"),
        ("O3", "float16", "float16", "everything"),
    ],
)
def test_the_other_levels_are_read_from_the_marks(level, convolution, norm, reason):
    explained = rows(amp.explain(ConvNet(), level))
    assert explained["conv"][1] == convolution
    assert explained["bn"] == ("BatchNorm2d", norm, reason)
    if level != "O0":
        assert rows(amp.auto_mixed_precision(ConvNet(), level).amp_report) == explained


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_a_users_own_to_float_is_named_at_every_level(level):
    found = rows(amp.explain(Planted(), level))
    assert found["own"][1] == "float32" and "to_float" in found["own"][2]
    assert "to_float" not in found["fc"][2]


def test_what_stands_in_a_black_listed_cell_is_told_to_be_black_listed():
    network = nn.SequentialCell(nn.SequentialCell(nn.Dense(4, 4)), nn.Dense(4, 4), nn.SyncBatchNorm(4))
    kinds = [(entry.kind, entry.dtype, entry.reason) for entry in amp.explain(network, "O2").entries]
    assert sorted(kinds) == [("Dense", "float16", "not on the black list")] * 2 + [
        ("SyncBatchNorm", "float32", "black list")
    ]
    receipt = amp.custom_mixed_precision(Blocks(), black_list=[Block]).amp_report
    assert rows(receipt) == {
        "block.fc": ("Dense", "float32", "black list"),
        "fc": ("Dense", "float16", "not on the black list"),
    }


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        return self.fc(x)


class Blocks(nn.Cell):
    """Its construct calls the cell by another name than self."""

    def __init__(self):
        super().__init__()
        self.block, self.fc = Block(), nn.Dense(4, 4)

    def construct(this, x):  # noqa: N805 - that is what is tested
        return this.fc(this.block(x))


def test_paths_are_told_whatever_construct_calls_the_cell():
    network = Blocks()
    network.fc.to_float(ms.float32)
    found = rows(amp.explain(network, "O1"))
    assert found["block.fc"] == ("Dense", "float16", "white list")
    assert "to_float was called on it" in found["fc"][2]


def test_custom_lists_leave_a_receipt_too():
    receipt = amp.custom_mixed_precision(ConvNet(), white_list=[nn.BatchNorm2d]).amp_report
    assert rows(receipt)["bn"][1:] == ("float16", "white list")
    assert rows(receipt)["conv"][1:] == ("float32", "not listed")
    receipt = amp.custom_mixed_precision(ConvNet(), black_list=[nn.Dense]).amp_report
    assert rows(receipt)["fc"][1:] == ("float32", "black list")


def test_strict_refuses_what_is_missed_and_names_it():
    network = Planted()
    message = r"'strict' every listed class must be converted, .*ops.relu \(ReLU\) at .*test_receipt"
    with pytest.raises(ValueError, match=message):
        amp.auto_mixed_precision(network, "O1", strict=True)
    assert network.fc._compute_dtype is None
    converted = amp.auto_mixed_precision(ConvNet(), "O1", strict=True)
    assert converted(images()[0]).dtype == ms.float32


def test_it_prints_as_a_table_and_shows_the_difference():
    receipt = amp.explain(ConvNet(), "O1")
    lines = str(receipt).splitlines()
    assert lines[0].split() == ["place", "cell", "class", "computes", "in", "why"]
    assert lines[-2] == "O1: 5 call sites, 2 in float16, 3 in float32; 0 listed but not converted."
    assert lines[-1] == WITHOUT_ROWS
    added = [line for line in receipt.diff().splitlines() if line.startswith("+ ")]
    assert any("outcast_conv" in line for line in added)
    assert "-# conv (Conv2d) computes in float32" in receipt.diff()
    assert "+# conv (Conv2d) computes in float16" in receipt.diff()
    assert amp.explain(ConvNet(), "O2").diff() == ""


def test_containers_and_loops_are_looked_into():
    class Loop(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)])
            self.head = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())

        def construct(self, x):
            for layer in self.layers:
                x = layer(x)
            return self.head(x)

    network = amp.auto_mixed_precision(Loop(), "O1")
    found = rows(network.amp_report)
    assert {path: found[path][1] for path in ("layers.0", "layers.1", "head.0", "head.1")} == {
        "layers.0": "float16",
        "layers.1": "float16",
        "head.0": "float16",
        "head.1": "float32",
    }
    assert np.isfinite(network(ms.ops.ones((1, 2))).asnumpy()).all()


class Listed(nn.Cell):
    """Cells that a list, a dict and a tuple hold, one that is never called, and a function of no listed class."""

    def __init__(self):
        super().__init__()
        self.layers, self.table, self.pair = [nn.Dense(4, 4), nn.ReLU()], {"a": nn.Dense(4, 4)}, (ops.ReLU(), 1)
        self.spare, self.choice = nn.Dense(4, 4), nn.CellList([nn.Dense(4, 4)])

    def construct(self, x, i=0):
        for layer in self.layers:
            x = layer(x)
        x = self.choice[i](self.pair[0](self.table["a"](x)))
        return ops.softmax(x)


def test_cells_in_lists_dicts_and_tuples_are_told_in_the_order_of_execution():
    receipt = amp.explain(Listed(), "O1")
    assert [(entry.path, entry.dtype) for entry in receipt.entries] == [
        *[("layers[0]", "float16"), ("layers[1]", "float32"), ("table['a']", "float16"), ("pair[0]", "float16")],
        *[("choice.0", "float16"), ("ops.softmax", "float32"), ("spare", "not called")],
    ]
    found = rows(receipt)
    assert found["choice.0"][2] == "white list; the code names it, and may call it elsewhere"
    assert found["ops.softmax"] == ("softmax", "float32", "not listed")
    assert found["spare"][2] == "no call of it is found"
    assert receipt.counts == {"float16": 4, "float32": 2}


def test_what_to_float_does_not_reach_is_told_to_compute_as_its_inputs():
    found = rows(amp.explain(Listed(), "O3"))
    assert found["layers[0]"][1:] == ("as its inputs", "to_float reaches only what the network holds as children")
    assert found["ops.softmax"][1:] == ("float16", "everything")


class Converts(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.tanh = nn.Dense(4, 4), nn.Tanh()

    def construct(self, x):
        return self.tanh(x.astype(ms.float16)), self.fc(x)


def test_where_another_type_may_come_up_only_what_is_cast_is_claimed():
    found = rows(amp.explain(Converts(), "O1"))
    assert found["tanh"] == ("Tanh", "as its inputs", "not listed")
    assert found["fc"][1] == "float16"


def test_the_users_own_mark_is_no_error_with_strict():
    class Own(nn.Cell):
        def __init__(self):
            super().__init__()
            self.own = nn.Dense(4, 4).to_float(ms.float32)

        def construct(self, x):
            return self.own(x)

    receipt = amp.auto_mixed_precision(Own(), "O1", strict=True).amp_report
    assert [entry.path for entry in receipt.missed] == ["own"]


@pytest.mark.parametrize(("level", "dtype"), [("O0", "float32"), ("O1", "float32"), ("O2", "as its inputs")])
def test_a_cell_that_the_code_makes_itself_has_its_class(level, dtype):
    class Makes(nn.Cell):
        def construct(self, x):
            return nn.Tanh()(nn.Dense(4, 4)(x))

    kinds = [(entry.kind, entry.dtype) for entry in amp.explain(Makes(), level).entries]
    assert kinds == [("Dense", dtype), ("Tanh", dtype)]


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_a_child_of_a_cell_that_the_user_marked_is_told_to_be_marked_by_the_user(level):
    network = Blocks()
    network.block.to_float(ms.float16)
    found = rows(amp.explain(network, level))
    assert found["block.fc"] == ("Dense", "float16", "to_float by the user")


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_an_unlisted_cell_that_the_user_marked_is_told_to_be_marked_by_the_user(level):
    network = Converts()
    network.tanh.to_float(ms.float16)
    assert rows(amp.explain(network, level))["tanh"] == ("Tanh", "float16", "to_float by the user")


class Normed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.norm = nn.Dense(4, 4), nn.LayerNorm((4,))

    def construct(self, x):
        return self.norm(self.fc(x))


def test_the_users_mark_on_a_black_listed_cell_is_named_and_one_around_it_is_not():
    inner, outer = Normed(), Normed()
    inner.norm.to_float(ms.float16)
    outer.to_float(ms.float16)
    assert rows(amp.explain(inner, "O2"))["norm"] == ("LayerNorm", "float16", "to_float by the user")
    assert rows(amp.explain(outer, "O2")) == {
        "fc": ("Dense", "float16", "to_float by the user"),
        "norm": ("LayerNorm", "float32", "black list"),
    }


def test_a_cell_that_a_listed_network_makes_itself_is_told_to_compute_as_its_inputs():
    class Makes(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(4, 4)

        def construct(self, x):
            return nn.Tanh()(self.fc(x))

    found = [entry[2:] for entry in amp.custom_mixed_precision(Makes(), white_list=[Makes]).amp_report.entries]
    assert found == [
        ("Dense", "float16", "the network is on the white list"),
        ("Tanh", "as its inputs", "to_float reaches only what the network holds as children"),
    ]


class Nothing(nn.Cell):
    def construct(self, x):
        return x


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_a_receipt_without_sites_is_a_table_too(level):
    receipt = amp.explain(Nothing(), level)
    assert receipt.counts == {} and receipt.missed == ()
    assert str(receipt).splitlines() == [
        "place  cell  class  computes in  why",
        f"{level}: 0 call sites, none; 0 listed but not converted.",
        WITHOUT_ROWS,
    ]


@pytest.mark.parametrize("level", ["O2", "O3"])
def test_a_child_set_to_none_is_left_out(level):
    class Without(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.down = nn.Dense(4, 4), nn.Dense(4, 4)
            self.down = None

        def construct(self, x):
            return self.fc(x) if self.down is None else self.down(x)

    network = amp.auto_mixed_precision(Without(), level)
    assert rows(network.amp_report)["fc"][1] == "float16"
    assert network(ms.ops.ones((1, 4))).dtype == ms.float32


@pytest.mark.parametrize("listed", [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d])
def test_any_batch_norm_on_the_black_list_stands_for_sync_batch_norm(listed):
    network = nn.SequentialCell(nn.SyncBatchNorm(4), nn.LayerNorm((4,)))
    found = rows(amp.custom_mixed_precision(network, black_list=[listed]).amp_report)
    assert found["0"] == ("SyncBatchNorm", "float32", "black list")
    assert found["1"] == ("LayerNorm", "float16", "not on the black list")


def test_a_layer_norm_on_the_black_list_stands_for_no_batch_norm():
    network = nn.SequentialCell(nn.SyncBatchNorm(4), nn.LayerNorm((4,)))
    found = rows(amp.custom_mixed_precision(network, black_list=[nn.LayerNorm]).amp_report)
    assert found["0"] == ("SyncBatchNorm", "float16", "not on the black list")


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_only_a_cell_is_converted(level):
    with pytest.raises(TypeError, match="the 'network' must be a Cell"):
        amp.auto_mixed_precision(lambda x: x, level)


def test_a_primitive_of_the_users_own_is_told_and_called():
    class Mine(ops.Primitive):
        def infer(self, x):
            return x

        def compute(self, xp, x):
            return x + 1

    class Uses(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mine, self.fc = Mine(), nn.Dense(3, 3)

        def construct(self, x):
            return self.fc(self.mine(x))

    network = amp.auto_mixed_precision(Uses(), "O1", strict=True)
    assert rows(network.amp_report)["mine"] == ("Mine", "float32", "not listed")
    assert network(ms.ops.ones((1, 3))).dtype == ms.float32


class Unknown(nn.Cell):
    """Calls of what is known only at run time, and of a product that is a Tensor's method."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x, f, name="relu"):
        return self.fc(f(x)).mm(getattr(ops, name)(x)).sum() + 1


def test_what_is_known_only_at_run_time_is_said_to_be_unknown():
    receipt = amp.explain(Unknown(), "O1")
    unknown = "unknown", "unknown", "the callee is known only at run time"
    assert rows(receipt) == {
        "f": unknown,
        "fc": ("Dense", "float16", "white list"),
        "getattr(ops, name)": unknown,
        "self.fc(f(x)).mm": ("MatMul", "float32", "listed, but not converted: it is called as a method of a Tensor"),
    }
    assert receipt.counts == {"float16": 1, "float32": 1, "unknown": 2}
    assert "O1: 4 call sites, 1 in float16, 1 in float32, 2 unknown; 1 listed" in str(receipt)


def test_a_method_of_a_tensor_has_a_row_where_it_stands_for_a_listed_class():
    class Sums(nn.Cell):
        def construct(self, x):
            return x.softmax(-1).sum() + x.mm(x)

    def paths(receipt):
        return [entry.path for entry in receipt.entries]

    assert paths(amp.explain(Sums(), "O1")) == paths(amp.explain(Sums(), "O3")) == ["x.mm"]
    assert paths(amp.custom_mixed_precision(Sums(), white_list=[ops.Softmax]).amp_report) == ["x.softmax"]
