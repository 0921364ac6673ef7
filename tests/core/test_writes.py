"""The door for writes: what was read before a write keeps its values, and every mode makes every write.

Programs of writes and reads are drawn, run in each mode, and judged by an interpreter in NumPy that knows no tape: a
written value is a constant, but for updates with a gradient of their own; a weight's gradient counts each read of it.
"""

import ast
import itertools
import linecache
import random
from pathlib import Path

import numpy as np
import pytest
from support.few import few

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.core.layers import Layer
from minispore.core.writes import write

ROOT = Path(ms.__file__).parent


class Way:
    """A way to write: its line, and the new value by NumPy from the present one, ``v``, and ``x``."""

    def __init__(self, line, value, flows=False):
        self.line, self.value, self.flows = line, value, flows  # whether gradients go through what is written


def _first(w, new):
    return np.concatenate([new[:1], w[1:]])


# ``self.w`` is the Parameter, ``x`` the input, ``v`` a Tensor; ``w``, ``x`` and ``v`` are the same as NumPy's arrays
WAYS = {
    "ops.assign": Way("ops.assign(self.w, v)", lambda w, x, v: v),
    "Assign": Way("ASSIGN(self.w, v * 2)", lambda w, x, v: v * 2),
    "assign of the input": Way("ops.assign(self.w, x)", lambda w, x, v: x),
    "ops.assign_add": Way("ops.assign_add(self.w, v)", lambda w, x, v: w + v),
    "ops.assign_sub": Way("ops.assign_sub(self.w, x)", lambda w, x, v: w - x),
    "AssignAdd": Way("ASSIGN_ADD(self.w, x * v)", lambda w, x, v: w + x * v),
    "set_data": Way("self.w.set_data(v)", lambda w, x, v: v),
    "set_data of a result": Way("self.w.set_data(self.w * 0.5 + x)", lambda w, x, v: w * 0.5 + x),
    "set_data of a number": Way("self.w.set_data(0.5)", lambda w, x, v: np.full_like(w, 0.5)),
    "set_data of float16": Way("self.w.set_data(v.astype(ms.float16))", lambda w, x, v: v),
    "an attribute": Way("self.w = 0.9 * self.w + 0.1 * x", lambda w, x, v: 0.9 * w + 0.1 * x),
    "+= of an attribute": Way("self.w += v", lambda w, x, v: w + v),
    "*= of an attribute": Way("self.w *= x", lambda w, x, v: w * x),
    "an attribute of a part": Way("self.part.w = v + x", lambda w, x, v: v + x),
    "set_data in a list": Way("self.held[0].set_data(x + 1)", lambda w, x, v: x + 1),
    "a method": Way("self.keep(x * 2)", lambda w, x, v: x * 2),
    "assign_value": Way("self.w.assign_value(v)", lambda w, x, v: v),
    "assign_value of a result": Way("self.w.assign_value(v * x)", lambda w, x, v: v * x, flows=True),
    "ApplyMomentum": Way("APPLY_MOMENTUM(self.w, self.moved, 0.5, x, 0.0)", lambda w, x, v: w - 0.5 * x),
    "an item": Way("self.w[0] = x[0] * 2", lambda w, x, v: _first(w, x * 2), flows=True),
    "all items": Way("self.w[...] = v * x", lambda w, x, v: v * x, flows=True),
    "scatter_update": Way("ops.scatter_update(self.w, FIRST, x[:1])", lambda w, x, v: _first(w, x), flows=True),
}
READS = {
    "x * self.w": lambda w, x: x * w,
    "self.w * self.w * x": lambda w, x: w * w * x,
    "ops.sin(self.w) * x": lambda w, x: np.sin(w) * x,
    "(x * self.w).sum() * x": lambda w, x: (x * w).sum() * x,
    "x - self.w": lambda w, x: x - w,
    "self.w.value() * x": lambda w, x: w * x,
    "self.w[0] * x": lambda w, x: w[0] * x,
    "ops.stack([self.w, x]).sum(0)": lambda w, x: w + x,
    "ops.tensor_dot(self.w, x, 1) * x": lambda w, x: (w @ x) * x,
    "self.part(x)": lambda w, x: x * w,
    "self.held[0].copy() * x": lambda w, x: w * x,
}
V = np.array([1.5, -0.5, 2.0])
_numbers = itertools.count()
_GLOBALS = {
    "FIRST": Tensor([0], ms.int32),
    "ASSIGN": ops.Assign(),
    "ASSIGN_ADD": ops.AssignAdd(),
    "APPLY_MOMENTUM": ops.ApplyMomentum(),
    "Tensor": Tensor,
    "nn": nn,
    "ms": ms,
    "ops": ops,
}


