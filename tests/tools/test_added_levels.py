"""A level that is added to LEVELS is obeyed by Model, the commands and the reports too."""

import json

import numpy as np
import pytest
from amp.policy.test_levels import LEVEL, Loss, Network, X, expected, optimizer, types_of
from hypothesis import HealthCheck, given, settings

import minispore as ms
from minispore import Tensor, amp, dataset, nn
from minispore.__main__ import main
from minispore.amp.policy.levels import BLACK, OPERATIONS, WHITE, Level, names
from minispore.tools import insight

pytestmark = pytest.mark.usefixtures("restored")


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


def test_a_level_of_operations_is_autos_by_every_way_in(added):
    added(Level("O9", "each operation", OPERATIONS))
    kinds = types_of(amp.auto_mixed_precision(Network(), "auto"), Tensor(X))
    assert {ms.float16, ms.float32} <= set.union(*kinds.values())
    assert types_of(amp.auto_mixed_precision(Network(), "O9"), Tensor(X)) == kinds
    model = ms.Model(net := Network(), Loss(), optimizer(net), {"mae"}, amp_level="O9")
    assert types_of(model.train, 1, rows()) == kinds | {Loss: {ms.float32}}
    assert types_of(model.eval, rows()) == kinds | {Loss: {ms.float32}}


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
    before = names()
    added(Level("O9", "none"))
    assert names() == (*before, "O9")
    for command in ("train", "explain"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert f"{before[-1]},O9" in capsys.readouterr().out.replace(" ", "")
    for build in (
        lambda: amp.auto_mixed_precision(Network(), "O8"),
        lambda: amp.build_train_network(net := Network(), optimizer(net), level="O8"),
        lambda: ms.Model(net := Network(), Loss(), optimizer(net), amp_level="O8"),
    ):
        with pytest.raises(ValueError, match="O9"):
            build()


def test_a_plan_measures_an_added_level(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.float16, True))
    found = insight.plan(Network(), nn.MSELoss(), (Tensor(X), Tensor(X)), 1.0)
    assert [form.name for form in found.forms] == ["float32", *names()[1:], "bfloat16"]
