"""The laws that every primitive obeys, for each line of ``testing/primitives/table.py``."""

import importlib
import itertools
import pkgutil

import numpy as np
import pytest
from support.few import few
from support.strict_cupy import strict_cupy

from minispore import Tensor, grad, ops
from minispore.core import backend, dtype
from minispore.core.primitive import Primitive
from minispore.tools.testing.judge import judge
from minispore.tools.testing.laws import operations
from minispore.tools.testing.laws.operations import STEP, along, differentiable
from minispore.tools.testing.primitives.feeding import arrays_of, feed, on_host, positions_of, run, weigh, weights_for
from minispore.tools.testing.primitives.table import HELD_ELSEWHERE, TABLE
from minispore.tools.testing.strategies.calls import Call
from minispore.tools.testing.targets import load

FLOATS = [np.dtype(np.float64), np.dtype(np.float16)]
BFLOAT16 = dtype.bfloat16.np
EDGES = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.5, 3e38, 1e-38])
TARGET = load("minispore")
# Classes of functions with kinks or jumps, and bases of such
PIECEWISE = """
    Abs AdaptiveMaxPool2D Angle ArgMaxWithValue Atan2 BesselI0e BesselI1e BinaryCrossEntropy Cast Cdist CeLU
    ComplexAbs DivNoNan Elu FloorMod HShrink Hypot L2Normalize LpNorm MaskedFill Median Mod MulNoNan NanToNum
    PReLU RNNSequence RNNSequenceGrad RNNStep RNNStepGrad RReLU ReLU ReLU6 ReduceStd ReluGrad Renorm ScatterMax
    ScatterMin Select SmoothL1Loss SoftShrink Sort TopK Xdivy Xlogy _Choice _Extreme _MaxPooling _NumberChoice
    _OfNumbers _RunningChoice _ScatterChoice _SegmentChoice
"""
NEVER_TIED = {"Cholesky", "Eigh", "MatrixInverse", "MatrixSolve", "Qr", "Svd"}  # equal elements: it is singular


def _ids(lines):
    return [f"{i}-{x.primitive.name}" for i, x in enumerate(lines)]


def of_lines(select=lambda x: True):
    lines = [x for x in TABLE if select(x)]
    return pytest.mark.parametrize("line", lines, ids=_ids(lines))


def gradients_of(function, inputs, positions):
    found = grad(function, positions)(*inputs)
    return found if len(positions) > 1 else (found,)


def inner(gradients, directions):
    return sum(float((g * d).sum()) for g, d in zip(on_host(gradients), directions, strict=True))


# The laws


def _primitives():
    for module in pkgutil.iter_modules(ops.__path__, "minispore.ops."):
        source = importlib.import_module(module.name)
        for name in getattr(source, "__all__", ()):
            value = getattr(source, name)
            if isinstance(value, type) and issubclass(value, Primitive) and value is not Primitive:
                yield value


def test_every_primitive_has_a_line():
    lines = {type(x.primitive).__name__ for x in TABLE}
    missing = {kind.__name__ for kind in _primitives()} - lines - HELD_ELSEWHERE.keys()
    assert not missing, f"add to testing/primitives/table.py a line for each of {sorted(missing)}"


def test_every_exemption_has_its_reason():
    assert [x for x in TABLE if (x.only or x.through or x.waits) and not x.reason] == []


@of_lines()
def test_infer_refuses_by_name_or_tells_the_truth(line):
    kinds = dtype.ALL if line.primitive.complex_numbers else dtype.REAL
    for kind, seed in itertools.product(kinds, range(3)):
        operations.infer_tells_the_truth(TARGET, Call(line, seed, kind.np))


@pytest.mark.parametrize(("kind", "part", "call"), [row for line in TABLE for row in line.wrong])
def test_a_wrong_call_is_refused_by_name(kind, part, call):
    with pytest.raises(kind, match=f"^For '.*{part}"):
        call()


