"""Optimizers: each step against its formula in float64, groups, rates, names of the state, and errors."""

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops

RNG = np.random.default_rng(0)
START = {"a.weight": RNG.normal(size=(2, 3)).astype(np.float32), "a.bias": RNG.normal(size=3).astype(np.float32)}
GRADIENTS = [tuple(RNG.normal(size=v.shape).astype(np.float32) for v in START.values()) for _ in range(4)]
RATE = 0.1


def parameters(dtype=ms.float32):
    return [ms.Parameter(ms.Tensor(value, dtype), name=name) for name, value in START.items()]


def one(name="a", values=(1.0,)):
    return ms.Parameter(list(values), name=name)


def tensors(gradients, dtype=ms.float32):
    return tuple(ms.Tensor(g, dtype) for g in gradients)


def states(optimizer):
    """Every Parameter that the optimizer has, by name."""
    return {p.name: p.asnumpy().copy() for p in optimizer.get_parameters()}


def run(make, order=(0, 1)):
    """The Parameters after each of four steps; the gradients are handed over in ``order``."""
    params, found = parameters(), []
    optimizer = make(params)
    for gradients in GRADIENTS:
        optimizer(tensors([gradients[i] for i in order]))
        found.append([p.asnumpy().copy() for p in params])
    return found


def assert_follows(make, rule, order=(0, 1), settings=({}, {})):
    """Four steps of an optimizer are those of ``rule(t, w, g, state, **settings)`` on each Parameter, in float64."""
    weights, memory = [v.astype(np.float64) for v in START.values()], [{}, {}]
    for t, (found, gradients) in enumerate(zip(run(make, order), GRADIENTS, strict=True), 1):
        for i in range(2):
            weights[i] = rule(t, weights[i], gradients[i].astype(np.float64), memory[i], **settings[i])
            np.testing.assert_allclose(found[i], weights[i], rtol=2e-6, atol=2e-6)


# The formulas


def momentum(t, w, g, s, lr=RATE, decay=0.0, scale=1.0, m=0.9, nesterov=False):
    g = g / scale + decay * w
    lr = lr[t - 1] if isinstance(lr, list) else lr
    s["m"] = m * s.get("m", 0) + g
    return w - lr * (g + m * s["m"] if nesterov else s["m"])


def sgd(t, w, g, s, lr=RATE, decay=0.0, scale=1.0, m=0.0, dampening=0.0, nesterov=False):
    g = g / scale + decay * w
    s["a"] = g if t == 1 else m * s["a"] + (1 - dampening) * g
    return w - lr * (g + m * s["a"] if nesterov else s["a"])


def adam(t, w, g, s, lr=RATE, decay=0.0, scale=1.0, b1=0.9, b2=0.999, eps=1e-8, nesterov=False):
    g = g / scale + decay * w
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    step = b1 * s["m"] + (1 - b1) * g if nesterov else s["m"]
    return w - lr * np.sqrt(1 - b2**t) / (1 - b1**t) * step / (np.sqrt(s["v"]) + eps)


