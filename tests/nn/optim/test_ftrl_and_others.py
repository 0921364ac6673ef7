"""FTRL, ProximalAdagrad, Rprop, ASGD, LazyAdam and AMSGrad: the numbers of MindSpore 2.0.0, and refusals."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn

MAKERS = {  # optimizer, steps, the Parameter after them, what it holds beside the Parameter
    "FTRL": (nn.FTRL, 3, [0.4634446, -1.3967140], ["moments.a", "linear.a"]),
    "FTRL, arguments": (lambda p: nn.FTRL(p, 0.2, 0.1, -0.7), 3, [0.2296943, -1.3989760], ["moments.a", "linear.a"]),
    "LazyAdam": (lambda p: nn.LazyAdam(p, 0.1), 3, [0.7000012, -1.8415812], None),
    "AMSGrad": (lambda p: nn.Adam(p, 0.1, use_amsgrad=True), 5, [0.5000018, -1.9629339], None),
    "Adam, lazy": (lambda p: nn.Adam(p, 0.1, use_lazy=True), 3, [0.7000012, -1.8415812], None),
    "Rprop": (nn.Rprop, 3, [0.6360000, -2.0], ["prev.a", "step_size.a"]),
    "Rprop, arguments": (
        lambda p: nn.Rprop(p, 0.1, (0.4, 1.3), (1e-3, 1.0)),
        5,
        [0.0956901, -2.2990000],
        ["prev.a", "step_size.a"],
    ),
    "ASGD": (nn.ASGD, 3, [0.8499725, -1.9999403], ["mu_a", "eta_a", "ax_.a"]),
    "ASGD, arguments": (
        lambda p: nn.ASGD(p, 0.1, 0.01, 0.75, 2.0, weight_decay=0.1),
        5,
        [0.7020732, -2.3910081],
        ["mu_a", "eta_a", "ax_.a"],
    ),
    "ProximalAdagrad": (nn.ProximalAdagrad, 3, [0.9979670, -1.9997367], ["accum.a"]),
    "ProximalAdagrad, arguments": (
        lambda p: nn.ProximalAdagrad(p, 0.2, 0.1, 0.05, 0.1, weight_decay=0.1),
        3,
        [0.7618214, -1.8924905],
        ["accum.a"],
    ),
}


@pytest.mark.parametrize(("make", "steps", "expected", "state"), MAKERS.values(), ids=MAKERS)
def test_steps_give_mindspores_numbers(make, steps, expected, state):
    parameter = ms.Parameter(ms.Tensor([1.0, -2.0]), name="a")
    optimizer = make([parameter])
    for i in range(steps):
        optimizer((ms.Tensor([0.5, -1.0 + i]),))
    np.testing.assert_allclose(parameter.asnumpy(), expected, rtol=1e-5)
    if state is not None:
        assert [p.name for p in optimizer.get_parameters()] == ["global_step", "learning_rate", "a", *state]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_ftrl_shrinks_by_l1_from_either_side(sign):
    parameter = ms.Parameter(ms.Tensor([sign]), name="a")
    nn.FTRL([parameter], 0.2, 0.1, l1=0.05)((ms.Tensor([sign * 0.5]),))
    power = np.sqrt(0.2 + 0.25)
    linear = 0.5 - (power - np.sqrt(0.2)) / 0.1
    np.testing.assert_allclose(parameter.asnumpy(), [sign * (-linear - 0.05) / (power / 0.1)], rtol=1e-5)


def test_ftrls_weight_decay_is_for_norms_too():
    moved = []
    for name in ("a", "norm.gamma"):
        parameter = ms.Parameter(ms.Tensor([2.0]), name=name)
        nn.FTRL([parameter], weight_decay=0.5)((ms.Tensor([1.0]),))
        moved.append(parameter.asnumpy())
    np.testing.assert_array_equal(*moved)
    np.testing.assert_allclose(moved[0], [1.6866647], rtol=1e-6)  # MindSpore's of both


def test_rprops_step_is_within_its_sizes_from_the_first_on():
    parameter = ms.Parameter(ms.Tensor([1.0]), name="a")
    optimizer, before, moves = nn.Rprop([parameter], 0.001, step_sizes=(0.01, 0.02)), 1.0, []
    for gradient in (0.5, 0.5, 0.5, 0.5, 0.5, -0.5, -0.5):
        optimizer((ms.Tensor([gradient]),))
        moves.append(before - parameter.asnumpy().item())
        before = parameter.asnumpy().item()
    np.testing.assert_allclose(moves, [0.01, 0.012, 0.0144, 0.01728, 0.02, 0.0, -0.01], atol=1e-6)


@pytest.mark.parametrize("rate", [0.1, [0.1, 0.05, 0.02]])
@pytest.mark.parametrize("kind", [nn.FTRL, nn.ProximalAdagrad, nn.Rprop, nn.ASGD])
def test_float16_parameters_make_the_steps_of_float32_rounded(kind, rate):
    values = []
    for dtype in (ms.float32, ms.float16):
        parameter = ms.Parameter(ms.Tensor([1.0, -2.0], dtype), name="a")
        optimizer = kind([parameter], learning_rate=rate)
        for _ in range(3):
            optimizer((ms.Tensor([0.5, -1.0], dtype),))
        assert parameter.dtype == dtype
        values.append(parameter.asnumpy())
    np.testing.assert_allclose(*values, atol=4e-3)


@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
@pytest.mark.parametrize("kind", [nn.Rprop, nn.ASGD])
def test_parameters_keep_their_shapes(kind, shape):
    parameter = ms.Parameter(ms.ops.ones(shape, ms.float32), name="a")
    optimizer = kind([parameter])
    for _ in range(2):
        optimizer((ms.ops.ones(shape, ms.float32),))
    assert parameter.shape == shape


def one():
    return [ms.Parameter(ms.Tensor([1.0]), name="a")]


REFUSALS = [
    (TypeError, "For 'FTRL', the 'l1' must be a float", lambda: nn.FTRL(one(), l1=1)),
    (ValueError, "For 'FTRL', the 'lr_power' must be", lambda: nn.FTRL(one(), lr_power=0.5)),
    (ValueError, "For 'ProximalAdagrad', the 'accum' must be", lambda: nn.ProximalAdagrad(one(), accum=-0.5)),
    (TypeError, "For 'Rprop', the 'etas' must be a tuple of two numbers", lambda: nn.Rprop(one(), etas=0.5)),
    (ValueError, "For 'Rprop', the 'etas' must be below 1", lambda: nn.Rprop(one(), etas=(1.5, 2.0))),
    (ValueError, "For 'Rprop', the 'step_sizes' must be", lambda: nn.Rprop(one(), step_sizes=(2.0, 1.0))),
    (TypeError, "For 'ASGD', the 'lambd' must be a float", lambda: nn.ASGD(one(), lambd=1)),
    (ValueError, "For 'Adam', with 'use_amsgrad'", lambda: nn.Adam(one(), use_amsgrad=True, use_lazy=True)),
]


@pytest.mark.parametrize(("kind", "message", "make"), REFUSALS)
def test_wrong_arguments_are_refused(kind, message, make):
    with pytest.raises(kind, match=message):
        make()
