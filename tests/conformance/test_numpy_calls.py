"""``ms.numpy`` answers what the recorded ``mindspore.numpy`` of 2.0.0 answers, and gradients flow through it."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest
from conformance.cases import numpy_calls
from support.differentiated import assert_differentiated

import minispore as ms

RECORDED = json.loads((Path(__file__).parent / "vectors" / "numpy_calls.json").read_text())
KINDS = {"AttributeError": "TypeError", "IndexError": "ValueError", "ZeroDivisionError": "ValueError"}
_DIFFERENT = {  # why an answer differs -> the calls
    "nan is the largest and the smallest of numbers among which it is": """
        mnp.amax(nan); mnp.amin(nan); mnp.max(nan); mnp.min(nan); mnp.ptp(nan)
    """,
    "the deviation of ints is the root of their variance, which is cut to an int only in var": """
        mnp.std(i, 1); mnp.std(u3); mnp.std(l3)
    """,
    "an asked for dtype is the result's": "mnp.full_like(i, f3); mnp.clip(f, 0, 1, ms.float16)",
    "the dtype of means without nan is that of the sums, not of the elements": "mnp.nanmean(f, 0, dtype=ms.int32)",
    "indices are int32 where there are none, too": "mnp.tril_indices(0); mnp.triu_indices(0)",
    "the cube root of 0 is 0": "mnp.cbrt(i); mnp.cbrt(b3)",
    "1 / 0 of ints is what NumPy's cast of infinity is": "mnp.reciprocal(i)",
    "logarithms of sums promote before they compute": """
        mnp.logaddexp(h3, f3); mnp.logaddexp2(h3, f3); mnp.logaddexp2(f, i)
    """,
    "a Tensor of shape () is a Tensor, not a number": "mnp.maximum(scalar, i3)",
    "an axis outside is refused": "mnp.stack((f, g), 3)",
    "plain numbers are taken, so that the value is what is wrong": """
        mnp.take(f, 1, 5); mnp.take(f, 9, None, 'raise'); mnp.take(f, 1, 0, 'x'); mnp.take(f, -1);
        mnp.take(f, 9, None, 'wrap'); mnp.take(f, -7, None, 'wrap');
        mnp.select([b], [f, g]); mnp.ravel_multi_index((i3, i3), (3, 3), 'raise')
    """,
    "distinct elements stand in the order in which they come": "mnp.unique([3, 1, 3]); mnp.unique(b)",
    "a number beside a Tensor of narrow ints is int32": "mnp.multiply(u3, 3)",
    "an index outside is the nearest one inside": "mnp.take(f, [[0, 5]], 1)",
    "a dtype is MindSpore's": "mnp.signbit(f3, dtype=ms.int32)",
    "keepdims is taken by its place": "mnp.count_nonzero(b, 1, True)",
}
DIFFERENT = {call.strip() for calls in _DIFFERENT.values() for call in calls.split(";")}
ENVIRONMENT = numpy_calls.operands(ms)


@functools.cache
def numpy_environment():
    """The same names with NumPy in the place of ``ms.numpy``, and arrays in the place of Tensors."""
    arrays = {name: x.asnumpy() if isinstance(x, ms.Tensor) else x for name, x in ENVIRONMENT.items()}
    return arrays | {"mnp": np, "Tensor": np.array}


def name_of(call):
    return call[4:].partition("(")[0].partition("[")[0].partition(".")[0]


def agrees(answer, recorded):
    """Whether an answer has the dtype, the shape and, to the digits of its dtype, the values of a recorded one."""
    if isinstance(answer, ms.Tensor):
        if [str(answer.dtype), list(answer.shape)] != [recorded["dtype"], recorded["shape"]]:
            return False
        tolerance = 4e-3 if answer.dtype == ms.float16 else 2e-5
        expected = np.array(recorded["values"], float).reshape(answer.shape)
        return np.allclose(answer.asnumpy().astype(float), expected, tolerance, tolerance / 4, equal_nan=True)
    if isinstance(answer, (tuple, list)):
        parts = recorded[type(answer).__name__]
        return len(parts) == len(answer) and all(map(agrees, answer, parts))
    return (str(answer) if isinstance(answer, ms.dtype.DType) else answer) == recorded


def has_values(answer, numpys):
    """Whether an answer has the values of NumPy's, in whatever dtype and sequence."""
    if isinstance(answer, (tuple, list)):
        return len(answer) == len(numpys) and all(map(has_values, answer, numpys))
    return np.allclose(np.asarray(answer).astype(float), numpys, 1e-5, 1e-6, equal_nan=True)


