"""Who owns the memory that a primitive returns, and that a replay computes only into memory of its own."""

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.core.primitive import Primitive
from minispore.graph import facts
from minispore.tools.testing.primitives.feeding import arrays_of, feed, run
from minispore.tools.testing.primitives.table import TABLE

pytestmark = pytest.mark.usefixtures("restored")
KINDS = [np.float32, np.float64, np.float16, np.int32, np.bool_]
LINES = pytest.mark.parametrize("line", TABLE, ids=[f"{i}-{line.primitive.name}" for i, line in enumerate(TABLE)])


def kinds_of(kind):
    """``kind`` and every class that is derived from it."""
    return {kind}.union(*map(kinds_of, kind.__subclasses__()))


def arrays_in(values):
    return [x for x in values if isinstance(x, np.ndarray)]


def shares_memory(results, taken):
    """Whether a result lies in the memory of what the primitive took, or of another result."""
    results, taken = arrays_in(results), arrays_in(taken)
    return any(
        np.shares_memory(y, x) for i, y in enumerate(results) for x in [*taken, *results[:i]] if y.size and x.size
    )


@pytest.fixture
def watched(monkeypatch):
    """The primitives that were computed, each with what it took and what it returned."""
    calls = []

    def watching(compute):
        def watched_compute(self, xp, *taken):
            made = compute(self, xp, *taken)
            results = made if type(made) is tuple else (made,)
            calls.append((self, taken, results, compute))
            return made

        return watched_compute

    for kind in kinds_of(Primitive):
        if "compute" in vars(kind) and kind.__module__.startswith("minispore."):
            monkeypatch.setattr(kind, "compute", watching(vars(kind)["compute"]))
    return calls


def run_if_it_takes(line, kind, seed):
    """Run the line with floating inputs of this kind, where it takes such."""
    try:
        with np.errstate(all="ignore"):
            return run(line, feed(line, arrays_of(line, seed, kind)))
    except (TypeError, ValueError, RuntimeError):
        return None


@LINES
def test_a_primitive_owns_the_memory_that_it_returns_unless_it_says_otherwise(line, watched):
    for kind in KINDS:
        for seed in range(2):
            run_if_it_takes(line, kind, seed)
    assert watched
    for primitive, taken, results, compute in list(watched):
        if facts.owns_memory(primitive):
            assert not shares_memory(results, taken), f"'{primitive.name}' hands on memory, and must declare it"
            if not primitive.random:
                with np.errstate(all="ignore"):
                    again = compute(primitive, np, *taken)
                again = again if type(again) is tuple else (again,)
                assert not shares_memory(again, results), f"'{primitive.name}' keeps what it returns"


def protected(array):
    """A Tensor of this array, which nothing may write into."""
    tensor = Tensor.from_numpy(np.array(array))
    tensor.array.flags.writeable = False
    return tensor


def used_up(y):
    """Operations that compute into the memory of ``y`` where they may; the values that are not floating are left."""
    return ops.relu(ops.relu(y * 1) + y) if y.dtype in (ms.float32, ms.float64) else y


@LINES
@pytest.mark.parametrize("role", ["inputs", "constants", "Parameters"])
def test_a_replay_writes_into_no_memory_but_its_own(line, role):
    if line.primitive.writes or not line.primitive.ours:
        return
    arrays = arrays_of(line, 1, np.float32)
    tensors = [protected(x) if isinstance(x, np.ndarray) else x for x in arrays]
    if role == "Parameters":
        tensors = [Parameter(x) if isinstance(x, Tensor) else x for x in tensors]
        for x in tensors:
            if isinstance(x, Tensor):
                x.array.flags.writeable = False

    def function(*inputs):
        out = line(*(inputs if role == "inputs" else tensors))
        return [used_up(y) for y in (out if isinstance(out, tuple) else (out,))]

    replayed = ms.jit(function)
    given = tensors if role == "inputs" else [Tensor(1.0)]
    for _ in range(5):
        ms.set_seed(1)
        expected = function(*given)
        ms.set_seed(1)
        found = replayed(*given)
        for y, z in zip(expected, found, strict=True):
            np.testing.assert_array_equal(y.asnumpy(), z.asnumpy())


X = Tensor([2.0, 2.0, 2.0])
W = Parameter([1.0, 2.0, 3.0], name="w")
HANDED_ON = {
    "a cast to the own type": lambda x: x.astype(ms.float32),
    "a cast by ops": lambda x: ops.cast(x, ms.float32),
    "a reshape": lambda x: x.reshape(3),
    "stop_gradient": ops.stop_gradient,
    "depend": lambda x: ops.depend(x, x),
    "several in turn": lambda x: ops.stop_gradient(x.astype(ms.float32)).astype(ms.float32),
}
HELD = {
    "an input": lambda x: x,
    "a constant": lambda x: Tensor([1.0, 2.0, 3.0]),
    "a Tensor from outside": lambda x: X,
    "a Parameter": lambda x: W,
    "a Parameter's value": lambda x: W.value(),
}


@pytest.mark.parametrize("hand_on", HANDED_ON.values(), ids=HANDED_ON)
@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
def test_what_a_primitive_hands_on_is_still_its_owners(held, hand_on):
    def function(x):
        return hand_on(held(x)) * 0.5

    replayed, x = ms.jit(function), Tensor([4.0, 5.0, 6.0])
    for _ in range(6):
        np.testing.assert_array_equal(replayed(x).asnumpy(), function(x).asnumpy())
    assert replayed.recorded.sources
    assert [t.asnumpy().tolist() for t in (x, X, W)] == [[4, 5, 6], [2, 2, 2], [1, 2, 3]]


@pytest.mark.parametrize("loss", [ops.var, ops.std, ops.logsumexp], ids=["var", "std", "logsumexp"])
def test_training_with_a_loss_of_the_deviation_is_what_it_is_eagerly(loss):
    def train(mode):
        ms.set_context(mode=mode)
        w = Parameter(np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3), name="w")
        gradient = ms.grad(lambda x: loss(ops.matmul(x, w), 0).sum(), None, [w])
        gradient = ms.jit(gradient) if mode == ms.GRAPH_MODE else gradient
        for i in range(12):
            (g,) = gradient(Tensor(np.cos(np.arange(8, dtype=np.float32) + i).reshape(4, 2)))
            ops.assign_sub(w, g * 0.1)
        return w.asnumpy()

    np.testing.assert_array_equal(train(ms.PYNATIVE_MODE), train(ms.GRAPH_MODE))


def test_a_cell_in_graph_mode_leaves_a_parameter_as_it_was_set():
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(np.ones((2, 2), np.float32), name="w")

        def construct(self, x):
            return x @ (self.w.astype(ms.float32) * 0.5)

    ms.set_context(mode=ms.GRAPH_MODE)
    cell, x = Scaled(), ops.ones((1, 2))
    for i in range(6):
        if i == 1:
            cell.w.set_data(ops.ones((2, 2)))
        assert cell(x).asnumpy().tolist() == [[1, 1]]
    assert cell.w.asnumpy().tolist() == [[1, 1], [1, 1]]


def test_a_replay_still_computes_into_memory_that_is_its_own():
    function = ms.jit(lambda x, y: ops.relu(x * y + x))
    for _ in range(3):
        function(X, X)
    (source,) = function.recorded.sources
    assert source.count("(xp, v2, v2") + source.count("(xp, v3, v3") == 2
