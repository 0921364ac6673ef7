"""What boost changes in an optimizer: as MindSpore 2.0.0 groups Parameters, and with nothing lost."""

import numpy as np
import pytest

import minispore as ms
from minispore import boost, nn
from minispore.boost.base import remade


class Net(nn.Cell):
    """Dense, BatchNorm, Dense, Dense without a bias: seven trainable Parameters."""

    def __init__(self):
        super().__init__()
        self.d, self.bn = nn.Dense(3, 4), nn.BatchNorm1d(4)
        self.e, self.c = nn.Dense(4, 2), nn.Dense(2, 2, has_bias=False)


def named(groups):
    """Groups with the names of Parameters in their place."""
    return [
        {k: [p.name for p in v] if isinstance(v, list) else v for k, v in g.items()} if isinstance(g, dict) else g.name
        for g in groups
    ]


NAMES = ["d.weight", "d.bias", "bn.gamma", "bn.beta", "e.weight", "e.bias", "c.weight"]


def parts():
    net = Net()
    params = net.trainable_params()
    assert [p.name for p in params] == NAMES
    return net, params, [{"params": params[:2], "weight_decay": 0.01}, {"params": params[2:]}, {"order_params": params}]


# Recorded from MindSpore 2.0.0
CENTRED = [
    {"params": ["d.weight"], "weight_decay": 0.01, "grad_centralization": True},
    {"params": ["d.bias"], "weight_decay": 0.01},
    {"params": ["e.weight", "c.weight"], "grad_centralization": True},
    {"params": ["bn.gamma", "bn.beta", "e.bias"]},
    {"order_params": NAMES},
]


def test_weights_of_groups_are_centralized_and_the_order_stays():
    net, params, groups = parts()
    process = boost.OptimizerProcess(nn.Momentum(groups, 0.1, 0.9, weight_decay=0.3))
    process.add_grad_centralization(net)
    assert named(process.origin_params) == CENTRED
    made = process.generate_new_optimizer()
    assert made.group_grad_centralization == [True, False, False, False, True, False, True]
    assert [p.name for p in made.parameters] == NAMES and made is not process.single_opt
    plain = boost.OptimizerProcess(nn.Momentum(params, 0.1, 0.9))
    plain.add_grad_centralization(net)
    assert named(plain.origin_params) == NAMES


def test_an_optimizer_made_anew_makes_the_same_steps():
    for make in (
        lambda w: nn.Momentum([{"params": [w], "lr": 0.2}], 0.1, 0.7, 0.01, 2.0, use_nesterov=True),
        lambda w: nn.Adam(params=[w], learning_rate=0.2, beta1=0.8, weight_decay=0.1),
        lambda w: nn.LARS(nn.SGD([w], 0.3, momentum=0.5), coefficient=0.1, use_clip=True),
        lambda w: nn.SGD(iter([w]), nn.ExponentialDecayLR(0.1, 0.9, 2)),
    ):
        rows = []
        for again in (False, True):
            w = ms.Parameter(np.ones(3, np.float32), name="w")
            optimizer = make(w)
            if again:
                process = boost.OptimizerProcess(optimizer)
                optimizer = process.generate_new_optimizer()
                assert process.is_lars is isinstance(optimizer, nn.LARS)
            for g in (1.0, -2.0, 0.5):
                optimizer((ms.Tensor([g, 2 * g, 0.1], ms.float32),))
            rows.append(w.asnumpy().tolist())
        assert rows[0] == rows[1]


def test_groups_that_are_used_up_are_refused():
    w = ms.Parameter([1.0], name="w")
    with pytest.raises(ValueError, match="must have been a list of dicts"):
        boost.OptimizerProcess(nn.SGD(iter([{"params": [w]}]), 0.1))
    with pytest.raises(TypeError, match="the 'opt' must be an Optimizer, but got int"):
        boost.OptimizerProcess(3)


@pytest.mark.parametrize(
    ("split", "fusions"),
    [
        (None, [1, 1, 1, 2, 2, 2, 2]),
        ([2], [1, 1, 2, 2, 2, 2, 2]),
        ([3, 5], [1, 1, 1, 2, 2, 3, 3]),
        ([50, 100], [1] * 7),
        ([0], [2] * 7),
    ],
)
def test_groups_of_reduction_begin_at_the_split_points(split, fusions):
    _, params, _ = parts()
    process = boost.ParameterProcess()
    assert process.assign_parameter_group(params, split) is params
    assert [p.comm_fusion for p in params] == fusions
    process.assign_parameter_group(params, split)
    assert params[0].comm_fusion == fusions[-1] + (split == [0])  # a second call counts on


def test_some_of_the_parameters_stay_in_their_groups():
    _, params, groups = parts()
    regrouped = boost.ParameterProcess.generate_group_params
    assert named(regrouped(params[1:4], groups)) == [
        {"params": ["d.bias"], "weight_decay": 0.01},
        {"params": ["bn.gamma", "bn.beta"]},
        {"order_params": ["d.bias", "bn.gamma", "bn.beta"]},
    ]
    assert named(regrouped(params[1:3], params)) == [{"params": ["d.bias", "bn.gamma"]}]
    new = ms.Parameter([1.0], name="new")
    centred = [{"params": params[:1], "lr": 0.1, "grad_centralization": True}, {"params": params[1:]}]
    assert named(regrouped([params[0], new], centred))[1:] == [{"params": ["new"], "lr": 0.1}]


def test_a_wrong_argument_is_refused():
    for arguments in [(3,), ([3],), ([], 3), ([], [1.5])]:
        with pytest.raises(TypeError, match="For 'assign_parameter_group', the '"):
            boost.ParameterProcess().assign_parameter_group(*arguments)
    assert remade(nn.SGD([ms.Parameter([1.0], name="w")]), [ms.Parameter([1.0], name="v")]).parameters[0].name == "v"
