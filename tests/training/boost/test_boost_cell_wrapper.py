"""The training steps of boost follow the steps of MindSpore 2.0.0's graph mode, number by number."""

import itertools

import numpy as np
import pytest
from amp.test_build_table import LEVELS, MANAGERS, NETWORK, STEPS, UNSET, Network, body_of, kind_of
from support.thread_group import every

import minispore as ms
from minispore import amp, boost, nn
from minispore.amp.policy import convert
from minispore.core import context
from minispore.parallel import data_parallel

pytestmark = pytest.mark.usefixtures("own_configuration")

OFF = dict.fromkeys(("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group"), False)
X, Y = ms.Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), ms.Tensor([[1.0], [2.0]], ms.float32)
MODES = (ms.PYNATIVE_MODE, ms.GRAPH_MODE)

# Parameters (d.weight, d.bias, e.weight) after each step, recorded from MindSpore 2.0.0 in graph mode
START = (1.0, 1.0, 0.0, 1.0)
FREEZE = [
    (0.83, 0.76, -0.07, 0.59000003),
    (0.83, 0.76, -0.07, 0.51544106),
    (0.6635051, 0.52540475, -0.13810036, 0.09798521),
    (0.5192284, 0.32224637, -0.19698209, -0.200636),
    (0.5192284, 0.32224637, -0.19698209, -0.18911648),
    (0.37295252, 0.11601001, -0.25694254, -0.38016933),
    (0.37295252, 0.11601001, -0.25694254, -0.3326579),
]
IN_TURN = [
    *FREEZE[:3],
    (0.6635051, 0.52540475, -0.13810036, 0.10797115),
    (0.51965106, 0.32285482, -0.19679624, -0.19245937),
    (0.51965106, 0.32285482, -0.19679624, -0.1053574),
    (0.38181624, 0.1286309, -0.25318533, -0.30458063),
]
RATES = [
    FREEZE[0],
    (0.83, 0.76, -0.07, 0.44088203),
    (0.35477304, 0.09031814, -0.26445493, -0.7331763),
    (-0.5015146, -1.1180892, -0.61657465, -1.9966242),
    (-0.5015146, -1.1180892, -0.61657465, 2.304065),
]
AFTER_THREE = (0.32, 0.04000002, -0.28, -0.64)
ACCUMULATED = [START] * 2 + [AFTER_THREE] * 3 + [(-0.5144537, -1.1389823, -0.62452865, -2.025568)] * 3


class Net(nn.Cell):
    """Two linear layers, whose first Parameters are one."""

    def __init__(self):
        super().__init__()
        self.d = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        self.e = nn.Dense(1, 1, weight_init="ones", has_bias=False)

    def construct(self, x):
        return self.e(self.d(x))


def values(net):
    return np.concatenate([p.asnumpy().ravel() for p in net.trainable_params()])


def follows(step, net, expected):
    for row in expected:
        step(X, Y)
        np.testing.assert_allclose(values(net), row, rtol=2e-6, atol=2e-7)


def freezing(net, rate=0.01, strategy=(0, 1, 0, 0, 1)):
    params = net.trainable_params()
    return boost.FreezeOpt(nn.Momentum(params, rate, 0.9), (params, params[2:]), strategy)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("rate", "strategy", "expected"),
    [
        (0.01, [0, 1, 0, 0, 1], FREEZE),
        (0.01, None, IN_TURN),
        ([0.01, 0.02, 0.03, 0.04, 0.05], [0, 1, 0, 0, 1], RATES),
    ],
)
def test_a_freezing_step_trains_the_group_whose_turn_it_is(mode, rate, strategy, expected):
    ms.set_context(mode=mode)
    boost.AutoBoost("O0")
    net = Net()
    step = boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), freezing(net, rate, strategy)).set_train()
    follows(step, net, expected)


def test_after_its_last_rate_a_group_keeps_it():
    boost.AutoBoost("O0")
    rows = []
    for rates in ([0.01, 0.02, 0.03], [0.01, 0.02, 0.03, 0.03, 0.02, 0.03]):
        net = Net()
        step = boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), freezing(net, rates)).set_train()
        for _ in range(6):
            step(X, Y)
        rows.append(values(net).tolist())
    assert rows[0] == rows[1]


