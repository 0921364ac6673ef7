"""The cells around a network: loss, evaluation, gradient, one training step; and what a step says of its Parameters."""

import logging

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn, ops
from minispore.core.running import running

pytestmark = pytest.mark.usefixtures("restored")
X, Y = np.arange(6, dtype=np.float32).reshape(3, 2), np.ones((3, 1), np.float32)


def dense():
    return nn.Dense(2, 1, weight_init="ones", bias_init="zeros")


def tensors():
    return ms.Tensor(X), ms.Tensor(Y)


OUT = X.sum(1, keepdims=True)
LOSS, SLOPE = ((OUT - Y) ** 2).mean(), 2 * (OUT - Y) / 3  # of the squared error at weights of 1


def test_an_evaluation_cell_gives_loss_output_and_label():
    loss, out, label = nn.WithEvalCell(dense(), nn.MSELoss())(*tensors())
    np.testing.assert_allclose(float(loss), LOSS, rtol=1e-6)
    np.testing.assert_array_equal(out.asnumpy(), OUT)
    np.testing.assert_array_equal(label.asnumpy(), Y)


def test_an_evaluation_cell_casts_output_and_label_to_float32_where_it_is_told():
    label = ms.Tensor(Y, ms.float16)
    _, out, label = nn.WithEvalCell(dense().to_float(ms.float16), nn.MSELoss(), add_cast_fp32=True)(ms.Tensor(X), label)
    assert (out.dtype, label.dtype) == (ms.float32, ms.float32)
    _, _, label = nn.WithEvalCell(dense(), nn.MSELoss())(ms.Tensor(X), ms.Tensor(Y, ms.float16))
    assert label.dtype == ms.float16, "and nowhere else"
    with pytest.raises(TypeError, match="For 'WithEvalCell', the 'add_cast_fp32' must be a bool, but got 1"):
        nn.WithEvalCell(dense(), nn.MSELoss(), 1)


@pytest.mark.parametrize("sens", [None, 3.0])
def test_a_gradient_cell_gives_the_gradients_of_the_loss(sens):
    weight, bias = nn.WithGradCell(dense(), nn.MSELoss(), sens if sens is None else ms.Tensor(sens))(*tensors())
    np.testing.assert_allclose(weight.asnumpy(), (sens or 1) * SLOPE.T @ X, rtol=1e-6)
    np.testing.assert_allclose(bias.asnumpy(), [(sens or 1) * SLOPE.sum()], rtol=1e-6)


def test_a_gradient_cell_sets_its_network_to_train():
    network = nn.SequentialCell(dense(), nn.Dropout(p=0.5))
    nn.WithGradCell(network, nn.MSELoss())
    assert network.training and network[1].training


def test_a_gradient_cell_without_a_loss_differentiates_the_output():
    weight, _ = nn.WithGradCell(dense())(ms.Tensor(X))
    np.testing.assert_array_equal(weight.asnumpy(), X.sum(0, keepdims=True))


def test_value_and_gradients_come_from_one_run():
    network = dense()
    out, gradient = nn.ForwardValueAndGrad(network)(ms.Tensor(X))
    np.testing.assert_array_equal(out.asnumpy(), OUT)
    np.testing.assert_array_equal(gradient.asnumpy(), np.ones_like(X))
    weights = ms.ParameterTuple(network.trainable_params())
    cell = nn.ForwardValueAndGrad(network, weights, get_all=True, get_by_list=True, sens_param=True)
    out, ((dx,), (dw, db)) = cell(ms.Tensor(X), ms.Tensor(2 * Y))
    np.testing.assert_array_equal(out.asnumpy(), OUT)
    np.testing.assert_array_equal(dx.asnumpy(), 2 * np.ones_like(X))
    np.testing.assert_array_equal(dw.asnumpy(), 2 * X.sum(0, keepdims=True))
    np.testing.assert_array_equal(db.asnumpy(), [6])


def test_a_parameter_update_replaces_values():
    parameter = ms.Parameter([1.0, 2.0], name="p")
    out = nn.ParameterUpdate(parameter)(ms.Tensor([3.0, 4.0]))
    assert type(out) is ms.Tensor and out.tolist() == [3, 4]
    np.testing.assert_array_equal(parameter.asnumpy(), [3, 4])
    with pytest.raises(TypeError, match="For 'ParameterUpdate', the 'param' must be a Parameter, but got int"):
        nn.ParameterUpdate(3)


@pytest.mark.parametrize("scaled", [False, True])
def test_a_training_step_inside_a_differentiated_function_trains_as_outside(scaled):
    """And its loss is a number there: the update is not followed."""

    def made():
        network = nn.WithLossCell(dense(), nn.MSELoss())
        optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
        scale = (ms.Tensor(8.0),) if scaled else ()
        kind = nn.TrainOneStepWithLossScaleCell if scaled else nn.TrainOneStepCell
        return kind(network, optimizer, *scale), network

    (inside, one), (outside, other) = made(), made()
    factor = ms.Tensor(2.0)

    def function(factor):
        inside(*tensors())
        return factor * factor

    out, gradient = ms.value_and_grad(function)(factor)
    outside(*tensors())
    assert (float(out), float(gradient)) == (4.0, 4.0)
    for p, q in zip(one.get_parameters(), other.get_parameters(), strict=True):
        np.testing.assert_array_equal(p.asnumpy(), q.asnumpy())