@of_lines(lambda x: x.oracle)
@few(seed=2**32)
def test_it_computes_its_formula(line, seed):
    arrays = arrays_of(line, seed)
    expected = line.oracle(*arrays)
    for y, wished in zip(
        run(line, feed(line, arrays)), expected if type(expected) is tuple else (expected,), strict=True
    ):
        tolerance = 1e-12 if y.dtype == dtype.float64 else 1e-6
        np.testing.assert_allclose(y.asnumpy(), wished, rtol=tolerance, atol=tolerance)


@of_lines(differentiable)
@few(seed=2**32)
def test_bprop_is_the_difference_quotient(line, seed):
    operations.gradient(TARGET, Call(line, seed))


@of_lines(differentiable)
@few(seed=2**32)
def test_bprop_of_bprop_is_the_difference_quotient(line, seed):
    """Of the derivative along a direction, as a function of the inputs and of the gradient that arrives."""
    operations.second_gradient(TARGET, Call(line, seed))


@of_lines(lambda x: x.primitive.complex_numbers is None and not x.call)
def test_complex_numbers_are_refused_by_what_does_not_take_them(line):
    arrays = _complex_arrays(line)
    if any(map(np.iscomplexobj, arrays)):
        with pytest.raises(TypeError, match=r"^For '\w+', .*omplex"):
            line(*feed(line, arrays))


def _complex_arrays(line):
    """The line's inputs with imaginary parts for its floating ones."""
    rng = np.random.default_rng(3)
    return [
        np.asarray(x + 1j * rng.uniform(0.3, 1.0, x.shape)) if getattr(x, "dtype", None) == np.float64 else x
        for x in arrays_of(line, 1)
    ]


@of_lines(lambda x: x.primitive.complex_numbers and differentiable(x) and not x.call)
def test_a_gradient_of_complex_numbers_is_the_direction_in_which_a_real_number_rises_most(line):
    """``d L = Re sum conj(gradient) d x``, for L the real part of the sum of weights times outputs."""
    arrays, rng = _complex_arrays(line), np.random.default_rng(2)
    moving = tuple(i for i, x in enumerate(arrays) if np.iscomplexobj(x) and (line.only is None or i in line.only))
    outs = [y for y in run(line, feed(line, arrays)) if y.is_complex() or y.is_floating_point()]
    weights = [Tensor(rng.standard_normal(y.shape) + 1j * rng.standard_normal(y.shape)) for y in outs]

    def value(*inputs):
        found = [y for y in run(line, inputs) if y.is_complex() or y.is_floating_point()]
        return sum((y * w).sum().real() for y, w in zip(found, weights, strict=True))

    found = gradients_of(value, feed(line, arrays), moving)
    ways = [rng.standard_normal(arrays[i].shape) + 1j * rng.standard_normal(arrays[i].shape) for i in moving]
    directions = [ways[moving.index(i)] if i in moving else None for i in range(len(arrays))]
    above, below = (float(along(lambda xs: value(*feed(line, xs)), arrays, directions, s)) for s in (STEP, -STEP))
    slope = sum(float((np.conj(g) * d).real.sum()) for g, d in zip(on_host(found), ways, strict=True))
    scale = sum(float(np.abs(g * d).sum()) for g, d in zip(on_host(found), ways, strict=True))
    operations.assert_quotient(line.primitive.name, slope, (above - below) / (2 * STEP), scale)


def is_piecewise(primitive):
    """True if the function has kinks or jumps."""
    return bool({*PIECEWISE.split()} & {kind.__name__ for kind in type(primitive).__mro__})


def smooth(line):
    return differentiable(line) and not is_piecewise(line.primitive) and line.primitive.name not in NEVER_TIED


@of_lines(smooth)
@pytest.mark.parametrize("tie", [0.0, 1.0])
def test_what_is_not_piecewise_has_no_kink_where_its_inputs_are_tied(line, tie):
    """The slopes on both sides agree, at 0 and at 1, unless there is a pole."""
    arrays, rng = arrays_of(line, 1), np.random.default_rng(2)
    weights, positions = weights_for(line, arrays, rng), positions_of(line, feed(line, arrays))
    tied = [np.full_like(x, tie) if i in positions else x for i, x in enumerate(arrays)]
    directions = [rng.standard_normal(x.shape) if i in positions else None for i, x in enumerate(arrays)]

    def value(moved):
        return float(weigh(line, feed(line, moved), weights))

    before, at, after = (along(value, tied, directions, step) for step in (-STEP / 10, 0, STEP / 10))
    assert not np.isfinite([before, at, after]).all() or abs(after - 2 * at + before) < STEP / 100


