"""Everything public and random programs, operation by operation and replayed: the same bits of values and gradients.

How much of it is run follows from hypothesis's profile; "deep" runs every function.
"""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.core import nest, seeds

pytestmark = pytest.mark.usefixtures("restored")
EDGES = np.array([0, -0.0, 1, -1, 6e-8, 65504, 3e38, 1e-45, np.inf, -np.inf, np.nan, 0.5, 2.5, 88.8, -104], np.float32)
CALLS = 4  # two recordings, two replays
ATTEMPTS = 60  # calls that are tried until one works


def drawn(*shape):
    return Tensor(np.random.default_rng(0).standard_normal(shape).astype(np.float32))


def whole(*shape):
    return Tensor(np.random.default_rng(0).integers(0, 2, shape).astype(np.int32))


FLOATS = [drawn(*s) for s in ((2, 3), (3, 3), (3,), (2, 3, 4), (1, 2, 4, 4), (1, 2, 4, 4, 4), ())]
WHOLES = [whole(*s) for s in ((2, 3), (3,), (2,), (), (3, 3))]
PLAIN = [1, 2, 0, 3, 0.5, 1.0, -1, True, ms.float32, "mean", "none", "same", "constant", None]
TUPLES = [(2, 3), (1,), (0,), (2, 2), (0, 1), (3,), (1, 1, 1), (2, 2, 2), (1, 2, 4, 4), ((0, 0), (1, 1))]
LISTS = [[drawn(2, 3), drawn(2, 3)], (drawn(2, 3), drawn(2, 3))]
NOT_NUMBERS = {"Print", "print_", "tofile", "dump", "set_data", "asnumpy", "numpy"}


def pool_of(name):
    """Arguments that a parameter of this name may take, the likely ones often."""
    if "ind" in name or "idx" in name or "ids" in name:
        return WHOLES * 3 + PLAIN
    if any(part in name for part in ("shape", "size", "dim", "axis", "perm", "pad", "repeat", "stride")):
        return TUPLES * 2 + PLAIN
    return FLOATS * 3 + WHOLES + LISTS + PLAIN + TUPLES


def layer_of(kind):
    """A layer of this class, from arguments that are tried in turn; None where none work."""
    for args in ((), (3,), (3, 3), (2,), ((3,),), (1, 2, 3), (2, 2, 3)):
        try:
            return kind(*args)
        except (TypeError, ValueError, AttributeError):
            continue
    return None


def callables():
    """Each public function, primitive, layer and method, with the parameters of a call."""
    found = {}
    for name in ops.__all__:
        value = getattr(ops, name)
        if inspect.isclass(value):
            made = layer_of(value)
            if made is not None and hasattr(made, "infer"):
                found[f"ops.{name}()"] = made, made.infer
        elif callable(value):
            found[f"ops.{name}"] = value, value
    for name in sorted(set(nn.__all__) - {"GraphCell"}):  # which refuses to be made
        value = getattr(nn, name)
        made = layer_of(value) if inspect.isclass(value) and issubclass(value, nn.Cell) else None
        if made is not None:
            found[f"nn.{name}()"] = made, made.construct
    for name, value in vars(ms.Tensor).items():
        if not name.startswith("_") and inspect.isfunction(value):
            found[f"Tensor.{name}"] = value, value
    return {name: f for name, f in found.items() if name.rpartition(".")[2].rstrip("()") not in NOT_NUMBERS}


def working_call(function, described):
    """Arguments that the function takes; None where no try finds any."""
    try:
        parameters = inspect.signature(described).parameters.values()
    except (TypeError, ValueError):
        return None
    needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    rng = np.random.default_rng(1)
    for _ in range(ATTEMPTS):
        args = []
        for p in needed:
            pool = pool_of(p.name)
            args += [pool[rng.integers(len(pool))] for _ in range(1 + (p.kind is p.VAR_POSITIONAL))]
        if any(isinstance(leaf, Tensor) for leaf in nest.leaves(args)) and result_of(function, args)[0] == "value":
            return args
    return None


def bits_of(out):
    """What is compared of a result: arrays to the bit, but that nan is nan."""
    found = []
    for leaf in nest.leaves(out):
        if isinstance(leaf, Tensor):
            array = np.array(leaf.asnumpy())
            if array.dtype.kind in "fc":
                array[np.isnan(array)] = np.nan
            found.append((array.dtype.str, array.shape, array.tobytes()))
        else:
            found.append(repr(leaf))
    return type(out), found


def result_of(function, args):
    """What a call gives, or the error that it raises, and the random streams after it."""
    seeds.seed.draws = 5
    try:
        return "value", bits_of(function(*args)), seeds.seed.draws
    except Exception as error:
        return type(error), str(error), None


def varied(value, how):
    """The floating Tensors of a nest in another type, or of values at the edges."""

    def of_leaf(leaf):
        if not isinstance(leaf, Tensor) or isinstance(leaf, Parameter) or leaf.asnumpy().dtype.kind != "f":
            return leaf
        array = leaf.asnumpy()
        if how == "edges":
            return Tensor(np.random.default_rng(array.size).choice(EDGES, array.shape).astype(array.dtype))
        return Tensor(array.astype(np.float16)) if how == "half" else leaf

    return nest.map_leaves(of_leaf, value)