FORMULAS = {
    "Momentum": (lambda p: nn.Momentum(p, RATE, 0.9), momentum, {}),
    "Momentum, nesterov": (lambda p: nn.Momentum(p, RATE, 0.9, use_nesterov=True), momentum, {"nesterov": True}),
    "Momentum, decay": (lambda p: nn.Momentum(p, RATE, 0.9, weight_decay=0.01), momentum, {"decay": 0.01}),
    "Momentum, scale": (lambda p: nn.Momentum(p, RATE, 0.9, loss_scale=128.0), momentum, {"scale": 128}),
    "Momentum, scale and decay": (
        lambda p: nn.Momentum(p, RATE, 0.9, weight_decay=0.01, loss_scale=128),
        momentum,
        {"scale": 128, "decay": 0.01},
    ),
    "SGD": (lambda p: nn.SGD(p, RATE), sgd, {}),
    "SGD, momentum": (lambda p: nn.SGD(p, RATE, momentum=0.9), sgd, {"m": 0.9}),
    "SGD, dampening": (lambda p: nn.SGD(p, RATE, momentum=0.9, dampening=0.3), sgd, {"m": 0.9, "dampening": 0.3}),
    "SGD, nesterov": (lambda p: nn.SGD(p, RATE, momentum=0.9, nesterov=True), sgd, {"m": 0.9, "nesterov": True}),
    "SGD, scale and decay": (
        lambda p: nn.SGD(p, RATE, momentum=0.9, weight_decay=0.01, loss_scale=128.0),
        sgd,
        {"m": 0.9, "scale": 128, "decay": 0.01},
    ),
    "Adam": (lambda p: nn.Adam(p, RATE), adam, {}),
    "Adam, betas": (lambda p: nn.Adam(p, RATE, beta1=0.5, beta2=0.9), adam, {"b1": 0.5, "b2": 0.9}),
    "Adam, eps": (lambda p: nn.Adam(p, RATE, eps=0.1), adam, {"eps": 0.1}),
    "Adam, nesterov": (lambda p: nn.Adam(p, RATE, use_nesterov=True), adam, {"nesterov": True}),
    "Adam, decay": (lambda p: nn.Adam(p, RATE, weight_decay=0.01), adam, {"decay": 0.01}),
    "AdamOffload": (lambda p: nn.AdamOffload(p, RATE, use_nesterov=True), adam, {"nesterov": True}),
    "Adam, scale": (lambda p: nn.Adam(p, RATE, loss_scale=128.0), adam, {"scale": 128}),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_four_steps_follow_the_formula(name, device):
    make, rule, settings = FORMULAS[name]
    assert_follows(make, rule, settings=(settings, settings))


def test_default_rates_are_mindspores():
    assert nn.SGD([one()]).get_lr().asnumpy() == np.float32(0.1)
    assert nn.Adam([one()]).get_lr().asnumpy() == np.float32(0.001)


def test_the_call_returns_a_true_for_each_parameter():
    found = nn.Momentum(parameters(), RATE, 0.9)(tensors(GRADIENTS[0]))
    assert [(type(x), bool(x)) for x in found] == [(ms.Tensor, True)] * 2


def test_a_single_gradient_may_come_without_a_tuple():
    w = one()
    nn.SGD([w], RATE)(ms.Tensor([2.0]))
    np.testing.assert_allclose(w.asnumpy(), [0.8], rtol=1e-6)


# Rates


@pytest.mark.parametrize("made", [list, ms.Tensor, iter], ids=["list", "Tensor", "iterator"])
def test_a_sequence_gives_each_step_its_rate(made):
    settings = {"lr": [0.1, 0.2, 0.3, 0.4]}
    assert_follows(lambda p: nn.Momentum(p, made([0.1, 0.2, 0.3, 0.4]), 0.9), momentum, settings=(settings, settings))


def test_the_last_rate_of_a_sequence_holds_on():
    settings = {"lr": [0.1, 0.2, 0.2, 0.2]}
    assert_follows(lambda p: nn.Momentum(p, [0.1, 0.2], 0.9), momentum, settings=(settings, settings))


@pytest.mark.parametrize("rate", [ms.Tensor(RATE), RATE, np.float64(RATE)], ids=["Tensor", "float", "float64"])
def test_a_constant_rate_may_be_a_number_or_a_0d_tensor(rate):
    assert_follows(lambda p: nn.Momentum(p, rate, 0.9), momentum)


class Falling(nn.LearningRateSchedule):
    """``0.1 / (1 + step)``."""

    def construct(self, global_step):
        return 0.1 / (1 + global_step.astype(ms.float32)[0])


def test_a_schedule_is_asked_with_the_number_of_steps_before():
    settings = {"lr": [0.1 / (1 + k) for k in range(4)]}
    assert_follows(lambda p: nn.Momentum(p, Falling(), 0.9), momentum, settings=(settings, settings))


def test_global_step_counts_only_where_the_rate_depends_on_it():
    constant, changing = nn.Momentum([one("a")], RATE, 0.9), nn.Momentum([one("b")], [0.1, 0.2], 0.9)
    for optimizer in (constant, changing):
        optimizer((ms.Tensor([1.0]),))
    assert (constant.global_step.asnumpy().tolist(), constant.dynamic_lr) == ([0], False)
    assert (changing.global_step.asnumpy().tolist(), changing.dynamic_lr) == ([1], True)


def test_get_lr_is_the_rate_of_the_coming_step():
    optimizer = nn.Momentum([one()], [0.1, 0.2], 0.9)
    assert optimizer.get_lr().asnumpy() == np.float32(0.1)
    optimizer((ms.Tensor([1.0]),))
    assert optimizer.get_lr().asnumpy() == np.float32(0.2)


def test_the_rate_is_a_parameter_that_may_be_set():
    w = one()
    optimizer = nn.SGD([w], RATE)
    ms.ops.assign(optimizer.learning_rate, ms.Tensor(0.5))
    optimizer((ms.Tensor([1.0]),))
    np.testing.assert_allclose(w.asnumpy(), [0.5], rtol=1e-6)
    assert optimizer.get_lr_parameter(w) is optimizer.learning_rate


# Groups


def two_groups(p, *more):
    return [{"params": [p[0]], "lr": 0.2, "weight_decay": 0.01}, {"params": [p[1]]}, *more]


def test_each_group_has_its_own_rate_and_decay():
    settings = ({"lr": 0.2, "decay": 0.01}, {})
    assert_follows(lambda p: nn.Momentum(two_groups(p), RATE, 0.9), momentum, settings=settings)


def test_the_common_decay_holds_where_a_group_has_none():
    settings = ({"lr": 0.2, "decay": 0.01}, {"decay": 0.1})
    assert_follows(lambda p: nn.Momentum(two_groups(p), RATE, 0.9, weight_decay=0.1), momentum, settings=settings)


def test_a_group_may_have_a_sequence_of_rates():
    settings = ({}, {"lr": [0.1, 0.2, 0.3, 0.4]})
    groups = lambda p: [{"params": [p[0]]}, {"params": [p[1]], "lr": [0.1, 0.2, 0.3, 0.4]}]  # noqa: E731
    assert_follows(lambda p: nn.Momentum(groups(p), RATE, 0.9), momentum, settings=settings)


def test_gradients_come_in_the_order_of_the_groups():
    groups = lambda p: [{"params": [p[1]]}, {"params": [p[0]], "lr": 0.2}]  # noqa: E731
    assert_follows(lambda p: nn.SGD(groups(p), RATE), sgd, order=(1, 0), settings=({"lr": 0.2}, {}))


def test_order_params_give_the_order_of_gradients():
    groups = lambda p: [{"params": [p[1]]}, {"params": [p[0]], "lr": 0.2}, {"order_params": p}]  # noqa: E731
    assert_follows(lambda p: nn.SGD(groups(p), RATE), sgd, settings=({"lr": 0.2}, {}))


def test_centralized_gradients_lose_their_mean_over_all_axes_but_the_first():
    w = one("w", [[0.0, 0.0], [0.0, 0.0]])
    nn.SGD([{"params": [w], "grad_centralization": True}], 1.0)((ms.Tensor([[1.0, 3.0], [5.0, 5.0]]),))
    assert w.asnumpy().tolist() == [[1, -1], [0, 0]]


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 16), (2, 3, 3, 3), (4, 16, 1, 1), (2, 5, 2)])
def test_every_weight_of_two_axes_or_more_is_centralized(shape):
    """MindSpore centralizes where axis 1 is a multiple of 16, and there it has no kernel on the CPU."""
    gradient, w = np.random.default_rng(0).normal(size=shape).astype(np.float32), one("w", np.zeros(shape, np.float32))
    nn.SGD([{"params": [w], "grad_centralization": True}], 1.0)((ms.Tensor(gradient),))
    mean = gradient.mean(tuple(range(1, len(shape))), keepdims=True) if len(shape) > 1 else 0.0
    np.testing.assert_allclose(-w.asnumpy(), gradient - mean, atol=1e-6)


