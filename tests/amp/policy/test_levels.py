"""A level that is added to LEVELS is obeyed by every way in: each computes in the types that the record says."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, amp, dataset, nn
from minispore.__main__ import main
from minispore.amp.policy.levels import BLACK, LEVELS, OPERATIONS, WHITE, Level, names
from minispore.ops.casting import Cast
from minispore.tools import insight
from minispore.tools.observer import Observer

pytestmark = pytest.mark.usefixtures("restored")
KINDS = (nn.Dense, nn.LayerNorm, nn.Softmax, nn.PReLU)
NARROW = st.sampled_from([ms.float16, ms.bfloat16])


class Network(nn.Cell):
    """One cell of each kind."""

    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.soft, self.act = nn.Dense(4, 4), nn.LayerNorm((4,)), nn.Softmax(), nn.PReLU(4)

    def construct(self, x):
        return self.act(self.soft(self.norm(self.fc(x))))


class Loss(nn.MSELoss):
    """A loss that can be told from the rest."""


class Types(Observer):
    """The types in which the cells of each kind compute."""

    def __init__(self):
        super().__init__()
        self.seen = {}

    def note(self, primitive, args, arrays, made, single, results):
        for cell, _ in self.cells:
            if type(cell) in (*KINDS, Loss) and not isinstance(primitive, Cast):
                self.seen.setdefault(type(cell), set()).add(ms.pytype_to_dtype(made[0].dtype.type))


def types_of(function, *arguments):
    """Kind -> the types in which its cells compute while a function runs."""
    with Types() as types:
        function(*arguments)
    return types.seen


def expected(level, dtype):
    """Kind -> its type at a level."""
    inside = {WHITE: dtype, BLACK: ms.float32, "": ms.float32}[level.convert]
    outside = {WHITE: ms.float32, BLACK: dtype, "": ms.float32}[level.convert]
    return {kind: {inside if kind in level.classes else outside} for kind in KINDS}


@pytest.fixture
def added():
    """``added(level)`` adds a level until the end of the test; the same name again replaces it."""
    before = dict(LEVELS)

    def add(level):
        LEVELS[level.name] = level
        return level

    yield add
    LEVELS.clear()
    LEVELS.update(before)


LEVEL = st.builds(
    Level,
    name=st.just("O9"),
    says=st.just("some"),
    convert=st.sampled_from([WHITE, BLACK, ""]),
    classes=st.lists(st.sampled_from(KINDS), unique=True).map(tuple),
    cast_model_type=st.sampled_from([ms.float32, ms.float16, ms.bfloat16]),
    keep_batchnorm_fp32=st.booleans(),
    dynamic_loss_scale=st.booleans(),
)
X = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)


def optimizer(net):
    return nn.SGD(net.trainable_params(), 0.0)


def rows():
    return dataset.NumpySlicesDataset({"x": X, "y": np.zeros_like(X)}, shuffle=False).batch(4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(level=LEVEL)
def test_every_way_in_obeys_a_drawn_record(added, level):
    ms.set_context(cpu_loss_scale=True)
    kinds, x = expected(added(level), level.dtype), Tensor(X)
    converted = amp.auto_mixed_precision(Network(), "O9")
    assert types_of(converted, x) == kinds
    assert converted(x).dtype == ms.float32
    if level.convert:
        assert amp.explain(Network(), "O9").counts == converted.amp_report.counts
    net = Network()
    step = amp.build_train_network(net, optimizer(net), Loss(), "O9")
    assert types_of(step, x, x) == kinds | {Loss: {ms.float32}}
    assert isinstance(step, nn.TrainOneStepWithLossScaleCell) is level.dynamic_loss_scale
    model = ms.Model(net := Network(), Loss(), optimizer(net), {"mae"}, amp_level="O9")
    assert types_of(model.train, 1, rows()) == kinds | {Loss: {ms.float32}}
    if level.convert != WHITE:  # the white pass makes a new network, and leaves the one that is evaluated
        assert types_of(model.eval, rows()) == kinds | {Loss: {ms.float32}}
        assert types_of(model.predict, x) == kinds


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(level=LEVEL.filter(lambda level: level.convert == BLACK), dtype=NARROW)
def test_a_type_that_is_asked_for_takes_the_place_of_the_levels(added, level, dtype):
    added(level)
    converted = amp.auto_mixed_precision(Network(), "O9", dtype)
    assert types_of(converted, Tensor(X)) == expected(level, dtype)
    assert ("in" in converted._amp_level) is (dtype != level.dtype)


def test_a_level_of_operations_is_autos_by_every_way_in(added):
    added(Level("O9", "each operation", OPERATIONS))
    kinds = types_of(amp.auto_mixed_precision(Network(), "auto"), Tensor(X))
    assert {ms.float16, ms.float32} <= set.union(*kinds.values())
    assert types_of(amp.auto_mixed_precision(Network(), "O9"), Tensor(X)) == kinds
    model = ms.Model(net := Network(), Loss(), optimizer(net), {"mae"}, amp_level="O9")
    assert types_of(model.train, 1, rows()) == kinds | {Loss: {ms.float32}}
    assert types_of(model.eval, rows()) == kinds | {Loss: {ms.float32}}


def test_a_level_for_a_device_is_auto_there(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.bfloat16, True, recommended_for="CPU"))
    step = amp.build_train_network(net := Network(), optimizer(net), Loss(), "auto")
    kinds = {kind: {ms.bfloat16} for kind in KINDS} | {nn.LayerNorm: {ms.float32}, Loss: {ms.float32}}
    assert types_of(step, Tensor(X), Tensor(X)) == kinds


def test_the_keywords_override_a_level_as_they_do_o2(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.float16, True))
    for given_, inside, outside in (
        ({}, ms.float32, ms.float16),
        ({"keep_batchnorm_fp32": True}, ms.float32, ms.float16),
        ({"keep_batchnorm_fp32": False}, ms.float16, ms.float16),
        ({"cast_model_type": ms.float32}, ms.float32, ms.float32),
    ):
        step = amp.build_train_network(net := Network(), optimizer(net), Loss(), "O9", **given_)
        found = types_of(step, Tensor(X), Tensor(X))
        assert (found[nn.LayerNorm], found[nn.Dense]) == ({inside}, {outside})


def test_a_network_at_an_added_level_stays_so(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.float16, True))
    net = Network()
    amp.auto_mixed_precision(net, "O9")
    amp.build_train_network(net, optimizer(net), Loss(), "O9")
    with pytest.raises(ValueError, match=r"must not have been converted before.*at O9"):
        amp.build_train_network(net, optimizer(net), Loss(), "O2", loss_scale_manager=None)


def test_reports_know_an_added_level(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.float16, True))
    report = insight.precision_report(Network(), nn.MSELoss(), (Tensor(X), Tensor(X)), "O9")
    types = {row.place: row.dtype for row in report if row.kind == "weights"}
    assert "O9" in str(report), types


FILE = """
from minispore import nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flat, self.norm, self.fc = nn.Flatten(), nn.LayerNorm((784,)), nn.Dense(784, 10)

    def construct(self, x):
        return self.fc(self.norm(self.flat(x)))
