"""Dimension reduction: MindSpore 2.0.0's steps number by number, an oracle in float64, and the training step."""

import numpy as np
import pytest

import minispore as ms
from minispore import boost, nn
from minispore.boost.dim_reduce import rows_of

pytestmark = pytest.mark.usefixtures("own_configuration")

OFF = dict.fromkeys(("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group"), False)
RHO, GAMMA, ALPHA, SIGMA = 0.55, 0.9, 0.02, 0.3
_H = np.arange(1.0, 6.0)
COMPONENTS = (np.eye(5) - 2 * np.outer(_H, _H) / (_H @ _H))[:3]

# (weights, input, weights after each step), recorded from MindSpore 2.0.0: steps of 1, 0.55 and 0, with a curvature
# upwards and downwards
RECORDED = [
    (
        [-0.8, -1.32, -0.25, 0.42, 1.14],
        [0.16, -0.83, -1.18],
        [
            [-0.6123383, -0.7008269, -0.33884, 0.0728379, 0.7013348],
            [-0.5086069, -0.6704997, -0.4292094, 0.0895343, 0.7182412],
            [-0.3951468, -0.6280945, -0.5591603, 0.1208741, 0.7537016],
            [-0.2786281, -0.5864661, -0.7042824, 0.1565501, 0.7943945],
            [-0.1052736, -0.5701885, -0.8517511, 0.1877905, 0.8289622],
            [-0.0111443, -0.6386879, -0.8544657, 0.1662813, 0.7963134],
            [0.0798399, -0.7118965, -0.8509945, 0.1453414, 0.7624012],
            [0.0730546, -0.7254671, -0.8713503, 0.1414841, 0.7471668],
        ],
    ),
    (
        [0.03, 1.36, 1.22, -0.51, -0.3],
        [-0.79, 0.85, -0.08],
        [
            [0.0049002, 1.1745014, 1.2605615, -0.4333732, -0.1997379],
            [-0.0470269, 1.1552835, 1.2385155, -0.3914794, -0.1411275],
            [-0.3247654, 1.1406188, 1.1654563, -0.2395504, 0.0558073],
            [-0.7759067, 1.1262037, 1.1128186, -0.0541376, 0.2921446],
            [-1.207994, 1.1009171, 1.0633459, 0.130595, 0.5209529],
            [-1.3098333, 1.0946093, 1.0514696, 0.1767918, 0.5681178],
            [-1.2769479, 1.1000693, 1.0594535, 0.1628658, 0.5326574],
            [-1.2710297, 1.1075987, 1.0660963, 0.1604287, 0.50521],
        ],
    ),
]


class Net(nn.Cell):
    """``sum((w x)**2 - 1)**2 / 4 + (v . w[:2])**2 / 5``, and a statistic that each forward pass changes."""

    def __init__(self, weights):
        super().__init__()
        self.w = ms.Parameter(ms.Tensor(weights[:3], ms.float32), name="w")
        self.v = ms.Parameter(ms.Tensor([weights[3:]], ms.float32), name="v")
        self.runs = ms.Parameter(ms.Tensor(0, ms.int32), name="runs", requires_grad=False)

    def construct(self, x):
        ms.ops.assign_add(self.runs, 1)
        z, q = self.w * x, (self.v * self.w[:2]).sum()
        return 0.25 * ms.ops.square(z * z - 1).sum() + 0.2 * q * q


def values(net):
    return np.concatenate([p.asnumpy().ravel() for p in (net.w, net.v)])


def by_oracle(weights, x, steps):
    """Weights and steps in float64, from the formulas."""

    def loss_and_gradient(w):
        z, v, q = w[:3] * x, w[3:], w[3:] @ w[:2]
        by_w = (z * z - 1) * z * x
        by_w[:2] += 0.4 * q * v
        return 0.25 * ((z * z - 1) ** 2).sum() + 0.2 * q * q, np.concatenate([by_w, 0.4 * q * w[:2]])

    w, momentum, inverse, last, step = np.array(weights), np.zeros(5), np.eye(3), np.zeros(3), np.zeros(3)
    for _ in range(steps):
        loss, g = loss_and_gradient(w)
        gk = COMPONENTS @ g
        momentum = GAMMA * momentum + g - COMPONENTS.T @ gk
        y, curved = gk - last, inverse
        if y @ step > 1e-20:
            v = np.eye(3) - np.outer(y, step) / (y @ step)
            curved = v.T @ inverse @ v + np.outer(step, step) / (y @ step)
        dk = -curved @ gk
        dn = COMPONENTS.T @ dk
        tried = (rho for rho in (1.0, RHO) if loss_and_gradient(w + rho * dn)[0] < loss + SIGMA * rho * (gk @ dk))
        rho = next(tried, 0.0)
        if rho:
            inverse, last, step = curved, gk, rho * dk
        w = w + rho * dn - ALPHA * momentum
        yield w, rho