@of_lines(lambda x: operations.refuses(x.primitive) and positions_of(x, feed(x, arrays_of(x, 0))))
def test_a_gradient_that_is_asked_for_through_what_refuses_is_an_error(line):
    arrays = arrays_of(line, 0)
    inputs, weights = feed(line, arrays), weights_for(line, arrays, np.random.default_rng(1))
    with pytest.raises(NotImplementedError, match=f"^For '{line.primitive.name}', the rule 'bprop' is not defined"):
        gradients_of(lambda *xs: weigh(line, xs, weights), inputs, positions_of(line, inputs))


@of_lines(lambda x: not x.primitive.differentiable and not x.primitive.writes)
@few(seed=2**32)
def test_what_is_not_differentiable_passes_no_gradient(line, seed):
    inputs = feed(line, arrays_of(line, seed))
    positions = positions_of(line, inputs)
    if positions:
        passed = gradients_of(
            lambda *xs: xs[positions[0]].sum() + ops.cast(line(*xs), np.float64).sum(), inputs, positions
        )
        for i, g in zip(positions, on_host(passed), strict=True):
            np.testing.assert_array_equal(g, np.full(g.shape, float(i == positions[0])))


def _everything(line, arrays):
    """Outputs, gradients and written inputs, on the host."""
    inputs = feed(line, arrays)
    found = on_host(run(line, inputs)) + on_host(inputs[i] for i in line.primitive.writes)
    positions = positions_of(line, inputs)
    if differentiable(line) and positions:
        weights = weights_for(line, arrays, np.random.default_rng(0))
        found += on_host(gradients_of(lambda *xs: weigh(line, xs, weights), feed(line, arrays), positions))
    return found


