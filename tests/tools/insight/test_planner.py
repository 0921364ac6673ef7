"""The planner: what it predicts is what the plan measures once it is applied, and no entry of its list is idle."""

import os
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.core import seeds
from minispore.tools.cli.networks import LeNet5
from minispore.tools.insight import plan

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_seed(0)


def drawn(*shape):
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


class Block(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(width, width, 3), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3), nn.BatchNorm2d(width)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(x + self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x))))))


class Residual(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
        self.blocks, self.fc = nn.SequentialCell(Block(4), Block(4)), nn.Dense(4, 10)

    def construct(self, x):
        return self.fc(self.blocks(ops.relu(self.bn(self.conv(x)))).mean((2, 3)))


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.LSTMCell(6, 6), nn.Dense(6, 10)

    def construct(self, x):
        state = x[0] * 0, x[0] * 0
        for step in x:
            state = self.cell(step, state)
        return self.fc(state[0])


class Softmax(nn.Cell):
    """Exponentials that float16 has no numbers for."""

    def construct(self, x):
        scores = ops.exp(x + 12)
        return scores / scores.sum(-1, keepdims=True)


class Encoder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Dense(8, 8) for _ in range(3))
        self.norm1, self.norm2, self.softmax = nn.LayerNorm((8,)), nn.LayerNorm((8,)), Softmax()
        self.fc1, self.fc2, self.gelu = nn.Dense(8, 16), nn.Dense(16, 8), nn.GELU()

    def construct(self, x):
        y = self.norm1(x)
        weights = self.softmax(ops.matmul(self.query(y), self.key(y).transpose(0, 2, 1)) * 0.4)
        x = x + ops.matmul(weights, self.value(y))
        return x + self.fc2(self.gelu(self.fc1(self.norm2(x))))


def classes(count=4):
    return ms.Tensor(np.arange(count) % 10, ms.int32)


def cross_entropy():
    return nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")


CASES = {  # the network, its loss, a batch, and a target
    "LeNet-5": (LeNet5, cross_entropy, lambda: (ms.Tensor(drawn(2, 1, 28, 28)), classes(2)), 1e-2),
    "residual": (Residual, cross_entropy, lambda: (ms.Tensor(drawn(4, 3, 8, 8)), classes()), 1e-2),
    "LSTM": (Recurrent, cross_entropy, lambda: (ms.Tensor(drawn(5, 4, 6)), classes()), 4e-4),
    "encoder": (Encoder, nn.MSELoss, lambda: (ms.Tensor(drawn(2, 5, 8)), ms.Tensor(drawn(2, 5, 8)) * 2), 1e-2),
}


def made(name):
    make, loss_fn, batch, target = CASES[name]
    ms.set_seed(3)
    return make(), loss_fn(), batch(), target


def gradients(network, loss_fn, batch, scale, weights):
    """The loss and the unscaled gradients in float64, or None if one is not finite."""
    cell = nn.WithLossCell(network, loss_fn).set_train()
    loss = cell(*batch)
    grad = ops.GradOperation(get_by_list=True, sens_param=True)(cell, ms.ParameterTuple(weights))
    found = [g.asnumpy().astype(np.float64) / scale for g in grad(*batch, ops.full_like(loss, scale))]
    return (float(loss.asnumpy()), found) if all(np.isfinite(g).all() for g in found) else None


@cache
def in_float64(name):
    """The loss and the gradients of a case whose network is in float64 itself."""
    network, loss_fn, batch, _ = made(name)
    for p in network.get_parameters():
        p.array = p.array.astype(np.float64)
    for attribute in [name for name, value in vars(network).items() if isinstance(value, ms.Tensor)]:
        setattr(network, attribute, getattr(network, attribute).astype(ms.float64))  # a first state
    wide = tuple(ms.Tensor(x.asnumpy().astype(np.float64)) if x.dtype == ms.float32 else x for x in batch)
    return gradients(network, loss_fn, wide, 1.0, network.trainable_params())


def error_of(name, line, scale, **names):
    """The error of the network that a line of Python converts, measured beside float64."""
    network, loss_fn, batch, _ = made(name)
    weights, space = network.trainable_params(), {"ms": ms, "network": network, **globals(), **names}
    exec(line, space)
    found = None
    while found is None and scale >= 1:
        found = gradients(space["network"], loss_fn, batch, scale, weights)
        scale /= 2
    if found is None:
        return np.inf
    (loss, grads), (expected, exact) = found, in_float64(name)
    flat, whole = (np.concatenate([g.ravel() for g in each]) for each in (grads, exact))
    return max(abs(loss - expected) / abs(expected), np.linalg.norm(flat - whole) / np.linalg.norm(whole))


