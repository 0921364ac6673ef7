"""A loss scale for each group: the gradients of float64, MindSpore 2.0.0's rule, and the group that is to blame."""

import numpy as np
import pytest

import minispore as ms
from minispore import amp, boost, nn
from minispore.boost.group_loss_scale_manager import GROWS, SHRINKS, begun_in

pytestmark = pytest.mark.usefixtures("own_configuration")

OFF = dict.fromkeys(("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group"), False)
MODES = (ms.PYNATIVE_MODE, ms.GRAPH_MODE)
X, Y = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[1.0], [2.0]])
RATE, STEPS = 0.001, 5


class Net(nn.Cell):
    """Three linear layers, each a group; the manager is called between them, but where ``left_out`` says."""

    def __init__(self, manager, left_out=None):
        super().__init__()
        self.manager, self.left_out = manager, left_out
        self.layers = nn.CellList([nn.Dense(a, b, "ones", "zeros") for a, b in ((2, 3), (3, 3), (3, 1))])

    def construct(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x if i == self.left_out else self.manager(x, i, i + 1))
        return x if self.left_out == 3 else self.manager(x, 3, 4)


def by_oracle():
    """The weights after each step of SGD in float64, where no gradient needs a scale."""
    weights = [np.ones(shape) for shape in ((3, 2), (3, 3), (1, 3))]
    biases, courses = [np.zeros(n) for n in (3, 3, 1)], []
    for _ in range(STEPS):
        outs = [X]
        for w, b in zip(weights, biases, strict=True):
            outs.append(outs[-1] @ w.T + b)
        back = 2 * (outs.pop() - Y) / Y.size
        for i in (2, 1, 0):
            by_weight, by_bias, back = back.T @ outs[i], back.sum(0), back @ weights[i]
            weights[i], biases[i] = weights[i] - RATE * by_weight, biases[i] - RATE * by_bias
        courses.append(np.concatenate([w.ravel() for w in weights]))
    return courses


def grouped(scale=8.0, level="O0", left_out=None, optimizer=None):
    """The network, the manager, and the step."""
    ms.set_context(cpu_loss_scale=True)
    boost.AutoBoost("O1", {"boost": {"mode": "manual", **OFF, "loss_scale_group": True}})
    manager = boost.GroupLossScaleManager(scale, [])
    net = Net(manager, left_out)
    manager.loss_scale_groups = [layer.trainable_params() for layer in net.layers]
    opt = optimizer(net.trainable_params()) if optimizer else nn.SGD(net.trainable_params(), RATE)
    step = amp.build_train_network(net, opt, nn.MSELoss(), level, "O1", loss_scale_manager=manager)
    assert type(step) is boost.BoostTrainOneStepWithLossScaleCell
    return net, manager, step


def weights(net):
    return np.concatenate([layer.weight.asnumpy().ravel() for layer in net.layers])


def scales(manager):
    return [float(scale) for scale in manager.dynamic_loss_scale]


def inputs():
    return ms.Tensor(X, ms.float32), ms.Tensor(Y, ms.float32)


@pytest.mark.parametrize("mode", MODES)
def test_each_gradient_is_divided_by_its_own_groups_scale(mode):
    ms.set_context(mode=mode)
    net, manager, step = grouped()
    for scale, value in zip(manager.dynamic_loss_scale[1:4], (2.0**20, 3.0, 2.0**-9), strict=True):
        scale.set_data(ms.Tensor(value, ms.float32))
    for expected in by_oracle():
        before = scales(manager)
        _, overflow, scale = step(*inputs())
        assert overflow.dtype == ms.int32 and not overflow and float(scale) == before[1]
        np.testing.assert_allclose(weights(net), expected, rtol=2e-5, atol=1e-6)
        np.testing.assert_allclose(scales(manager), [1, *(s * 2**0.001 for s in before[1:4]), 1], rtol=1e-6)


# Scales before and after a step without an overflow, and the factors of a step with one and without, recorded from
# MindSpore 2.0.0, which divides by the scales after the step.
RECORDED = [
    ((8.0, 8.0, 8.0), (8.005547523498535, 8.005547523498535, 8.005547523498535)),
    ((2.0, 4.0, 16.0), (2.001386880874634, 4.002773761749268, 16.01109504699707)),
]
FACTORS = (0.707107, 1.00069)


@pytest.mark.parametrize(("before", "after"), RECORDED)
def test_the_scales_follow_mindspores_rule(before, after):
    _, manager, step = grouped()
    for scale, value in zip(manager.dynamic_loss_scale[1:4], before, strict=True):
        scale.set_data(ms.Tensor(value, ms.float32))
    step(*inputs())
    np.testing.assert_allclose(scales(manager)[1:4], after, rtol=1e-7)
    np.testing.assert_allclose((SHRINKS, GROWS), FACTORS, atol=5e-6)


