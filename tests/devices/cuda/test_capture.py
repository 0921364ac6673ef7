"""On a GPU graph mode replays a step as one CUDA graph: one launch, no wait, and the numbers of the eager step.

With the CPU's CUDA what is launched is counted.
"""

import itertools
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from cpucuda import device as cpucuda
from support.benchmark import load

import minispore as ms
from minispore import amp, nn, ops
from minispore.core import backend, context, journal, seeds
from minispore.devices import runtime, transfers
from minispore.devices.cuda import capture, persistent_buffers
from minispore.graph.mode import recordings_of

pytestmark = pytest.mark.usefixtures("on_cupy", "restored")
ROWS, CLASSES = 4, 3


class Encoder(nn.Cell):
    """A small block of a Transformer's encoder, and a classifier of its mean."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.head = nn.Dense(8, 8), nn.Dense(8, 8), nn.Dense(8, 8), nn.Dense(8, 3)
        self.norm, self.gelu, self.softmax = nn.LayerNorm((8,)), nn.GELU(), nn.Softmax(-1)
        self.scores, self.matmul = ops.BatchMatMul(transpose_b=True), ops.BatchMatMul()

    def construct(self, x):
        y = self.norm(x)
        weights = self.softmax(self.scores(self.query(y), self.key(y)))
        return self.head(self.gelu(x + self.matmul(weights, self.value(y))).mean(1))


class Recurrent(nn.Cell):
    """An LSTM's cell over three steps, and a classifier of its last state."""

    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.LSTMCell(8, 6), nn.Dense(6, CLASSES)

    def construct(self, x):
        h, c = ops.zeros((len(x), 6), x.dtype), ops.zeros((len(x), 6), x.dtype)
        for t in range(x.shape[1]):
            h, c = self.cell(x[:, t], (h, c))
        return self.head(h)


class Layers(nn.Cell):
    """An LSTM of two layers in both directions, a GRU of one, and a classifier of the last step."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 5, 2, batch_first=True, bidirectional=True)
        self.gru, self.head = nn.GRU(10, 4, batch_first=True), nn.Dense(4, CLASSES)

    def construct(self, x):
        return self.head(self.gru(self.lstm(x)[0])[0][:, -1])


def mlp():
    return nn.SequentialCell(nn.Dense(8, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dense(6, CLASSES))


def convolutional():
    layers = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(18, CLASSES)
    return nn.SequentialCell(*layers)


NETS = {
    "mlp": (mlp, (8,)),
    "conv": (convolutional, (1, 6, 6)),
    "encoder": (Encoder, (5, 8)),
    "lstm": (Recurrent, (3, 8)),
    "layers": (Layers, (3, 8)),
}


def step_of(name, level, rate=0.05, make_optimizer=nn.Momentum):
    ms.set_seed(1)
    net, loss = NETS[name][0](), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    momentum = {"momentum": 0.9} if make_optimizer is nn.Momentum else {}
    optimizer = make_optimizer(net.trainable_params(), rate, **momentum)
    manager = None if level == "O0" else amp.DynamicLossScaleManager(1024.0, 2, 3)
    return amp.build_train_network(net, optimizer, loss, level=level, loss_scale_manager=manager)


def batch(name, number, rows=ROWS, overflow=False):
    random = np.random.default_rng(number)
    x = random.standard_normal((rows, *NETS[name][1])).astype(np.float32)
    if overflow:
        x[0] = np.inf
    return ms.Tensor(x), ms.Tensor(random.integers(0, CLASSES, rows).astype(np.int32))


def numbers(step, outs):
    """The bits of all that steps returned, and of the Parameters."""
    tensors = [y for out in outs for y in (out if isinstance(out, tuple) else (out,))]
    return [t.asnumpy().tobytes() for t in (*tensors, *step.get_parameters())]


def replays(step):
    """The reasons for which a step's replays are not captured."""
    return [reason for found in recordings_of(step).values() for reason in found.not_captured]