@pytest.mark.parametrize("mode", MODES)
def test_an_accumulating_step_updates_by_the_mean_gradient(mode):
    ms.set_context(mode=mode)
    net = Net()
    follows(accumulating(net), net, ACCUMULATED)


def accumulating(net, steps=3):
    config = {"boost": {"mode": "manual", **OFF, "grad_accumulation": True}}
    boost.AutoBoost("O1", {**config, "grad_accumulation": {"grad_accumulation_step": steps}})
    opt = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    return boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt, 4.0).set_train()


def test_a_checkpoint_continues_an_accumulation(tmp_path):
    path = str(tmp_path / "step.ckpt")
    nets = Net(), Net()
    first, second = map(accumulating, nets)
    follows(first, nets[0], ACCUMULATED[:4])
    ms.save_checkpoint(first, path)
    assert ms.load_param_into_net(second, ms.load_checkpoint(path)) == ([], [])
    follows(second, nets[1], ACCUMULATED[4:])


def test_without_an_accumulation_there_is_no_memory_for_its_sums():
    boost.AutoBoost("O0")
    net = Net()
    step = boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()))
    assert not [p.name for p in step.get_parameters() if "accumulation" in p.name]


def scaled_step(net, opt, scale=16.0):
    cell = nn.DynamicLossScaleUpdateCell(scale, 2, 1000)
    return boost.BoostTrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), opt, cell).set_train()


@pytest.mark.parametrize("mode", MODES)
def test_with_a_loss_scale_the_same_groups_are_trained(mode):
    ms.set_context(mode=mode)
    boost.AutoBoost("O0")
    net = Net()
    step = scaled_step(net, freezing(net))
    assert isinstance(step, nn.TrainOneStepWithLossScaleCell) and isinstance(step, boost.BoostTrainOneStepCell)
    follows(step, net, FREEZE)


def test_an_overflow_takes_no_turn_of_a_group_and_counts_in_no_accumulation():
    config = {"boost": {"mode": "manual", **OFF, "grad_accumulation": True}}
    bad = ms.Tensor(np.full((2, 2), np.inf, np.float32))
    for settings, make, expected in [
        (("O0",), freezing, FREEZE[:3]),
        (
            ("O1", {**config, "grad_accumulation": {"grad_accumulation_step": 3}}),
            lambda net: nn.Momentum(net.trainable_params(), 0.04, 0.9),
            ACCUMULATED[:3],
        ),
    ]:
        boost.AutoBoost(*settings)
        net = Net()
        step, row = scaled_step(net, make(net)), values(net)
        for expected_row in expected:
            assert step(bad, Y)[1]
            np.testing.assert_array_equal(values(net), row)
            assert not step(X, Y)[1]
            row = values(net)
            np.testing.assert_allclose(row, expected_row, rtol=2e-6, atol=2e-7)


def test_without_an_algorithm_the_step_is_the_plain_one():
    boost.AutoBoost("O0")
    rows = []
    for kind in (nn.TrainOneStepCell, boost.BoostTrainOneStepCell):
        net = Net()
        step = kind(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1), 2.0).set_train()
        rows.append([float(step(X, Y)) for _ in range(3)] + values(net).tolist())
    assert rows[0] == rows[1]


@pytest.mark.parametrize("scaled", [False, True])
def test_the_gradients_are_those_that_the_reducer_gives(scaled):
    """In a job of several processes the reducer gives what all have; here it gives zeros, which move nothing."""
    net = Net()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = scaled_step(net, opt) if scaled else boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt)
    step.reducer_flag, step.grad_reducer = scaled, lambda gradients: tuple(g * 0 for g in gradients)
    before = values(net)
    step(X, Y)
    np.testing.assert_array_equal(values(net), before)


def rows_of(rank, size):
    """A process's rows of a batch of four."""
    x = np.random.default_rng(0).standard_normal((4, 2)).astype(np.float32)
    return ms.Tensor(x[rank::size]), ms.Tensor(x[rank::size, :1] * 2)


def shared_course(size, make, steps=5):
    """The Parameters of every process after each step of ``make(net)``, whose optimizer and step it makes."""

    def train(rank):
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        net, course = Net(), []
        step = make(net)
        for _ in range(steps):
            step(*rows_of(rank, size))
            course.append(values(net))
        return np.array(course)

    ms.set_context(mode=ms.PYNATIVE_MODE, cpu_loss_scale=True)
    try:
        return every(size, train)
    finally:
        ms.reset_auto_parallel_context()


