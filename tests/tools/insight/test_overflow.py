"""The overflow verdict: a gallery of planted faults, in each of which it names what was planted and what helps."""

import numpy as np
import pytest
from support.overflow_faults import (
    RULES,
    Body,
    X,
    Y,
    explained,
    exponential,
    line_of,
    log_of_a_negative_number,
    matmul,
    overflows,
    root_of_a_negative_number,
    state_of,
    step_of,
)
from tools.test_hopeless_skips import BAD, GOOD, Sum, Told
from tools.test_hopeless_skips import step_of as summing_step

import minispore as ms
from minispore import amp, nn, ops
from minispore.tools.insight import explain_overflow, watch


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(3)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_verdict_names_what_was_planted(rule):
    operation, phase, kind = RULES[rule]
    verdict = explained(step_of(Body(rule)), X, Y)
    assert (verdict.operation, verdict.phase, verdict.kind) == (operation, phase, kind)
    assert (verdict.cell, verdict.where) == ("network._backbone.fault", line_of(rule))
    assert (verdict.remedy is None) == (kind == "invalid")


def test_an_overflow_of_float32_is_of_the_forward_pass_and_no_type_helps():
    net = nn.WithLossCell(Body(lambda x: ops.exp(x * 0 + 100)), nn.MSELoss())
    scale = nn.FixedLossScaleUpdateCell(8)
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), scale)
    verdict = explained(step, X, Y)
    assert (verdict.kind, verdict.operation, verdict.remedy) == ("forward", "Exp", None)


# A scale that is too high


@pytest.mark.parametrize(("level", "excess"), [("O1", 1), ("O2", 20), ("O3", 7)])
def test_the_greatest_scale_at_which_the_step_is_finite_is_named(level, excess):
    step = step_of(nn.SequentialCell(nn.Dense(4, 4), nn.Dense(4, 4)), level)
    greatest = explain_overflow(step, ms.Tensor(X), ms.Tensor(Y), scale=2.0**40).scale
    assert explain_overflow(step, ms.Tensor(X), ms.Tensor(Y), scale=greatest) is None
    ops.assign(step.scale_sense, ms.Tensor(greatest * 2.0**excess, ms.float32))
    verdict = explained(step, X, Y)
    assert (verdict.kind, verdict.phase, verdict.scale) == ("scale", "backward", greatest)
    assert verdict.loss_scale == greatest * 2.0**excess


# What was given


def poisoned(value, *place):
    x = X.copy()
    x[place] = value
    return x


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_data_that_are_not_finite_are_at_fault(device, level, value):
    verdict = explained(step_of(Body(ops.tanh), level), poisoned(value, 1, 2), Y)
    assert (verdict.kind, verdict.given, verdict.cell) == ("data", "inputs[0]", "network._backbone.before")


def test_an_input_in_a_nest_is_named():
    class Nested(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = Body(ops.tanh).to_float(ms.float16)

        def construct(self, inputs, y):
            return ops.square(self.body(inputs["x"][0]) - y).mean()

    net = Nested()
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), ms.Tensor(8.0, ms.float32))
    verdict = explain_overflow(step, {"x": [ms.Tensor(poisoned(np.nan, 0, 1))]}, ms.Tensor(Y))
    assert (verdict.kind, verdict.given) == ("data", "inputs[0]['x'][0]")
    assert verdict.remedy == "inputs[0]['x'][0] = ms.ops.nan_to_num(inputs[0]['x'][0], 0.0, 0.0, 0.0)"


def test_a_label_that_is_not_finite_is_at_fault():
    verdict = explained(step_of(Body(ops.tanh)), X, poisoned(np.nan, 0, 0))
    assert (verdict.kind, verdict.given) == ("data", "inputs[1]")


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_a_parameter_that_is_not_finite_is_at_fault(level):
    net = Body(ops.tanh)
    step = step_of(net, level)
    weight = next(p for p in step.network.get_parameters() if p.name == "after.weight")
    weight.set_data(ms.Tensor(np.full((4, 4), np.nan, np.float32)))
    verdict = explained(step, X, Y)
    assert (verdict.kind, verdict.given, verdict.cell) == ("parameter", "after.weight", "network._backbone.after")


# Where it is