def in_both_modes(run):
    """What ``run()`` gives eagerly, and in graph mode."""
    found = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        found.append(run())
    return found


@pytest.mark.parametrize(("name", "level"), [*itertools.product(NETS, ["O0", "O2"]), ("mlp", "O3")])
def test_a_captured_step_gives_the_bits_of_the_eager_one(name, level):
    def run():
        step, outs = step_of(name, level), []
        for i in range(20):
            outs.append(step(*batch(name, i, overflow=level != "O0" and i in (4, 7, 8))))
        captured = replays(step)
        return numbers(step, outs), captured

    (eager, none), (graph, reasons) = in_both_modes(run)
    assert graph == eager
    assert (none, reasons) == ([], [None])


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_a_captured_step_is_one_launch_without_a_wait(level):
    if not cpucuda.is_built():
        pytest.skip("only the CPU's CUDA counts")
    ms.set_context(mode=ms.GRAPH_MODE)
    step, given = step_of("mlp", level), batch("mlp", 0)
    for _ in range(3):
        step(*given)
    with cpucuda.counted() as did:
        for _ in range(5):
            step(*given)
    cast = 0 if level == "O0" else 5  # of the first input on its way into the graph's memory
    found = [did[name] for name in ("graph", "d2d", "launch", "operations", "sync")]
    assert found == [5, 10 - cast, cast, 15, 0]


@pytest.mark.parametrize("make_optimizer", [nn.Momentum, nn.Adam, nn.SGD, nn.AdamWeightDecay, nn.RMSProp, nn.Lamb])
def test_every_optimizer_is_captured_with_a_rate_for_each_step(make_optimizer):
    def run():
        rates = [0.1, 0.01, 0.03, 0.02, 0.5, 0.01, 0.07]
        step = step_of("mlp", "O2", rates, make_optimizer)
        outs = [step(*batch("mlp", i, overflow=i == 4)) for i in range(7)]
        return numbers(step, outs), replays(step)

    (eager, _), (graph, reasons) = in_both_modes(run)
    assert graph == eager and reasons == [None]


def change_rate(step, _):
    step.optimizer.learning_rate.set_data(0.5)


def change_a_parameter(step, _):
    p = step.optimizer.parameters[0]
    p.set_data(p * 2)


def keep_arrays(step, kept):
    """Hold the arrays of the Parameters as they are now: they are values, which do not change."""
    kept += [ms.Tensor.__copy__(p) for p in step.get_parameters()]


def keep_casts(step, kept):
    """Hold the casts of the Parameters, which the optimizer's kernel writes beside them, as they are now."""
    kept += [ops.cast(p, ms.float16) for p in step.optimizer.parameters]


def evaluate(step, kept):
    net = step.network.set_train(False)
    kept.append(net(*batch("mlp", 99)))
    step.set_train()


def load_a_checkpoint(step, _):
    saved = {p.name: ms.Parameter(p.asnumpy() * 0.5, p.name) for p in step.optimizer.parameters}
    ms.load_param_into_net(step, saved)


def another_batch_size(step, kept):
    kept += [step(*batch("mlp", 50 + i, rows=2)) for i in range(3)]


def an_eager_step(step, kept):
    before = context.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    kept.append(step(*batch("mlp", 60)))
    ms.set_context(mode=before)


BETWEEN = [change_rate, change_a_parameter, keep_arrays, keep_casts, evaluate, load_a_checkpoint]
BETWEEN += [another_batch_size, an_eager_step]


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("between", BETWEEN, ids=lambda action: action.__name__)
def test_what_is_done_between_steps_is_seen_as_by_eager_ones(between, level):
    def run():
        step, kept = step_of("mlp", level, make_optimizer=nn.Adam), []
        for i in range(15):
            kept.append(step(*batch("mlp", i, overflow=level == "O2" and i == 8)))
            if i in (4, 5, 9):
                between(step, kept)
        return numbers(step, kept), replays(step)

    (eager, _), (graph, reasons) = in_both_modes(run)
    assert graph == eager
    assert not any(reasons)


