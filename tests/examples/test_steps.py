"""The steps of ``examples/steps`` are short, each one runs, and their numbers are minispore's.

"Equal" below means: to the bit. A bound stands only where two sums are taken in another order, with that reason.
"""

import ast
import importlib
import inspect
import io
import re
import runpy
import sys
import tokenize
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn, ops
from minispore.rewrite import Node, NodeType, SymbolTree

FOLDER = Path(__file__).parents[2] / "examples" / "steps"
FILES = sorted(FOLDER.glob("step*.py"))
EPSILON = np.finfo(np.float32).eps


def forget_steps():
    for name in [name for name in sys.modules if re.fullmatch(r"step\d\d_\w+", name)]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def steps():
    """Every public name of all steps; later ones replace earlier ones, as for a reader of the last step."""
    forget_steps()
    sys.path.insert(0, str(FOLDER))
    names = {}
    for path in FILES:
        names |= vars(importlib.import_module(path.stem))
    yield SimpleNamespace(**names)
    sys.path.remove(str(FOLDER))
    forget_steps()


@pytest.fixture(autouse=True)
def scaled_on_a_cpu(restored):
    ms.set_context(cpu_loss_scale=True)


# The files


def lines_of_code(path):
    text = path.read_text()
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, documented) and ast.get_docstring(n)]
    prose = {i for n in nodes for i in range(n.body[0].lineno, n.body[0].end_lineno + 1)}
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in blank]
    return {i for t in tokens for i in range(t.start[0], t.end[0] + 1)} - prose


