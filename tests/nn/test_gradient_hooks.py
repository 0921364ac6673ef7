"""Hooks of training steps: what they see, what is applied, and clipping against clipping in float64."""

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn, ops

pytestmark = pytest.mark.usefixtures("restored")
X = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25], [2.0, 2.0]])
Y = np.array([[1.0], [0.0], [2.0], [-3.0]])
W, B, RATE = np.array([[0.5, -2.0]]), np.array([0.25]), 0.1
MODES = [ms.PYNATIVE_MODE, ms.GRAPH_MODE]


@pytest.fixture(autouse=True)
def loss_scale_on_the_cpu():
    ms.set_context(cpu_loss_scale=True)
    yield
    ms.set_context(cpu_loss_scale=False, mode=ms.PYNATIVE_MODE)


def by_value(gradients):
    """Each element to [-1, 1]."""
    return tuple([ops.clip_by_value(g, -1.0, 1.0) for g in gradients])


def by_norm(gradients):
    """Each gradient to the norm 1."""
    return tuple([ops.clip_by_norm(g, 1.0) for g in gradients])


def by_global_norm(gradients):
    """All gradients to the norm 1 together."""
    return ops.clip_by_global_norm(gradients, 1.0)


def shrunk(gradients, norm):
    return [g / max(1.0, norm) for g in gradients]


CLIPS = {  # the hook, and the same in float64
    "value": (by_value, lambda gs: [np.clip(g, -1, 1) for g in gs]),
    "norm": (by_norm, lambda gs: [g / max(1.0, np.linalg.norm(g)) for g in gs]),
    "global norm": (by_global_norm, lambda gs: shrunk(gs, np.sqrt(sum((g**2).sum() for g in gs)))),
}


def dense():
    return nn.Dense(2, 1, weight_init=ms.Tensor(W, ms.float32), bias_init=ms.Tensor(B, ms.float32))


def gradients_of(w, b, x=X, y=Y):
    """The gradients of the mean squared error, in float64."""
    error = 2 * (x @ w.T + b - y) / len(x)
    return [error.T @ x, error.sum(0)]


def walked(clip, steps=3):
    """The weights after steps of gradient descent with clipping, in float64."""
    w, b = W, B
    for _ in range(steps):
        dw, db = clip(gradients_of(w, b))
        w, b = w - RATE * dw, b - RATE * db
    return w, b


def plain(network, optimizer):
    return nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), optimizer)


def plain_with_sens(network, optimizer):
    optimizer = nn.SGD(optimizer.parameters, RATE, loss_scale=1024.0)
    return nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), optimizer, sens=1024.0)


def scaled(network, optimizer):
    return nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(network, nn.MSELoss()), optimizer, nn.DynamicLossScaleUpdateCell(2.0**16, 2, 2)
    )


def accumulated(network, optimizer):
    """Two parts, whose losses are halved so that their sum is the batch's mean."""

    class Half(nn.Cell):
        def __init__(self):
            super().__init__()
            self.loss = nn.WithLossCell(network, nn.MSELoss())

        def construct(self, x, y):
            return self.loss(x, y) / 2

    parts = amp.GradAccumulationCell(Half(), 2)
    return amp.build_train_network(parts, optimizer, loss_scale_manager=amp.DynamicLossScaleManager(256.0))


def fixed(network, optimizer):
    manager = amp.FixedLossScaleManager(64.0, drop_overflow_update=False)
    optimizer = nn.SGD(optimizer.parameters, RATE, loss_scale=64.0)
    return amp.build_train_network(network, optimizer, nn.MSELoss(), loss_scale_manager=manager)


def step_of(make, **keywords):
    network = dense()
    return make(network, nn.SGD(network.trainable_params(), RATE), **keywords).set_train()


def run(step, steps=3, x=X, y=Y):
    outs = [step(ms.Tensor(x, ms.float32), ms.Tensor(y, ms.float32)) for _ in range(steps)]
    return outs, [p.asnumpy() for p in step.optimizer.parameters]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("make", [plain, plain_with_sens, scaled, accumulated, fixed])