def test_a_call_around_several_steps_undoes_them_all():
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of("mlp", "O2")
    for i in range(4):
        step(*batch("mlp", i))
    before = numbers(step, [])
    for _ in range(2):
        _, written = journal.noted(lambda: [step(*batch("mlp", i)) for i in range(3)])
        assert numbers(step, []) != before
        written.undo()
        assert numbers(step, []) == before
    step(*batch("mlp", 4))
    assert not any(replays(step))


def test_a_call_around_captured_functions_undoes_what_they_write_and_draw():
    weight, one = ms.Parameter(ms.Tensor([1.0]), name="weight"), ms.Tensor([1.0])

    @ms.jit
    def moves(x):
        return ops.assign(weight, weight + x) + ops.standard_normal((1,))

    for _ in range(4):
        moves(one)
    before = weight.asnumpy().tolist(), seeds.seed.draws
    for function in (moves, ms.jit(lambda x: x + ops.standard_normal((1,)))):
        for _ in range(4):
            _, written = journal.noted(function, one)
            assert (weight.asnumpy().tolist(), seeds.seed.draws) != before
            written.undo()
            assert (weight.asnumpy().tolist(), seeds.seed.draws) == before
        assert function.recorded.not_captured == [None]


class Stopping(nn.TrainOneStepWithLossScaleCell):
    """A step whose loss the user looks at, and refuses if it is large."""

    def construct(self, *inputs):
        out = super().construct(*inputs)
        if float(out[0]) > 9:
            raise ValueError("stopped")
        return out