@pytest.mark.parametrize("group", [0, 1, 2])
@pytest.mark.parametrize("mode", MODES)
def test_an_overflow_shrinks_the_scale_of_the_group_in_which_it_begins(mode, group):
    ms.set_context(mode=mode)
    net, manager, step = grouped()
    step(*inputs())
    manager.dynamic_loss_scale[group + 1].set_data(ms.Tensor(2.0**127, ms.float32))
    before, kept = scales(manager), weights(net)
    loss, overflow, _ = step(*inputs())
    assert int(overflow) == 1 and np.isfinite(float(loss))
    np.testing.assert_array_equal(weights(net), kept)
    factors = [2**-0.5 if i == group else 2**0.001 for i in range(3)]
    np.testing.assert_allclose(scales(manager), [1, *np.multiply(before[1:4], factors), 1], rtol=1e-6)


def test_an_overflow_that_no_group_began_is_every_groups():
    _, manager, step = grouped()
    _, overflow, _ = step(ms.Tensor(np.full((2, 2), np.inf, np.float32)), inputs()[1])
    assert int(overflow) == 3
    np.testing.assert_allclose(scales(manager), [1, *[8 * 2**-0.5] * 3, 1], rtol=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_hooks_of_the_gradients_see_them_unscaled_and_may_skip_the_step(mode):
    ms.set_context(mode=mode)
    net, _, step = grouped()
    seen = []
    handle = step.register_gradient_hook(lambda gradients: seen.append(gradients) or tuple(g * 2 for g in gradients))
    before, (first, *_) = weights(net), by_oracle()
    step(*inputs())
    np.testing.assert_allclose(weights(net) - before, 2 * (first - before), rtol=1e-4, atol=1e-6)
    assert seen[0][0].dtype == ms.float32
    handle.remove()
    step.register_gradient_hook(lambda gradients: tuple(g / 0 for g in gradients))
    kept = weights(net)
    assert int(step(*inputs())[1]) == 3
    np.testing.assert_array_equal(weights(net), kept)


def test_groups_are_told_apart_by_what_comes_to_them():
    def record(came, left):
        rows = np.zeros((5, 3))
        rows[1:4, 1], rows[1:4, 2] = came, left
        return rows

    for finite, came, left, begun in [
        ((1, 1, 1), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
        ((0, 0, 0), (1, 1, 0), (1, 1, 1), (0, 0, 1)),
        ((0, 1, 1), (1, 0, 0), (1, 1, 0), (0, 1, 0)),  # the second's own gradients are finite, what it hands on is not
        ((0, 1, 0), (0, 0, 0), (0, 0, 0), (1, 0, 1)),
    ]:
        assert begun_in([bool(f) for f in finite], record(came, left)) == [bool(b) for b in begun]


def test_groups_keep_in_float16_what_one_scale_loses():
    """The first layer's gradient is 2**-34 of the loss's: at a scale of 8 it is zero in float16."""
    for first, kept in ((8.0, 0.0), (2.0**24, 1.0)):
        net, manager, step = grouped(level="O3")
        for layer, value in zip(net.layers, (0.0, 2.0**-17, 2.0**-17), strict=True):
            layer.weight.set_data(ms.Tensor(np.full(layer.weight.shape, value), ms.float32))
        for scale in manager.dynamic_loss_scale[1:3]:
            scale.set_data(ms.Tensor(first, ms.float32))
        assert not step(*inputs())[1]
        expected = kept * RATE * 3 * 2.0**-34 * (Y * X).sum(0)
        np.testing.assert_allclose(net.layers[0].weight.asnumpy(), [expected] * 3, rtol=2e-3, atol=1e-16)


def test_without_scales_the_gradient_passes_unchanged():
    manager = boost.GroupLossScaleManager(4, [])
    assert float(ms.grad(lambda x: manager(x, 0, 1))(ms.Tensor(3.0))) == 1
    assert manager.get_loss_scale() == 4 and manager.get_update_cell() is manager


def test_a_scale_stays_within_float32():
    manager = boost.GroupLossScaleManager(4, [])
    manager.set_loss_scale_status(1, 2.0**127)
    assert float(manager.update_loss_scale_status(0, 4.0)) == np.finfo(np.float32).max
    assert float(manager.update_loss_scale_status(0, 0.0)) == np.finfo(np.float32).tiny


def test_the_scales_are_in_the_checkpoint(tmp_path):
    path, rows = str(tmp_path / "step.ckpt"), []
    _, manager, step = grouped()
    step(*inputs())
    ms.save_checkpoint(step, path)
    rows.append(scales(manager))
    _, manager, step = grouped()
    assert ms.load_param_into_net(step, ms.load_checkpoint(path)) == ([], [])
    rows.append(scales(manager))
    assert rows[0] == rows[1] and rows[0][1] != 8


def test_a_freezing_step_divides_by_the_scales_of_its_groups():
    net, _, step = grouped(optimizer=lambda p: boost.FreezeOpt(nn.SGD(p, RATE), (p, p[2:]), (0, 0)))
    for expected in by_oracle():
        assert not step(*inputs())[1]
        np.testing.assert_allclose(weights(net), expected, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("left_out", [1, 2, 3])
def test_a_network_that_leaves_a_call_out_is_refused(left_out):
    net, _, step = grouped(left_out=left_out)
    before = weights(net)
    with pytest.raises(ValueError, match=rf"after each of its groups, but got no call after the groups \[{left_out}\]"):
        step(*inputs())
    np.testing.assert_array_equal(weights(net), before)


def with_groups(groups, on=True):
    boost.AutoBoost("O1", {"boost": {"mode": "manual", **OFF, "loss_scale_group": on}})
    net = Net(boost.GroupLossScaleManager(8, []))
    params = net.trainable_params()
    manager = boost.GroupLossScaleManager(8, [[params[i] for i in group] for group in groups])
    return boost.BoostTrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(params), manager)


def one_scale():
    boost.AutoBoost("O1", {"boost": {"mode": "manual", **OFF, "loss_scale_group": True}})
    net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    return boost.BoostTrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params()), ms.Tensor(8.0))