def check(name):
    network, loss_fn, batch, target = made(name)
    state = [p.asnumpy().tobytes() for p in network.get_parameters()]
    found = plan(network, loss_fn, batch, target)
    assert [p.asnumpy().tobytes() for p in network.get_parameters()] == state
    for form in found.forms[1 if DEEP else 3 : 4]:
        line = f'network = ms.amp.auto_mixed_precision(network, "{form.name}")'
        assert error_of(name, line, form.scale or 1.0) == pytest.approx(form.error, rel=0.1)
    if found.black_list is None:
        assert found.steps[-1].error > target
        return found
    assert found.found.error <= target
    assert error_of(name, found.line, found.found.scale) == pytest.approx(found.found.error, rel=0.1)
    for kind in found.black_list:
        fewer = [other for other in found.black_list if other is not kind]
        line = "network = ms.amp.custom_mixed_precision(network, black_list=fewer)"
        assert error_of(name, line, 2.0**24, fewer=fewer) > target
    return found


@pytest.mark.parametrize("name", CASES if DEEP else [name for name in CASES if name != "residual"])
def test_it_predicts_what_the_plan_measures_and_no_entry_is_idle(name):
    check(name)


def test_the_levels_errors_are_told_by_layer():
    network, loss_fn, batch, _ = made("LSTM")
    found = plan(network, loss_fn, batch)
    assert [form.name for form in found.forms] == ["float32", "O1", "O2", "O3", "bfloat16"]
    exact = in_float64("LSTM")[1]
    for form, level in zip(found.forms[1:4], ("O1", "O2", "O3"), strict=True):
        converted = ms.amp.auto_mixed_precision(made("LSTM")[0], level)
        weights = converted.trainable_params()
        grads = gradients(converted, loss_fn, batch, form.scale, weights)[1]
        for layer, numbers in {"Recurrent.cell": range(4), "Recurrent.fc": range(4, 6)}.items():
            flat, whole = (np.concatenate([each[n].ravel() for n in numbers]) for each in (grads, exact))
            error = np.linalg.norm(flat - whole) / np.linalg.norm(whole)
            assert form.layers[layer] == pytest.approx(error, rel=0.1)
    assert found.forms[0].float32_share == 1 > found.forms[1].float32_share


class Powers(nn.Cell):
    def construct(self, x):
        return ops.square(x * 0 + 300) * 1e-5 * x


class Twice(nn.Cell):
    """Two classes that overflow, and a third that does not."""

    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(Powers(), Softmax(), nn.Dense(4, 2))

    def construct(self, x):
        return self.body(x)


X, Y = ms.Tensor(drawn(3, 4)), ms.Tensor(drawn(3, 2))


def test_classes_that_overflow_are_listed_in_the_order_in_which_they_do_and_each_step_is_shown():
    found = plan(Twice(), nn.MSELoss(), (X, Y))
    steps = [(step.action, step.cell_class) for step in found.steps]
    assert steps[:3] == [("begin", ""), ("add", "Powers"), ("add", "Softmax")]
    assert sorted(steps[3:]) == [("keep", "Powers"), ("keep", "Softmax")]
    assert found.black_list == (Powers, Softmax)
    assert found.line == "network = ms.amp.custom_mixed_precision(network, black_list=[Powers, Softmax])"