@pytest.mark.parametrize("hook", [None, lambda gradients: gradients], ids=["whole", "with a hook"])
def test_a_step_that_raises_after_its_replay_is_undone(hook):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.WithLossCell(nn.Dense(8, CLASSES), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = Stopping(net, nn.Momentum(net.trainable_params(), 0.1, 0.9), nn.FixedLossScaleUpdateCell(8)).set_train()
    if hook is not None:
        step.register_gradient_hook(hook)
    for i in range(5):
        step(*batch("mlp", i))
    before, (x, y) = numbers(step, []), batch("mlp", 5)
    with pytest.raises(ValueError, match="stopped"):
        step(x * 1000, y)
    assert numbers(step, []) == before


def test_results_are_values_that_no_later_step_changes(monkeypatch):
    monkeypatch.setattr(capture, "_PIECES", 3)
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of("mlp", "O0")
    outs = [step(*batch("mlp", i)) for i in range(6)]
    seen = [out.asnumpy().tobytes() for out in outs]
    for i in range(10):  # more than a block of results holds
        step(*batch("mlp", i % 6))
    assert [out.asnumpy().tobytes() for out in outs] == seen and len(set(seen)) == 6


def test_a_function_that_hands_on_what_it_is_given_returns_values():
    weight = ms.Parameter(ms.ops.ones((2, 3)), name="weight")

    @ms.jit
    def swapped(x):
        before = weight.value()
        ops.assign(weight, x)
        return x, before, before.transpose(1, 0), weight

    given, found = [ms.Tensor(np.full((2, 3), i, np.float32)) for i in range(8)], []
    for x in given:
        same, before, turned, _ = swapped(x)
        found.append((same, before, turned))
    assert swapped.recorded.not_captured == [None]
    for i, (same, before, turned) in enumerate(found):
        assert (same.asnumpy() == i).all() and turned.shape == (3, 2)
        assert (before.asnumpy() == max(i - 1, 0) + (i == 0)).all()
    assert (weight.asnumpy() == 7).all() and (given[3].asnumpy() == 3).all()


def test_parameters_that_change_places_are_both_written():
    first, second = (ms.Parameter(ms.Tensor(np.full(2, k, np.float32)), name=f"p{k}") for k in (1, 2))

    @ms.jit
    def swap(x):
        kept = first.value()
        ops.assign(first, second.value())
        ops.assign(second, kept)
        return x + 1

    for i in range(7):
        swap(ms.Tensor([1.0]))
        assert [p.asnumpy()[0] for p in (first, second)] == ([2, 1] if i % 2 == 0 else [1, 2])
    assert swap.recorded.not_captured == [None]


def test_the_memory_of_a_graph_goes_with_it():
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of("mlp", "O0")
    for _ in range(3):
        step(*batch("mlp", 0))
    (replay,) = recordings_of(step)["_run"]._replays.values()
    pool = replay._graph._pool
    assert pool.free_bytes() > 0  # the graph computes there
    used, eager = runtime.memory_allocated(), backend.xp.get_default_memory_pool()
    assert used >= eager.used_bytes() + pool.total_bytes() and runtime.max_memory_allocated() >= used
    assert runtime.memory_reserved() >= eager.total_bytes() + pool.total_bytes()
    del replay
    step.network.set_train(False)
    step.network.set_train()
    step(*batch("mlp", 0))
    assert pool.free_bytes() == 0


@ms.jit
def reads(x):
    return x + 1 if float(x.sum()) > 0 else x


doubled = ops.Custom(lambda x: x * 2, lambda x: x, lambda x: x, "pyfunc")


@ms.jit
def calls(x):
    return doubled(x)


@pytest.mark.parametrize(
    ("function", "reason"),
    [(reads, "reads a value back to the host"), (calls, "'Custom' runs Python")],
)
def test_what_cannot_be_captured_is_replayed_and_told_once(function, reason, caplog):
    with caplog.at_level(logging.WARNING, "minispore"):
        outs = [function(ms.Tensor([1.0, 2.0])) for _ in range(6)]
    assert len(outs) == 6 and reason in function.recorded.not_captured[0]
    assert [reason in r.getMessage() for r in caplog.records] == [True]


def dropping():
    return nn.SequentialCell(nn.Dense(8, 16), nn.Dropout(p=0.3), nn.ReLU(), nn.Dense(16, CLASSES), nn.Dropout(p=0.2))


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("other_draws", [(), (2, 6, 10, 11)], ids=["alone", "beside eager draws"])
def test_captured_steps_take_the_random_streams_of_eager_ones(level, other_draws, monkeypatch):
    """A skipped step takes none; what draws beside them goes on where they are, and so does a new seed."""
    monkeypatch.setitem(NETS, "dropping", (dropping, (8,)))

    def run():
        step, outs = step_of("dropping", level), []
        for i in range(15):
            outs.append(step(*batch("dropping", i, overflow=level == "O2" and i in (4, 7, 8))))
            if i in other_draws:
                outs.append(ops.standard_normal((3,)))
            if i == 12 and other_draws:
                ms.set_seed(7)
        return numbers(step, outs), seeds.seed.draws, replays(step)

    (eager, drawn, _), (graph, counted, reasons) = in_both_modes(run)
    assert graph == eager and counted == drawn and not any(reasons)


def test_a_step_that_the_host_skips_gives_its_random_streams_back(monkeypatch):
    monkeypatch.setitem(NETS, "dropping", (dropping, (8,)))

    def run():
        step = step_of("dropping", "O2")
        step.register_gradient_hook(lambda gradients: gradients)  # so that the overflow is looked at after a replay
        outs = [step(*batch("dropping", i, overflow=i in (4, 5))) for i in range(8)]
        return numbers(step, outs), seeds.seed.draws

    eager, graph = in_both_modes(run)
    assert graph == eager


def test_both_halves_of_a_step_that_the_host_skips_are_launched_each_time():
    if not cpucuda.is_built():
        pytest.skip("only the CPU's CUDA counts")
    ms.set_context(mode=ms.GRAPH_MODE)
    step = step_of("encoder", "O2")
    step.register_gradient_hook(lambda gradients: gradients)
    for i in range(3):
        step(*batch("encoder", i))
    with cpucuda.counted() as did:
        for i in range(5):
            step(*batch("encoder", i))
    assert did["graph"] == 10


@pytest.mark.parametrize(
    "draw", [lambda: ops.standard_normal((2,)), lambda: ops.dropout2d(ops.ones((9, 9, 1, 1)), 0.5)]
)
def test_captured_functions_draw_anew_in_each_call(draw):
    def run():
        ms.set_seed(3)
        function = ms.jit(lambda x: x + draw().sum())
        outs = [function(ms.Tensor([1.0])).asnumpy().tobytes() for _ in range(6)]
        return outs, function.recorded.not_captured

    ms.set_seed(3)
    eager = [(ms.Tensor([1.0]) + draw().sum()).asnumpy().tobytes() for _ in range(6)]
    found, reasons = run()
    assert found == eager and len(set(found)) > 2 and reasons == [None]


def test_an_operation_that_waits_ends_the_capture_with_its_name(caplog):
    @ms.jit
    def function(x):
        return ops.cholesky(x) + x

    with caplog.at_level(logging.WARNING, "minispore"):
        first, *others = [function(ms.Tensor(np.eye(2, dtype=np.float32) * 3)) for _ in range(5)]
    assert "Cholesky" in function.recorded.not_captured[0]
    assert all((y.asnumpy() == first.asnumpy()).all() for y in others)
    assert len(caplog.records) == 1


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_steps_of_two_threads_at_once_are_captured_and_have_the_bits_of_steps_alone(level):
    ms.set_context(mode=ms.GRAPH_MODE)

    def run(at_once):
        steps, gate = [step_of("conv", level) for _ in range(2)], threading.Barrier(2 if at_once else 1, timeout=300)

        def train(step):
            outs = []
            for i in range(8):
                gate.wait()
                outs.append(step(*batch("conv", i, overflow=level != "O0" and i in (3, 6))))
            return numbers(step, outs)

        if not at_once:
            return [train(step) for step in steps], []
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(train, steps)), [replays(step) for step in steps]

    alone, _ = run(False)  # which compiles the kernels
    assert run(True) == (alone, [[None], [None]])


