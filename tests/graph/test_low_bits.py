"""Training with recipes: the same bits in graph mode, after a resume and a skipped step; the delayed state."""

import threading

import numpy as np
import pytest
from support.thread_group import every

import minispore as ms
from minispore import amp, nn
from minispore.core import seeds
from minispore.graph.mode import recordings_of

RECIPES = [
    *(amp.DelayedFP8(history=3, keep=()), amp.CurrentFP8(keep=()), amp.BlockFP8(keep=()), amp.MXFP8(keep=())),
    *(amp.MXFP4(keep=()), amp.NVFP4(keep=())),
]
RNG = np.random.default_rng(0)
ROWS = [
    (RNG.standard_normal((16, 40)).astype(np.float32), RNG.standard_normal((16, 8)).astype(np.float32))
    for _ in range(6)
]


def by(recipe):
    return recipe.name


def training_step(recipe, level="O0", manager=None, micro=None):
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(40, 48), nn.ReLU(), nn.Dense(48, 24), nn.ReLU(), nn.Dense(24, 8))
    optimizer, loss = nn.Momentum(net.trainable_params(), 0.1, 0.9), nn.MSELoss()
    keywords = {} if manager is None else {"loss_scale_manager": manager}
    if micro:
        net, loss = amp.GradAccumulationCell(nn.WithLossCell(net, loss), micro), None
    return amp.build_train_network(net, optimizer, loss, level=level, recipe=recipe, **keywords)


def state(step):
    return {p.name: p.asnumpy().tobytes() for p in step.get_parameters()}


def run(step, rows):
    for row in rows:
        step(*map(ms.Tensor, row))
    return state(step)


@pytest.mark.parametrize("level", ["O0", "O1", "O2"])
@pytest.mark.parametrize("recipe", RECIPES, ids=by)
def test_graph_mode_replays_the_bits_of_eager_mode(recipe, level, restored):
    ms.set_context(cpu_loss_scale=True, mode=ms.PYNATIVE_MODE)
    eager = run(training_step(recipe, level), ROWS)
    ms.set_context(mode=ms.GRAPH_MODE)
    step = training_step(recipe, level)
    assert run(step, ROWS) == eager
    replayed = [f for _, cell in step.cells_and_names() for f in recordings_of(cell).values() if not f.reason]
    assert replayed


@pytest.mark.parametrize("recipe", RECIPES, ids=by)
def test_micro_batches_are_the_same_bits_in_graph_mode(recipe, restored):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    eager = run(training_step(recipe, micro=2), ROWS[:3])
    ms.set_context(mode=ms.GRAPH_MODE)
    assert run(training_step(recipe, micro=2), ROWS[:3]) == eager


@pytest.mark.parametrize("form", ["ckpt", "safetensors"])
@pytest.mark.parametrize("recipe", RECIPES, ids=by)
def test_a_resumed_run_has_the_bits_of_a_whole_one(recipe, form, restored, tmp_path):
    step = training_step(recipe)
    run(step, ROWS[:3])
    ms.save_checkpoint(step, str(tmp_path / f"half.{form}"))
    draws = seeds.seed.draws
    whole = run(step, ROWS[3:])
    again = training_step(recipe)
    found = ms.load_checkpoint(str(tmp_path / f"half.{form}"))
    assert ms.load_param_into_net(again, found, strict_load=True) == ([], [])
    seeds.seed.draws = draws
    assert run(again, ROWS[3:]) == whole


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("recipe", RECIPES, ids=by)
def test_a_skipped_step_leaves_everything_unchanged(recipe, mode, restored):
    ms.set_context(cpu_loss_scale=True, mode=mode)
    manager = amp.DynamicLossScaleManager(2.0**10, 2, 100)
    step = training_step(recipe, "O2", manager)
    before, draws = run(step, ROWS[:3]), seeds.seed.draws
    bad = np.full_like(ROWS[3][0], np.inf)
    _, overflow, _ = step(ms.Tensor(bad), ms.Tensor(ROWS[3][1]))
    assert bool(overflow) and seeds.seed.draws == draws
    scale = ("scale_sense", "current_iterator_step", "last_overflow_iterator_step")
    after = state(step)
    assert {name for name in before if before[name] != after[name]} <= {n for n in before if n.endswith(scale)}
    for row in ROWS[4:]:
        assert np.isfinite(float(step(*map(ms.Tensor, row))[0]))