def test_all_together_are_an_evening():
    assert 24 <= len(FILES) <= 28
    assert sum(len(lines_of_code(path)) for path in FILES) <= 900


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_step_is_short_and_imports_earlier_ones_and_numpy_alone(path):
    assert 30 <= len(path.read_text().splitlines()) <= 120
    tree = ast.parse(path.read_text())
    imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    imported |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    own = {name for name in imported if name.startswith("step")}
    assert all(name < path.stem for name in own)
    assert imported - own <= {"numpy", *sys.stdlib_module_names}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_step_runs_and_prints_something(path, capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    kept = {name: module for name, module in sys.modules.items() if name.startswith("step")}
    forget_steps()
    with np.errstate(all="ignore"):
        runpy.run_path(str(path), run_name="__main__")
    forget_steps()
    sys.modules.update(kept)
    assert len(capsys.readouterr().out.splitlines()) >= 2


def test_the_reading_order_names_every_step():
    readme = (FOLDER / "README.md").read_text()
    assert re.findall(r"\[`(step\d\d_\w+)\.py`\]\(\1\.py\)", readme) == [path.stem for path in FILES]


# The numbers: helpers


def equal(mine, its):
    """The same numbers, and the same type."""
    its = its.value() if isinstance(its, ms.Parameter) else its
    wanted = its.asnumpy()
    assert mine.kind == wanted.dtype.name
    np.testing.assert_array_equal(mine.array, wanted.astype(np.float32), strict=True)


def all_equal(mine, its):
    for a, b in zip(mine, its, strict=True):
        equal(a, b)


def tensors(*mine):
    """The minispore Tensors of Tensors of the steps."""
    return [ms.Tensor(x.array.astype(np.dtype(x.kind) if x.kind != "bfloat16" else ml_dtypes.bfloat16)) for x in mine]


def drawn(steps, *shape, seed=0, kind="float32"):
    return steps.Tensor(steps.GRIDS[kind](np.random.default_rng(seed).standard_normal(shape).astype(np.float32)), kind)


def fill(network, mine):
    """Give a minispore network the Parameters of a network of the steps, in order; returns it."""
    theirs, ours = list(network.get_parameters()), list(mine.parameters().values())
    for its, own in zip(theirs, ours, strict=True):
        its.set_data(ms.Tensor(own.array))
    return network


def twin(mine, hidden=8):
    return fill(nn.SequentialCell(nn.Dense(4, hidden), nn.ReLU(), nn.Dense(hidden, 2)), mine)


class Norm(nn.Cell):
    """The norm of step 19, operation for operation."""

    def __init__(self, length):
        super().__init__()
        self.length = length
        self.gain, self.shift = ms.Parameter(np.ones(length, np.float32)), ms.Parameter(np.zeros(length, np.float32))

    def construct(self, x):
        centred = x - x.sum(1, keepdims=True) * (1 / self.length)
        variance = (centred * centred).sum(1, keepdims=True) * (1 / self.length)
        return centred * ops.rsqrt(variance + 1e-7) * self.gain + self.shift


class Net(nn.Cell):
    """The network of step 21."""

    def __init__(self, norm=Norm):
        super().__init__()
        self.first, self.norm, self.relu = nn.Dense(4, 8), norm(8), nn.ReLU()
        self.middle, self.last = nn.Dense(8, 8), nn.Dense(8, 2)

    def construct(self, x):
        x = self.relu(self.norm(self.first(x)))
        return self.last(self.middle(x))


def squared(out, label):
    """The loss of the steps: a product in the place of MSELoss's square, whose gradient takes another way."""
    difference = out - label
    return (difference * difference).mean()


class Loss(nn.LossBase):
    def construct(self, out, label):
        return squared(out, label)


def trained(steps, mine, its, level, loss_scale=2.0**14, count=12, rate=0.03):
    """Both networks in ``count`` steps of momentum with a dynamic loss scale: all results and weights are equal."""
    x, y = steps.batch()
    optimizer = steps.Momentum(mine.parameters().values(), rate, 0.9)
    own_step = steps.DynamicStep(mine, steps.squared_error, optimizer, loss_scale, window=4)
    manager = amp.DynamicLossScaleManager(loss_scale, 2, 4)
    momentum = nn.Momentum(its.trainable_params(), rate, 0.9)
    step = amp.build_train_network(its, momentum, Loss(), level=level, loss_scale_manager=manager)
    skipped = 0
    for _ in range(count):
        loss, overflow, scale = own_step(x, y)
        found = step(*tensors(x, y))
        equal(loss, found[0])
        assert (overflow, scale) == (bool(found[1]), float(found[2]))
        skipped += overflow
    all_equal(mine.parameters().values(), its.get_parameters())
    return skipped


# The numbers, step by step


def test_step_01_a_tensor(steps):
    equal(steps.Tensor([[1.0, 2.5], [3.0, 0.1]]), ms.Tensor([[1.0, 2.5], [3.0, 0.1]]))


def test_step_02_gradients_and_their_gradients(steps):
    x, y = drawn(steps, 3), drawn(steps, 3, seed=1)
    _, found = steps.value_and_grad(lambda: x * y * x, [x, y])
    all_equal(found, ms.grad(lambda a, b: a * b * a, (0, 1))(*tensors(x, y)))
    _, second = steps.value_and_grad(lambda: steps.value_and_grad(lambda: x * x * x, [x])[1][0], [x])
    equal(second[0], ms.grad(ms.grad(lambda a: a * a * a))(*tensors(x)))


def test_step_03_relu_also_where_the_gradient_is_infinite(steps):
    x = steps.Tensor([-1.0, 0.0, 2.0, -np.inf, np.inf])
    out, (dx,) = steps.value_and_grad(lambda: steps.relu(x), [x], seed=np.inf)
    its = tensors(x)[0]
    equal(out, ops.relu(its))
    equal(dx, ms.autograd.vjp(ops.relu, its)[1](ops.ones_like(its) * float("inf"))[0])


@pytest.mark.parametrize("shapes", [((3, 2), (2,)), ((3, 1), (1, 4)), ((), (2, 3)), ((2, 3), (2, 3))], ids=str)
def test_step_04_broadcasting(steps, shapes):
    x, y = (drawn(steps, *shape, seed=i) for i, shape in enumerate(shapes))
    for operation in (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b):
        out, found = steps.value_and_grad(lambda operation=operation: operation(x, y) * 3.0, [x, y])
        equal(out, operation(*tensors(x, y)) * 3.0)
        all_equal(found, ms.grad(lambda a, b, operation=operation: operation(a, b) * 3.0, (0, 1))(*tensors(x, y)))


@pytest.mark.parametrize("kind", ["float32", "float16"])
@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_step_05_products_and_means(steps, a, b, kind):
    x = drawn(steps, *((5, 3) if a else (3, 5)), kind=kind)
    y = drawn(steps, *((4, 5) if b else (5, 4)), seed=1, kind=kind)
    out, found = steps.value_and_grad(lambda: steps.Mean()(steps.MatMul(a, b)(x, y)), [x, y])
    its = ops.MatMul(a, b)
    value, gradients = ms.value_and_grad(lambda p, q: its(p, q).mean(), (0, 1))(*tensors(x, y))
    equal(out, value)
    all_equal(found, gradients)


def test_step_06_cells_and_the_names_of_parameters(steps):
    class Line(nn.Cell):
        def __init__(self):
            super().__init__()
            self.slope, self.height = ms.Parameter(2.0), ms.Parameter(1.0)

        def construct(self, x):
            return self.slope * x + self.height

    mine, its = steps.Sequential(steps.Line(), steps.Line()), nn.SequentialCell(Line(), Line())
    x = drawn(steps, 4)
    equal(mine(x), its(*tensors(x)))
    assert list(mine.parameters()) == [parameter.name for parameter in its.get_parameters()]


def test_step_07_a_loss_and_its_gradients(steps):
    mine, (x, y) = steps.small_network(), steps.batch()
    weights = list(mine.parameters().values())
    loss, found = steps.value_and_grad(lambda: steps.squared_error(mine(x), y), weights)
    its = twin(mine)
    forward = lambda a, b: squared(its(a), b)  # noqa: E731
    value, gradients = ms.value_and_grad(forward, None, its.trainable_params())(*tensors(x, y))
    equal(loss, value)
    all_equal(found, gradients)
    np.testing.assert_array_equal(loss.array, nn.MSELoss()(its(*tensors(x)), *tensors(y)).asnumpy())


@pytest.mark.parametrize("name", ["SGD", "Momentum"])
def test_steps_08_and_09_optimizers(steps, name):
    mine = steps.small_network()
    its, rest = twin(mine), (0.9,) if name == "Momentum" else ()
    x, y = steps.batch()
    losses = steps.train(mine, getattr(steps, name)(mine.parameters().values(), 0.05, *rest), 20, x, y)
    optimizer = getattr(nn, name)(its.trainable_params(), 0.05, *rest)
    step = nn.TrainOneStepCell(nn.WithLossCell(its, Loss()), optimizer)
    assert losses == [float(step(*tensors(x, y))) for _ in range(20)]
    all_equal(mine.parameters().values(), its.get_parameters())


def convolved(steps, x, w):
    out, found = steps.value_and_grad(lambda: steps.Convolution()(x, w), [x, w], seed=3.0)
    its = ops.Conv2D(w.shape[0], w.shape[-1])
    value, pulled = ms.autograd.vjp(its, *tensors(x, w))
    return [out, *found], [value, *pulled(ops.ones_like(value) * 3.0)]


def test_step_10_a_convolution_of_whole_numbers(steps):
    rng = np.random.default_rng(0)
    x, w = (steps.Tensor(rng.integers(-9, 9, shape)) for shape in ((2, 3, 6, 7), (4, 3, 3, 3)))
    all_equal(*convolved(steps, x, w))


@pytest.mark.parametrize("kind", ["float32", "float16"])
def test_step_10_a_convolution_up_to_the_order_of_its_sums(steps, kind):
    """A sum of n products in another order differs by n roundings of float32; float16 adds the step of its grid."""
    x, w = drawn(steps, 2, 3, 6, 7, kind=kind), drawn(steps, 4, 3, 3, 3, seed=1, kind=kind)
    for mine, its in zip(*convolved(steps, x, w), strict=True):
        step = EPSILON * 60 if kind == "float32" else 2.0**-10
        np.testing.assert_allclose(mine.array, its.asnumpy().astype(np.float32), rtol=step, atol=50 * 60 * EPSILON)
        assert mine.kind == its.asnumpy().dtype.name == kind


@pytest.mark.parametrize("kind", ["float32", "float16"])
def test_step_11_cross_entropy(steps, kind):
    """One sum of a row, two numbers long, and its logarithm: equal; the mean over rows too."""
    out, label = drawn(steps, 7, 2, kind=kind), steps.Tensor(np.eye(2)[[0, 1, 1, 0, 1, 0, 0]], kind)
    value, (found,) = steps.value_and_grad(lambda: steps.cross_entropy(out, label), [out])
    loss = nn.SoftmaxCrossEntropyWithLogits(reduction="mean")
    its, gradient = ms.value_and_grad(loss)(*tensors(out, label))
    equal(value, its)
    equal(found, gradient)


def test_step_12_every_float16_and_what_lies_between(steps):
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)
    numbers = np.unique(halves[np.isfinite(halves)])
    between = (numbers[1:] + numbers[:-1]) / 2  # ties
    every = np.concatenate([numbers, between, np.nextafter(between, -np.inf), [65519, 65520, 1e30, -1e30, np.inf]])
    equal(steps.Tensor(steps.to_float16(every), "float16"), ms.Tensor(every.astype(np.float32)).astype(ms.float16))