def test_a_groups_weight_decay_of_sgd_is_not_scaled_with_the_loss():
    """MindSpore 2.0.0 multiplies it by the loss scale, where there are groups."""
    moved = []
    for groups in (
        [one("w", [1.0])],
        [{"params": [one("w", [1.0])]}],
        [{"params": [one("w", [1.0])], "weight_decay": 0.1}],
    ):
        optimizer = nn.SGD(groups, 1.0, weight_decay=0.1, loss_scale=8.0)
        optimizer((ms.Tensor([8.0]),))
        moved.append(1 - optimizer.parameters[0].asnumpy().item())
    np.testing.assert_allclose(moved, 1.1, rtol=1e-6)


def rate_names(*groups):
    return [p.name for p in nn.SGD(list(groups), RATE).get_parameters() if p.name.startswith("learning_rate")]


def test_a_groups_own_rate_is_named_by_the_groups_number_and_the_common_one_is_not():
    assert rate_names({"params": [one("a")]}, {"params": [one("b")]}) == ["learning_rate"]
    assert rate_names({"params": [one("a")], "lr": 0.2}) == ["learning_rate_group_0"]
    found = rate_names({"params": [one("a")]}, {"params": [one("b")], "lr": 0.2})
    assert found == ["learning_rate", "learning_rate_group_1"]