def test_a_class_that_proves_idle_is_dropped():
    class Inner(Softmax):
        """What its holder, which overflows too, keeps in float32 with itself."""

    class Large(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def construct(self, x):
            return self.inner(x) + ops.square(x * 0 + 300) * 1e-6

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.large, self.fc = Large(), nn.Dense(4, 2)

        def construct(self, x):
            return self.fc(self.large(x))

    found = plan(Net(), nn.MSELoss(), (X, Y))
    assert [(step.action, step.cell_class) for step in found.steps] == [
        ("begin", ""),
        ("add", "Inner"),
        ("add", "Large"),
        ("keep", "Large"),
        ("drop", "Inner"),
        ("keep", "Large"),
    ]
    assert found.black_list == (Large,)


def test_without_a_list_the_network_stays_in_float32():
    found = plan(nn.SequentialCell(nn.Dense(4, 4), nn.Tanh(), nn.Dense(4, 2)), nn.MSELoss(), (X, Y), 1e-9)
    assert (found.black_list, found.found, found.line) == (None, None, None)
    assert str(found).endswith("No black list keeps the network's error within 1e-09: leave it in float32.")


def test_a_loss_of_the_networks_own_counts_as_a_part_of_it():
    class Own(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self._loss_fn = nn.Dense(4, 2), nn.MSELoss()

        def construct(self, x, y):
            return self._loss_fn(self.fc(x), y)

    assert plan(Own(), None, (X, Y)).forms[1].float32_share > 0


def test_where_float32_has_no_finite_numbers_it_is_not_advised():
    found = plan(nn.SequentialCell(nn.Dense(4, 4), nn.Dense(4, 2)), nn.MSELoss(), (X * np.nan, Y))
    assert found.sentence == "No black list keeps the network's error within 0.01, and that of float32 is infinite."


def test_a_table_has_a_line_for_each_form_and_step():
    found = plan(nn.SequentialCell(nn.Dense(4, 4), nn.Dense(4, 2)), nn.MSELoss(), (X, Y))
    lines = str(found).splitlines()
    assert len(lines) == 1 + len(found.forms) + len(found.steps) + 1
    assert lines[0].split()[:4] == ["form", "error", "loss", "gradients"]


def test_random_masks_are_the_same_in_every_form():
    net = nn.SequentialCell(nn.Dense(4, 32), nn.Dropout(p=0.5), nn.Dense(32, 2))
    draws = seeds.seed.draws
    assert max(form.error for form in plan(net, nn.MSELoss(), (X, Y)).forms) < 0.05
    assert seeds.seed.draws == draws


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"network": 3}, TypeError, "For 'plan', the 'network' must be a Cell"),
        ({"batch": 3}, TypeError, "For 'plan', the 'batch' must be a tuple of Tensors"),
        ({"target": 0}, ValueError, "For 'plan', the 'target' must be"),
        ({"target": "small"}, TypeError, "For 'plan', the 'target' must be"),
        ({"loss_fn": None}, TypeError, "the loss must be a Tensor"),
    ],
)
def test_wrong_arguments_are_refused(change, error, words):
    class Pair(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(4, 2)

        def construct(self, x, y):
            return self.fc(x), y

    network = Pair() if "loss_fn" in change else nn.Dense(4, 2)
    with pytest.raises(error, match=words):
        plan(**{"network": network, "loss_fn": nn.MSELoss(), "batch": (X, Y), **change})


@pytest.mark.usefixtures("on_cupy")
def test_a_gpu_tells_time_and_memory():
    net = nn.SequentialCell(nn.Dense(4, 4, weight_init="ones"), Powers(), nn.Dense(4, 2, weight_init="ones"))
    found = plan(net, nn.MSELoss(), (ms.Tensor(X.asnumpy()), ms.Tensor(Y.asnumpy())))
    assert found.black_list == (Powers,)
    assert found.found.error < 1e-2
    assert all(form.seconds > 0 and form.bytes > 0 for form in found.forms)
    assert sum(" MiB" in line for line in str(found).splitlines()) == len(found.forms) + 1


# The full networks


@pytest.fixture
def workloads():
    """The networks of the benchmarks, with their losses and small batches."""
    path = str(Path(__file__).parents[3] / "benchmarks")
    sys.path.insert(0, path)
    yield
    sys.path.remove(path)


FULL = {  # what is measured: the file, its arguments, a smaller size, and targets
    "lenet5": ({"batch": 8}, {}, (1e-2, 5e-4)),
    "resnet20": ({"batch": 8}, {}, (0.2,)),
    "recurrent": ({"kind": "LSTMCell"}, {"STEPS": 20, "BATCH": 8, "WIDTH": 32}, (1e-2, 3e-4)),
    "encoder": ({}, {"BATCH": 2}, (1e-2, 4.9e-4)),
}


@pytest.mark.skipif(not DEEP, reason="the full networks take minutes: HYPOTHESIS_PROFILE=deep runs them")
@pytest.mark.parametrize(("name", "target"), [(name, target) for name in FULL for target in FULL[name][2]])
def test_the_full_networks_measure_what_was_predicted(name, target, workloads, monkeypatch):
    import importlib

    module = importlib.import_module(f"workloads.{name}")
    arguments, smaller, _ = FULL[name]
    for key, value in smaller.items():
        monkeypatch.setattr(module, key, value)
    kept = {}

    def keep(ms, network, optimizer, x, y, level=None, loss=None):
        labels = ms.Tensor(y.astype(np.int32)) if y.dtype.kind == "i" else ms.Tensor(y)
        kept["all"] = network, loss or cross_entropy(), (ms.Tensor(x), labels)

    monkeypatch.setattr(module, "step_of_cells", keep)

    def make():
        module.cells(ms, **arguments)
        return kept["all"][0]

    make()
    _, loss_fn, batch = kept["all"]
    monkeypatch.setitem(CASES, name, (make, lambda: loss_fn, lambda: batch, target))
    in_float64.cache_clear()  # of another batch of that name
    check(name)