"""


@pytest.mark.parametrize("listed, cast", [((nn.LayerNorm,), ms.float16), ((nn.Dense,), ms.float16), ((), ms.bfloat16)])
def test_the_commands_obey_an_added_level(added, listed, cast, tmp_path, capsys):
    added(Level("O9", "some", BLACK, listed, cast, bool(listed)))
    (tmp_path / "own_net.py").write_text(FILE)
    assert main(["explain", f"{tmp_path}/own_net.py:Net", "--level", "O9"]) == 0
    lines = {line.split()[2]: line for line in capsys.readouterr().out.splitlines() if "own_net.py" in line}
    for kind in (nn.LayerNorm, nn.Dense):
        assert ("float32" if kind in listed else str(cast).lower()) in lines[kind.__name__]
    options = ["--net", f"{tmp_path}/own_net.py:Net", "--level", "O9", "--epochs", "1", "--batch-size", "500"]
    assert main(["train", *options, "--out", str(tmp_path / "out")]) == 0
    cells = json.loads((tmp_path / "out" / "results.json").read_text())["levels"]["O9"]["cells"]
    for kind in (nn.LayerNorm, nn.Dense):
        assert kind.__name__ in str(cells["float32" if kind in listed else str(cast).lower()])


def test_every_list_of_levels_grows(added, capsys):
    added(Level("O9", "none"))
    assert names() == ("O0", "O1", "O2", "O3", "O9")
    for command in ("train", "explain"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "O3,O9" in capsys.readouterr().out.replace(" ", "")
    for build in (
        lambda: amp.auto_mixed_precision(Network(), "O8"),
        lambda: amp.build_train_network(net := Network(), optimizer(net), level="O8"),
        lambda: ms.Model(net := Network(), Loss(), optimizer(net), amp_level="O8"),
    ):
        with pytest.raises(ValueError, match="O9"):
            build()


def test_the_receipt_of_an_added_level_of_operations_says_what_its_rows_leave_out(added):
    added(Level("O9", "each operation", OPERATIONS))
    own, auto = (str(amp.explain(Network(), name)) for name in ("O9", "auto"))
    assert own.splitlines()[-1] == auto.splitlines()[-1] and "as auto's lists say of them" in own


def test_a_plan_measures_an_added_level(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.float16, True))
    found = insight.plan(Network(), nn.MSELoss(), (Tensor(X), Tensor(X)), 1.0)
    assert [form.name for form in found.forms] == ["float32", "O1", "O2", "O3", "O9", "bfloat16"]


def test_a_keyword_that_changes_the_type_leaves_a_level_its_own_classes(added):
    added(Level("O9", "softmax kept", BLACK, (nn.Softmax,), ms.bfloat16, True))
    step = amp.build_train_network(net := Network(), optimizer(net), Loss(), "O9", cast_model_type=ms.float16)
    kinds = {kind: {ms.float16} for kind in KINDS} | {nn.Softmax: {ms.float32}, Loss: {ms.float32}}
    assert types_of(step, Tensor(X), Tensor(X)) == kinds
    assert amp.auto_mixed_precision(net, "O9", ms.float16) is net