@pytest.mark.parametrize("kind", FLOATS, ids=str)
@of_lines()
@few(seed=2**32)
def test_every_device_gives_the_same(line, kind, seed, other_device):
    arrays = arrays_of(line, seed, kind)
    found = _everything(line, arrays)
    backend.use(np)
    try:
        expected = _everything(line, arrays)
    finally:
        backend.use(other_device)
    tolerance = 1e-12 if kind == np.float64 else 4e-3
    for x, y in zip(found, expected, strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


@of_lines()
def test_every_device_gives_the_same_in_bfloat16(line, device):
    if device is not np:
        arrays = arrays_of(line, 1, dtype.bfloat16.np)
        found = _everything(line, arrays)
        backend.use(np)
        try:
            expected = _everything(line, arrays)
        finally:
            backend.use(device)
        for x, y in zip(found, expected, strict=True):
            assert x.dtype == y.dtype
            np.testing.assert_allclose(x.astype(np.float64), y.astype(np.float64), rtol=3e-2, atol=3e-2)


@pytest.mark.needs("devices")
@of_lines(lambda x: not (x.waits or x.call or x.primitive.random))
def test_the_host_waits_for_no_device(line):
    backend.use(strict_cupy)
    try:
        inputs = feed(line, arrays_of(line, 1, np.float32))
        positions = positions_of(line, inputs)
        before = strict_cupy.synchronisations
        line(*inputs)
        if differentiable(line) and positions:
            grad(line, positions)(*inputs)
        assert strict_cupy.synchronisations == before
    finally:
        backend.use(np)


@of_lines()
@few(seed=2**32)
def test_inputs_are_untouched(line, seed):
    arrays = arrays_of(line, seed)
    inputs = feed(line, arrays)
    held = [
        x.array if isinstance(x, Tensor) else x for x in inputs
    ]  # a write is a new array; the old one must not change
    run(line, inputs)
    if differentiable(line):
        passed = line.through[0] if line.through else -1
        grad(lambda *xs: run(line, xs)[passed], positions_of(line, inputs))(*inputs)
    for before, array in zip(arrays, held, strict=True):
        if isinstance(before, np.ndarray):
            assert before.tobytes() == array.tobytes()


def _strided(x):
    """The same values, every other element of a reversed and transposed array."""
    wide = np.zeros([2 * n for n in x.shape[::-1]], x.dtype)
    view = wide[(Ellipsis, *(slice(None, None, -2),) * x.ndim)].transpose()
    view[...] = x
    return view


@pytest.mark.parametrize("kind", FLOATS, ids=str)
@of_lines()
@few(seed=2**32)
def test_strided_inputs_give_the_same(line, kind, seed):
    arrays = arrays_of(line, seed, kind)
    inputs = feed(line, arrays)
    for x, array in zip(inputs, arrays, strict=True):
        if isinstance(array, np.ndarray):
            x.array = _strided(array)
    tolerance = 1e-12 if kind == np.float64 else 2e-3
    for x, y in zip(on_host(run(line, inputs)), on_host(run(line, feed(line, arrays))), strict=True):
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


@of_lines(lambda x: not x.primitive.random)
@few(seed=2**32)
def test_float16_is_the_exact_answer_rounded_once(line, seed):
    arrays = arrays_of(line, seed, np.float16)
    exact = [x.astype(np.float64) if isinstance(x, np.ndarray) and x.dtype == np.float16 else x for x in arrays]
    slack = line.slack(line, exact) if callable(line.slack) else line.slack
    rounded, answers = run(line, feed(line, arrays)), run(line, feed(line, exact))
    for found, answer in zip(on_host(rounded), on_host(answers), strict=True):
        if found.dtype == np.float16:
            verdict = judge(line.primitive.name, found, answer, slack=slack)
            assert verdict, verdict


@of_lines(lambda x: not x.primitive.random)
def test_bfloat16_is_the_exact_answer_rounded_once_and_so_are_its_gradients_nearly(line):
    arrays = arrays_of(line, 3, BFLOAT16)
    exact = [x.astype(np.float64) if isinstance(x, np.ndarray) and x.dtype == BFLOAT16 else x for x in arrays]
    slack = line.slack(line, exact) if callable(line.slack) else line.slack
    for found, answer in zip(
        on_host(run(line, feed(line, arrays))), on_host(run(line, feed(line, exact))), strict=True
    ):
        if found.dtype == BFLOAT16:
            verdict = judge(line.primitive.name, found, answer, slack=8 * slack)
            assert verdict, verdict
    inputs = feed(line, arrays)
    positions = positions_of(line, inputs)
    if differentiable(line) and positions:
        weights = weights_for(line, arrays, np.random.default_rng(0))
        found, answers = (
            on_host(gradients_of(lambda *xs: weigh(line, xs, weights), feed(line, given), positions))
            for given in (arrays, exact)
        )
        for dx, answer, position in zip(found, answers, positions, strict=True):
            assert dx.dtype == inputs[position].array.dtype
            size = max(1, abs(answer).max(initial=0))
            np.testing.assert_allclose(dx.astype(np.float64) / size, answer / size, rtol=4e-2, atol=4e-2)


@pytest.mark.parametrize("kind", [np.float32, np.float16, BFLOAT16])
@of_lines(lambda x: x.elementwise and x.oracle)
def test_edge_values_are_computed_without_a_warning(line, kind):
    """Infinities, nan, signed zeros and extremes, all against all, give what the formula gives for them."""
    drawn = line.draw(np.random.default_rng(0))
    grid = [x.ravel() for x in np.meshgrid(*[EDGES] * len(drawn))]
    with np.errstate(all="ignore"):
        grid = [x.astype(kind) if y.dtype == np.float64 else x > 0 for x, y in zip(grid, drawn, strict=True)]
        wide = [x.astype(np.float32) if x.dtype in dtype.NARROW_FLOATS else x for x in grid]
        expected = line.oracle(*wide)
    found = on_host(run(line, [Tensor(x) for x in grid]))[0]
    rtol = {np.float16: 1e-3, BFLOAT16: 1e-2}.get(kind, 1e-6)
    with np.errstate(all="ignore"):
        exact = expected.astype(found.dtype)
        as_numbers = (y.astype(np.float64) if y.dtype == BFLOAT16 else y for y in (found, exact))
        np.testing.assert_allclose(*as_numbers, rtol=rtol)