def wrong(call):
    """What is wrong with one call, or None."""
    recorded = RECORDED[call]
    try:
        answer = eval(call, dict(ENVIRONMENT))
    except (TypeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
        kind = KINDS.get(recorded.get("error"), recorded.get("error"))
        kinds = ("TypeError", "ValueError") if kind == "NotImplementedError" else (kind,)
        return None if type(error).__name__ in kinds and ": For '" in found else f"{found}, not {recorded}"
    if "answer" in recorded:
        return None if agrees(answer, recorded["answer"]) else f"{answer}, not {recorded}"
    with np.errstate(all="ignore"):
        numpys = eval(call, dict(numpy_environment()))
    return None if has_values(answer, numpys) else f"{answer}, not {recorded}, nor NumPy's {numpys}"


@pytest.mark.parametrize("name", sorted({name_of(call) for call in numpy_calls.CALLS}))
def test_a_function_answers_what_mindspore_answers_or_where_it_refuses_what_numpy_answers(name):
    calls = [call for call in numpy_calls.CALLS if name_of(call) == name and call not in DIFFERENT]
    assert {call: wrong(call) for call in calls if wrong(call)} == {}


def test_every_difference_is_one():
    assert set(numpy_calls.CALLS) >= DIFFERENT
    assert {call for call in DIFFERENT if not _differs(call)} == set()


def _differs(call):
    try:
        return wrong(call) is not None
    except (TypeError, ValueError, IndexError):  # NumPy's own, where it was asked
        return True


def test_every_name_is_called():
    called = {name_of(call) for call in numpy_calls.CALLS}
    types = {"float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
    below = {"around", "copy", "matrix_power", "round", "inf", "nan", "pi", "NINF", "PINF", "uint"}
    assert set(ms.numpy.__all__) - called - types == below
    assert len(ms.numpy.__all__) == 256


# Gradients


def operands_of_gradients():
    """``x``, above 0 and without ties, and ``y``, both in float64."""
    x = np.array([[0.55, 1.2, 0.83], [1.7, 0.95, 1.41]])
    y = np.array([[0.4, 1.3, 0.7], [1.1, 0.6, 1.9]])
    return ms.Tensor(x), ms.Tensor(y)


def weighted_sum(call, y):
    """A function of ``x``: the sum of the answer's elements, each times another number."""
    code = compile(call, call, "eval")

    def function(x):
        out = eval(code, {**ENVIRONMENT, "x": x, "y": y})
        parts = out if isinstance(out, (tuple, list)) else [out]
        weights = (ms.Tensor(np.cos(np.arange(p.size) + 0.5)).reshape(p.shape) for p in parts)
        return sum((ms.ops.cast(p, ms.float64) * w).sum() for p, w in zip(parts, weights, strict=True))

    return function


@pytest.mark.parametrize("call", numpy_calls.GRADIENTS)
def test_a_gradient_is_the_quotient_of_differences(call):
    x, y = operands_of_gradients()
    assert_differentiated(weighted_sum(call, y), x.asnumpy())


def test_graph_mode_records_the_functions():
    x, y = operands_of_gradients()
    recorded = ms.jit(lambda x: ms.numpy.where(ms.numpy.sin(x) > 0.8, ms.numpy.pad(x, 0), y * ms.numpy.mean(x)))
    for scale in (1.0, 2.0, 0.5):
        x = x * scale
        expected = np.where(np.sin(x.asnumpy()) > 0.8, x.asnumpy(), y.asnumpy() * x.asnumpy().mean())
        np.testing.assert_allclose(recorded(x).asnumpy(), expected)


# Random draws


def test_draws_follow_the_seed_and_lie_in_their_ranges(restored):
    ms.set_seed(3)
    first = ms.numpy.rand(50), ms.numpy.randn(50), ms.numpy.randint(2, 7, (50,))
    ms.set_seed(3)
    again = ms.numpy.rand(50), ms.numpy.randn(50), ms.numpy.randint(2, 7, (50,))
    assert all(np.array_equal(a.asnumpy(), b.asnumpy()) for a, b in zip(first, again, strict=True))
    assert first[0].asnumpy().min() >= 0 and first[0].asnumpy().max() < 1
    assert set(first[2].asnumpy()) == {2, 3, 4, 5, 6}


def test_the_room_is_imported_when_it_is_asked_for():
    assert ms.numpy is __import__("minispore.numpy").numpy
    with pytest.raises(AttributeError, match="no attribute 'nampy'"):
        _ = ms.nampy


def test_padding_by_a_function_gives_it_each_row():
    def border(row, width, axis, options):
        return ms.ops.concat([row[: width[0]] * 0 + options["by"], row[width[0] : -width[1]], row[-width[1] :] - 1.0])

    out = ms.numpy.pad(ms.numpy.ones((1, 1)), 1, border, by=5.0)
    assert out.asnumpy().tolist() == [[5.0, 5.0, 4.0], [5.0, 1.0, -1.0], [5.0, -1.0, -2.0]]


@pytest.mark.parametrize(
    ("call", "expected"),  # as MindSpore 2.0.0 was observed to answer
    [
        (lambda mnp: mnp.round([1.26, 2.5], 1), [1.3, 2.5]),
        (lambda mnp: mnp.around([1.26, 2.5]), [1, 2]),
        (lambda mnp: mnp.round([12, 25]), [12, 25]),
        (lambda mnp: mnp.matrix_power([[1.0, 2.0], [3.0, 4.0]], 3), [[37, 54], [81, 118]]),
        (lambda mnp: mnp.matrix_power([[1, 2], [3, 4]], 0), [[1, 0], [0, 1]]),
        (lambda mnp: mnp.copy([1, 2.5]), [1, 2.5]),
    ],
)
def test_rounding_powers_and_copies(call, expected):
    np.testing.assert_allclose(call(ms.numpy).asnumpy(), expected, rtol=1e-6)


def test_constants_are_those_of_numpy():
    assert (ms.numpy.pi, ms.numpy.inf, ms.numpy.NINF) == (np.pi, np.inf, -np.inf) and np.isnan(ms.numpy.nan)


def test_a_copy_is_not_reached_by_assignments():
    x = ms.Tensor([1.0, 2.0])
    y = ms.numpy.copy(x)
    x[0] = 5.0
    assert y.asnumpy().tolist() == [1, 2]