REFUSED = [
    (TypeError, "'init_loss_scale' must be a number", lambda: boost.GroupLossScaleManager("a", [])),
    (ValueError, "'init_loss_scale' must be", lambda: boost.GroupLossScaleManager(0, [])),
    (TypeError, "must be a list of lists of Parameters", lambda: boost.GroupLossScaleManager(4, 3)),
    (TypeError, "must hold Parameters", lambda: boost.GroupLossScaleManager(4, [[3]])),
    (ValueError, r"each of the optimizer's Parameters, but got groups without \['layers.1.weight'", lambda: with_groups(
        [[0, 1], [4, 5]]
    )),
    (ValueError, "but got no groups", lambda: with_groups([])),
    (ValueError, "Parameter once, but got 'layers.0.weight' twice", lambda: with_groups([[0, 1, 2, 3], [0, 4, 5]])),
    (TypeError, "'loss_scale_group' is on, and only then, but got Group", lambda: with_groups([range(6)], on=False)),
    (TypeError, "'loss_scale_group' is on, and only then, but got Tensor", one_scale),
]  # fmt: skip


@pytest.mark.parametrize(("error", "sentence", "call"), REFUSED)
def test_what_is_refused(error, sentence, call):
    with pytest.raises(error, match=sentence):
        call()


def test_a_number_of_no_group_is_refused():
    manager = boost.GroupLossScaleManager(4, [])
    manager.set_loss_scale_status(2, 4)
    for pair in ((-1, 1), (1, 4)):
        with pytest.raises(ValueError, match=r"must be in \[0, 4\)"):
            manager(ms.Tensor(1.0), *pair)
    with pytest.raises(ValueError, match=r"'layer' must be in \[0, 2\)"):
        manager.update_loss_scale_status(2, 1.0)


@pytest.mark.parametrize("level", ["O1", "O3"])
def test_model_trains_with_groups_at_each_level_of_mixed_precision(level):
    ms.set_context(cpu_loss_scale=True)
    manager = boost.GroupLossScaleManager(8.0, [])
    net = Net(manager)
    manager.loss_scale_groups = [layer.trainable_params() for layer in net.layers]
    opt = nn.SGD(net.trainable_params(), RATE)
    config = {"boost": {"mode": "manual", **OFF, "loss_scale_group": True}}
    keywords = {"boost_level": "O1", "boost_config_dict": config, "loss_scale_manager": manager}
    model = ms.Model(net, nn.MSELoss(), opt, amp_level=level, **keywords)
    data = ms.dataset.NumpySlicesDataset((X.astype(np.float32), Y.astype(np.float32)), shuffle=False)
    model.train(STEPS, data.batch(2))
    np.testing.assert_allclose(weights(net), by_oracle()[-1], rtol=2e-3)
    np.testing.assert_allclose(scales(manager)[1:4], 8 * 2 ** (STEPS / 1000), rtol=1e-5)


def test_on_other_devices_the_steps_are_the_same(other_device):
    net, manager, step = grouped()
    for expected in by_oracle()[:2]:
        assert not step(*inputs())[1]
        np.testing.assert_allclose(weights(net), expected, rtol=2e-5, atol=1e-6)
    manager.dynamic_loss_scale[2].set_data(ms.Tensor(2.0**127, ms.float32))
    assert int(step(*inputs())[1]) == 1
    np.testing.assert_allclose(scales(manager)[2], 2.0**126.5, rtol=1e-6)