def test_get_lr_is_a_tuple_only_where_a_group_has_its_own_rate():
    a, b = one("a"), one("b")
    assert nn.SGD([{"params": [a]}, {"params": [b], "weight_decay": 0.1}], RATE).get_lr().shape == ()
    found = nn.SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], RATE).get_lr()
    assert [float(rate.asnumpy()) for rate in found] == pytest.approx([0.1, 0.5])


# State

STATE = {
    "Momentum": (lambda p: nn.Momentum(p, RATE, 0.9), ["momentum", "moments.a.weight", "moments.a.bias"]),
    "SGD": (
        lambda p: nn.SGD(p, RATE, momentum=0.9),
        ["momentum", "accum.a.weight", "accum.a.bias", "stat.a.weight", "stat.a.bias"],
    ),
    "Adam": (
        lambda p: nn.Adam(p, RATE),
        ["beta1_power", "beta2_power", *(f"moment{k}.a.{kind}" for k in (1, 2) for kind in ("weight", "bias"))],
    ),
}


@pytest.mark.parametrize("name", STATE)
def test_the_state_has_mindspores_names_and_order(name):
    make, expected = STATE[name]
    assert list(states(make(parameters()))) == ["global_step", "learning_rate", "a.weight", "a.bias", *expected]


@pytest.mark.parametrize("name", STATE)
def test_the_printed_form_shows_the_number_of_parameters_alone(name):
    assert repr(STATE[name][0](parameters())) == f"{name}<learning_rate=0.1, parameters=2>"


def assert_goes_on_alike(make):
    """Two steps, a copy of all state, and one more step give what three steps give."""
    params, others = parameters(), parameters()
    first, second = make(params), make(others)
    for gradients in GRADIENTS[:2]:
        first(tensors(gradients))
    for mine, its in zip(second.get_parameters(), first.get_parameters(), strict=True):
        mine.set_data(its.value())
    for optimizer in (first, second):
        optimizer(tensors(GRADIENTS[2]))
    for p, q in zip(params, others, strict=True):
        np.testing.assert_array_equal(p.asnumpy(), q.asnumpy())


@pytest.mark.parametrize("name", STATE)
def test_an_optimizer_loaded_with_anothers_state_goes_on_as_it_would(name):
    assert_goes_on_alike(STATE[name][0])


def test_the_parameters_keep_their_names_and_are_the_networks_own():
    params = parameters()
    optimizer = nn.Momentum(params, RATE, 0.9)
    assert isinstance(optimizer.parameters, ms.ParameterTuple)
    assert all(p is q for p, q in zip(optimizer.parameters, params, strict=True))
    assert [p.name for p in params] == list(START)


def test_a_step_is_recorded_on_no_tape():
    w = one()
    optimizer = nn.SGD([w], RATE)

    def step(x):
        optimizer((x * 2,))
        return x * 3

    assert ms.grad(step)(ms.Tensor([1.0])).asnumpy() == [3.0]


# Narrow types


@pytest.mark.parametrize("name", STATE)
def test_float16_gradients_move_float32_parameters_as_their_float32_values_do(name):
    halves = tuple(g.astype(np.float16) for g in GRADIENTS[0])
    found = []
    for dtype in (ms.float16, ms.float32):
        params = parameters()
        STATE[name][0](params)(tensors(halves, dtype))
        assert all(p.dtype == ms.float32 for p in params)
        found.append([p.asnumpy() for p in params])
    for narrow, wide in zip(*found, strict=True):
        np.testing.assert_array_equal(narrow, wide)


def test_float16_gradients_are_unscaled_in_float32():
    w = one(values=[0.0])
    nn.SGD([w], 1.0, loss_scale=2.0**20)((ms.Tensor([2.0**-20], ms.float16),))
    assert w.asnumpy() == [-(2.0**-40)]


def test_float64_gradients_are_unscaled_in_float64():
    (found,) = nn.SGD([one()], 1.0, loss_scale=2.0).scale_grad((ms.Tensor(np.array([2 + 2.0**-40])),))
    assert found.dtype == ms.float64 and found.asnumpy() == [1 + 2.0**-41]