@pytest.mark.parametrize("scaled", [False, True])
def test_freezing_processes_train_the_same_groups_by_the_mean_gradient(scaled):
    boost.AutoBoost("O0")

    def make(net):
        loss = nn.WithLossCell(net, nn.MSELoss())
        step = scaled_step(net, freezing(net)) if scaled else boost.BoostTrainOneStepCell(loss, freezing(net))
        assert data_parallel._reduces_meanwhile(step._reducer_of_step()) == (ms.communication.world.world().size > 1)
        return step.set_train()

    alone, several = shared_course(1, make)[0], shared_course(2, make)
    for course in several:
        np.testing.assert_allclose(course, alone, rtol=2e-6, atol=1e-7)
    np.testing.assert_array_equal(*several)


def test_freezing_processes_share_the_order_that_the_first_one_draws():
    def draw(rank):
        ms.set_auto_parallel_context(parallel_mode="data_parallel")
        net = Net()
        return boost.GradientFreeze(2, 1, 0.5, 50).freeze_generate(net, nn.SGD(net.trainable_params()))[1]

    try:
        first, second = every(2, draw)
    finally:
        ms.reset_auto_parallel_context()
    np.testing.assert_array_equal(first.train_strategy.asnumpy(), second.train_strategy.asnumpy())


def test_processes_that_would_train_other_groups_are_refused():
    boost.AutoBoost("O0")
    orders = iter([(0, 1), (1, 0)])

    def make(net):
        return boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), freezing(net, strategy=next(orders)))

    with pytest.raises(RuntimeError, match=r"that they differ: .* groups of .* Parameters in the order"):
        shared_course(2, make)


def test_processes_reduce_dimensions_together():
    """Two processes with the rows of the components shared out make the steps of one with all rows."""
    config = {"mode": "manual", **OFF, "dim_reduce": True}
    made = boost.AutoBoost("O0", {"boost": config, "dim_reduce": {"n_components": 3, "sigma": 0.01}})
    made.pca_mat = np.linalg.qr(np.random.default_rng(1).standard_normal((4, 3)))[0].T.astype(np.float32)

    def make(net):
        opt = nn.SGD(net.trainable_params(), 1.0)
        return boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train()

    alone, several = shared_course(1, make)[0], shared_course(2, make)
    assert np.ptp(alone, axis=0).min() > 0
    for course in several:
        np.testing.assert_allclose(course, alone, rtol=2e-4, atol=1e-5)
    np.testing.assert_array_equal(*several)


def test_processes_agree_on_the_group_that_overflows():
    boost.AutoBoost("O0", {"boost": {"mode": "manual", **OFF, "loss_scale_group": True}})

    class Grouped(Net):
        def __init__(self, manager):
            super().__init__()
            self.manager = manager

        def construct(self, x):
            return self.manager(self.e(self.manager(self.d(x), 1, 2)), 2, 3)

    def train(rank):
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        manager = boost.GroupLossScaleManager(2.0**100, [])
        net = Grouped(manager)
        manager.loss_scale_groups = [net.d.trainable_params(), net.e.trainable_params()]
        opt = nn.SGD(net.trainable_params(), 0.01)
        step = boost.BoostTrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), opt, manager).set_train()
        x, y = rows_of(rank, 2)
        return [
            int(step(x * 2.0 ** (30 * rank), y)[1]),
            *[float(s) for s in manager.dynamic_loss_scale],
            values(net).tolist(),
        ]

    ms.set_context(mode=ms.PYNATIVE_MODE, cpu_loss_scale=True)
    try:
        first, second = every(2, train)
    finally:
        ms.reset_auto_parallel_context()
    assert first == second and first[0] > 0


@pytest.fixture
def cheap(monkeypatch):
    """Receipts, which other tests look at, take most of the time that a conversion takes."""
    monkeypatch.setattr(convert, "marks_receipt", lambda *arguments: None)
    monkeypatch.setattr(convert, "call_sites", lambda network: [])