class Part(nn.Cell):
    def __init__(self, w):
        super().__init__()
        self.w = w

    def construct(self, x):
        return x * self.w


class Held(nn.Cell):
    """What the drawn networks are made of; a subclass has the drawn lines."""

    def __init__(self, trained=True):
        super().__init__()
        self.w = Parameter(Tensor([3.0, -1.0, 0.5], ms.float32), name="w", requires_grad=trained)
        self.moved = Parameter(Tensor(np.zeros(3, np.float32)), name="moved", requires_grad=False)
        self.part = Part(self.w)
        self.held = [self.w]
        self.v = Tensor(V, ms.float32)

    def keep(self, value):
        ops.assign(self.w, value)


def network_of(lines):
    """The class of a network whose ``construct`` has these lines, with a source that can be read."""
    name = f"<program {next(_numbers)}>"
    body = "\n".join(f"        {line}" for line in ["v = self.v", "y = x * 0", *lines, "return y"])
    text = f"class Program(Held):\n    def construct(self, x):\n{body}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {**_GLOBALS, "Held": Held, "__name__": __name__}
    exec(compile(text, name, "exec"), names)
    return names["Program"]


def drawn(rng, ways):
    """A program: pairs ``("write", way)`` and ``("read", expression)``, in which a read stands before a write."""
    steps = [("read", rng.choice(list(READS))), ("write", rng.choice(ways))]
    for _ in range(rng.randrange(1, 4)):
        kind = rng.choice(("read", "write"))
        steps.append((kind, rng.choice(list(READS) if kind == "read" else ways)))
    return [*steps, ("read", rng.choice(list(READS)))]


def lines_of(program):
    return [f"y = y + {what}" if kind == "read" else WAYS[what].line for kind, what in program]


def interpreted(program, w, x, offset=0.0, frozen=None):
    """``(sum(y), w, what was written)``, by NumPy: each read of a constant sees ``offset`` more.

    ``frozen`` gives the values that were written in another run, which are constants here.
    """
    y, known, live, written = np.zeros_like(x), w, w + offset, []
    for kind, what in program:
        if kind == "read":
            y = y + READS[what](live, x)
            continue
        way = WAYS[what]
        if way.flows:
            live = way.value(live, x, V)
            known = way.value(known, x, V)
            continue
        value = way.value(known, x, V) if frozen is None else frozen[len(written)]
        written.append(value)
        known, live = value, value + offset
    return y.sum(), y, known, written


def gradients(program, w, x, step=1e-5):
    """The gradients of ``sum(y)`` by x and by w, as difference quotients."""
    frozen = interpreted(program, w, x)[3]
    by_x, by_w = np.zeros_like(x), np.zeros_like(w)
    for i, e in enumerate(np.eye(len(x)) * step):
        above, below = (interpreted(program, w, x + s * e, 0.0, frozen)[0] for s in (1, -1))
        by_x[i] = (above - below) / (2 * step)
        above, below = (interpreted(program, w, x, s * e, frozen)[0] for s in (1, -1))
        by_w[i] = (above - below) / (2 * step)
    return by_x, by_w


def close(found, expected):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=2e-4, atol=2e-4)


def inputs(rng, count=5):
    return [np.array([rng.choice((-1, 1)) * rng.randrange(2, 8) / 8 for _ in range(3)]) for _ in range(count)]


IN_GRAPH_MODE, JITTED = (pytest.param(value, marks=pytest.mark.needs("graph")) for value in (ms.GRAPH_MODE, True))


