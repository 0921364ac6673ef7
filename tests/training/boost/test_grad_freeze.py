"""Gradient freeze: which Parameters are trained in which step, as MindSpore 2.0.0 has it."""

import numpy as np
import pytest

import minispore as ms
from minispore import boost, nn, ops

FREEZE = boost.GradientFreeze(3, 1, 0.7, 20)


def dense(count, has_bias=True):
    return nn.SequentialCell(*[nn.Dense(2, 2, has_bias=has_bias) for _ in range(count)])


def normed(*order):
    kinds = {"conv": lambda: nn.Conv2d(2, 2, 1), "biased": lambda: nn.Conv2d(2, 2, 1, has_bias=True)}
    return nn.SequentialCell(*[kinds.get(k, lambda: nn.BatchNorm2d(2))() for _ in range(8) for k in order])


# Where the groups begin among the trainable Parameters, recorded from MindSpore 2.0.0
SPLITS = [
    (lambda: dense(12), {1: [0], 2: [0, 12], 3: [0, 8, 16], 5: [0, 4, 8, 12, 16], 7: [0] * 7}),
    (lambda: dense(11, has_bias=False), {2: [0, 6], 3: [0, 3, 6], 4: [0, 3, 6, 9], 5: [0] * 5}),
    (lambda: dense(30, has_bias=False), {7: [0, 3, 6, 9, 12, 15, 18]}),
    (lambda: normed("conv", "norm"), {3: [0, 6, 12], 7: [0, 3, 6, 9, 12, 15, 18]}),
    (lambda: normed("norm", "biased"), {3: [0, 8, 16], 8: [0, 4, 8, 12, 16, 20, 24, 28]}),
]


@pytest.mark.parametrize(("make", "starts"), SPLITS)
def test_groups_begin_at_layers_with_at_least_three_parameters_between(make, starts):
    net = make()
    params = net.trainable_params()
    for number, places in starts.items():
        groups = FREEZE.split_parameters_groups(net, number)
        assert [len(params) - len(group) for group in groups] == places
        assert all(group[-1] is params[-1] for group in groups)


# (number of groups, share, steps) -> the order, recorded from MindSpore 2.0.0
IN_ORDER = {
    (1, 0.7, 5): "00000",
    (2, 0.1, 3): "111",
    (2, 0.7, 20): "001001001001001001001",
    (3, 0.5, 20): "00120012001200120012",
    (4, 0.3, 1): "0123",
    (5, 0.7, 20): "00000000012340000000001234",
    (10, 0.7, 20): "00000000000000000000123456789",
}


@pytest.mark.parametrize(("number", "share", "steps"), IN_ORDER)
def test_a_fixed_order_repeats_whole_periods(number, share, steps):
    order = FREEZE.generate_freeze_index_sequence(number, 0, share, steps)
    assert "".join(map(str, order)) == IN_ORDER[number, share, steps]


# (groups, share) -> the first thirty steps, of which the drawn groups are 1; recorded from MindSpore 2.0.0
DRAWN = {
    (2, 0.1): "011111111101111111110111111111",
    (2, 0.3): "011101101101110110110111011011",
    (2, 0.5): "010101010101010101010101010101",
    (2, 0.7): "010010010010001001001000100100",
    (2, 0.9): "010000000001000000000100000000",
}


@pytest.mark.parametrize(("number", "share"), DRAWN)
def test_drawn_groups_are_evenly_spread(number, share):
    order = FREEZE.generate_freeze_index_sequence(number, 1, share, 3000)
    assert len(order) == 3030
    assert "".join(map(str, order[:30])) == DRAWN[number, share]


def test_the_draws_are_mindspores_for_the_same_state_of_numpy():
    before = np.random.get_state()
    np.random.seed(1)
    order = FREEZE.generate_freeze_index_sequence(5, 1, 0.5, 40)
    np.random.set_state(before)
    assert "".join(map(str, order)) == "0201040203040302020202010301040102020303"


def test_each_group_is_drawn_in_proportion_to_its_weight():
    before = np.random.get_state()
    np.random.seed(2)
    order = FREEZE.generate_freeze_index_sequence(5, 1, 0.5, 20000)
    np.random.set_state(before)
    np.testing.assert_allclose(np.bincount(order) / len(order), [0.5, 0.2, 0.15, 0.1, 0.05], atol=0.01)