def test_an_optimizers_step_inside_a_differentiated_function_is_not_recorded():
    network = dense()
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9, weight_decay=0.1, loss_scale=2.0)
    grown = []

    def function(x):
        gradients = ms.grad(network, None, optimizer.parameters)(x)
        before = len(running.tape)
        optimizer(gradients)
        grown.append(len(running.tape) - before)
        return network(x)

    ms.grad(function)(ms.Tensor(X))
    assert grown == [0]


# What a step says of its Parameters


def step_of(network, parameters, scaled=False, accumulating=False):
    ms.set_context(cpu_loss_scale=True)
    body = nn.WithLossCell(network, nn.MSELoss())
    body = nn.GradAccumulationCell(body, 3) if accumulating else body
    manager = amp.FixedLossScaleManager(8.0) if scaled else None
    return amp.build_train_network(body, nn.SGD(parameters, 0.1), loss_scale_manager=manager)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("accumulating", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_an_optimizer_of_another_networks_parameters_is_refused_by_the_first_step(mode, scaled, accumulating):
    ms.set_context(mode=mode)
    others = dense().trainable_params()
    for p in others:
        p.name = f"other.{p.name}"
    step = step_of(dense(), others, scaled, accumulating)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"but got 'other\.weight', 'other\.bias', which it does not use"):
            step(*tensors())


@pytest.mark.parametrize("scaled", [False, True])
def test_parameters_that_the_network_does_not_reach_are_named_once(caplog, scaled):
    network, spare = dense(), ms.Parameter([1.0], name="spare")
    step = step_of(network, [*network.trainable_params(), spare], scaled)
    with caplog.at_level(logging.WARNING, logger="minispore"):
        step(*tensors())
        step(*tensors())
    (record,) = caplog.records
    assert record.getMessage().endswith("which get no gradient: 'spare'.")


class Listed(nn.Cell):
    """A Dense that it owns, and more in a list and in a dict that it does not."""

    def __init__(self):
        super().__init__()
        self.own, self.blocks = nn.Dense(2, 2), [nn.Dense(2, 2), nn.ReLU()]
        self.heads, self.functions = {"a": (nn.Dense(2, 1),)}, [nn.ReLU(), 3]

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return self.heads["a"][0](self.own(x))


def test_trainable_cells_in_a_plain_list_are_named_once(caplog):
    network = Listed()
    with caplog.at_level(logging.WARNING, logger="minispore"):
        step = step_of(network, network.trainable_params())
        step(*tensors())
    told = [record.getMessage() for record in caplog.records]
    assert ["'blocks' are not owned" in told[0], "'heads' are not owned" in told[1], len(told)] == [True, True, 2]


def ordinary():
    layers = nn.SequentialCell(nn.Dense(2, 2), nn.CellList([nn.ReLU()])[0], nn.LayerNorm((2,)), nn.Dense(2, 1))
    return layers


def all_of(network):
    return network.trainable_params()


def last_alone(network):
    for p in network[0].get_parameters():
        p.requires_grad = False
    return network.trainable_params()


def groups(network):
    first, *others = network.trainable_params()
    return [{"params": [first], "lr": 0.01}, {"params": others}]


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
@pytest.mark.parametrize("chosen", [all_of, last_alone, groups])
def test_ordinary_training_transfer_learning_and_groups_are_not_warned_of(caplog, chosen, level):
    ms.set_context(cpu_loss_scale=True)
    network = ordinary()
    optimizer = nn.SGD(chosen(network), 0.1)
    with caplog.at_level(logging.WARNING, logger="minispore"):
        amp.build_train_network(network, optimizer, nn.MSELoss(), level, loss_scale_manager=None)(*tensors())
    assert not caplog.records


def test_a_network_that_returns_a_parameter_itself_reaches_it():
    class Itself(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(2.0, name="w")

        def construct(self):
            return self.w

    network = Itself()
    nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.5))()
    assert float(network.w) == 1.5


class ClippedStep(nn.TrainOneStepCell):
    """A step of a user's own, written with what MindSpore's base provides."""

    def construct(self, x, y):
        loss = self.network(x, y)
        sens = ops.fill(loss.dtype, loss.shape, self.sens)
        grads = self.grad_reducer(self.grad(self.network, self.weights)(x, y, sens))
        return ops.depend(loss, self.optimizer(ops.clip_by_global_norm(grads, 1e6)))


def test_a_step_that_calls_its_network_and_differentiates_it_runs_it_twice():
    x, moved = ms.Tensor(np.arange(8, dtype=np.float32).reshape(4, 2)), []
    for kind in (nn.TrainOneStepCell, ClippedStep):
        net = nn.BatchNorm1d(2)
        kind(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.01)).set_train()(x, x)
        moved.append(net.moving_mean.asnumpy())
    np.testing.assert_allclose(moved[0], 0.1 * x.asnumpy().mean(0), rtol=1e-6)
    np.testing.assert_allclose(moved[1], 0.19 * x.asnumpy().mean(0), rtol=1e-6)
