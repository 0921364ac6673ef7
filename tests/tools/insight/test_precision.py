"""The precision report: its numbers are those of a computation by hand in float64, and its loss scales are tried."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.core import seeds
from minispore.tools.insight import precision_report

X = np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32)
Y = np.linspace(2, -1, 6).reshape(3, 2).astype(np.float32)
BATCH = ms.Tensor(X), ms.Tensor(Y)
LABELS = ms.Tensor([0, 1, 1], ms.int32)
W1, B1 = np.linspace(-0.3, 0.5, 20).reshape(5, 4).astype(np.float32), np.linspace(-0.1, 0.2, 5).astype(np.float32)
W2, B2 = np.linspace(0.2, -0.4, 10).reshape(2, 5).astype(np.float32), np.array([1e-6, 0.3], np.float32)


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)


def network(factor=1.0):
    net = nn.SequentialCell(nn.Dense(4, 5), nn.ReLU(), nn.Dense(5, 2))
    for p, value in zip(net.get_parameters(), (W1, B1, W2 * np.float32(factor), B2), strict=True):
        p.set_data(ms.Tensor(value))
    return net


def by_hand(factor=1.0):
    """The arrays of each record, in float64."""
    x, y, w1, b1, w2, b2 = (a.astype(np.float64) for a in (X, Y, W1, B1, W2 * np.float32(factor), B2))
    product = x @ w1.T
    hidden = product + b1
    positive = np.maximum(hidden, 0)
    second = positive @ w2.T
    out = second + b2
    d_out = 2 * (out - y) / out.size
    d_positive = d_out @ w2
    d_hidden = d_positive * (hidden > 0)
    return {
        ("SequentialCell.0", "activations"): [product, hidden],
        ("SequentialCell.1", "activations"): [positive],
        ("SequentialCell.2", "activations"): [second, out],
        ("SequentialCell.0", "activation gradients"): [d_hidden, d_hidden],
        ("SequentialCell.1", "activation gradients"): [d_positive],
        ("SequentialCell.2", "activation gradients"): [d_out, d_out],
        ("inputs[0]", "activations"): [x],
        ("inputs[1]", "activations"): [y],
        **{(name, "weights"): [a] for name, a in zip(NAMES, (w1, b1, w2, b2), strict=True)},
        ("0.weight", "weight gradients"): [d_hidden.T @ x],
        ("0.bias", "weight gradients"): [d_hidden.sum(0)],
        ("2.weight", "weight gradients"): [d_out.T @ positive],
        ("2.bias", "weight gradients"): [d_out.sum(0)],
    }


IN_FLOAT32 = {"O1": ("inputs[1]", "SequentialCell.1"), "O2": ("inputs[1]",), "O3": ("inputs[1]",)}
NAMES = ("0.weight", "0.bias", "2.weight", "2.bias")


def in_float16(numbers):
    with np.errstate(over="ignore"):
        return np.abs(numbers.astype(np.float16))


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
@pytest.mark.parametrize("factor", [1.0, 1e-5])
def test_each_record_is_of_the_numbers_that_float64_has(level, factor):
    report = precision_report(network(factor), nn.MSELoss(), BATCH, level)
    found = {(r.place, r.kind): r for r in report if r.place not in ("loss_fn", "SequentialCell")}
    expected = by_hand(factor)
    assert found.keys() == expected.keys()
    for key, arrays in expected.items():
        numbers, record = np.concatenate([a.ravel() for a in arrays]), found[key]
        size = np.abs(numbers[numbers != 0])
        cast = in_float16(size)
        exponents, counts = np.unique(np.frexp(size)[1] - 1, return_counts=True)
        assert record.histogram == dict(zip(exponents.tolist(), counts.tolist(), strict=True))
        assert (record.numbers, record.zeros) == (numbers.size, numbers.size - size.size)
        assert record.flushed == pytest.approx((cast == 0).mean(), abs=1e-15)
        assert record.subnormal == pytest.approx(((cast > 0) & (cast < 2.0**-14)).mean(), abs=1e-15)
        assert record.headroom == pytest.approx(np.log2(65504 / size.max()))
        assert record.dtype == ("float32" if level == "O0" or key[0] in IN_FLOAT32[level] else "float16")


@pytest.mark.parametrize("factor", [1.0, 1e-3])
def test_the_loss_scales_of_a_weights_gradient_keep_and_hold_it(factor):
    report = precision_report(network(factor), nn.MSELoss(), BATCH, "O3", most_flushed=0.2)
    found = {r.place: r for r in report if r.kind == "weight gradients"}
    for name in NAMES:
        (gradient,), record = by_hand(factor)[name, "weight gradients"], found[name]
        shares = [(in_float16(gradient[gradient != 0] * record.least_scale * f) == 0).mean() for f in (1, 0.5)]
        assert shares[0] < 0.2 <= shares[1]
        assert np.isfinite(in_float16(gradient * record.greatest_scale)).all()
        assert not np.isfinite(in_float16(gradient * record.greatest_scale * 2)).all()


def overflows(net, loss_fn, batch, level, scale):
    manager = ms.amp.FixedLossScaleManager(scale, drop_overflow_update=True)
    step = ms.build_train_network(
        net, nn.SGD(net.trainable_params(), 0.0), loss_fn, level=level, loss_scale_manager=manager
    )
    return bool(step(*batch)[1])


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm, self.norm, self.head = nn.LSTMCell(4, 4), nn.LayerNorm((4,)), nn.Dense(4, 2)

    def construct(self, x):
        state = x * 0, x * 0
        for _ in range(4):
            state = self.lstm(x, state)
        return self.head(self.norm(state[0]))


class Image(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.drop = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Dropout(p=0.5)
        self.head = nn.Dense(8, 2)

    def construct(self, x):
        x = ops.relu(self.norm(self.conv(x.reshape(3, 1, 2, 2))))
        return self.head(self.drop(x).reshape(3, -1))


@pytest.mark.parametrize(
    ("make", "level", "factor"),
    [
        (network, "O1", 1.0),
        (network, "O3", 1e4),
        (Recurrent, "O1", 1e3),
        (Recurrent, "O3", 1e-6),
        (Image, "O1", 1e4),
        (Image, "O2", 1.0),
        (Image, "O3", 1e4),
    ],
)
def test_the_step_is_finite_at_the_advised_scale_and_at_none_above(make, level, factor):
    ms.set_seed(1)
    net, above, batch = make(), make(), (BATCH[0], BATCH[1] * factor)
    for p, q in zip(above.get_parameters(), net.get_parameters(), strict=True):
        p.set_data(q)
    draws = seeds.seed.draws
    before = [p.asnumpy().tobytes() for p in net.get_parameters()]
    report = precision_report(net, nn.MSELoss(), batch, level)
    assert ([p.asnumpy().tobytes() for p in net.get_parameters()], seeds.seed.draws) == (before, draws)
    scale = report.advised_scale
    assert not overflows(net, nn.MSELoss(), batch, level, scale)
    seeds.seed.draws = draws
    assert scale == 2.0**24 or overflows(above, nn.MSELoss(), batch, level, scale * 2)
    assert scale in (report.greatest_scale, 2.0**24)


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
def test_places_are_the_paths_of_the_users_own_network(level):
    class Deep(nn.Cell):
        def __init__(self):
            super().__init__()
            self.blocks = nn.SequentialCell(nn.Dense(4, 4), nn.LayerNorm((4,)), nn.SequentialCell(nn.LayerNorm((4,))))

        def construct(self, x):
            return ops.exp(self.blocks(x))

    net = Deep()
    every = {f"Deep.{path}".rstrip(".") for path, _ in net.cells_and_names()}
    paths = every - {"Deep.blocks", "Deep.blocks.2"}  # which call others only
    report = precision_report(net, nn.MSELoss(), (BATCH[0], BATCH[0] * 2), level)
    assert {r.place for r in report if r.kind == "activations"} == paths | {"loss_fn", "inputs[0]", "inputs[1]"}
    assert {r.place for r in report if r.kind == "activation gradients"} <= every | {"loss_fn"}
    assert {r.place for r in report if "weight" in r.kind} == {p.name for p in net.get_parameters()}


def test_every_device_has_the_same_report(device):
    net = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
    report = precision_report(net, nn.MSELoss(), (ms.Tensor(X), ms.Tensor(Y)), "O3")
    (record,) = [r for r in report if (r.place, r.kind) == ("weight", "weight gradients")]
    x, y = X.astype(np.float64), Y.astype(np.float64)
    gradient = ((x.sum(1, keepdims=True) - y) * 2 / 6).T @ x
    assert record.headroom == pytest.approx(np.log2(65504 / np.abs(gradient).max()))
    assert report.advised_scale == report.greatest_scale


def test_a_layer_that_underflows_is_told_of_and_its_scales_are_named():
    net = network(1e-6)
    report = precision_report(net, nn.MSELoss(), BATCH, "O3")
    first = next(r for r in report if (r.place, r.kind) == ("0.weight", "weight gradients"))
    assert first.subnormal + first.flushed > 0.9
    assert 1 < report.least_scale <= report.advised_scale
    assert "none" not in str(report).splitlines()[-1]


def test_without_float16_no_scale_is_needed():
    report = precision_report(network(), nn.MSELoss(), BATCH, "O0")
    assert (report.least_scale, report.greatest_scale, report.advised_scale) == (None, None, 1.0)
    assert str(report).endswith("At O0 no gradient is computed in float16: no loss scale is needed.")


def test_gradients_that_span_too_much_have_no_scale_that_keeps_them():
    wide = ms.Tensor(np.array([[1e6, 1.0, 1e-8, 1.0]], np.float32) * X)
    report = precision_report(network(), nn.MSELoss(), (wide / 1e6, BATCH[1] * 1e4), "O3", most_flushed=1e-9)
    assert report.least_scale > report.greatest_scale >= report.advised_scale
    assert "no loss scale keeps all gradients" in str(report)


def test_a_forward_pass_that_overflows_has_no_advice():
    report = precision_report(network(1e6), nn.MSELoss(), BATCH, "O3")
    assert report.advised_scale is None
    assert min(r.headroom for r in report if r.kind == "activations") < 0
    assert "not finite at any loss scale" in str(report)


def test_classes_and_other_whole_numbers_have_no_record():
    report = precision_report(network(), nn.SoftmaxCrossEntropyWithLogits(sparse=True), (BATCH[0], LABELS), "O2")
    assert {r.place for r in report if r.place.startswith("inputs")} == {"inputs[0]"}


def test_gradients_that_only_float64_has_numbers_for_have_scales_that_are_infinite():
    far = nn.Dense(4, 40, weight_init="zeros", bias_init=ms.Tensor([0.0] + [-730.0] * 39))
    report = precision_report(far, nn.SoftmaxCrossEntropyWithLogits(sparse=True), (BATCH[0], LABELS), "O3")
    (bias,) = [r for r in report if (r.place, r.kind) == ("bias", "weight gradients")]
    assert min(bias.histogram) < -1022 and bias.least_scale == np.inf


def test_the_table_has_a_line_for_each_record():
    report = precision_report(network(), None, (BATCH[0],), "O2")
    lines = str(report).splitlines()
    assert len(lines) == len(report) + 2
    assert lines[0].split() == ["place", "of", "type", "flushed", "subnormal", "headroom", "loss", "scales"]
    assert lines[1].split()[:3] == ["inputs[0]", "activations", "float16"]
    assert lines[2].split()[:3] == ["SequentialCell.0", "activations", "float16"]


def test_the_gradients_of_a_shared_weight_are_summed_before_they_are_told_of():
    class Tied(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(4, 4, has_bias=False)

        def construct(self, x):
            return self.fc(self.fc(x))

    net = Tied()
    weight = net.fc.weight.asnumpy().astype(np.float64)
    ones = np.ones((3, 4))
    gradient = ones.T @ (X @ weight.T) + (ones @ weight).T @ X
    report = precision_report(net, None, (BATCH[0],), "O3")
    (record,) = [r for r in report if r.kind == "weight gradients"]
    assert record.headroom == pytest.approx(np.log2(65504 / np.abs(gradient).max()))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"network": 3}, TypeError, "the 'network' must be a Cell"),
        ({"loss_fn": 3}, TypeError, "the 'loss_fn' must be a Cell or None"),
        ({"batch": BATCH[0]}, TypeError, "the 'batch' must be a tuple of Tensors"),
        ({"batch": BATCH[:1]}, ValueError, "the 'batch' must be a pair"),
        ({"level": "O4"}, ValueError, "the 'amp_level' must be"),
        ({"most_flushed": 0}, ValueError, "the 'most_flushed' must be"),
        ({"network": nn.ReLU()}, ValueError, "the 'network' must have Parameters to train"),
        ({"network": ms.amp.auto_mixed_precision(nn.Dense(2, 2), "O3")}, ValueError, "converted before"),
    ],
)
def test_wrong_arguments_are_refused(change, error, words):
    arguments = {"network": network(), "loss_fn": nn.MSELoss(), "batch": BATCH, **change}
    with pytest.raises(error, match=words):
        precision_report(**arguments)


def test_it_looks_alone():
    with ms.insight.collect_operator_stats(), pytest.raises(RuntimeError, match="one observer can run at a time"):
        precision_report(network(), nn.MSELoss(), BATCH)