@pytest.mark.parametrize("name", STATE)
def test_a_float16_parameter_is_stepped_in_float32_and_rounded_once(name):
    make = STATE[name][0]
    halves, wides = parameters(ms.float16), parameters(ms.float16)
    for p in wides:
        p.set_dtype(ms.float32)
    make(halves)(tensors(GRADIENTS[0]))
    make(wides)(tensors(GRADIENTS[0]))
    for half, wide in zip(halves, wides, strict=True):
        assert half.dtype == ms.float16
        np.testing.assert_array_equal(half.asnumpy(), wide.asnumpy().astype(np.float16))


@pytest.mark.parametrize("scale", [2, 2.0])
def test_a_loss_scale_divides_the_gradients(scale):
    first, second = one(values=[0.0]), one(values=[0.0])
    nn.SGD([first], 1.0, loss_scale=scale)((ms.Tensor([6.0]),))
    nn.SGD([second], 1.0)((ms.Tensor([3.0]),))
    assert first.asnumpy() == second.asnumpy() == [-3.0]


# The primitives, called by themselves


def state(count):
    """Parameters (1, 2), (2, 4) and so on."""
    return [one(f"p{i}", [1.0 * i, 2.0 * i]) for i in range(1, count + 1)]


ONES = np.ones(2, np.float32)
ALONE = {  # primitive, how many Parameters, inputs after them, and what MindSpore 2.0.0 makes of the Parameters
    "Adam": (ops.Adam, 3, (0.9, 0.99, 0.1, 0.9, 0.99, 1e-8, ONES), [[0.88993603, 1.8483149], [1.9, 3.7], [2.98, 5.95]]),
    "AdamWeightDecay": (
        ops.AdamWeightDecay,
        3,
        (0.1, 0.9, 0.99, 1e-8, 0.1, ONES),
        [[0.879936, 1.8283148], [1.9, 3.7], [2.98, 5.95]],
    ),
    "ApplyMomentum": (ops.ApplyMomentum, 2, (0.1, ONES, 0.9), [[0.72, 1.54], [2.8, 4.6]]),
    "ApplyAdagrad": (ops.ApplyAdagrad, 2, (0.1, ONES), [[0.942265, 1.9552786], [3, 5]]),
    "ApplyAdadelta": (
        ops.ApplyAdadelta,
        3,
        (0.1, 0.9, 1e-6, ONES),
        [[0.8743438, 1.8726571], [1.9, 3.7], [2.8578947, 5.562162]],
    ),
    "ApplyRMSProp": (
        ops.ApplyRMSProp,
        3,
        (0.1, ONES, 0.9, 0.0, 1e-6),
        [[0.9274524, 1.9480125], [1.9, 3.7], [0.07254761, 0.05198752]],
    ),
}


@pytest.mark.parametrize("shape", [None, (), (1,)], ids=["numbers", "0-d", "(1,)"])
@pytest.mark.parametrize("name", ALONE)
def test_an_update_takes_numbers_as_numbers_or_as_tensors_of_one_element(name, shape):
    kind, count, inputs, expected = ALONE[name]
    parameters = state(count)
    kind()(
        *parameters,
        *(
            ms.Tensor(x if x is ONES else np.full(shape, x, np.float32)) if shape is not None or x is ONES else x
            for x in inputs
        ),
    )
    for found, values in zip(parameters, expected, strict=True):
        np.testing.assert_allclose(found.asnumpy(), values, rtol=1e-6)


def test_a_large_parameter_is_updated_by_tensors_of_one_element_alike():
    """One that is cut into blocks."""
    found = []
    for shape in ((), (1,)):
        w, m = (ms.Parameter(np.ones(300_000, np.float32), name=name) for name in "wm")
        rate, momentum = (ms.Tensor(np.full(shape, x, np.float32)) for x in (0.1, 0.9))
        ops.ApplyMomentum()(w, m, rate, ms.Tensor(np.ones(300_000, np.float32)), momentum)
        found.append(w.asnumpy())
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.parametrize(("name", "count"), [("ApplyAdagrad", 2), ("ApplyAdadelta", 3)])
def test_adagrad_and_adadelta_return_all_that_they_write(name, count):
    kind, _, inputs, expected = ALONE[name]
    found = kind()(*state(count), *(ms.Tensor(x) if x is ONES else x for x in inputs))
    assert isinstance(found, tuple)
    np.testing.assert_allclose([y.asnumpy() for y in found], expected, rtol=1e-6)