def test_step_12_two_kinds_meet_in_float32(steps):
    x, y = drawn(steps, 3, kind="float16"), drawn(steps, 3, seed=1)
    out, found = steps.value_and_grad(lambda: x * y, [x, y])
    equal(out, ms.ops.mul(*tensors(x, y)))
    all_equal(found, ms.grad(ops.mul, (0, 1))(*tensors(x, y)))


@pytest.mark.parametrize("power", [0, 2, 8, 24, 38, 44])
def test_step_13_small_gradients_at_each_scale(steps, power):
    mine, x, y = steps.small_gradients()
    with np.errstate(invalid="ignore"):
        found = steps.gradients_at(2.0**power, mine, x, y)
    its = fill(amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(4, 2)), "O3"), mine)
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(its, Loss()), nn.SGD(its.trainable_params(), 0.1), ms.Tensor(2.0**power, ms.float32)
    )
    trace = step.trace(tuple(tensors(x, y)))
    all_equal(found, step.unscaled(trace.gradients([(trace.out, step.scale_sense.value())])[1]))


@pytest.mark.parametrize("bad", [1.0, np.inf, np.nan, 65504.0])
def test_step_14_unscale_and_check(steps, bad):
    gradients = [drawn(steps, 3, kind="float16"), steps.Tensor([1.0, bad], "float16")]
    found, overflow = steps.unscale(gradients, 1000.0)
    step = nn.TrainOneStepWithLossScaleCell(nn.Dense(1, 1), nn.SGD(nn.Dense(1, 1).trainable_params()), ms.Tensor(1e3))
    its = step.unscaled(tensors(*gradients))
    all_equal(found, its)
    assert overflow == bool(its.overflow) != bool(amp.all_finite(its))