def reducing(net, scale=1.0, clones=()):
    """A function that makes one step."""
    params = net.trainable_params()
    optimizer = nn.SGD(params, 1.0)
    cell = boost.DimReduce(net, optimizer, params, COMPONENTS, 3, RHO, GAMMA, ALPHA, SIGMA, 0, 1)

    def step(x):
        loss, grads = ms.value_and_grad(net, None, params)(x)
        return cell(loss, tuple(g * scale for g in grads), scale, params, clones, x)

    return step


@pytest.mark.parametrize(("weights", "x", "expected"), RECORDED)
def test_the_steps_are_mindspores(weights, x, expected):
    net = Net(weights)
    step = reducing(net)
    for row in expected:
        step(ms.Tensor(x, ms.float32))
        np.testing.assert_allclose(values(net), row, rtol=3e-5, atol=1e-6)


@pytest.mark.parametrize("scale", [1.0, 1024.0])
def test_the_steps_are_the_oracles_whatever_the_loss_scale(scale):
    taken, rng = set(), np.random.default_rng(8)
    for _ in range(4):
        weights, x = rng.standard_normal(5) * 0.8, rng.standard_normal(3)
        net = Net(weights)
        step = reducing(net, scale)
        for row, rho in by_oracle(weights, x, 6):
            step(ms.Tensor(x, ms.float32))
            taken.add(rho)
            np.testing.assert_allclose(values(net), row, rtol=2e-3, atol=2e-4)
    assert taken == {0.0, RHO, 1.0}


def test_a_step_that_is_only_tried_leaves_no_trace():
    net = Net(RECORDED[0][0])
    clones = ms.ParameterTuple(net.trainable_params()).clone("clone", "same")
    loss = reducing(net, clones=clones)(ms.Tensor(RECORDED[0][1], ms.float32))
    assert loss.shape == () and int(net.runs) == 1
    np.testing.assert_array_equal(clones[0].asnumpy(), net.w.asnumpy())


def test_a_step_to_a_loss_that_is_nan_is_not_taken():
    class Root(nn.Cell):
        """``sqrt(w)``, of which a step of 1 or 0.55 along the gradient leaves the domain."""

        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(ms.Tensor([0.04], ms.float32), name="w")

        def construct(self):
            return ms.ops.sqrt(self.w).sum()

    net = Root()
    params = net.trainable_params()
    cell = boost.DimReduce(net, nn.SGD(params, 1.0), params, np.ones((1, 1)), 1, RHO, GAMMA, ALPHA, SIGMA, 0, 1)
    loss, grads = ms.value_and_grad(net, None, params)()
    cell(loss, grads, 1.0, params, ())
    np.testing.assert_array_equal(net.w.asnumpy(), np.float32([0.04]))


def test_processes_share_the_rows():
    for components, size in [(5, 2), (4, 4), (3, 4), (32, 3)]:
        rows = [np.arange(components)[rows_of(components, rank, size)] for rank in range(size)]
        assert np.concatenate(rows).tolist() == list(range(components))


def linear(seed=0):
    ms.set_seed(seed)
    return nn.SequentialCell(nn.Dense(4, 3), nn.BatchNorm1d(3), nn.Dense(3, 1))


def batch():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((16, 4)).astype(np.float32)
    return ms.Tensor(x), ms.Tensor((x @ np.float32([1, -2, 0.5, 3])).reshape(-1, 1))


