"""The forms of all families: what each shows, and that no name in it is taken for HTML."""

from html.parser import HTMLParser

import numpy as np
import pytest

import minispore as ms
from minispore import amp, insight, nn, ops
from minispore.rewrite import SymbolTree
from minispore.tools.notebook import html
from minispore.tools.notebook.registration import FORMS

HOSTILE = "<script>alert(1)</script>\x1b[2J"


class Net(nn.Cell):
    """A network of a cell with Parameters and one without."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 3)
        self.act = nn.ReLU()

    def construct(self, x):
        return self.act(self.dense(x))


class Balanced(HTMLParser):
    """A reader that collects the text, and requires each element to end."""

    VOID = ("line", "polyline")

    def __init__(self, text):
        super().__init__()
        self.open, self.names, self.words = [], set(), []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, _):
        self.names.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag, _):
        assert tag in self.VOID

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def words(instance):
    """The text of an instance's form, whose HTML must be balanced and without script."""
    page = Balanced(html(instance))
    assert "script" not in page.names
    return " ".join(" ".join(page.words).split())


def watched(value):
    """A watch of two steps of a network, the first of which has ``value`` in its data."""
    net = nn.WithLossCell(Net(), nn.MSELoss())
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(net, optimizer, nn.DynamicLossScaleUpdateCell(8, 2, 100))
    with insight.watch(step) as seen:
        for x in (value, 1.0):
            step(ms.Tensor([[1.0, x]]), ops.zeros((1, 3)))
    return seen


def instances():
    """An instance for each form."""
    net, seen = Net(), watched(float("inf"))
    data = ms.dataset.NumpySlicesDataset({"x": np.ones((8, 2), np.float32)}, shuffle=False).batch(4)
    return {
        "Tensor": ms.Tensor([1.0]),
        "Parameter": net.dense.weight,
        "Cell": net,
        "Optimizer": nn.Adam(net.trainable_params()),
        "DynamicLossScaleUpdateCell": nn.DynamicLossScaleUpdateCell(8, 2, 100),
        "FixedLossScaleUpdateCell": nn.FixedLossScaleUpdateCell(8),
        "LossScaleManager": amp.DynamicLossScaleManager(),
        "LossScaler": amp.DynamicLossScaler(8, 2, 100),
        "Receipt": amp.explain(net, "O1"),
        "Policy": amp.policy_of(net),
        "OverflowVerdict": seen.not_finite[0].verdict,
        "NotFiniteStep": seen.not_finite[0],
        "watch": seen,
        "SymbolTree": SymbolTree.create(net),
        "Model": ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), metrics={"mae"}),
        "Metric": nn.MAE(),
        "Dataset": data,
    }


@pytest.fixture(scope="module")
def made():
    return instances()


SAYS = {
    "Tensor": "Tensor float32, shape (1,), 1 element magnitudes from 1 to 1",
    "Parameter": "Parameter dense.weight float32, shape (3, 2), 6 elements, trained",
    "Cell": "Net 9 numbers in Parameters, float32 dense Dense: input_channels=2, output_channels=3, has_bias=True;",
    "Optimizer": "Adam 2 Parameters learning rate weight decay Parameters names 0.001 0 2 dense.weight , dense.bias",
    "DynamicLossScaleUpdateCell": "at first loss scale 8 = 2**3 An overflow divides it by 2; 100 good steps in a row",
    "FixedLossScaleUpdateCell": "The scale stays as it is.",
    "LossScaleManager": "DynamicLossScaleManager loss scale 16,777,216 = 2**24 An overflow divides it by 2; 2000 good",
    "LossScaler": "steps since the last change 0",
    "Receipt": "dense Dense float16 white list",
    "Policy": "cell Parameters computes in output the network float32 inputs inputs",
    "OverflowVerdict": "The data is at fault, not the loss scale.",
    "NotFiniteStep": "Step 1 was skipped: inputs[0] is not finite",
    "watch": "2 steps, 1 skipped; loss scale 8 to 4.",
    "SymbolTree": "def construct(self, x):",
    "Model": "network Net loss MSELoss optimizer SGD metrics mae: MAE() mixed precision O0",
    "Metric": "MAE() No value yet (RuntimeError).",
    "Dataset": "BatchDataset(child=NumpySlicesDataset(",
}


def test_every_form_is_tried():
    assert SAYS.keys() == {path.partition(":")[2] for path in FORMS}


@pytest.mark.parametrize("name", SAYS)
def test_a_form_says_what_its_instance_is(made, name):
    assert SAYS[name] in words(made[name])


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (ms.Tensor(np.array([[1e-7, np.inf], [0, 2]], np.float16)), "1.19e-07 to 2; 1 zero; 1 not finite"),
        (ms.Tensor(np.ones((3, 2, 2)), ms.bfloat16), "bfloat16, shape (3, 2, 2), 12 elements"),
        (ms.Tensor(np.zeros((0, 3), np.float32)), "shape (0, 3), 0 elements"),
        (ms.Tensor(np.zeros((2,), np.float32)), "2 zeros"),
        (ms.Tensor([True, False]), "[ True, False]"),
        (ms.Tensor(np.ones(2, np.complex64)), "1+0j"),
        (ms.Tensor(3), "int64, shape (), 1 element 3"),
    ],
    ids=lambda value: "",
)
def test_tensors_of_all_types_have_a_form(x, text):
    assert text in words(x)


def test_a_converted_network_says_what_each_cell_computes_in():
    net = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,))), "O2")
    said = words(net)
    assert "Converted at O2" in said and "computes in float16; weight (2, 2)" in said and "computes in float32" in said


def test_groups_of_an_optimizer_are_rows():
    net = Net()
    groups = [{"params": [net.dense.weight], "lr": 0.5}, {"params": [net.dense.bias], "weight_decay": 0.25}]
    said = words(nn.Momentum(groups, nn.ExponentialDecayLR(0.1, 0.9, 4), 0.9))
    assert "0.5 0 1 dense.weight ExponentialDecayLR 0.25 1 dense.bias" in said


def test_an_evaluated_metric_shows_its_value():
    metric = nn.MAE()
    metric.update(np.ones(2), np.zeros(2))
    assert "value now: 1.0" in words(metric)


def test_names_are_text():
    cell = nn.Cell()
    cell.insert_child_to_cell("child", nn.ReLU())
    cell._cells[HOSTILE] = nn.ReLU()
    hostile = [cell, ms.Parameter(1.0, name=HOSTILE), nn.SGD([ms.Parameter([1.0], name=HOSTILE)])]
    hostile += [ms.dataset.NumpySlicesDataset({HOSTILE: np.ones(2)})]
    for instance in hostile:
        said = words(instance)
        assert "<script>" in said and "\x1b" not in said


def test_a_cell_that_holds_its_parent_ends():
    outer, inner = nn.Cell(), nn.Cell()
    outer._cells["inner"], inner._cells["outer"] = inner, outer
    assert "outer" in words(outer)


def test_a_large_network_is_cut():
    assert "and more cells" in words(nn.SequentialCell(*[nn.ReLU() for _ in range(300)]))


class OwnManager(amp.LossScaleManager):
    """A manager of a user's own."""

    def get_loss_scale(self):
        return 3.0


class OwnScaler(amp.LossScaler):
    """A scaler of a user's own."""

    scale = unscale = adjust = None


def test_managers_and_scalers_of_users_have_a_form():
    assert "OwnManager loss scale 3" in words(OwnManager())
    assert "OwnScaler()" in words(OwnScaler())