def kinds_of_call(function, args):
    """The function itself, and its gradient where an argument has one."""
    yield function
    for i, a in enumerate(args):
        if isinstance(a, Tensor) and a.asnumpy().dtype.kind == "f":
            yield ms.grad(lambda *args: function(*args), i)
            return


CALLABLES = callables()
NAMES = sorted(CALLABLES)
STRIDE = max(1, 300 // settings.default.max_examples)


@pytest.mark.parametrize("name", NAMES[::STRIDE])
def test_a_public_function_gives_the_same_bits_replayed(name):
    function, described = CALLABLES[name]
    with np.errstate(all="ignore"):
        base = working_call(function, described)
        for how in ("plain", "half", "edges") if base else ():
            args = varied(base, how)
            for called in kinds_of_call(function, args):
                compare(called, args, how)


def compare(function, args, how):
    expected = result_of(function, args)
    if expected != result_of(function, args):
        return  # it keeps state, as an optimizer does
    replayed = ms.jit(lambda *args: function(*args))
    for i in range(CALLS):
        assert result_of(replayed, args) == expected, (how, i)


OPERATIONS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "rsub": lambda a, b: 1.5 - a,
    "relu": lambda a, b: ops.relu(a),
    "tanh": lambda a, b: ops.tanh(a),
    "same type": lambda a, b: a.astype(a.dtype),
    "float32": lambda a, b: a.astype(ms.float32),
    "float16": lambda a, b: a.astype(ms.float16),
    "reshape": lambda a, b: a.reshape(-1).reshape(a.shape),
    "transpose": lambda a, b: a.T.T,
    "broadcast": lambda a, b: ops.broadcast_to(a, a.shape),
    "stop": lambda a, b: ops.stop_gradient(a),
    "depend": lambda a, b: ops.depend(a, b),
    "slice": lambda a, b: a[:],
    "roll": lambda a, b: ops.concat([a[1:], a[:1]]),
    "where": lambda a, b: ops.where(a > b, a, b),
    "mean": lambda a, b: a - a.mean(),
    "var": lambda a, b: a * ops.var(a.astype(ms.float32)).astype(a.dtype),
    "logsumexp": lambda a, b: a - ops.logsumexp(a, 0, True),
    "dropout": lambda a, b: ops.dropout(a, p=0.3),
    "product": lambda a, b: ops.matmul(a, b.T.astype(a.dtype)) @ a,
    "constant": lambda a, b: Tensor(np.full(a.shape, 0.75, np.float32)).astype(ms.float32) * a,
    "squeeze": lambda a, b: a.expand_dims(0).squeeze(0),
}


class Program(nn.Cell):
    """Drawn operations in turn, one of which may write a Parameter."""

    def __init__(self, plan, shape, writes):
        super().__init__()
        rng = np.random.default_rng(3)
        self.plan, self.writes = plan, writes
        self.p, self.q = (Parameter(rng.standard_normal(shape).astype(np.float32), name=name) for name in "pq")
        self.held = [Tensor(rng.standard_normal(shape).astype(np.float32))]

    def construct(self, x, y):
        values = [x, y, self.p, self.q, *self.held]
        for i, (name, a, b) in enumerate(self.plan):
            values.append(OPERATIONS[name](values[-1 - a % len(values)], values[b % len(values)]))
            if i == self.writes:
                ops.assign(self.q, values[-1].astype(ms.float32) * 0.1 + self.q * 0.5)
        return values[-1], values[-2]


def history(plan, shape, writes, kind, graph):
    """What each call gives, and what inputs, constants and Parameters hold after it; and what was given, at the end."""
    seeds.seed.draws, found, kept = 0, [], []
    ms.set_context(mode=ms.GRAPH_MODE if graph and kind == "cell" else ms.PYNATIVE_MODE)
    cell = Program(plan, shape, writes)
    function = cell if kind == "cell" else lambda x, y: cell(x, y)
    if kind == "gradient":
        total = lambda x, y: sum(t.astype(ms.float32).sum() for t in cell(x, y))  # noqa: E731
        function = ms.grad(total, (0, 1), [cell.p])
    if graph and kind != "cell":
        function = ms.jit(function)
    rng = np.random.default_rng(4)
    for i in range(6):
        if i == 4:
            cell.p.set_data(Tensor(rng.standard_normal(shape).astype(np.float32)))
        x, y = (Tensor(rng.standard_normal(shape).astype(np.float32)) for _ in "xy")
        out = function(x, y)
        kept.append(out)
        found.append((bits_of(out), bits_of([x, y, cell.p, cell.q, *cell.held]), seeds.seed.draws))
    return found, [bits_of(out) for out in kept]


@given(
    st.lists(st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 3), st.integers(0, 20)), min_size=1),
    st.sampled_from([(2, 2), (1, 1), (40, 40)]),
    st.none() | st.integers(0, 5),
    st.sampled_from(["cell", "function", "gradient"]),
)
def test_a_random_program_gives_and_leaves_the_same_bits_replayed(plan, shape, writes, kind):
    with np.errstate(all="ignore"):
        assert history(plan, shape, writes, kind, False) == history(plan, shape, writes, kind, True)