def test_two_graphs_of_one_parameter_in_two_threads_fill_its_buffer_one_after_the_other(monkeypatch):
    weight, fill, inside, most = ms.Parameter([1.0, 2.0], name="weight"), persistent_buffers.fill, [], []

    def fill_slowly(*arguments):
        inside.append(arguments)
        time.sleep(0.005)
        most.append(len(inside))
        fill(*arguments)
        inside.pop()

    monkeypatch.setattr(persistent_buffers, "fill", fill_slowly)
    function = ms.jit(lambda x: x * weight)

    def run(rows):
        found = []
        for _ in range(20):
            found.append(function(ops.ones((rows, 2))).asnumpy().tolist())
            weight.set_data(weight * 1)  # a new array, which is copied into the buffer
        return found

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, (1, 2))) == [20 * [[[1.0, 2.0]]], 20 * [2 * [[1.0, 2.0]]]]
    assert len(most) > 10 and max(most) == 1


def test_graphs_on_two_streams_take_turns(on_cupy):
    ms.set_context(mode=ms.GRAPH_MODE)
    steps = [step_of("conv", "O2") for _ in range(2)]
    streams = [on_cupy.cuda.Stream(non_blocking=True) for _ in steps]
    expected, outs, users = step_of("conv", "O2"), [[], [], []], []
    for i in range(8):
        outs[2].append(expected(*batch("conv", i)))
        for step, stream, found in zip(steps, streams, outs, strict=False):
            with stream:
                found.append(step(*batch("conv", i)))
            users.append(capture._last_user[0][0])
    assert users[8:] == 4 * streams  # both are captured by then
    assert [replays(step) for step in steps] == [[None], [None]]
    assert numbers(steps[0], outs[0]) == numbers(steps[1], outs[1]) == numbers(expected, outs[2])


