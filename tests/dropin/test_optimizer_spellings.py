"""What subclasses of optimizers that were written for MindSpore read, call and set."""

import numpy as np
import pytest
from nn.optim.test_optimizer import (
    GRADIENTS,
    RisingDecay,
    one,
    parameters,
    tensors,
)
from nn.optim.test_rates import ROW, momentum

import minispore as ms
from minispore import nn
from minispore.dropin.optimizer_spellings import opt_init_args_register

# Optimizers of a user's own, in the style of public repositories; numbers of MindSpore 2.0.0


class PlainDescent(nn.Optimizer):
    def __init__(self, params, learning_rate=0.1, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.assign = ms.ops.Assign()

    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        gradients = self.decay_weight(gradients)
        gradients = self.gradients_centralization(gradients)
        gradients = self.scale_grad(gradients)
        gradients = self._grad_sparse_indices_deduplicate(gradients)
        lr = self.get_lr()
        for i, parameter in enumerate(self.parameters):
            rate = lr[i] if self.is_group_lr else lr
            self.assign(parameter, parameter - rate * gradients[i])
        return True


class HalfDecay(nn.Cell):
    def construct(self, global_step):
        return ms.Tensor(0.5, ms.float32)


def own_groups():
    first, second = one("a", [1.0, 2.0]), one("b.beta", [1.0, 2.0])
    return [{"params": [first], "lr": 0.5}, {"params": [second], "weight_decay": 0.3, "grad_centralization": True}]


def own_pair():
    return [one("a", [1.0, 2.0]), one("b.beta", [1.0, 2.0])]


OWN = {
    "scaled": (own_pair, {"weight_decay": 0.1, "loss_scale": 4.0}, [[0.965, 1.955], [0.95, 1.9]], 0),
    "groups": (own_groups, {"weight_decay": 0.1}, [[0.45, 1.4], [0.77, 1.54]], 0),
    "rates": (own_pair, {"learning_rate": [0.1, 0.2]}, [[0.9, 1.9], [0.8, 1.6]], 1),
    "a decay that is a Cell": (own_pair, {"weight_decay": HalfDecay()}, [[0.85, 1.8], [0.8, 1.6]], 1),
}


@pytest.mark.parametrize(("make", "settings", "expected", "steps"), OWN.values(), ids=OWN)
def test_a_users_own_optimizer_runs_on_what_the_base_gives(make, settings, expected, steps):
    optimizer = PlainDescent(make(), **settings)
    optimizer((ms.Tensor([1.0, 1.0]), ms.Tensor([2.0, 4.0])))
    for parameter, values in zip(optimizer.parameters, expected, strict=True):
        np.testing.assert_allclose(parameter.asnumpy(), values, rtol=1e-6)
    assert int(optimizer.global_step) == steps
    optimizer.get_lr()
    assert int(optimizer.global_step) == steps  # only a step counts


def test_an_optimizer_tells_what_subclasses_of_mindspores_read():
    plain = PlainDescent(own_pair(), weight_decay=0.1, loss_scale=4.0)
    assert (plain.is_group, plain.is_group_params_ordered, plain.need_scale, plain.param_length) == (
        False,
        False,
        True,
        2,
    )
    assert (plain.exec_weight_decay, plain.decay_flags, plain.dynamic_decay_flags) == (True, (True, False), False)
    assert (float(plain.reciprocal_scale), float(plain.weight_decay)) == (0.25, float(np.float32(0.4)))
    assert float(plain.get_weight_decay()) == float(plain.weight_decay)
    grouped = PlainDescent(own_groups(), weight_decay=0.1)
    assert (grouped.is_group, grouped.group_weight_decay, grouped.decay_flags) == (True, [0.1, 0.3], (True, True))
    assert [rate.name for rate in grouped.group_lr] == ["learning_rate_group_0", "learning_rate"]
    assert grouped.grad_centralization_flags == tuple(grouped.group_grad_centralization) == (False, True)
    assert [p.name for p in grouped.group_params] == ["a", "b.beta"]
    np.testing.assert_allclose([float(d) for d in grouped.weight_decay], [0.1, 0.3], rtol=1e-6)
    assert plain.hyper_map(lambda x: x + 1, (1, (2,))) == (2, (3,))
    assert plain.optim_filter == (True, True) and plain.broadcast_params((1,)) == (1,)
    assert plain._preprocess_weight_decay(1) == 1.0


def test_the_arguments_of_a_decorated_init_are_kept():
    class Kept:
        @opt_init_args_register
        def __init__(self, params, learning_rate=0.1, b=3):
            self.made = True

    kept = Kept([1], 0.2)
    assert vars(kept) == {
        "init_params": {"params": [1]},
        "init_learning_rate": 0.2,
        "init_args": {"b": 3},
        "made": True,
    }
    assert Kept([1], nn.ExponentialDecayLR(0.1, 0.9, 4), b=5).init_learning_rate is None


# The device


class SetsItsTarget(nn.Optimizer):
    def __init__(self, parameters):
        super().__init__(0.1, parameters)

    @nn.Optimizer.target.setter
    def target(self, value):
        self._set_base_target(value)


def each_that_may_be_set():
    made = [make([one()]) for make in (nn.Adam, nn.AdamWeightDecay, nn.FTRL, nn.LazyAdam, nn.ProximalAdagrad)]
    return [*made, SetsItsTarget([one()])]


@pytest.mark.parametrize("optimizer", each_that_may_be_set(), ids=lambda o: type(o).__name__)
def test_the_target_is_the_contexts_device_and_nothing_else(optimizer):
    optimizer.target = "CPU"
    for value, error in (("GPU", ValueError), ("Ascend", ValueError), ("x", ValueError), (None, TypeError)):
        with pytest.raises(error, match=f"For '{type(optimizer).__name__}', the 'target' must be"):
            optimizer.target = value
    assert optimizer.target == "CPU"


def test_the_target_of_an_optimizer_without_a_setter_stays():
    optimizer = nn.SGD([one()])
    with pytest.raises(NotImplementedError, match="For 'SGD', the 'target' cannot be set"):
        optimizer.target = "CPU"
    assert optimizer.target == "CPU"


def test_a_registered_constructor_remembers_its_arguments():
    class Mine(nn.Momentum):
        @nn.optim.optimizer.opt_init_args_register
        def __init__(self, params, learning_rate, m=0.9, z=4):
            super().__init__(params, learning_rate, m)

    parameters = [ms.Parameter(ms.Tensor([1.0]), name="p")]
    made = Mine(parameters, 0.1, z=7)
    assert (made.init_args, made.init_learning_rate) == ({"m": 0.9, "z": 7}, 0.1)
    assert made.init_params["params"] is parameters


RISING = {  # after three steps with gradients (0, 1) from (1, 2), as MindSpore 2.0.0 has them
    "Momentum": (lambda p, d: nn.Momentum(p, 0.1, 0.0, d), [0.9410939812660217, 1.590127944946289]),
    "Adam": (lambda p, d: nn.Adam(p, 0.1, weight_decay=d), [0.7048429846763611, 1.6995338201522827]),
    "AdamWeightDecay": (lambda p, d: nn.AdamWeightDecay(p, 0.1, weight_decay=d), [0.9410939812660217, 0.6743676662445]),
    "RMSProp": (lambda p, d: nn.RMSProp(p, 0.1, weight_decay=d), [0.9338396191596985, 1.6164766550064087]),
    "Adagrad": (lambda p, d: nn.Adagrad(p, learning_rate=0.1, weight_decay=d), [0.8610495924949646, 1.764868855476]),
    "Adadelta": (lambda p, d: nn.Adadelta(p, 0.1, weight_decay=d), [0.998793363571167, 1.998956322669983]),
}


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("name", RISING)
def test_a_cell_computes_the_weight_decay_from_the_steps_before(name, grouped):
    make, expected = RISING[name]
    w, decay = one(values=[1.0, 2.0]), RisingDecay()
    optimizer = make([{"params": [w], "weight_decay": decay}], 0.0) if grouped else make([w], decay)
    for _ in range(3):
        optimizer((ms.Tensor([0.0, 1.0]),))
    np.testing.assert_allclose(w.asnumpy(), expected, rtol=1e-6)
    assert int(optimizer.global_step) == 3
    assert optimizer.dynamic_weight_decay
    decay_now = optimizer.get_weight_decay()
    np.testing.assert_allclose((decay_now[0] if grouped else decay_now).asnumpy(), 0.4, rtol=1e-6)
    assert any(p is decay.unit for p in optimizer.get_parameters())


def test_lars_answers_for_the_optimizer_and_takes_its_decay_and_loss_scale_over():
    inner = nn.Momentum(parameters(), [0.1, 0.2], 0.9, weight_decay=0.01, loss_scale=128.0)
    outer = nn.LARS(inner)
    assert (outer.loss_scale, outer.weight_decay, inner.loss_scale) == (128.0, np.float32(0.01 * 128), 1.0)
    assert outer.parameters is inner.parameters and outer.dynamic_lr
    outer(tensors(GRADIENTS[0]))
    assert outer.get_lr().asnumpy() == np.float32(0.2)
    assert list(outer.parameters_dict()) == [
        "global_step", "a.weight", "a.bias", "momentum", "moments.a.weight", "moments.a.bias", "learning_rate",
    ]  # fmt: skip


def test_an_optimizer_tells_the_arguments_of_its_constructors_call():
    members = own_pair()
    optimizer = nn.Momentum(members, [0.1, 0.2], momentum=0.9)
    assert (optimizer.init_params, optimizer.init_learning_rate) == ({"params": members}, [0.1, 0.2])
    assert optimizer.init_args == {"momentum": 0.9, "weight_decay": 0.0, "loss_scale": 1.0, "use_nesterov": False}
    assert nn.SGD(own_pair(), nn.ExponentialDecayLR(0.1, 0.9, 2)).init_learning_rate is None


def kinds(rates):
    return [type(rate).__name__ for rate in rates]


def test_rates_of_groups_that_change_are_a_cell_list_with_constants_among_them_as_cells():
    optimizer = momentum(0.3, {"lr": ROW}, {}, {"lr": nn.ExponentialDecayLR(0.1, 0.9, 2)})
    rates = optimizer.learning_rate
    assert isinstance(rates, nn.CellList) and len(rates) == 3
    assert (
        kinds(rates) == ["_IteratorLearningRate", "_ConvertToCell", "ExponentialDecayLR"] == kinds(optimizer.group_lr)
    )
    step = ms.Tensor([1], ms.int32)
    assert [float(rate(step)) for rate in rates] == pytest.approx([0.25, 0.3, 0.1 * 0.9**0.5])
    assert [p.name for p in rates.get_parameters()] == ["learning_rate_group_0", "learning_rate"]
    assert [path for path, _ in optimizer.cells_and_names()][:2] == ["", "learning_rate"]