class Loop(nn.Cell):
    """Cells in a list, the third of which has weights that are too large."""

    def __init__(self, spoil):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(4, 4) for _ in range(4)])
        self.layers[2].weight.set_data(ms.Tensor(np.full((4, 4), spoil, np.float32)))

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)  # FAULT
        return x


LARGE = np.full((2, 4), 50, np.float32)


@pytest.mark.parametrize(("level", "mode"), [("O1", ms.GRAPH_MODE), ("O2", ms.GRAPH_MODE), ("O3", ms.PYNATIVE_MODE)])
def test_a_layer_of_a_list_is_named(level, mode):
    ms.set_context(mode=mode)
    step = step_of(Loop(6e4), level)
    for _ in range(3):
        assert overflows(step, LARGE, Y)
    verdict = explained(step, LARGE, Y)
    assert (verdict.kind, verdict.operation) == ("large", "MatMul")
    assert verdict.sizes == (("layers.2.weight", None, 6e4),)
    assert (verdict.cell, verdict.where) == ("network._backbone.layers.2", line_of(Loop.construct))


class Image(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, weight_init="ones")
        self.head = nn.Dense(32, 4)

    def construct(self, x):
        x = x.reshape(2, 1, 4, 4)
        return self.head(self.conv(x).reshape(2, -1))  # FAULT


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_a_convolution_that_overflows_is_named(level):
    verdict = explained(step_of(Image(), level), np.full((2, 16), 3e4, np.float32), Y)
    assert (verdict.kind, verdict.operation) == ("forward", "Conv2D")
    assert (verdict.cell, verdict.where) == ("network._backbone.conv", line_of(Image.construct))
    assert verdict.input_range == ((14, 14), (0, 0))


class Blocks(nn.Cell):
    """A tower of cells of the package alone, whose second normalization has a factor that is too large."""

    def __init__(self, factor):
        super().__init__()
        self.blocks = nn.SequentialCell([self.block() for _ in range(3)])
        self.blocks[1][1].gamma.set_data(ms.Tensor([factor, factor], ms.float32))

    def block(self):
        return nn.SequentialCell(nn.Conv2d(2, 2, 3), nn.BatchNorm2d(2), nn.ReLU())

    def construct(self, x):
        return self.blocks(x.reshape(2, 2, 4, 4)).reshape(2, -1)  # FAULT


@pytest.mark.parametrize(
    ("level", "operation", "cell", "kind"),
    [("O1", "Cast", "2.0", "forward"), ("O2", "Cast", "1.1", "large"), ("O3", "BatchNorm", "1.1", "large")],
)
def test_the_line_is_the_users_own_where_the_packages_cells_call_one_another(level, operation, cell, kind):
    verdict = explained(
        step_of(Blocks(1e6), level),
        np.linspace(-1, 1, 64, dtype=np.float32).reshape(2, 32),
        np.zeros((2, 32), np.float32),
    )
    assert (verdict.operation, verdict.kind) == (operation, kind)
    assert kind != "large" or [name for name, *_ in verdict.sizes] == ["blocks.1.1.gamma"]
    assert (verdict.cell, verdict.where) == (f"network._backbone.blocks.{cell}", line_of(Blocks.construct))


class LSTM(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.lstm, self.head = nn.LSTM(4, 4, batch_first=True), nn.Dense(4, 4)
        self.lstm.weight_ih_l0.set_data(self.lstm.weight_ih_l0 * factor)

    def construct(self, x):
        states, _ = self.lstm(x.reshape(2, 4, 1) * ops.ones((1, 1, 4)))  # FAULT
        return self.head(states[:, -1])


@pytest.mark.parametrize("level", ["O2", "O3"])
def test_an_lstm_whose_weights_are_too_large_is_named(level):
    verdict = explained(step_of(LSTM(1e6), level), X, Y)
    assert (verdict.kind, verdict.cell) == ("forward", "network._backbone.lstm")
    assert (verdict.cell_class, verdict.where) == ("LSTM", line_of(LSTM.construct))


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTMCell(4, 4), nn.Dense(4, 4)

    def construct(self, x):
        state = x * 0, x * 0
        for _ in range(3):
            state = self.lstm(x, state)
            x = ops.exp(ops.exp(x))  # FAULT
        return self.head(state[0]) * x


def test_a_fault_over_time_in_a_recurrent_network_is_named():
    verdict = explained(step_of(Recurrent(), "O3"), X, Y)
    assert (verdict.operation, verdict.cell) == ("Exp", "network._backbone")
    assert (verdict.kind, verdict.where) == ("forward", line_of(Recurrent.construct))


@pytest.mark.parametrize("part", [0, 1])
def test_a_part_of_an_accumulated_batch_is_enough(part):
    ms.set_context(cpu_loss_scale=True)
    net = ms.amp.auto_mixed_precision(Body(ops.tanh), "O3")
    net = nn.GradAccumulationCell(nn.WithLossCell(net, nn.MSELoss()), 2)
    scale = nn.DynamicLossScaleUpdateCell(8, 2, 100)
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), scale)
    verdict = explained(step, poisoned(np.nan, part, 0), Y)
    assert (verdict.kind, verdict.operation, verdict.given) == ("data", "GetItem", "inputs[0]")