@pytest.fixture(params=[ms.PYNATIVE_MODE, IN_GRAPH_MODE], ids=["eager", "graph"])
def mode(request):
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("way", WAYS)
@few(seed=2**32)
def test_calls_write_and_read_in_the_order_of_the_statements(way, mode, seed):
    rng = random.Random(seed)
    program = drawn(rng, [way])
    net, w = network_of(lines_of(program))(), np.array([3.0, -1.0, 0.5])
    for x in inputs(rng):
        _, y, w, _ = interpreted(program, w, x)
        close(net(Tensor(x, ms.float32)), y)
        close(net.w, w)
    if mode == ms.GRAPH_MODE:
        (recorded,) = ms.graph.mode.recordings_of(net).values()
        assert recorded.reason is None and recorded.sources, recorded.reason


@pytest.mark.parametrize("jitted", [False, JITTED], ids=["eager", "jit"])
@pytest.mark.parametrize("way", WAYS)
@few(seed=2**32)
def test_the_gradient_is_that_of_the_values_that_were_read(way, jitted, seed):
    rng = random.Random(seed)
    program = drawn(rng, [way, rng.choice(list(WAYS))])
    net, w = network_of(lines_of(program))(), np.array([3.0, -1.0, 0.5])
    both = ms.value_and_grad(net, 0, net.w)
    if jitted:
        both = ms.jit(both)
    for x in inputs(rng):
        by_x, by_w = gradients(program, w, x)
        _, expected, w, _ = interpreted(program, w, x)
        y, (dx, dw) = both(Tensor(x, ms.float32))
        close(y, expected)
        close(net.w, w)
        close(dx, by_x)
        close(dw, by_w)


@few(seed=2**32)
def test_a_pull_back_knows_the_values_that_were_read(seed):
    rng = random.Random(seed)
    program, (x, *_) = drawn(rng, list(WAYS)), inputs(rng)
    net, w = network_of(lines_of(program))(), np.array([3.0, -1.0, 0.5])
    y, pull_back = ms.vjp(net, Tensor(x, ms.float32), weights=net.w)
    net.w.set_data(Tensor([7.0, 7.0, 7.0]))
    by_x, by_w = gradients(program, w, x)
    for _ in range(2):
        (dx,), dw = pull_back(ops.ones_like(y))
        close(dx, by_x)
        close(dw, by_w)


@few(seed=2**32)
def test_a_parameter_that_is_an_argument_is_written_too(seed):
    """Its gradient counts each read of it, as that of a weight does."""
    rng = random.Random(seed)
    value = rng.randrange(2, 9)

    def function(x, w):
        y = x * w
        ops.assign(w, Tensor([float(value)]))
        return y + x * x * w

    w, x = Parameter(Tensor([3.0]), name="w"), Tensor([2.0])
    dx, dw = ms.grad(function, (0, 1))(x, w)
    assert (dx.asnumpy().tolist(), dw.asnumpy().tolist()) == ([3 + 4 * value], [2 + 4])
    assert w.asnumpy().tolist() == [value]


class Trained(nn.Cell):
    def __init__(self, program):
        super().__init__()
        self.dense, self.program = nn.Dense(3, 3), program

    def construct(self, x):
        return self.program(self.dense(x.reshape((1, 3))).reshape((3,)))


def trained(lines, level, mode, train_all, data):
    """The losses of a few steps at a level in a mode, and the Parameters after them."""
    ms.set_context(mode=mode)
    ms.set_seed(0)
    net = Trained(network_of(lines)(train_all))
    if level == "auto":
        net, level = ms.amp.auto_mixed_precision(net, "auto"), "O0"
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    step = ms.build_train_network(net, optimizer, nn.MSELoss(), level=level, loss_scale_manager=None)
    return [*[step(x, x) for x in data], *[p.copy() for p in net.get_parameters()]]


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
@pytest.mark.parametrize("train_all", [True, False])
@few(seed=2**32)
def test_training_steps_are_the_same_in_both_modes(level, train_all, restored, seed):
    rng, ways = random.Random(seed), [way for way in WAYS if not way.startswith("assign_value")]  # which sets the dtype
    lines, data = lines_of(drawn(rng, ways)), [Tensor(x, ms.float32) for x in inputs(rng, 6)]
    eager, graph = (trained(lines, level, mode, train_all, data) for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE))
    for a, b in zip(eager, graph, strict=True):
        assert a.asnumpy().tobytes() == b.asnumpy().tobytes()