def test_clipping_is_that_of_the_unscaled_gradients_in_float64(make, clip, mode):
    hook, exact = CLIPS[clip]
    ms.set_context(mode=mode)
    step = step_of(make)
    step.register_gradient_hook(hook)
    _, found = run(step)
    for p, expected in zip(found, walked(exact), strict=True):
        np.testing.assert_allclose(p, expected, rtol=2e-6)


@pytest.mark.parametrize("manager", [None, "dynamic"])
def test_build_train_network_takes_the_hook_as_a_keyword(manager):
    keywords = {"loss_scale_manager": amp.DynamicLossScaleManager(1024.0) if manager else None}
    network = dense()
    optimizer = nn.SGD(network.trainable_params(), RATE)
    step = amp.build_train_network(network, optimizer, nn.MSELoss(), gradient_hook=by_global_norm, **keywords)
    _, found = run(step)
    np.testing.assert_allclose(found[0], walked(CLIPS["global norm"][1])[0], rtol=2e-6)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("clip", CLIPS)
def test_an_overflow_is_found_although_clipping_makes_it_finite(clip, mode):
    ms.set_context(mode=mode)
    step = step_of(scaled)
    step.register_gradient_hook(CLIPS[clip][0])
    x = X * 1e38
    _, overflow, scale = run(step, 1, x)[0][0]
    assert bool(overflow) and float(step.scale_sense) == float(scale) / 2
    for p, before in zip(step.optimizer.parameters, (W, B), strict=True):
        np.testing.assert_array_equal(p.asnumpy(), before.astype(np.float32))
    assert not bool(run(step, 1)[0][0][1]), "and the next step is made"


@pytest.mark.parametrize("mode", MODES)
def test_a_hook_whose_result_is_not_finite_skips_the_step(mode):
    ms.set_context(mode=mode)
    step = step_of(scaled)
    step.register_gradient_hook(lambda gradients: tuple([g / 0.0 for g in gradients]))
    assert bool(run(step, 1)[0][0][1])
    np.testing.assert_array_equal(step.optimizer.parameters[0].asnumpy(), W.astype(np.float32))


def test_a_skipped_step_undoes_what_its_hook_wrote_and_drew():
    norm = ms.Parameter(ms.Tensor(-1.0), name="norm")
    drawn = []

    def noted(gradients):
        ops.assign(norm, gradients[0].sum())
        drawn.append(ops.standard_normal((2,)).asnumpy())

    step = step_of(scaled)
    step.register_gradient_hook(noted)
    ms.set_seed(3)
    run(step, 1, X * 1e38)
    assert float(norm) == -1
    run(step, 1)
    assert float(norm) != -1
    np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", [plain, plain_with_sens, scaled, fixed])
def test_a_hook_sees_float32_gradients_without_the_scale_and_none_leaves_them(make, mode):
    ms.set_context(mode=mode)
    step, seen = step_of(make), []
    step.register_gradient_hook(lambda gradients: seen.append([g.asnumpy() for g in gradients]))
    other = step_of(make)
    assert [p.tobytes() for p in run(step, 2)[1]] == [p.tobytes() for p in run(other, 2)[1]]
    assert len(seen) == 2
    for g, expected in zip(seen[0], gradients_of(W, B), strict=True):
        assert g.dtype == np.float32
        np.testing.assert_allclose(g, expected, rtol=1e-6)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", [plain, scaled])
def test_hooks_run_in_order_may_decide_on_the_host_and_can_be_removed(make, mode):
    ms.set_context(mode=mode)
    step, calls = step_of(make), []

    def first(gradients):
        calls.append("first")
        factor = 0.0 if len(calls) == 1 else 1.0
        return tuple([g * factor for g in gradients])

    handle = step.register_gradient_hook(first)
    step.register_gradient_hook(lambda gradients: calls.append(float(gradients[0].sum()) == 0))
    run(step, 2)
    assert calls == ["first", True, "first", False]
    handle.remove()
    run(step, 1)
    assert calls[4:] == [False]


