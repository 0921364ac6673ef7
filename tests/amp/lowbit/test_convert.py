"""Conversion by a recipe: the cells that take it, those that are kept, the receipt; networks without listed cells."""

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn
from minispore.amp.lowbit.convert import recipe_of

LEVELS = ["O0", "O1", "O2", "O3", "auto"]
RECIPES = [amp.DelayedFP8, amp.CurrentFP8, amp.BlockFP8, amp.MXFP8, amp.MXFP4, amp.NVFP4]
X = np.random.default_rng(0).standard_normal((6, 40)).astype(np.float32)


class Net(nn.Cell):
    """A network whose listed cells run in another order than they are assigned."""

    def __init__(self):
        super().__init__()
        self.third = nn.Dense(24, 8)
        self.first = nn.Dense(40, 48, has_bias=False)
        self.norm = nn.LayerNorm((48,))
        self.second = nn.Dense(48, 24)

    def construct(self, x):
        y = self.norm(self.first(x))
        return self.third(self.second(y) @ ms.ops.ones((24, 24)))


def taken(net):
    return [name for name, cell in net.cells_and_names() if recipe_of(cell) and hasattr(cell, "weight")]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda make: make.__name__)
def test_a_network_trains_at_each_level_with_each_recipe(recipe, level, restored):
    ms.set_seed(1)
    net = amp.auto_mixed_precision(Net(), level, recipe=recipe(keep=())).set_train()
    function = ms.ops.value_and_grad(lambda x: net(x).astype(ms.float32).square().sum(), None, net.trainable_params())
    value, gradients = function(ms.Tensor(X))
    assert np.isfinite(float(value)) and [g.dtype for g in gradients] == [ms.float32] * len(gradients)
    assert all(np.abs(g.asnumpy()).max() > 0 for g in gradients)


KEPT = {
    "the last by default": ("last", ["first", "second"]),
    "none": ((), ["first", "second", "third"]),
    "the first and the last": (("first", "last"), ["second"]),
    "a path": ("second", ["first", "third"]),
    "a class": (nn.Dense, []),
    "a function": (lambda path, cell: not cell.has_bias, ["second", "third"]),
}


@pytest.mark.parametrize("case", KEPT)
def test_cells_are_kept_in_the_order_of_execution(case):
    keep, expected = KEPT[case]
    net = amp.auto_mixed_precision(Net(), recipe=amp.MXFP8(keep=keep))
    assert sorted(taken(net)) == expected


def test_a_cell_that_is_marked_keeps_its_mark():
    net = Net()
    net.first.to_float(ms.float16)
    net = amp.auto_mixed_precision(net, recipe=amp.MXFP8(keep=()))
    assert sorted(taken(net)) == ["second", "third"]
    assert next(e.reason for e in net.amp_report.entries if e.path == "first") == "kept: to_float"


def test_a_path_that_is_no_listed_cells_is_refused():
    with pytest.raises(ValueError, match=r"must be of a listed cell \(third, first, second\), but got 'fourth'"):
        amp.auto_mixed_precision(Net(), recipe=amp.MXFP8(keep="fourth"))


@pytest.mark.parametrize("level", LEVELS)
def test_the_receipt_names_the_recipe_and_the_reasons(level):
    net = amp.auto_mixed_precision(Net(), level, recipe=amp.MXFP8(keep=("last",)))
    rows = {e.path: (e.dtype, e.reason) for e in net.amp_report.entries}
    assert rows["first"] == ("mxfp8 (e4m3/32)", "recipe; K = 40: last block of 8")
    assert rows["second"] == ("mxfp8 (e4m3/32)", "recipe; K = 48: last block of 16")
    assert rows["third"][1] == "kept: last" and "fp8" not in rows["third"][0]
    assert net.amp_report.counts["mxfp8 (e4m3/32)"] == 2
    assert any(
        e.kind.lower() == "matmul" and e.reason.endswith("; not a listed product") for e in net.amp_report.entries
    )
    assert f"{level} with mxfp8: " in str(net.amp_report)


@pytest.mark.parametrize("level", LEVELS)
def test_explain_tells_what_the_conversion_will_do(level):
    recipe = amp.NVFP4()
    told = amp.explain(Net(), level, recipe="nvfp4")
    done = amp.auto_mixed_precision(Net(), level, recipe=recipe).amp_report
    assert told.entries == done.entries and told.level == done.level