def test_step_15_a_skipped_step_leaves_nothing(steps):
    class Counted(nn.Cell):
        def __init__(self, network):
            super().__init__()
            self.network, self.calls = network, ms.Parameter(0.0, requires_grad=False)

        def construct(self, x):
            ops.assign_add(self.calls, ms.Tensor(1.0))
            return self.network(x)

    inside, x, y = steps.small_gradients()
    mine = steps.Counted(inside)
    its = Counted(fill(amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(4, 2)), "O3"), inside))
    optimizer = steps.Momentum(inside.parameters().values(), 0.1, 0.9)
    momentum = nn.Momentum(its.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(its, Loss()), momentum, ms.Tensor(1.0))
    for power in (32, 44, 32):
        step.set_sense_scale(ms.Tensor(2.0**power))
        _, overflow, _ = steps.TrainStep(mine, steps.squared_error, optimizer, 2.0**power)(x, y)
        assert overflow == bool(step(*tensors(x, y))[1]) == (power == 44)
        all_equal(inside.parameters().values(), its.network.get_parameters())
        equal(mine.calls, its.calls)
        all_equal([steps.Tensor(moment) for moment in optimizer.moments], momentum.moments)


@pytest.mark.parametrize("seed", range(4))
def test_step_16_the_course_of_a_scale(steps, seed):
    rng = np.random.default_rng(seed)
    factor, window, start = int(rng.choice([2, 4])), int(rng.integers(1, 4)), float(2.0 ** rng.integers(0, 128))
    mine = steps.DynamicStep(None, None, None, start, factor, window)
    its, scale = nn.DynamicLossScaleUpdateCell(start, factor, window), ms.Parameter(start, name="scale")
    for overflow in rng.random(300) < rng.choice([0.02, 0.3, 0.6]):
        mine.after(bool(overflow))
        its(scale, bool(overflow))
        assert np.float32(mine.scale) == scale.asnumpy()


def test_step_17_o3(steps):
    small = steps.small_network()
    its = twin(small)
    assert trained(steps, steps.o3(small), its, "O3", 2.0**18) >= 2