# The step at a boost level: boost's own, but for what accumulates. The network is cast as without one.
# MindSpore 2.0.0 gives the same types at all levels of both kinds.
BOOSTED = {**STEPS, "nothing": (boost.BoostTrainOneStepCell, boost.BoostTrainOneStepWithLossScaleCell)}


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("boost_level", ["O1", "O2"])
def test_a_boost_level_changes_the_step_and_nothing_else(cheap, level, boost_level):
    context.settings["cpu_loss_scale"] = True
    for (manager, (make, update_cell, scale)), accumulation in itertools.product(MANAGERS.items(), BOOSTED):
        ms.set_auto_parallel_context(pipeline_stages=2 if accumulation == "pipeline stages" else 1)
        body = body_of(Network(), None, accumulation)
        optimizer = nn.Momentum(body.trainable_params(), 0.1, 0.9, loss_scale=scale)
        given = {} if make is None else {"loss_scale_manager": make()}
        step = amp.build_train_network(body, optimizer, level=level, boost_level=boost_level, **given)
        scaled = update_cell is not None or (manager == UNSET and level == "O2")
        assert type(step) is BOOSTED[accumulation][scaled]
        assert kind_of(step.network, body) == NETWORK[UNSET, UNSET][LEVELS.index(level)]
        assert step.sens == (128.0 if manager == "fixed" else None)


# What MindSpore 2.0.0 makes on the CPU, at each level of mixed precision: its step, boost's, or a ValueError.
PLAIN, BOOST, REFUSED = "TrainOneStepCell", "BoostTrainOneStepCell", "ValueError"


MINDSPORES = {
    # boost level, manager: O0, O1, O2, O3
    **{("O0", name): (PLAIN,) * 4 for name in ("none", "fixed")},
    ("O0", UNSET): (PLAIN, PLAIN, REFUSED, PLAIN),
    **{(boosted, name): (BOOST,) * 4 for boosted in ("O1", "O2") for name in ("none", "fixed")},
    **{(boosted, UNSET): (BOOST, BOOST, REFUSED, BOOST) for boosted in ("O1", "O2")},
    **{(boosted, name): (REFUSED,) * 4 for boosted in ("O0", "O1", "O2") for name in ("fixed that drops", "dynamic")},
    **{(boosted, "group"): (REFUSED,) * 4 for boosted in ("O0", "O1", "O2")},
    **{("O3", name): (REFUSED,) * 4 for name in (*MANAGERS, "group")},
}


def group_manager(network):
    return boost.GroupLossScaleManager(8.0, [network.trainable_params()])


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(("boosted", "manager"), MINDSPORES)
def test_on_the_cpu_the_steps_are_mindspores(cheap, boosted, manager):
    for level, freezes in [*[(level, False) for level in LEVELS], *[("O3", True)] * (boosted != "O0")]:
        network = Network()
        make, _, scale = MANAGERS.get(manager, (None, None, 1.0))
        given = {} if make is None else {"loss_scale_manager": make()}
        if manager == "group":
            given = {"loss_scale_manager": group_manager(network)}
        optimizer = nn.SGD(network.trainable_params(), 0.1, loss_scale=scale)
        optimizer = boost.FreezeOpt(optimizer) if freezes else optimizer
        try:
            step = amp.build_train_network(network, optimizer, nn.MSELoss(), level, boosted, **given)
            found = type(step).__name__
        except ValueError:
            found = REFUSED
        assert found == MINDSPORES[boosted, manager][LEVELS.index(level)], (level, freezes)


@pytest.mark.usefixtures("restored")
def test_a_freezing_optimizer_needs_a_boost_level():
    network = Network()
    optimizer = boost.FreezeOpt(nn.Momentum(network.trainable_params(), 0.1, 0.9))
    with pytest.raises(TypeError, match="must be an Optimizer where the 'boost_level' is 'O0', but got FreezeOpt"):
        amp.build_train_network(network, optimizer, level="O3")
    assert kind_of(network, network) == "same"
    step = amp.build_train_network(network, optimizer, level="O3", boost_level="O1")
    assert step.freeze


@pytest.mark.usefixtures("restored")
def test_a_group_loss_scale_needs_a_boost_level():
    context.settings["cpu_loss_scale"] = True
    network = Network()
    optimizer, manager = nn.SGD(network.trainable_params(), 0.1), group_manager(network)
    with pytest.raises(TypeError, match="a LossScaleManager where the 'boost_level' is 'O0', but got GroupLoss"):
        amp.build_train_network(network, optimizer, level="O3", loss_scale_manager=manager)
    assert kind_of(network, network) == "same"