@pytest.mark.parametrize("rule", [exponential, matmul, log_of_a_negative_number], ids=lambda rule: rule.__name__)
def test_the_verdict_is_the_same_on_the_emulated_ascend(rule):
    ms.set_context(device_target="Ascend")
    verdict = explained(step_of(Body(rule)), X, Y)
    assert (verdict.operation, verdict.kind, verdict.where) == (RULES[rule][0], RULES[rule][2], line_of(rule))


# No false alarm


def masked(x):
    scores = ops.masked_fill(x, x > 0, float("-inf"))
    return ops.softmax(scores, -1) + x


CLEAN = [ops.tanh, ops.softmax, masked, lambda x: ops.stop_gradient(ops.exp(x * 0 + 30)).clip(0, 1) + x]


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
@pytest.mark.parametrize("rule", CLEAN)
def test_a_step_that_is_finite_has_no_verdict(rule, level):
    step = step_of(Body(rule), level)
    before = state_of(step)
    assert explain_overflow(step, ms.Tensor(X), ms.Tensor(Y)) is None
    assert state_of(step) == before
    assert not overflows(step, X, Y)


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
@pytest.mark.parametrize(("make", "width"), [(Blocks, 32), (LSTM, 4), (lambda _: Image(), 16), (Loop, 4)])
def test_a_network_that_is_finite_has_no_verdict(make, width, level):
    x = ms.Tensor(np.linspace(-1, 1, 2 * width, dtype=np.float32).reshape(2, width))
    y = ops.zeros((2, 32 if make is Blocks else 4))
    assert explain_overflow(step_of(make(0.5), level), x, y) is None


def test_a_mask_of_infinities_is_not_taken_for_the_fault():
    verdict = explained(step_of(Body(lambda x: exponential(masked(x)))), X, Y)
    assert (verdict.operation, verdict.where) == ("Exp", line_of(exponential))


def test_dropout_draws_as_if_nothing_had_been_explained():
    plain, asked = (step_of(nn.SequentialCell(nn.Dense(4, 4), nn.Dropout(p=0.5)), "O2") for _ in range(2))
    for step in (plain, asked):
        for a, b in zip(step.get_parameters(), plain.get_parameters(), strict=True):
            a.set_data(b)
    ms.set_seed(5)
    losses = [plain(ms.Tensor(X), ms.Tensor(Y))[0].asnumpy() for _ in range(3)]
    ms.set_seed(5)
    for loss in losses:
        explain_overflow(asked, ms.Tensor(X), ms.Tensor(Y), scale=2.0**40)
        assert asked(ms.Tensor(X), ms.Tensor(Y))[0].asnumpy() == loss