def test_a_tensor_of_two_elements_is_no_number():
    inputs = ms.Tensor([0.1, 0.1]), ms.Tensor(ONES), 0.9
    with pytest.raises(
        ValueError, match=r"For 'ApplyMomentum', the input 2 must be a number, but got a Tensor of shape"
    ):
        ops.ApplyMomentum()(*state(2), *inputs)


# Weight decay that a Cell computes


class RisingDecay(nn.Cell):
    """0.1 in the first step, 0.2 in the second, and so on, as MindSpore's (1,)-shaped step gives it."""

    def __init__(self):
        super().__init__()
        self.unit = ms.Parameter(0.1, name="unit", requires_grad=False)

    def construct(self, step):
        return self.unit * (step + 1)


class ConstantDecay(nn.Cell):
    """0.25 at each step."""

    def construct(self, step):
        return ms.Tensor(0.25, ms.float32)


@pytest.mark.parametrize(
    "make", [lambda p, d: nn.Lamb(p, 0.1, weight_decay=d), lambda p, d: nn.LARS(nn.Momentum(p, 0.1, 0.9, d))]
)
def test_a_cell_that_gives_one_number_is_that_weight_decay(make):
    found = []
    for decay in (0.25, ConstantDecay()):
        w = one(values=[1.0, 2.0])
        optimizer = make([w], decay)
        for _ in range(3):
            optimizer((ms.Tensor([0.5, 1.0]),))
        found.append(w.asnumpy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_a_norms_parameters_are_spared_a_weight_decay_that_a_cell_computes():
    gamma = one("bn.gamma")
    nn.Momentum([gamma], 0.1, 0.0, RisingDecay())((ms.Tensor([0.0]),))
    assert gamma.asnumpy() == [1.0]


# Errors

NOT_FINITE = {
    "learning_rate": lambda bad: nn.Momentum([one()], bad, 0.9),
    "rates": lambda bad: nn.Momentum([one()], [0.1, bad], 0.9),
    "a Tensor of rates": lambda bad: nn.Momentum([one()], ms.Tensor([0.1, bad]), 0.9),
    "a group's rate": lambda bad: nn.Momentum([{"params": [one()], "lr": bad}], 0.1, 0.9),
    "momentum": lambda bad: nn.Momentum([one()], 0.1, bad),
    "weight_decay": lambda bad: nn.Momentum([one()], 0.1, 0.9, bad),
    "a group's weight_decay": lambda bad: nn.Momentum([{"params": [one()], "weight_decay": bad}], 0.1, 0.9),
    "loss_scale": lambda bad: nn.Momentum([one()], 0.1, 0.9, 0.0, bad),
    "SGD's momentum": lambda bad: nn.SGD([one()], 0.1, bad),
    "dampening": lambda bad: nn.SGD([one()], 0.1, 0.0, bad),
    "beta1": lambda bad: nn.Adam([one()], beta1=bad),
    "beta2": lambda bad: nn.Lamb([one()], 0.1, beta2=bad),
    "eps": lambda bad: nn.Adam([one()], eps=bad),
    "AdamWeightDecay's eps": lambda bad: nn.AdamWeightDecay([one()], eps=bad),
    "accum": lambda bad: nn.Adagrad([one()], bad),
    "decay": lambda bad: nn.RMSProp([one()], decay=bad),
    "RMSProp's momentum": lambda bad: nn.RMSProp([one()], momentum=bad),
    "epsilon": lambda bad: nn.RMSProp([one()], epsilon=bad),
    "rho": lambda bad: nn.Adadelta([one()], rho=bad),
    "Adadelta's epsilon": lambda bad: nn.Adadelta([one()], epsilon=bad),
    "LARS's epsilon": lambda bad: nn.LARS(nn.SGD([one()]), bad),
    "coefficient": lambda bad: nn.LARS(nn.SGD([one()]), 0.0, bad),
    "sens": lambda bad: nn.TrainOneStepCell(nn.Dense(1, 1), nn.SGD([one()]), bad),
}


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", NOT_FINITE)
def test_a_number_that_is_nan_or_infinite_is_refused(name, bad):
    with pytest.raises(ValueError, match=r"must be (finite|in [\[(])"):
        NOT_FINITE[name](bad)


def test_the_base_of_optimizers_makes_no_step():
    """As in MindSpore 2.0.0."""
    for arguments in ((), ((ms.Tensor([1.0]),),)):
        with pytest.raises(NotImplementedError, match="For 'Optimizer', the method 'update' is not defined"):
            nn.Optimizer(0.1, [one()]).construct(*arguments)


WRONG = [
    (ValueError, "For 'Optimizer', the 'params' must be given, but got None", lambda: nn.SGD(None)),
    (ValueError, "For 'Optimizer', the 'params' must be given, but got None", lambda: nn.Optimizer(0.1, None)),
    (TypeError, "For 'Momentum', the 'momentum' must be a float, but got 1", lambda: nn.Momentum([one()], 0.1, 1)),
    (TypeError, "For 'RMSProp', the 'momentum' must be a float, but got 1", lambda: nn.RMSProp([one()], momentum=1)),
    (TypeError, "For 'Adam', the 'beta1' must be a float, but got 1", lambda: nn.Adam([one()], beta1=1)),
    (TypeError, "For 'AdamOffload', the 'use_locking' must be a bool", lambda: nn.AdamOffload([one()], use_locking=1)),
    (TypeError, "For 'SGD', the 'weight_decay' must be a number", lambda: nn.SGD([one()], weight_decay=RisingDecay())),
    (TypeError, "For 'SGD', the 'learning_rate' must be a number, but got 'a'", lambda: nn.SGD([one()], ["a"])),
    (
        ValueError,
        r"For 'Momentum', the 'learning_rate' must be finite and at least 0, but got -1\.0",
        lambda: nn.Momentum([one()], -1.0, 0.9),
    ),
    (TypeError, "the 'learning_rate' must be a number, a Tensor", lambda: nn.Momentum([one()], "a", 0.9)),
    (ValueError, "the 'learning_rate' must be finite and at least 0", lambda: nn.SGD([one()], [-1.0])),
    (ValueError, "the 'learning_rate' must be finite rates of at least 0", lambda: nn.SGD([one()], ms.Tensor([[0.1]]))),
    (ValueError, "the 'learning_rate' must be finite rates of at least 0", lambda: nn.SGD([one()], [])),
    (
        ValueError,
        "For 'Momentum', the 'momentum' must be finite and at least 0",
        lambda: nn.Momentum([one()], 0.1, -1.0),
    ),
    (TypeError, "the 'momentum' must be a float, but got 'a'", lambda: nn.Momentum([one()], 0.1, "a")),
    (ValueError, "the 'weight_decay' must be finite and at least 0", lambda: nn.Momentum([one()], 0.1, 0.9, -1.0)),
    (TypeError, "the 'weight_decay' must be a number", lambda: nn.Momentum([one()], 0.1, 0.9, "a")),
    (
        ValueError,
        "the 'loss_scale' must be finite and above 0, but got 0",
        lambda: nn.Momentum([one()], 0.1, 0.9, 0.0, 0.0),
    ),
    (TypeError, "the 'use_nesterov' must be a bool, but got 1", lambda: nn.Momentum([one()], 0.1, 0.9, 0.0, 1.0, 1)),
    (ValueError, "For 'SGD', the 'dampening' must be finite and at least 0", lambda: nn.SGD([one()], dampening=-1.0)),
    (ValueError, "For 'SGD', with 'nesterov'", lambda: nn.SGD([one()], momentum=0.9, dampening=0.1, nesterov=True)),
    (ValueError, "For 'SGD', with 'nesterov'", lambda: nn.SGD([one()], nesterov=True)),
    (ValueError, r"For 'Adam', the 'beta1' must be in \(0, 1\), but got 1\.0", lambda: nn.Adam([one()], beta1=1.0)),
    (ValueError, "For 'Adam', the 'beta2' must be in \\(0, 1\\)", lambda: nn.Adam([one()], beta2=0.0)),
    (ValueError, "For 'Adam', the 'eps' must be finite and above 0", lambda: nn.Adam([one()], eps=0.0)),
    (TypeError, "For 'Adam', the 'use_nesterov' must be a bool", lambda: nn.Adam([one()], use_nesterov=1)),
    (ValueError, "For 'Optimizer', the 'params' must not be empty", lambda: nn.SGD([])),
    (TypeError, "the 'params' must be an iterable of Parameters or dicts, but got int", lambda: nn.SGD(3)),
    (TypeError, "the 'params' must be an iterable .* but got Parameter", lambda: nn.SGD(one())),
    (TypeError, "each of the 'params' must be a Parameter, or each a dict", lambda: nn.SGD([ms.Tensor([1.0])])),
    (TypeError, "or each a dict, but got Parameter", lambda: nn.SGD([{"params": [one("a")]}, one("b")])),
    (ValueError, "keys only .*'foo'", lambda: nn.SGD([{"params": [one()], "foo": 1}])),
    (ValueError, "must have the key 'params'", lambda: nn.SGD([{"lr": 0.1}])),
    (ValueError, "a group's 'params' must not be empty", lambda: nn.SGD([{"params": []}])),
    (ValueError, "the 'params' must not be empty", lambda: nn.SGD([{"order_params": []}])),
    (ValueError, "each Parameter must be given once", lambda: nn.SGD([one("a"), one("a")])),
    (ValueError, "the 'order_params' must be", lambda: nn.SGD([{"params": [one("a")]}, {"order_params": [one("b")]}])),
    (
        ValueError,
        "the 'param' must be one of the optimizer's, but got b",
        lambda: nn.SGD([one("a")]).get_lr_parameter(one("b")),
    ),
]


@pytest.mark.parametrize(("kind", "message", "make"), WRONG, ids=[row[1][:50] for row in WRONG])
def test_a_wrong_argument_is_refused_by_name(kind, message, make):
    with pytest.raises(kind, match=message):
        make()


def test_one_parameter_in_two_groups_is_refused():
    w = one()
    with pytest.raises(ValueError, match="For 'SGD', each Parameter must be given once"):
        nn.SGD([{"params": [w]}, {"params": [w]}])


def test_an_optimizer_without_an_update_says_so():
    with pytest.raises(NotImplementedError, match="For 'Optimizer', the method 'update' is not defined"):
        nn.Optimizer(0.1, [one()])((ms.Tensor([1.0]),))


GOOD = ms.Tensor(np.ones((2, 3), np.float32))
WRONG_GRADIENTS = {
    "too few": (ValueError, "there must be 2 gradients, one a Parameter, but got 1", (GOOD,)),
    "too many": (ValueError, "there must be 2 gradients, one a Parameter, but got 3", (GOOD, GOOD, GOOD)),
    "shape": (ValueError, r"the gradient of 'a.bias' must have the shape \(3,\), but got \(2, 3\)", (GOOD, GOOD)),
    "kind": (TypeError, "the gradient of 'a.bias' must be a Tensor, but got ndarray", (GOOD, np.ones(3))),
    "dtype": (TypeError, "the gradient of 'a.bias' must be a floating Tensor, but got", (GOOD, ms.Tensor([1, 2, 3]))),
}


@pytest.mark.parametrize("wrong", WRONG_GRADIENTS)
@pytest.mark.parametrize("name", STATE)
def test_a_step_that_is_refused_changes_nothing(name, wrong):
    kind, message, gradients = WRONG_GRADIENTS[wrong]
    optimizer = STATE[name][0](parameters())
    optimizer(tensors(GRADIENTS[0]))
    before = states(optimizer)
    with pytest.raises(kind, match=f"For '{name}', {message}"):
        optimizer(gradients)
    for key, value in states(optimizer).items():
        np.testing.assert_array_equal(value, before[key], err_msg=key)


def param(*values, name="p"):
    return Parameter(Tensor(list(values)), name=name)


@pytest.mark.parametrize(("optimizer", "kept"), [(nn.Momentum, 1.0), (nn.SGD, 0.95)])
def test_weight_decay_spares_norms_without_groups_but_in_sgd(optimizer, kept):
    def after(**group):
        p = param(1.0, name="bn.gamma")
        rest = {"momentum": 0.0} if optimizer is nn.Momentum else {}
        members = [{"params": [p]}] if group else [p]
        optimizer(members, learning_rate=0.1, weight_decay=0.5, **rest)((Tensor([0.0]),))
        return float(p)

    assert after() == pytest.approx(kept)
    assert after(grouped=True) == pytest.approx(0.95)


@pytest.mark.parametrize("rates", [[1e39], [0.1, 1e300], ms.Tensor([1e39], ms.float64), 2**200])
def test_rates_beyond_float32_are_refused_without_a_warning(rates):
    with pytest.raises(ValueError, match="'learning_rate' must be "):  # a warning would be an error before it
        nn.SGD(nn.Dense(1, 1).trainable_params(), rates)