@pytest.mark.parametrize("make", [plain, scaled])
@pytest.mark.parametrize(
    ("result", "error", "text"),
    [
        (lambda gs: gs[0], TypeError, "must return a tuple of Tensors, or None"),
        (lambda gs: gs[:1], ValueError, "must return 2 gradients, but got 1"),
        (lambda gs: (gs[0], 1.0), TypeError, "must return a Tensor of Float32 as gradient 1, but got float"),
        (lambda gs: (gs[0], gs[1].astype(ms.float16)), TypeError, "as gradient 1, but got Float16"),
        (lambda gs: (gs[0].T, gs[1]), ValueError, r"shape \(1, 2\) as gradient 0, but got \(2, 1\)"),
    ],
)
def test_a_result_that_fits_no_gradients_is_an_error_and_the_step_changes_nothing(make, result, error, text):
    step = step_of(make)
    step.register_gradient_hook(result)
    with pytest.raises(error, match=f"For '{type(step).__name__}', .*{text}"):
        run(step, 1)
    np.testing.assert_array_equal(step.optimizer.parameters[0].asnumpy(), W.astype(np.float32))


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="the hook must be a function"):
        step_of(plain).register_gradient_hook(1)
    network = dense()
    with pytest.raises(TypeError, match="For 'build_train_network', the hook must be a function"):
        amp.build_train_network(network, nn.SGD(network.trainable_params(), 0.1), nn.MSELoss(), gradient_hook=1)


class OwnStep(nn.TrainOneStepWithLossScaleCell):
    """A step with clipping as scripts for MindSpore write it."""

    def construct(self, x, y):
        loss = self.network(x, y)
        scale = self.scale_sense
        status, scale = self.start_overflow_check(loss, scale)
        gradients = self.grad(self.network, self.weights)(x, y, ops.ones_like(loss) * scale.astype(loss.dtype))
        gradients = self.hyper_map(ops.partial(unscale, scale), gradients)
        gradients = ops.clip_by_global_norm(gradients, 1.0)
        gradients = self.grad_reducer(gradients)
        overflow = self.get_overflow_status(status, gradients)
        if not self.process_loss_scale(overflow):
            self.optimizer(gradients)
        return loss, overflow, scale


unscale = ops.MultitypeFuncGraph("unscale")


@unscale.register("Tensor", "Tensor")
def _unscale(scale, gradient):
    return gradient * ops.Reciprocal()(scale)


@pytest.mark.needs("dropin")
@pytest.mark.parametrize("mode", MODES)
def test_a_step_of_ones_own_clips_as_the_hook_does(mode):
    ms.set_context(mode=mode)
    own = step_of(
        lambda net, opt: OwnStep(nn.WithLossCell(net, nn.MSELoss()), opt, nn.DynamicLossScaleUpdateCell(2.0**16, 2, 2))
    )
    hooked = step_of(scaled)
    hooked.register_gradient_hook(by_global_norm)
    for p, q in zip(run(own)[1], run(hooked)[1], strict=True):
        np.testing.assert_allclose(p, q, rtol=1e-6)
    handle_seen = []
    own.register_gradient_hook(lambda gradients: handle_seen.append(1))
    run(own, 1)
    assert not handle_seen, "a construct of one's own calls hooked_gradients, or no hook runs"


@pytest.mark.parametrize("base", [nn.TrainOneStepCell, nn.TrainOneStepWithLossScaleCell])
def test_a_steps_own_way_with_gradients_is_called_without_a_hook_too(base):
    class Still(base):
        def hooked_gradients(self, gradients, loss_scale=1.0):
            return tuple([g * 0 for g in gradients])

    net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    scale = [nn.FixedLossScaleUpdateCell(8.0)] * (base is nn.TrainOneStepWithLossScaleCell)
    step = Still(net, nn.SGD(net.trainable_params(), 0.1), *scale).set_train()
    before = [p.asnumpy().copy() for p in net.trainable_params()]
    step(ms.Tensor(X, ms.float32), ms.Tensor(Y, ms.float32))
    for p, old in zip(net.trainable_params(), before, strict=True):
        np.testing.assert_array_equal(p.asnumpy(), old)