class OwnStep(nn.TrainOneStepWithLossScaleCell):
    """A step as users write it."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        status, scale = self.start_overflow_check(loss, self.scale_sense)
        gradients = self.unscaled(self.grad(self.network, self.weights)(*inputs, ops.ones_like(loss) * scale))
        overflow = self.get_overflow_status(status, gradients)
        if not self.process_loss_scale(overflow):
            self.optimizer(gradients)
        return self.returned(loss, overflow)

    def returned(self, *both):
        return both


def own_step(kind, rule):
    net = nn.WithLossCell(Body(rule).to_float(ms.float16), nn.MSELoss())
    return kind(net, nn.SGD(net.trainable_params(), 0.1), ms.Tensor(8.0, ms.float32))


@pytest.mark.parametrize("rule", [exponential, root_of_a_negative_number], ids=lambda rule: rule.__name__)
def test_a_step_of_the_users_own_is_explained(rule):
    verdict = explained(own_step(OwnStep, rule), X, Y)
    assert (verdict.operation, verdict.kind, verdict.where) == (RULES[rule][0], RULES[rule][2], line_of(rule))


def test_an_overflow_that_a_step_reports_of_finite_results_is_its_own():
    class Strict(OwnStep):
        def returned(self, loss, overflow):
            return loss, ms.Tensor(True)

    verdict = explain_overflow(own_step(Strict, ops.tanh), ms.Tensor(X), ms.Tensor(Y))
    assert (verdict.kind, verdict.remedy) == ("reported", None)
    assert str(verdict) == (
        "The step reports an overflow, but all its results are finite. Its own check is the reason."
    )


def test_a_step_that_does_not_tell_of_an_overflow_is_explained_all_the_same():
    class Silent(OwnStep):
        def returned(self, loss, overflow):
            return loss

    verdict = explain_overflow(own_step(Silent, exponential), ms.Tensor(X), ms.Tensor(Y))
    assert (verdict.operation, verdict.found) == ("Exp", "gradients")


# Its sentence


def test_the_verdict_is_a_sentence():
    verdict = explained(step_of(Body(exponential)), X, Y)
    assert str(verdict) == (
        f"Exp in the cell network._backbone.fault (Fault, {line_of(exponential)}) gives the first result that is "
        "not finite, in the forward pass, from inputs of about 2**3 (8). The range of its type is exceeded at every "
        "loss scale. "
        "The step is finite with: step.network._backbone.fault.add_flags(fp32=True)"
    )


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "message"),
    [
        ((3,), {}, TypeError, "the 'step' must be a training step"),
        ((print,), {"network": 3}, TypeError, "the 'network' must be a Cell"),
        ((print,), {"scaler": 3}, TypeError, "the 'scaler' must be a loss scaler"),
        ((nn.ReLU(),), {"network": nn.ReLU()}, TypeError, "the 'network' must be None beside a Cell"),
        ((nn.ReLU(), 3), {"scale": 2.0}, ValueError, "the 'scale' must be None of a step without a loss scale"),
    ],
)
def test_what_is_no_step_and_what_does_not_belong_to_it_is_refused(arguments, keywords, error, message):
    with pytest.raises(error, match=message):
        explain_overflow(*arguments, **keywords)


@pytest.mark.usefixtures("restored")
def test_the_runs_of_an_explanation_are_no_steps():
    step = summing_step(nn.DynamicLossScaleUpdateCell(2.0**20, 2, 100))
    with Told() as told, watch(step):
        for _ in range(3):
            step(BAD)
    assert told.messages == []


def hopeless_in_float16():
    """A step whose gradients exceed float16 at every loss scale."""
    net = nn.SequentialCell(Sum(), Loud()).to_float(ms.float16)
    return summing_step(nn.DynamicLossScaleUpdateCell(2.0**10, 2, 100), net=net)


class Loud(nn.Cell):
    def construct(self, x):
        return x * 1e4 * 1e4


@pytest.mark.usefixtures("restored")
def test_an_explanation_tries_smaller_scales_and_tells_of_no_skips():
    with Told() as told:
        assert explain_overflow(hopeless_in_float16(), GOOD).kind == "forward"
    assert told.messages == []


@pytest.mark.usefixtures("restored")
def test_a_loop_of_value_and_grad_tells_and_its_explanation_does_not():
    net, scaler = Sum(), amp.DynamicLossScaler(4.0, 2, 100)
    find = ms.value_and_grad(lambda x: scaler.scale(net(x)), None, net.trainable_params())

    def step(x):
        loss, gradients = find(x)
        gradients = scaler.unscale(gradients)
        scaler.adjust(amp.all_finite(gradients))
        return loss, gradients

    with Told() as told:
        assert explain_overflow(step, BAD, network=net, scaler=scaler).kind == "data"
        assert told.messages == []
        for _ in range(9):
            step(BAD)
    (message,) = told.messages
    assert "3 in a row" in message and "the loss scale is 1, below which it does not go" in message