def test_the_state_is_that_of_the_rule(restored):
    ms.set_seed(1)
    net = amp.auto_mixed_precision(nn.Dense(4, 3), recipe=amp.DelayedFP8(history=3, keep=())).set_train()
    product = net.matmul
    steps = (
        (2.0, [0, 0, 2], 224),
        (8.0, [0, 2, 8], 56),
        (1.0, [0, 8, 1], 56),
        (1.0, [0, 1, 1], 56),
        (1.0, [0, 1, 1], 448),
    )
    for peak, history, scale in steps:
        x = np.full((2, 4), peak, np.float32)
        ms.ops.grad(lambda x: net(x).sum())(ms.Tensor(x))
        assert product.x_history.asnumpy().tolist() == history and product.x_scale.asnumpy() == scale
        assert product.dy_history.asnumpy()[-1] == 1 and product.dy_scale.asnumpy() == 57344


def test_evaluation_changes_no_state(restored):
    ms.set_seed(1)
    for recipe in RECIPES:
        net = amp.auto_mixed_precision(nn.Dense(4, 3), recipe=recipe).set_train(False)
        before, draws = state(net), seeds.seed.draws
        net(ms.ops.ones((2, 4)))
        assert state(net) == before and seeds.seed.draws == draws
        if recipe.is_delayed:
            ms.ops.grad(lambda x, net=net: net(x).sum())(ms.ops.ones((2, 4)))
            assert state(net) == before


def test_an_infinity_freezes_the_scale_until_the_history_has_lost_it(restored):
    ms.set_seed(1)
    net = amp.auto_mixed_precision(nn.Dense(4, 3), recipe=amp.DelayedFP8(history=3, keep=())).set_train()
    scales = []
    for peak in (2.0, np.inf, 4.0, 4.0, 4.0):
        net(ms.Tensor(np.full((2, 4), peak, np.float32)))
        scales.append(float(net.matmul.x_scale.asnumpy()[0]))
    assert scales == [224.0, 224.0, 224.0, 224.0, 112.0]


def test_the_first_step_has_the_scale_one(restored):
    ms.set_seed(1)
    net = amp.auto_mixed_precision(nn.Dense(1, 1, "ones", has_bias=False), recipe=amp.DelayedFP8(keep=())).set_train()
    assert net(ms.Tensor([[1000.0]])).asnumpy() == [[448.0]]
    assert net(ms.Tensor([[1000.0]])).asnumpy() == pytest.approx(1000, rel=1e-6)


def test_without_a_recipe_the_bits_are_those_of_before(restored):
    ms.set_seed(1)
    for level in ("O0", "O1", "O3"):
        assert run(training_step(None, level), ROWS[:2]) == run(training_step(None, level), ROWS[:2])
    net = amp.auto_mixed_precision(nn.Dense(2, 3), "O0")
    assert "amp_report" not in vars(net) and type(net.matmul) is ms.ops.MatMul


def test_a_model_takes_a_recipe(restored):
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(40, 16), nn.ReLU(), nn.Dense(16, 8))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = ms.train.Model(net, nn.MSELoss(), optimizer, recipe="mxfp8", metrics={"loss"})
    data = ms.dataset.NumpySlicesDataset({"x": ROWS[0][0], "y": ROWS[0][1]}, shuffle=False).batch(16)
    before = model.eval(data)["loss"]
    model.train(5, data)
    assert model.eval(data)["loss"] < before and "mxfp8" in str(net.amp_report)
    with pytest.raises(ValueError, match="the 'recipe' must be left out where there is no 'optimizer'"):
        ms.train.Model(net, nn.MSELoss(), recipe="mxfp8")