def test_a_generated_optimizer_has_the_groups_and_the_order():
    net = dense(6)
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    same, made = boost.GradientFreeze(3, 0, 0.5, 8).freeze_generate(net, opt)
    assert same is net and made.single_opt is opt and made.groups_num == 3
    assert [len(each.parameters) for each in made.opts] == [12, 8, 4]
    assert made.train_strategy.asnumpy().tolist() == [0, 0, 1, 2, 0, 0, 1, 2]
    assert [made.group_at(step) for step in range(9)] == [0, 0, 1, 2, 0, 0, 1, 2, 0]


def test_without_groups_the_optimizer_itself_trains():
    net = dense(1)
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=4.0)
    made = boost.FreezeOpt(opt)
    assert [p.name for p in net.trainable_params()] == ["0.weight", "0.bias"]
    assert made.opts == [opt] and made.train_strategy is None and made.loss_scale == 4.0


def test_the_settings_of_the_optimizers_groups_stay():
    params = dense(4).trainable_params()
    opt = nn.SGD([{"params": params[:5], "lr": 0.5}, {"params": params[5:]}], 0.1)
    made = boost.FreezeOpt(opt, (params, params[4:]))
    rates = [[float(rate) for rate in each.get_lr()] for each in made.opts]
    np.testing.assert_allclose(rates[0], [0.5] * 5 + [0.1] * 3)
    np.testing.assert_allclose(rates[1], [0.5] + [0.1] * 3)


def test_freeze_cells_train_one_group_each():
    x, y = ms.Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), ms.Tensor([[1.0], [2.0]], ms.float32)
    for reduces in (False, True):
        net = nn.SequentialCell(nn.Dense(2, 1, "ones", "zeros"), nn.Dense(1, 1, weight_init="ones", has_bias=False))
        params = net.trainable_params()
        opt = boost.FreezeOpt(nn.Momentum(params, 0.01, 0.9), (params, params[2:]))
        grad, loss = ops.GradOperation(get_by_list=True, sens_param=True), nn.WithLossCell(net, nn.MSELoss())
        steps = boost.freeze_cell(reduces, loss, opt, 1.0, grad, False)
        np.testing.assert_allclose([float(step(x, y)) for step in steps], [14.5, 0.805491], rtol=1e-6)
        found = np.concatenate([p.asnumpy().ravel() for p in params])
        np.testing.assert_allclose(found, [0.83, 0.76, -0.07, 0.51544106], rtol=2e-6)
    before = [p.asnumpy() for p in params]
    first, _ = boost.freeze_cell(False, loss, opt, 1.0, grad, True, max_accumulation_step=2)
    first(x, y)
    assert all(np.array_equal(p.asnumpy(), old) for p, old in zip(params, before, strict=True))
    first(x, y)
    assert not any(np.array_equal(p.asnumpy(), old) for p, old in zip(params, before, strict=True))


PARAMS = dense(2).trainable_params()
OPT = nn.SGD(PARAMS, 0.1)
REFUSED = [
    (ValueError, "'param_groups' must be", lambda: boost.GradientFreeze(0, 1, 0.7, 10)),
    (ValueError, "'freeze_type' must be one of", lambda: boost.GradientFreeze(3, 2, 0.7, 10)),
    (ValueError, "'freeze_p' must be", lambda: boost.GradientFreeze(3, 1, 1.0, 10)),
    (TypeError, "'freeze_p' must be", lambda: boost.GradientFreeze(3, 1, "a", 10)),
    (ValueError, "'total_steps' must be", lambda: boost.GradientFreeze(3, 1, 0.7, 0)),
    (TypeError, "'net' must be a Cell", lambda: FREEZE.split_parameters_groups(3, 1)),
    (TypeError, "'opt' must be an Optimizer", lambda: boost.FreezeOpt(3)),
    (TypeError, "must be a tuple or list of lists", lambda: boost.FreezeOpt(OPT, 3)),
    (TypeError, "must be a tuple or list of lists", lambda: boost.FreezeOpt(OPT, PARAMS)),
    (ValueError, "must be given with a 'train_strategy'", lambda: boost.FreezeOpt(OPT, None, (0,))),
    (TypeError, "'train_strategy' must be None", lambda: boost.FreezeOpt(OPT, (PARAMS,), 3)),
    (ValueError, "must name groups from 0 to 0, but got", lambda: boost.FreezeOpt(OPT, (PARAMS,), (0, 1))),
    (ValueError, "must name groups from 0 to 0, but got", lambda: boost.FreezeOpt(OPT, (PARAMS,), ("a",))),
    (TypeError, "must be a FreezeOpt", lambda: boost.freeze_cell(False, nn.ReLU(), OPT, 1.0, len, False)),
]


@pytest.mark.parametrize(("error", "sentence", "call"), REFUSED)
def test_what_is_refused(error, sentence, call):
    with pytest.raises(error, match=sentence):
        call()