def test_a_graph_holds_its_numbers_and_constants_whatever_other_threads_ask_for_meanwhile(on_cupy, monkeypatch):
    captured = capture._Graph._captured

    def captured_while_others_ask(*arguments):
        graph = captured(*arguments)
        transfers._numbers.clear()
        return graph

    monkeypatch.setattr(capture._Graph, "_captured", captured_while_others_ask)
    function = ms.jit(lambda x: ops.interpolate(x * 0.375 + 0.625, size=(5,), mode="linear", align_corners=False))
    x = ms.Tensor(np.arange(6, dtype=np.float32).reshape(1, 2, 3))
    expected = function(x).asnumpy()
    for _ in range(6):
        junk = [on_cupy.full(k, 7e7, np.float32) for k in (1, 3, 5, 8) for _ in range(40)]
        np.testing.assert_array_equal(function(x).asnumpy(), expected)
    assert function.recorded.not_captured == [None] and junk


def test_a_number_is_not_taken_for_a_parameter_of_the_same_value():
    rate = ms.Parameter(ms.Tensor(0.5), name="rate")

    @ms.jit
    def function(x):
        return x * 0.5, rate.value()

    for i in range(6):
        rate.set_data(ms.Tensor(0.5 + (i > 3)))
        half, now = function(ms.Tensor([1.0]))
        assert half.asnumpy() == 0.5 and now.asnumpy() == 0.5 + (i > 3)


GOALS = {"mlp": 20, "lenet5": 35, "encoder": 60, "lstm_layer": 23}  # of ``benchmarks/gpu_page.py``, and the figure


@pytest.mark.parametrize("name", GOALS)
def test_mixed_precision_takes_no_more_operations_than_float32_and_no_more_than_the_goal(name):
    if not cpucuda.is_built():
        pytest.skip("only the CPU's CUDA counts")
    counts, page = load("gpu_counts"), load("gpu_page")
    found = [counts.counts(name, level, "graph") for level in ("O0", "O2")]
    low, high = [part.nodes for part in found]
    assert 0 < high <= low and high <= GOALS[name] <= (page.MOST[name][1] or GOALS[name])
    assert [(part.operations, part.waits) for part in found] == [(3, 0)] * 2


def test_a_result_that_is_a_buffer_is_read_before_it_is_overwritten():
    p = ms.Parameter(ms.Tensor(np.arange(9, dtype=np.float32)), name="p")

    @ms.jit
    def step(x):
        before = p.value()
        p.set_data(p + x)
        return before, before.reshape(3, 3), before[:4]

    x = ms.Tensor(np.ones(9, np.float32))
    for i in range(6):
        for y, shown in zip(step(x), (np.arange(9), np.arange(9).reshape(3, 3), np.arange(4)), strict=True):
            np.testing.assert_array_equal(y.asnumpy(), shown + i)


@pytest.mark.parametrize("kinds", [(ms.float16,), (ms.float16, ms.float32), (ms.float16, ms.bfloat16)], ids=str)
def test_an_input_is_cast_on_its_way_only_where_each_reader_casts_it_so(kinds):
    ms.set_context(mode=ms.GRAPH_MODE)

    @ms.jit
    def casts(x):
        return [x.astype(kind).astype(ms.float32) * 3 for kind in kinds]

    for i in range(5):
        x = np.random.default_rng(i).standard_normal(40).astype(np.float32)
        x[:3] = 65504, 65520, 2.0**-24
        with np.errstate(over="ignore"):
            right = [x.astype(kind.np).astype(np.float32) * 3 for kind in kinds]
        for y, wished in zip(casts(ms.Tensor(x)), right, strict=True):
            np.testing.assert_array_equal(y.asnumpy(), wished)
    (replay,) = casts.recorded._replays.values()
    assert (replay.reason, len(replay.narrow_inputs)) == (None, len(kinds) == 1)