def in_two_processes(call):
    """The results of two processes of a data-parallel job."""
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    try:
        return every(2, call)
    finally:
        ms.reset_auto_parallel_context()


def part_of(rows, rank):
    """Half of each batch."""
    return [[half[8 * rank :][:8] for half in row] for row in rows]


@pytest.fixture
def own_seeds(monkeypatch):
    """Each thread has a seed and a count of streams of its own, as each process has."""
    mine = threading.local()

    def own(name, first):
        return property(lambda self: getattr(mine, name, first), lambda self, value: setattr(mine, name, value))

    for name, first in (("value", seeds.seed.value), ("draws", seeds.seed.draws)):
        monkeypatch.setattr(type(seeds.seed), name, own(name, first))


@pytest.mark.parametrize("micro", [None, 2], ids=["whole", "parts"])
@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("recipe", RECIPES, ids=by)
def test_two_processes_have_the_same_bits_in_both_modes(recipe, level, micro, restored, own_seeds):
    def call(rank, mode):
        manager = amp.FixedLossScaleManager(4.0)
        step = training_step(recipe, level, manager, micro)
        good = run(step, part_of(ROWS[:2], rank))
        bad = [np.full((8, 40), np.inf if rank else 1, np.float32), ROWS[2][1][:8]]
        assert run(step, [bad]) == good  # an overflow in one process skips the step in both
        return run(step, part_of(ROWS[3:4], rank)), seeds.seed.draws

    found = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(cpu_loss_scale=True, mode=mode)
        found += in_two_processes(lambda rank, mode=mode: call(rank, mode))
    assert all(each == found[0] for each in found)


@pytest.mark.parametrize("recipe", ["mxfp8", "mxfp4", "block_fp8(w=e4m3/1x128/current/even)"])
def test_a_process_draws_the_bits_of_its_own_part_of_the_batch(recipe, restored, own_seeds):
    """Where each row has scales of its own, the input's gradient in a part is the part of the whole gradient."""

    def gradient(x, y):
        ms.set_seed(5)
        net = nn.SequentialCell(nn.Dense(40, 24), nn.Tanh(), nn.Dense(24, 8))
        net = amp.auto_mixed_precision(net, recipe=amp.Recipe.parse(recipe).replace(keep=())).set_train()
        weigh = ms.Tensor(y)
        return ms.ops.grad(lambda x: (net(x) * weigh).sum())(ms.Tensor(x)).asnumpy()

    whole = gradient(*ROWS[0])
    parts = in_two_processes(lambda rank: gradient(*part_of(ROWS[:1], rank)[0]))
    assert np.abs(np.concatenate(parts) - whole).max() <= 1e-6 * np.abs(whole).max()


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_two_processes_have_one_state_of_the_largest_magnitudes_of_both(mode, level, restored):
    ms.set_context(cpu_loss_scale=True, mode=mode)

    def call(rank):
        net = nn.SequentialCell(nn.Dense(40, 24, "ones"), nn.Tanh(), nn.Dense(24, 8, "ones"))
        optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
        recipe = amp.DelayedFP8(history=3, keep=())
        step = amp.build_train_network(net, optimizer, nn.MSELoss(), level, recipe=recipe, loss_scale_manager=None)
        for x, y in ROWS[:3]:
            step(ms.Tensor(x[8 * rank :][:8]), ms.Tensor(y[8 * rank :][:8]))
        return {p.name: p.asnumpy() for p in step.get_parameters() if "matmul" in p.name}

    one, other = in_two_processes(call)
    assert one.keys() == other.keys() and len(one) == 12
    assert all(np.array_equal(one[name], other[name]) for name in one)
    kind = np.float32 if level == "O0" else np.float16
    amaxes = [np.abs(x.astype(kind)).max() for x, _ in ROWS[1:3]]
    assert np.array_equal(one["0.matmul.x_history"], np.float32([0, *amaxes]))
