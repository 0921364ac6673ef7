"""A replayed function gives what it gives operation by operation, bit for bit, and leaves the same behind."""

import collections
import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.core.running import under
from minispore.core.tape import flatten
from minispore.graph.mode import recordings_of
from minispore.graph.recorder import Recorder

pytestmark = pytest.mark.usefixtures("restored")
UNARY = [ops.relu, ops.tanh, ops.sigmoid, ops.square, ops.neg, lambda x: x.sum(0, keepdims=True) + x, lambda x: x.T.T]
BINARY = [ops.add, ops.sub, ops.mul, ops.maximum, lambda x, y: ops.concat([x, y])[: len(x)], lambda x, y: x @ y.T @ x]


def drawn_function(choices):
    """A function of two Tensors that applies operations to what came before, as the numbers in ``choices`` say."""

    def function(x, y):
        values = [x, y]
        for kind, which, first, second in choices:
            a, b = values[first % len(values)], values[second % len(values)]
            values.append(UNARY[which % len(UNARY)](a) if kind else BINARY[which % len(BINARY)](a, b))
        return values[-1], (values[len(values) // 2], values[-1])

    return function


STEP = st.tuples(st.booleans(), st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))


@given(st.lists(STEP, min_size=1, max_size=8), st.integers(0, 2**32 - 1))
def test_any_function_of_operations_gives_the_same_replayed(choices, seed):
    function, rng = drawn_function(choices), np.random.default_rng(seed)
    replayed = ms.jit(function)
    for _ in range(4):
        x, y = (Tensor(rng.uniform(-1, 1, (3, 4)).astype(np.float32)) for _ in range(2))
        for a, b in zip(flatten(replayed(x, y)), flatten(function(x, y)), strict=True):
            np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    assert replayed.recorded.reason is None and len(replayed.recorded.sources) == 1


@pytest.mark.parametrize("kind", ["LSTMCell", "GRUCell"])
def test_gradients_that_wait_for_other_steps_are_the_same_replayed(kind):
    cell, zeros = getattr(nn, kind)(5, 4), ops.zeros((3, 4))
    rng, weights = np.random.default_rng(0), cell.trainable_params()

    def last(x):
        state = (zeros, zeros) if kind == "LSTMCell" else zeros
        for t in range(6):
            state = cell(x[t], state)
        return (state[0] if kind == "LSTMCell" else state).sum()

    gradients = ms.value_and_grad(last, None, weights)
    replayed = ms.jit(gradients)
    for _ in range(4):
        x = Tensor(rng.standard_normal((6, 3, 5)).astype(np.float32))
        for a, b in zip(flatten(replayed(x)), flatten(gradients(x)), strict=True):
            np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    assert replayed.recorded.reason is None and len(replayed.recorded.sources) == 1


class Net(nn.Cell):
    """Convolution, BatchNorm, Dropout and Dense: statistics that are written, and random streams that are drawn."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.drop = nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.Dropout(p=0.3)
        self.dense = nn.Dense(48, 5)

    def construct(self, x):
        return self.dense(self.drop(ops.relu(self.norm(self.conv(x)))).reshape(x.shape[0], -1))


OPTIMIZERS = {
    "Momentum": lambda p: nn.Momentum(p, [0.1, 0.05, 0.02], 0.9, weight_decay=0.01),
    "Adam": lambda p: nn.Adam(p, nn.ExponentialDecayLR(0.01, 0.9, 2)),
    "AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, 0.01, weight_decay=0.1),
    "Lamb": lambda p: nn.Lamb(p, 0.01),
    "RMSProp": lambda p: nn.RMSProp(p, 0.01, centered=True),
}


def trained(optimizer, mode):
    """Losses of six training steps, all Parameters after them, and what the graph mode says."""
    ms.set_context(mode=mode)
    ms.set_seed(5)
    rng, net = np.random.default_rng(0), Net()
    with_loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(with_loss, optimizer(net.trainable_params())).set_train()
    losses = [
        float(step(Tensor(rng.standard_normal((2, 1, 4, 4)).astype(np.float32)), Tensor(rng.integers(0, 5, 2))))
        for _ in range(6)
    ]
    return losses, {p.name: p.asnumpy() for p in step.get_parameters()}, recordings_of(step).get("_run")


@pytest.mark.parametrize("optimizer", OPTIMIZERS.values(), ids=OPTIMIZERS)
def test_a_training_step_gives_the_same_in_graph_mode(optimizer):
    losses, parameters, _ = trained(optimizer, ms.PYNATIVE_MODE)
    replayed, after, recorded = trained(optimizer, ms.GRAPH_MODE)
    assert recorded.reason is None and len(recorded.sources) == 1
    assert losses == replayed
    for name, value in parameters.items():
        np.testing.assert_array_equal(value, after[name], err_msg=name)


def test_a_replay_runs_no_python_of_the_function(capsys):
    @ms.jit
    def function(x):
        print("called")
        return x * 2

    assert [float(function(Tensor(float(i)))) for i in range(5)] == [0, 2, 4, 6, 8]
    assert capsys.readouterr().out == "called\n" * 2


Pair = collections.namedtuple("Pair", "first second")


def test_what_is_returned_is_nested_as_the_function_nests_it():
    w = Parameter([7.0], name="w")
    function = ms.jit(lambda x: {"pair": Pair(x * 2, [x + 1, None]), "w": (w, ms.ParameterTuple([w])), "n": 3})
    for i in range(5):
        out = function(Tensor(float(i)))
        assert (type(out["pair"]), out["w"][0] is w, out["w"][1][0] is w, out["n"]) == (Pair, True, True, 3)
        assert (float(out["pair"].first), float(out["pair"].second[0])) == (2 * i, i + 1)
        out["pair"].second.append(4)  # the caller's own
        assert len(function(Tensor(0.0))["pair"].second) == 2
    assert function.recorded.sources


def test_the_gradients_that_a_step_returns_are_those_of_its_call():
    net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    ms.set_context(mode=ms.GRAPH_MODE)
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.0), return_grad=True)
    found = [step(ops.ones((1, 2)) * i, ops.ones((1, 1)))[1] for i in range(5)]
    for i, gradients in enumerate(found):
        expected = ms.grad(net, None, net.trainable_params())(ops.ones((1, 2)) * i, ops.ones((1, 1)))
        for y, wished in zip(gradients.values(), expected, strict=True):
            np.testing.assert_array_equal(y.asnumpy(), wished.asnumpy())


@pytest.mark.parametrize("call", [lambda f, i: f(ops.ones((i + 1,)), 2.0), lambda f, i: f(ops.ones((9,)), i * 2.0)])
def test_ever_other_kinds_of_input_are_not_kept_forever(call):
    function = ms.jit(lambda x, scale: x * scale)
    for i in range(60):
        call(function, i)
    assert "new kinds of input" in function.recorded.reason
    assert not function.recorded._first and not function.recorded.sources


def test_threads_record_and_replay_side_by_side():
    w, failed = Parameter([1.0, 2.0], name="w"), []
    function = ms.jit(lambda x: x * w + 1)

    def run(i):
        for j in range(40):
            Parameter([1.0])  # another one that there is while others record
            if function(ops.ones((1 + i, 2)) * j).asnumpy()[i].tolist() != [j + 1, 2 * j + 1]:
                failed.append((i, j))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and function.recorded.reason is None


def test_copies_of_a_cell_record_anew_and_dead_cells_are_freed():
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU()), ops.ones((1, 2))
    expected = net(x).asnumpy()
    others = [copy.deepcopy(net), copy.copy(net), pickle.loads(pickle.dumps(net))]
    for other in others:
        np.testing.assert_array_equal([other(x).asnumpy() for _ in range(4)], [expected] * 4)
    others[0][0].weight.set_data(others[0][0].weight - 5)
    assert (others[0](x).asnumpy() == 0).all() and (net(x).asnumpy() == expected).all()
    gone = [weakref.ref(net), weakref.ref(net[0].bias)]
    del net, other, others
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


def test_a_replay_reads_parameters_as_they_are_and_writes_them():
    w = Parameter([1.0], name="w")

    @ms.jit
    def function(x):
        ops.assign_add(w, x)
        return w * 1

    for i in range(1, 4):
        assert function(Tensor([1.0])).asnumpy() == [i + 1.0]
    w.set_data(Tensor([10.0]))
    assert function(Tensor([1.0])).asnumpy() == [11.0] and w.asnumpy() == [11.0]
    assert function.recorded.reason is None


def test_each_kind_of_input_has_a_replay_of_its_own():
    @ms.jit
    def function(x, axis=0, scale=1):
        return x.sum(axis) * scale

    for _ in range(4):
        assert function(ops.ones((2, 3))).asnumpy().tolist() == [2, 2, 2]
        assert function(ops.ones((2, 3)), 1, scale=2).asnumpy().tolist() == [6, 6]
        assert function(ops.ones((2, 3), ms.float16)).dtype == ms.float16
    assert len(function.recorded.sources) == 3


def test_a_cell_that_changes_is_recorded_anew():
    net = nn.SequentialCell(nn.Dropout(p=0.5))
    ms.set_context(mode=ms.GRAPH_MODE)
    x = ops.ones((64,))
    for mode in (True, False, True, False):
        net.set_train(mode)
        for _ in range(3):
            assert (net(x).asnumpy() == 1).all() == (not mode)


def test_a_mark_is_part_of_the_recording():
    net = nn.Dense(2, 2)
    ms.set_context(mode=ms.GRAPH_MODE)
    assert [net(ops.ones((1, 2))).dtype for _ in range(3)] == [ms.float32] * 3
    net.to_float(ms.float16)
    assert [net(ops.ones((1, 2))).dtype for _ in range(3)] == [ms.float16] * 3


def test_gradients_pass_through_a_function_that_is_replayed_elsewhere():
    square = ms.jit(lambda x: x * x)
    for _ in range(4):
        assert float(square(Tensor(3.0))) == 9.0
        assert float(ms.grad(square)(Tensor(3.0))) == 6.0


def test_a_gradient_itself_is_replayed():
    slope = ms.jit(ms.grad(lambda x: (x * x * x).sum()))
    assert [slope(Tensor([float(i)])).asnumpy().tolist() for i in range(4)] == [[0], [3], [12], [27]]
    assert "Mul" in slope.recorded.sources[0]


def test_replays_keep_no_tensor_in_a_list_of_a_call():
    function = ms.jit(lambda xs, s: xs[0] + s)
    for _ in range(4):
        x = ops.ones((2,))
        function([x], 2.0)
        gone = weakref.ref(x)
        del x
        gc.collect()
        assert gone() is None
    assert function.recorded.sources


def test_replays_keep_no_tensor_of_a_call():
    double = ms.jit(lambda x: x + x)
    for _ in range(3):
        double(ops.ones((2,)))
    x = ops.ones((2,))
    y, gone = double(x), weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None and y.asnumpy().tolist() == [2, 2]


def test_the_strict_device_replays_too(device):
    function = ms.jit(lambda x, y: ops.relu(x @ y).sum())
    for i in range(4):
        assert float(function(Tensor(np.full((2, 2), i, np.float32)), ops.ones((2, 2)))) == 8 * i
    assert function.recorded.reason is None


def scaled_steps(mode, level):
    """Six steps with a dynamic loss scale, the third of which overflows: what each returned, and what was recorded."""
    ms.set_context(mode=mode, cpu_loss_scale=True)
    ms.set_seed(5)
    rng, net = np.random.default_rng(0), Net()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager = ms.amp.DynamicLossScaleManager(2.0**10, 2, 2)
    step = ms.amp.build_train_network(
        net, nn.Adam(net.trainable_params(), 0.01), loss, level=level, loss_scale_manager=manager
    ).set_train()
    found = []
    for i in range(8):
        x = rng.standard_normal((2, 1, 4, 4)).astype(np.float32)
        x[0, 0, 0, 0] = np.inf if i == 5 else x[0, 0, 0, 0]
        found += [float(y) for y in step(Tensor(x), Tensor(rng.integers(0, 5, 2)))]
    return found, {p.name: p.asnumpy() for p in step.get_parameters()}, recordings_of(step)


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_a_step_with_a_loss_scale_is_replayed_in_two_halves_and_skips_alike(level):
    expected, parameters, _ = scaled_steps(ms.PYNATIVE_MODE, level)
    found, after, recorded = scaled_steps(ms.GRAPH_MODE, level)
    assert {name: (len(r.sources), r.reason) for name, r in recorded.items()} == {
        "_compute": (0, "the host decides whether a step is skipped"),
        "unscaled_and_checked": (1, None),
        "_update": (1, None),
    }
    np.testing.assert_array_equal(found, expected)
    for name, value in parameters.items():
        np.testing.assert_array_equal(value, after[name], err_msg=name)


def test_what_is_computed_twice_is_replayed_once():
    w = Parameter(np.ones((2, 2), np.float32), name="w")
    function = ms.jit(lambda x: ops.cast(w, ms.float16) @ x + ops.cast(w, ms.float16) @ x.T)
    x = Tensor(np.arange(4, dtype=np.float16).reshape(2, 2))
    expected = function(x).asnumpy()
    for _ in range(3):
        np.testing.assert_array_equal(function(x).asnumpy(), expected)
    assert function.recorded.sources[0].count("# Cast") == 1


def test_equal_numbers_of_unequal_types_are_not_taken_for_one_another():
    function = ms.jit(lambda x: (ops.cast(x, ms.int32) * 2, ops.cast(x, ms.float32) * 2.5, x.sum(0), x.sum(1)))
    for _ in range(4):
        a, b, c, d = function(Tensor([[1.5, 2.0]]))
        assert (a.asnumpy().tolist(), b.asnumpy().tolist()) == ([[2, 4]], [[3.75, 5.0]])
        assert (c.asnumpy().tolist(), d.asnumpy().tolist()) == ([1.5, 2.0], [3.5])


def test_memory_is_reused_only_where_nothing_else_lies_in_it():
    """Inputs, Parameters, outputs and views of them keep their values."""
    w = Parameter(np.full((4, 4), 2.0, np.float32), name="w")

    @ms.jit
    def function(x):
        a = x * w
        view = a.T
        b = a + 1
        c = b * b
        d = c - b
        return d, view, c

    x = Tensor(np.arange(16, dtype=np.float32).reshape(4, 4))
    before = x.asnumpy().copy()
    expected = [y.asnumpy().copy() for y in function(x)]
    for _ in range(4):
        for y, wished in zip(function(x), expected, strict=True):
            np.testing.assert_array_equal(y.asnumpy(), wished)
    assert (x.asnumpy() == before).all() and (w.asnumpy() == 2).all()
    assert "(xp, v5, v6, v5)" in function.recorded.sources[0]  # d takes the memory of b, which is of no more use


def test_what_cannot_compute_into_memory_gives_arrays_of_its_own():
    """A remainder has no function of the array module's own, and NumPy's of 0-d arrays is a scalar."""
    function = ms.jit(lambda x: (x + 1) % 2)
    for value in (2.0, 3.0, 4.5, 6.0):
        out = function(Tensor(value))
        assert type(out.array) is np.ndarray and float(out) == (value + 1) % 2
    assert function.recorded.reason is None and len(function.recorded.sources) == 1


class Louder(ops.Add):
    """A user's own sum, ten times as large."""

    def compute(self, xp, x, y):
        return xp.add(x, y) * 10


def test_a_users_own_rule_is_replayed_rather_than_that_of_its_base():
    add = Louder()
    function = ms.jit(lambda x: add(x * 2, x))
    for _ in range(4):
        assert function(Tensor([1.0, 2.0])).asnumpy().tolist() == [30.0, 60.0]
    assert len(function.recorded.sources) == 1


def test_float16_that_is_summed_to_one_number_is_replayed():
    x = Tensor(np.linspace(-1, 1, 32 * 64, dtype=np.float16).reshape(32, 64))
    for function in (lambda x: (x * x).mean(), lambda x: ops.tanh(x * x).sum()):
        replayed = ms.jit(function)
        for _ in range(4):
            assert replayed(x).dtype == ms.float16
            np.testing.assert_array_equal(replayed(x).asnumpy(), function(x).asnumpy())
        assert replayed.recorded.sources


def test_a_number_among_several_results_is_replayed():
    steps = Parameter(Tensor(0, ms.int32), name="steps")
    count = ms.jit(lambda x: (ops.assign_add(steps, Tensor(1, ms.int32)), x + 1)[1])
    for i in range(1, 5):
        assert float(count(Tensor(1.0))) == 2 and int(steps) == i
    drop = ms.jit(lambda x: ops.Dropout(0.5)(x))
    for _ in range(4):
        assert [y.shape for y in drop(Tensor(1.0))] == [(), ()]
    assert count.recorded.sources and drop.recorded.sources


def test_an_operation_without_results_is_replayed():
    function = ms.jit(lambda x: (ops.unstack(x), x * 2))
    for _ in range(4):
        assert function(ops.zeros((0, 3)))[0] == ()
    assert function.recorded.sources


class Named(ops.Primitive):
    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x * 2


def source_with(name):
    """The program of a cell whose primitive, Parameter, child and class are called ``name``."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.primitive, self.w = Named(name), Parameter([1.0], name=name)
            self._cells[name] = nn.ReLU()

        def construct(self, x):
            return self._cells[name](self.primitive(x) + self.w)

    Net.__name__ = name
    net = Net()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        for _ in range(3):
            assert float(net(Tensor([2.0]))[0]) == 5
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    (source,) = recordings_of(net)["_run"].sources
    return source


NAMES = ["x\n    raise SystemExit  #", "x)\n#", "'''", "\\\n", "\r", "\x0c", "", "v0", "replay", "%s", "{0}"]


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])) | st.sampled_from(NAMES))
def test_no_name_becomes_part_of_a_program_unless_it_is_an_identifier(name):
    comment = f"  # {name}" if name.isidentifier() else ""
    assert source_with(name) == source_with("Plain").replace("  # Plain", comment)


def test_a_name_that_is_no_plain_text_is_left_out():
    class Lying(str):
        def isidentifier(self):
            return True

    comment = Lying("x\n    raise SystemExit  #")
    assert source_with(comment) == source_with("Plain").replace("  # Plain", "")


def test_dicts_among_the_arguments_are_replayed_as_tuples_are():
    function = ms.jit(lambda x, options: {"y": x * options["by"], "z": [options["scale"]]})
    for i in range(5):
        out = function(Tensor([1.0, i]), {"by": Tensor([2.0, 3.0]), "scale": 4})
        assert out["y"].asnumpy().tolist() == [2, 3 * i] and out["z"] == [4]
    assert len(function.recorded.sources) == 1
    for scale in (5, True, 1.0, 1):
        assert repr(function(Tensor([1.0, 2.0]), {"by": Tensor([2.0, 3.0]), "scale": scale})["z"]) == repr([scale])
    assert float(function(Tensor([1.0]), {"scale": 4, "by": Tensor([7.0])})["y"][0]) == 7


def test_what_a_function_puts_into_a_dict_of_its_arguments_is_the_callers():
    def put(x, found):
        found["y"] = x * 2
        return found["x"]

    function = ms.jit(put)
    for i in range(4):
        found = {"x": Tensor(float(i))}
        assert float(function(Tensor(1.0), found)) == i and float(found["y"]) == 2
    assert function.recorded.reason == "a dict among the arguments is changed"


def test_what_another_thread_assigns_is_not_this_ones():
    other = Parameter([0.0], name="other")

    def function(x):
        thread = threading.Thread(target=other.set_data, args=(Tensor([1.0]),))
        thread.start()
        thread.join()
        return x * 2

    recorded = Recorder([])
    with recorded:
        function(Tensor([1.0]))
        assert recorded.finished(()).writes == []
        other.set_data(Tensor([2.0]))
        ((written, _),) = recorded.finished(()).writes
        assert written is other


HALVES = {
    "a sum": lambda x: x + x * x,
    "a product": lambda x: x @ x,
    "a softmax": lambda x: ops.softmax(x) * x,
    "a cast": lambda x: x.astype(ms.float32) * 2 + x.astype(ms.float32),
    "a mean": lambda x: (x - x.mean()) * x,
}


@given(st.sampled_from(sorted(HALVES)), st.lists(st.booleans(), min_size=2, max_size=6))
def test_a_replay_and_what_runs_around_it_leave_their_casts_to_one_another(name, written):
    """A call around it may know casts of arrays that are written in place between two replays."""
    function = HALVES[name]
    replayed, values = ms.jit(function), np.random.default_rng(1).uniform(-1, 1, (20, 20)).astype(np.float16)
    for _ in range(3):
        replayed(Tensor(values))
    assert replayed.recorded.sources
    x, known = Tensor(values), {}
    for change in written:
        if change:
            x.array[...] += np.float16(0.5)
        with under(cast_cache=known):
            found = replayed(x)
        assert known == {}
        np.testing.assert_array_equal(found.asnumpy(), function(x).asnumpy())


def test_a_replay_computes_complex_numbers_and_their_gradients():
    z, x = Tensor([1 + 2j, 3 - 1j]), Tensor([1.0, 2.0], ms.float64)
    slopes_of = ms.jit(ms.grad(lambda z, x: (ops.real(z * ops.conj(z)) * x).sum(), (0, 1)))
    for _ in range(3):
        dz, dx = slopes_of(z, x)
        assert (dz.tolist(), dx.tolist()) == ([2 + 4j, 12 - 4j], [5, 10])