@pytest.mark.parametrize("stored", ["float32", "float16"])
def test_step_18_weights_stored_in_either_type(steps, stored):
    small = steps.small_network()
    for parameter in small.parameters().values():
        parameter.array = steps.to_float16(parameter.array)
    its = twin(small)
    for parameter in its.get_parameters():
        parameter.set_dtype(getattr(ms, stored))
    mine, (x, y) = steps.o3(small), steps.batch()
    update = (steps.SGD if stored == "float32" else steps.HalfSGD)(mine.parameters().values(), 0.002)
    step = amp.build_train_network(its, nn.SGD(its.trainable_params(), 0.002), Loss(), level="O3")
    for _ in range(20):
        loss, gradients = steps.value_and_grad(lambda: steps.squared_error(mine(x), y), update.parameters)
        update(gradients)
        equal(loss, step(*tensors(x, y)))
    for own, parameter in zip(small.parameters().values(), its.get_parameters(), strict=True):
        np.testing.assert_array_equal(own.array, parameter.asnumpy().astype(np.float32))


@pytest.mark.parametrize("size", [1.0, 300.0, 1e-4])
@pytest.mark.parametrize("kind", ["float32", "float16"])
def test_step_19_a_norm(steps, kind, size):
    mine, its, x = steps.to_float(steps.LayerNorm(8), kind), Norm(8).to_float(getattr(ms, kind)), drawn(steps, 5, 8)
    x.array = x.array * np.float32(size)
    weights = list(mine.parameters().values())
    out, found = steps.value_and_grad(lambda: mine(x), [x, *weights])
    value, (by_x, by_weights) = ms.value_and_grad(its, 0, its.trainable_params())(*tensors(x))
    equal(out, value)
    all_equal(found, [by_x, *by_weights])


def test_step_19_the_packages_own_norm_takes_its_sums_as_products(steps):
    """Sums of a row in another order: a few roundings of float32."""
    x = drawn(steps, 5, 8)
    np.testing.assert_allclose(steps.LayerNorm(8)(x).array, nn.LayerNorm((8,))(*tensors(x)).asnumpy(), atol=1e-6)


def norm_twin(steps, mine, norm):
    return fill(nn.SequentialCell(nn.Dense(4, 8), norm, nn.ReLU(), nn.Dense(8, 2)), mine)


def test_step_20_o2_with_a_black_list_of_its_own(steps):
    small = steps.norm_network()
    its = norm_twin(steps, small, Norm(8))
    low = amp.custom_mixed_precision(its, black_list=[*amp.get_black_list(), Norm])
    trained(steps, steps.o2(small), low, "O0", 2.0**10)


def test_step_20_o2_with_the_packages_own_norm(steps):
    """The norm's sums are taken in another order, which may move a float16 by one step of its grid."""
    small, (x, _) = steps.norm_network(), steps.batch()
    its = amp.auto_mixed_precision(norm_twin(steps, small, nn.LayerNorm((8,))), "O2")
    np.testing.assert_allclose(steps.o2(small)(x).array, its(*tensors(x)).asnumpy(), atol=2.0**-8)
    own = [(type(cell).__name__, cell.mark) for _, cell in steps.o2(steps.norm_network()).cells()]
    marks = [(type(cell).__name__, getattr(cell._compute_dtype, "name", None)) for _, cell in its.cells_and_names()]
    names = {"_OutputTo32": "CastOutput", "_OutputTo16": "CastOutput", "SequentialCell": "Sequential"}
    assert own == [(names.get(name, name), mark) for name, mark in marks]


def package_norm(length):
    return nn.LayerNorm((length,))


def body_of(code):
    """The lines of ``construct``, without the second argument of a cast."""
    lines = code.split("def construct(self, x):\n")[1].splitlines()
    return [re.sub(r", (minispore|mindspore)\.float32\)", ")", line.strip()) for line in lines if line.strip()]


def test_step_21_the_same_nodes(steps):
    nodes = [n for n in SymbolTree.create(Net(package_norm)).nodes() if n.get_node_type() is NodeType.CallCell]
    found = [(str(n.get_targets()[0]), n.get_name(), [str(arg) for arg in n.get_args()]) for n in nodes]
    assert [(n.target, n.name, n.args) for n in steps.Tree(steps.Network()).nodes] == found


def test_step_21_refuses_what_it_cannot_read(steps):
    class Sum(steps.Cell):
        def construct(self, x):
            return x + x

    with pytest.raises(TypeError, match=r"'x \+ x' is no call of a cell"):
        steps.Tree(Sum())