@pytest.mark.needs("tools")
def test_the_policy_has_a_fourth_field_where_a_recipe_is_taken():
    policy = amp.policy_of(amp.auto_mixed_precision(Net(), "O2", recipe=amp.MXFP8()))
    assert "first:params=float32,compute=float16,output=float16,products=mxfp8" in str(policy)
    assert amp.Policy.parse(str(policy)) == policy
    assert policy.of("first").products == "mxfp8" and policy.of("third").products is None
    assert policy != amp.policy_of(amp.auto_mixed_precision(Net(), "O2"))
    assert "products" not in str(amp.policy_of(amp.auto_mixed_precision(Net(), "O2")))


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_conversion_again_changes_nothing_and_another_is_refused(level):
    net = amp.auto_mixed_precision(Net(), level, recipe=amp.MXFP8())
    assert amp.auto_mixed_precision(net, level, recipe="mxfp8") is net
    with pytest.raises(ValueError, match="must not have been converted before"):
        amp.auto_mixed_precision(net, level, recipe=amp.MXFP8(keep=()))


def test_o1_leaves_the_network_that_it_was_given():
    net = Net()
    before = net(ms.Tensor(X)).asnumpy()
    low = amp.auto_mixed_precision(net, "O1", recipe=amp.DelayedFP8(keep=()))
    assert low is not net and taken(net) == [] and len(taken(low)) == 3
    assert np.array_equal(net(ms.Tensor(X)).asnumpy(), before)
    assert low.first.weight is net.first.weight


def test_custom_lists_take_a_recipe():
    for lists in ({"white_list": amp.get_white_list()}, {"black_list": amp.get_black_list()}):
        net = amp.custom_mixed_precision(Net(), **lists, recipe=amp.MXFP8(keep=()))
        assert len(taken(net)) == 3 and net.amp_report.level.endswith("with mxfp8(keep=none)")


class WithoutListed(nn.Cell):
    """A network with no listed cell."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((40,))

    def construct(self, x):
        return ms.ops.relu(self.norm(x)) @ ms.ops.ones((40, 3))


@pytest.mark.parametrize("level", LEVELS)
def test_without_listed_cells_nothing_changes_and_the_receipt_says_so(level):
    net = amp.auto_mixed_precision(WithoutListed(), level, recipe=amp.MXFP8())
    plain = amp.auto_mixed_precision(WithoutListed(), level)
    assert net(ms.Tensor(X)).asnumpy().tobytes() == plain(ms.Tensor(X)).asnumpy().tobytes()
    assert not any("mxfp8" in e.dtype for e in net.amp_report.entries)


def test_convolutions_are_converted_where_asked_for_and_possible():
    def make():
        return nn.SequentialCell(nn.Conv2d(3, 8, 3), nn.Conv1d(8, 8, 3), nn.Conv3d(1, 1, 3), nn.Dense(8, 2))

    assert taken(amp.auto_mixed_precision(make(), recipe=amp.MXFP8(keep=()))) == ["3"]
    for recipe in (amp.MXFP8, amp.CurrentFP8, amp.DelayedFP8):
        low = amp.auto_mixed_precision(make(), recipe=recipe(keep=(), convolutions=True))
        assert taken(low) == ["0", "1", "3"]
    for recipe in (amp.BlockFP8, amp.NVFP4):
        low = amp.auto_mixed_precision(make(), recipe=recipe(keep=(), convolutions=True))
        assert taken(low) == ["3"]
        assert next(e for e in low.amp_report.entries if e.path == "0").reason.endswith("not a listed product")


@pytest.mark.parametrize("group", [1, 4])
def test_a_grouped_convolution_quantizes_within_its_groups(group):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((2, 8, 6, 6)).astype(np.float32)
    x[:, :2] *= 2.0**20  # group 0's channels must not press those of the others to zero
    net = nn.Conv2d(8, 8, 3, group=group, has_bias=False)
    wide = net(ms.Tensor(x)).asnumpy()
    low = amp.auto_mixed_precision(net, recipe=amp.MXFP8(keep=(), convolutions=True))(ms.Tensor(x)).asnumpy()
    error = np.abs(low - wide)[:, 2:].mean() / np.abs(wide)[:, 2:].mean()
    assert error < 0.1


def test_the_state_of_delayed_scaling_is_parameters_with_the_cells_paths():
    net = amp.auto_mixed_precision(Net(), "O2", recipe=amp.DelayedFP8(keep=(), history=3))
    names = [p.name for p in net.get_parameters()]
    assert "first.matmul.x_scale" in names and "third.matmul.dy_history" in names and len(set(names)) == len(names)
    assert not any("scale" in p.name or "history" in p.name for p in net.trainable_params())