@few(seed=2**32)
def test_vmap_writes_the_samples_of_a_parameter(seed):
    rng = random.Random(seed)
    shape = [rng.randrange(1, 5), rng.randrange(1, 5)]
    axis, new = rng.randrange(2), np.arange(shape[0] * shape[1], dtype=np.float32).reshape(shape)
    p, t = Parameter(Tensor(np.zeros(shape, np.float32)), name="p"), Tensor(new)

    def function(row, values):
        ops.assign(row, values)
        return row * 2

    out = ops.vmap(function, axis, axis)(p, t)
    assert p.asnumpy().tolist() == new.tolist() and out.asnumpy().tolist() == (2 * new).tolist()


def test_vmap_writes_what_all_samples_share_once():
    count, x = Parameter(Tensor([0.0]), name="count"), Tensor([[1.0], [2.0]])

    def counted(row):
        ops.assign_add(count, Tensor([1.0]))
        return row + count

    assert ops.vmap(counted)(x).asnumpy().tolist() == [[2], [3]] and count.asnumpy().tolist() == [1]
    with pytest.raises(ValueError, match="into 'count', which all samples share, must be the same for all"):
        ops.vmap(lambda row: ops.assign(count, row))(x)
    assert count.asnumpy().tolist() == [1]


def test_an_array_that_leaves_a_differentiated_call_is_a_copy():
    w, kept = Parameter(Tensor([3.0]), name="w"), np.array([2.0], np.float32)

    def function(x):
        y = x * w + x * Tensor.from_numpy(kept)
        w.asnumpy()[0] = 5.0
        kept[0] = 7.0
        return y

    assert ms.grad(function)(Tensor([1.0])).asnumpy().tolist() == [5.0]
    assert w.asnumpy().tolist() == [3.0]


class Listener(Layer):
    def __init__(self):
        self.heard = []

    def writes(self, tensor, array):
        self.heard.append((tensor.array, array))


def test_a_layer_hears_of_a_write_before_it_happens():
    w, listener, new = Parameter(Tensor([1.0]), name="w"), Listener(), np.array([2.0], np.float32)
    old = w.array
    with listener:
        write(w, new)
    ((before, after),) = listener.heard
    assert before is old and after is new and w.array is new


# The door; where Tensors are made; objects with an array that are no Tensors
THE_DOOR = {"core/writes.py"}
CONSTRUCTION = {"core/tensor.py", "ops/lazy_sum.py", "ops/fast_call.py"}
NO_TENSORS = {
    "devices/cuda/persistent_buffers.py",
    "devices/cuda/device_draws.py",
    "devices/cuda/narrow_copies.py",
    "devices/cuda/device_words.py",
}
OF_TENSORS = {"array", "asnumpy"}


def _stores(path):
    """The lines that store into an attribute ``array``, or into what one holds."""
    text = path.read_text(encoding="utf-8")
    if "array" not in text and "asnumpy" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else ():
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                while isinstance(part, (ast.Subscript, ast.Starred)):
                    part = part.value
                if isinstance(part, ast.Call):
                    part = part.func
                if isinstance(part, ast.Attribute) and part.attr in OF_TENSORS:
                    yield node.lineno
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            written = [k.value for k in node.keywords if k.arg == "out"]
            written += node.args[:1] if name in ("copyto", "put", "place", "putmask") else []
            written += node.args[1:2] if name == "setattr" else []
            for place in written:
                if isinstance(place, ast.Constant) and place.value == "array":
                    yield node.lineno
                if isinstance(place, ast.Attribute) and place.attr in OF_TENSORS:
                    yield node.lineno


def test_nothing_else_stores_an_array_into_a_tensor():
    beside = THE_DOOR | CONSTRUCTION | NO_TENSORS
    found = {
        (path.relative_to(ROOT).as_posix(), line)
        for path in sorted(ROOT.rglob("*.py"))
        for line in (_stores(path) if path.relative_to(ROOT).as_posix() not in beside else ())
    }
    assert not found


def test_the_walk_finds_each_kind_of_store(tmp_path):
    for line in (
        "x.array = y",
        "x.array, z = y, 1",
        "x.array[0] = y",
        "x.array += y",
        "x.asnumpy()[0] = y",
        "np.copyto(x.array, y)",
        "np.add(a, b, out=x.array)",
        "setattr(x, 'array', y)",
    ):
        path = tmp_path / "line.py"
        path.write_text(line)
        assert list(_stores(path)), line