def test_step_22_an_edit_and_the_network_of_it(steps):
    mine, its = steps.Network(), SymbolTree.create(Net(package_norm))
    tree = steps.Tree(mine)
    assert body_of(steps.source(tree)) == body_of(its.get_code())
    steps.insert_after(tree, tree.nodes[-1], steps.Node("last", "clip", ["last"], steps.ReLU()))
    last = next(n for n in its.nodes() if n.get_name() == "last")
    its.insert(
        its.after(last), Node.create_call_cell(nn.ReLU(), targets=["last"], args=last.get_targets(), name="clip")
    )
    assert body_of(steps.source(tree)) == body_of(its.get_code())
    x = drawn(steps, 3, 4)
    np.testing.assert_array_equal(steps.make(tree)(x).array, np.maximum(mine(x).array, 0))  # mine has not changed


def test_step_23_o1_writes_the_same_source(steps):
    its = amp.auto_mixed_precision(Net(package_norm), "O1")
    assert body_of(steps.source(steps.o1(steps.Network()).tree)) == body_of(its.amp_report.after)


def test_step_23_o1_trains_to_the_same_numbers(steps):
    mine = steps.Network()
    trained(steps, steps.o1(mine), fill(Net(), mine), "O1", 2.0**10)


def test_step_24_the_receipt(steps):
    entries = amp.auto_mixed_precision(Net(package_norm), "O1").amp_report.entries
    first = inspect.getsourcelines(Net.construct)[1] - inspect.getsourcelines(steps.Network.construct)[1]
    found = [(int(e.place.split(":")[1]) - first, e.path, e.kind, e.dtype, e.reason) for e in entries]
    assert steps.receipt(steps.o1(steps.Network())) == found


def test_step_25_every_bfloat16_and_what_lies_between(steps):
    numbers = np.arange(2**16, dtype=np.uint16).view(ml_dtypes.bfloat16).astype(np.float32)
    bits = np.unique(numbers[np.isfinite(numbers)]).view(np.uint32)
    between = (bits | np.uint32(0x8000)).view(np.float32)  # ties
    every = np.concatenate(
        [between, np.nextafter(between, np.float32(-np.inf)), np.float32([0, 3.4e38, np.inf, np.nan])]
    )
    found = ms.Tensor(every).astype(ms.bfloat16).asnumpy().astype(np.float32)
    np.testing.assert_array_equal(steps.to_bfloat16(every), found)


@pytest.mark.parametrize("level", ["O2", "O3"])
def test_step_25_the_levels_in_bfloat16(steps, level):
    small = steps.small_network()
    its = amp.auto_mixed_precision(twin(small), level, dtype=ms.bfloat16)
    trained(steps, getattr(steps, level.lower())(small, "bfloat16"), its, "O0", 1.0)


def test_step_26_auto(steps):
    mine = steps.Network()
    its = amp.auto_mixed_precision(fill(Net(), mine), "auto")
    trained(steps, steps.auto(mine), its, "O0", 2.0**10)


def test_step_27_a_replay_equals_a_run(steps):
    small, (x, y) = steps.small_network(), steps.batch()
    its = twin(small)
    manager = amp.FixedLossScaleManager(1024.0, drop_overflow_update=True)
    optimizer = nn.SGD(its.trainable_params(), 0.1)
    step = amp.build_train_network(its, optimizer, Loss(), "O3", loss_scale_manager=manager)
    weights = list(small.parameters().values())
    recorded = steps.Recorded(steps.training_function(steps.o3(small), weights))
    for _ in range(3):
        x.array = x.array * np.float32(0.5)
        loss, *gradients = recorded(x, y)
        trace = step.trace(tuple(tensors(x, y)))
        equal(loss, trace.out)
        all_equal(
            gradients, [g.astype(ms.float32) for g in trace.gradients([(trace.out, step.scale_sense.value())])[1]]
        )
        steps.SGD(weights, 0.001)(gradients)
        fill(its, small)
    assert len(recorded(*[steps.Tensor(z.array[:4]) for z in (x, y)])[0].array.shape) == 0  # other shapes: anew


def test_the_reading_order_names_what_is_there():
    named = re.findall(r"`(minispore/[\w/.]+)`", (FOLDER / "README.md").read_text())
    assert len(named) >= len(FILES) and [path for path in named if not (FOLDER.parents[1] / path).exists()] == []