def saved_run(folder, steps=8):
    """A folder of checkpoints of a plain training run."""
    net = linear()
    opt = nn.Momentum(net.trainable_params(), 0.02, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train()
    for i in range(steps):
        ms.save_checkpoint(net, str(folder / f"run-{i}.ckpt"))
        step(*batch())
    (folder / "notes.txt").write_text("no checkpoint")
    return net


def configured(folder, **keys):
    settings = {"n_components": 5, "weight_load_dir": str(folder), "sigma": 0.01, **keys}
    return boost.AutoBoost("O0", {"boost": {"mode": "manual", **OFF, "dim_reduce": True}, "dim_reduce": settings})


@pytest.mark.parametrize(("mode", "scaled"), [(ms.PYNATIVE_MODE, True), (ms.GRAPH_MODE, False), (ms.GRAPH_MODE, True)])
def test_a_network_learns_in_the_space_of_its_earlier_run(tmp_path, mode, scaled):
    ms.set_context(mode=mode, cpu_loss_scale=True)
    saved_run(tmp_path)
    net = linear()
    same, optimizer = configured(tmp_path).network_auto_process_train(net, nn.Adam(net.trainable_params(), 0.1))
    assert same is net and type(optimizer) is nn.SGD and float(optimizer.get_lr()) == 1
    keywords = {"loss_scale_manager": ms.amp.DynamicLossScaleManager(1024.0)} if scaled else {}
    step = ms.amp.build_train_network(net, optimizer, nn.MSELoss(), boost_level="O1", **keywords)
    losses = [step(*batch()) for _ in range(15)]
    losses = [float(loss[0] if scaled else loss) for loss in losses]
    assert losses[-1] < 0.8 * losses[0] and step.enable_dim_reduce
    kept = [p.asnumpy() for p in net.trainable_params()]
    if scaled:
        assert step(ms.Tensor(np.full((16, 4), np.inf, np.float32)), batch()[1])[1]
        assert all(np.array_equal(p.asnumpy(), old) for p, old in zip(net.trainable_params(), kept, strict=True))


def test_only_the_optimizers_parameters_are_trained(tmp_path):
    saved_run(tmp_path)
    net = linear()
    before = [p.asnumpy() for p in net.trainable_params()]
    some = net.trainable_params()[2:]
    opt = configured(tmp_path).network_auto_process_train(net, nn.SGD(some, 0.1))[1]
    step = ms.amp.build_train_network(net, opt, nn.MSELoss(), boost_level="O1")
    step(*batch())
    moved = [not np.array_equal(p.asnumpy(), old) for p, old in zip(net.trainable_params(), before, strict=True)]
    assert moved == [False, False, True, True, True, True]


def test_model_trains_by_dimension_reduction(tmp_path):
    saved_run(tmp_path)
    net = linear()
    section = {"n_components": 5, "weight_load_dir": str(tmp_path), "sigma": 0.01}
    config = {"boost": {"mode": "manual", **OFF, "dim_reduce": True}, "dim_reduce": section}
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = ms.Model(net, nn.MSELoss(), opt, boost_level="O1", boost_config_dict=config)
    losses = []
    for _ in range(2):
        losses.append(float(nn.WithLossCell(net, nn.MSELoss())(*batch())))
        model.train(5, ms.dataset.NumpySlicesDataset(tuple(t.asnumpy() for t in batch()), shuffle=False).batch(16))
    assert losses[1] < losses[0]


def reducing_step(folder, net):
    opt = configured(folder).network_auto_process_train(net, nn.SGD(net.trainable_params()))[1]
    return ms.amp.build_train_network(net, opt, nn.MSELoss(), boost_level="O1")


def test_the_state_is_in_the_checkpoint(tmp_path):
    (tmp_path / "run").mkdir()
    saved_run(tmp_path / "run")
    net, path, rows = linear(), str(tmp_path / "step.ckpt"), []
    step = reducing_step(tmp_path / "run", net)
    for _ in range(3):
        step(*batch())
    ms.save_checkpoint(step, path)
    for again in (False, True):
        if again:
            net = linear(2)
            step = reducing_step(tmp_path / "run", net)
            assert ms.load_param_into_net(step, ms.load_checkpoint(path)) == ([], [])
        for _ in range(3):
            step(*batch())
        rows.append(np.concatenate([p.asnumpy().ravel() for p in net.trainable_params()]))
    np.testing.assert_array_equal(rows[0], rows[1])


def configured_step(folder, opt=None, **keys):
    net = linear()
    opt = opt or (lambda p: nn.SGD(p))
    return configured(folder, **keys).network_auto_process_train(net, opt(net.trainable_params()))


def unprepared(folder):
    configured(folder)
    net = linear()
    return boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()))


NET = nn.Dense(2, 1, has_bias=False)
ROWS = np.eye(2)
REFUSED = [
    (ValueError, "'weight_load_dir' must be a folder of checkpoints, but got 'none'", lambda folder: configured_step(
        folder, weight_load_dir="none"
    )),
    (ValueError, "'n_components' must be at most the number of checkpoints, 2, but got 5", configured_step),
    (ValueError, "'loss_scale' must be 1 with 'dim_reduce', but got 8", lambda folder: configured_step(
        folder, lambda p: nn.SGD(p, loss_scale=8.0)
    )),
    (ValueError, "must be that of AutoBoost.network_auto_process_train", unprepared),
    (ValueError, r"the 'pca_mat_local' must have the shape \(2, 2\)", lambda _: boost.DimReduce(
        NET, nn.SGD(NET.trainable_params()), NET.trainable_params(), ROWS[:1], 2, 0.5, 0.9, 0.1, 0.4, 0, 1
    )),
    (TypeError, "the 'weight' must be a tuple of Parameters", lambda _: boost.DimReduce(
        NET, nn.SGD(NET.trainable_params()), 3, ROWS, 2, 0.5, 0.9, 0.1, 0.4, 0, 1
    )),
    (ValueError, "'rho' must be finite and above 0", lambda _: boost.DimReduce(
        NET, nn.SGD(NET.trainable_params()), NET.trainable_params(), ROWS, 2, 0, 0.9, 0.1, 0.4, 0, 1
    )),
]  # fmt: skip


@pytest.mark.parametrize(("error", "sentence", "call"), REFUSED)
def test_what_is_refused(tmp_path, error, sentence, call):
    saved_run(tmp_path, steps=2)
    with pytest.raises(error, match=sentence):
        call(tmp_path)


def test_on_other_devices_the_steps_are_the_same(other_device):
    weights, x, expected = RECORDED[0]
    net = Net(weights)
    step = reducing(net)
    for row in expected[:4]:
        step(ms.Tensor(x, ms.float32))
        np.testing.assert_allclose(values(net), row, rtol=3e-5, atol=1e-6)
