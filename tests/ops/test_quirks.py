"""Operations do what the ledger (docs/reference/quirks.md) says of them where MindSpore does otherwise."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops


@pytest.mark.parametrize("index", [3, -4, 100])
def test_gathering_outside_of_the_axis_is_refused_by_name_on_the_host(index):
    x = Tensor(np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match=rf"For 'Gather', the 'input_indices' .* \[-3, 3\), .* got {index}\."):
        ops.gather(x, Tensor([[0, index]]), 1)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_gathering_outside_of_the_axis_takes_the_nearest_where_telling_would_mean_to_wait(kind, device):
    if device is np:
        pytest.skip("the host tells")
    before = getattr(device, "synchronisations", 0)
    indices = Tensor(np.array([0, 2, 3, 100], kind))
    found = ops.gather(Tensor(np.arange(300.0)[:3]), indices, 0)
    assert getattr(device, "synchronisations", 0) == before
    np.testing.assert_array_equal(found.asnumpy(), [0, 2, 2, 2])


def test_negative_indices_count_from_the_end_on_every_device(device):
    found = ops.gather(Tensor(np.arange(3.0)), Tensor([-1, -3, 1]), 0)
    np.testing.assert_array_equal(found.asnumpy(), [2, 0, 1])


NAN, INF = np.nan, np.inf
GIVES = {
    "exp, sign and log of nan": (lambda: ops.stack([f(t(NAN)) for f in (ops.exp, ops.sign, ops.log)]), [NAN] * 3),
    "maximum and minimum of nan and a number": (lambda: ops.maximum(t(NAN), t(1.0)) + ops.minimum(t(1.0), t(NAN)), NAN),
    "nan / 0": (lambda: t(NAN) / 0, NAN),
    "the largest along an axis with nan": (lambda: ops.max(t([[1.0, NAN, 2.0]]), 1)[0], [NAN]),
    "where the largest stands, of nan": (lambda: ops.argmax(t([[1.0, NAN, 2.0]]), 1), [1]),
    "division of integers by 0": (lambda: t([7, -7]) / t([0, 0]), [0, 0]),
    "remainder of integers by 0": (lambda: t([7, -7]) % t([0, 0]), [0, 0]),
    "inv of an integer 0": (lambda: ops.inv(t([0, 1])), [0, 1]),
    "fmod by infinity": (lambda: ops.fmod(t([2.5, -2.5]), t([INF, INF])), [2.5, -2.5]),
    "truncate_mod by 0": (lambda: ops.truncate_mod(t([2.5]), t([0.0])), [NAN]),
    "logaddexp of -inf and -inf": (lambda: ops.logaddexp(t([-INF]), t([-INF])), [-INF]),
    "the empty sum": (lambda: ops.sum(t([])), 0),
    "the empty product": (lambda: ops.prod(t([])), 1),
    "all of nothing": (lambda: ops.all(t([])), True),
    "where the median of all stands": (lambda: ops.Median(True)(t([[3.0, 3.0], [2.0, 9.0]]))[1], 0),
    "logsumexp over ()": (lambda: ops.logsumexp(t([[0.0, 0.0]]), ()), np.log(2.0)),
    "a matrix of integers and a float beta": (
        lambda: ops.addmv(t([1, 2]), t([[1, 0], [0, 1]]), t([1, 1]), beta=0.5),
        [1.5, 2.0],
    ),
    "an outer product of integers and a float beta": (
        lambda: ops.addr(t([[1, 1]]), t([1]), t([1, 2]), beta=0.5),
        [[1.5, 2.5]],
    ),
}


def t(x):
    return Tensor(np.asarray(x, np.float32 if np.asarray(x).dtype.kind == "f" else np.int32))


@pytest.mark.parametrize("name", GIVES)
def test_where_mindspore_gives_another_number_the_formula_holds(name, device):
    compute, expected = GIVES[name]
    found = compute().asnumpy()
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


SLOPES = {
    "sinc at 0": (ops.sinc, 0.0, 0.0),
    "Mod by its divisor": (lambda y: ops.Mod()(t(-7.0), y), 2.0, 3.0),
    "Heaviside": (lambda x: ops.heaviside(x, t(0.5)), 1.5, 0.0),
    "Rint": (ops.Rint(), 1.4, 0.0),
    "L2Normalize below its epsilon": (lambda x: ops.L2Normalize(0, 1.0)(x.reshape(1)), 0.5, 1.0),
    "LogSigmoid far above 0": (ops.logsigmoid, 30.0, 9.357623e-14),
    "SeLU far below 0": (ops.selu, -4.0, 1.0507009873554805 * 1.6732632423543772 * np.exp(-4.0)),
}


@pytest.mark.parametrize("name", SLOPES)
def test_where_mindspore_has_another_gradient_or_none_it_is_the_derivative(name):
    function, at, slope = SLOPES[name]
    np.testing.assert_allclose(ms.grad(lambda x: function(x).sum())(t(at)).asnumpy(), slope, rtol=1e-5)


@pytest.mark.parametrize("operation", [ops.inverse, ops.det, ops.cholesky, lambda x: ops.median(x, 0)[0]])
def test_matrices_of_halves_are_computed_in_float32_and_rounded_once(operation):
    x = np.array([[4.0, 1.0], [1.0, 3.0]])
    found, wide = operation(Tensor(x.astype(np.float16))), operation(Tensor(x.astype(np.float32)))
    assert found.dtype == ms.float16
    np.testing.assert_array_equal(found.asnumpy(), wide.asnumpy().astype(np.float16))


def test_the_largest_are_sorted_though_any_order_would_do():
    values, indices = ops.TopK(sorted=False)(Tensor([1.0, 3.0, 2.0]), 3)
    assert (values.asnumpy().tolist(), indices.asnumpy().tolist()) == ([3.0, 2.0, 1.0], [1, 2, 0])


def test_the_mean_of_nothing_is_refused():
    with pytest.raises(ValueError, match="For 'ReduceMean', the 'x' must have elements"):
        ops.mean(t([]))


def test_the_gradient_of_fast_gelu_is_finite_in_halves():
    x = Tensor(np.linspace(-12, 12, 97).astype(np.float16))
    assert np.isfinite(ms.grad(lambda x: ops.fast_gelu(x).sum())(x).asnumpy()).all()


@pytest.mark.parametrize("name", ["celu", "hardshrink", "softshrink", "fast_gelu"])
def test_float64_is_taken_and_kept(name):
    x = np.linspace(-2, 2, 9)
    found = getattr(ops, name)(Tensor(x))
    assert found.dtype == ms.float64
    np.testing.assert_allclose(found.asnumpy(), getattr(ops, name)(t(x)).asnumpy(), rtol=1e-5, atol=1e-6)


def test_randperm_draws_anew_where_mindspore_repeats_itself():
    draws = {tuple(ops.randperm(9).tolist()) for _ in range(5)}
    assert len(draws) > 1


def test_float16_numbers_below_one_stay_below_one():
    assert (ops.rand(20000, dtype=ms.float16).asnumpy() < 1).all()


def test_outcomes_of_halves_are_halves():
    found = ops.bernoulli(ops.ones((400,), ms.float16), 0.5)
    assert found.dtype == ms.float16 and set(found.tolist()) == {0.0, 1.0}


def test_a_range_of_numbers_does_not_wait_for_the_device(device):
    before = getattr(device, "synchronisations", 0)
    found = ops.range(0, 7, 2), ops.range(1.0, 0.0, -0.25)
    assert getattr(device, "synchronisations", 0) == before
    assert [x.asnumpy().tolist() for x in found] == [[0, 2, 4, 6], [1.0, 0.75, 0.5, 0.25]]
    assert [x.dtype for x in found] == [ms.int64, ms.float32]


@pytest.mark.parametrize("call", [lambda: ops.range("a", 1, 1), lambda: ops.bincount(Tensor([1]), [1.0])])
def test_what_is_no_number_or_tensor_is_refused_by_name(call):
    with pytest.raises(TypeError, match=r"^For '\w+', the '"):
        call()


def test_a_count_of_fewer_than_no_bins_is_refused():
    with pytest.raises(ValueError, match="For 'bincount', the 'minlength' must be at least 0, but got -1"):
        ops.bincount(Tensor([1]), minlength=-1)


@pytest.mark.parametrize("axis", [(0, 0), (0, -2), (1, 0, 1)])
@pytest.mark.parametrize("name", ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceProd"])
def test_an_axis_that_is_named_twice_counts_once(name, axis):
    x, reduce = t([[1.0, 2.0], [3.0, 4.0]]), getattr(ops, name)()
    once = tuple({a % 2 for a in axis})
    assert reduce(x, axis).tolist() == reduce(x, once).tolist()
    by_x, by_x_once = (ms.grad(reduce)(x, axes).tolist() for axes in (axis, once))
    assert by_x == by_x_once


def test_a_norm_refuses_an_axis_that_is_named_twice():
    with pytest.raises(ValueError, match="For 'LpNorm', the 'axis' must name each axis once, but got"):
        ops.LpNorm((0, 0))(t([[1.0, 2.0], [3.0, 4.0]]))


@pytest.mark.parametrize("axis", [[1], [0, 1], []])
def test_axes_of_a_reduction_may_stand_in_a_tensor(axis):
    x = t([[1.0, 2.0], [3.0, 4.0]])
    assert ops.ReduceSum()(x, Tensor(axis, ms.int64)).tolist() == ops.ReduceSum()(x, tuple(axis)).tolist()


@pytest.mark.parametrize("jitted", [False, pytest.param(True, marks=pytest.mark.needs("graph"))])
def test_indices_of_an_update_may_stand_in_a_tensor(jitted):
    update = ms.jit(ops.inplace_update) if jitted else ops.inplace_update
    x, rows = t([[1.0, 2.0], [3.0, 4.0]]), t([[5.0, 6.0]])
    assert update(x, rows, Tensor([1])).tolist() == [[1, 2], [5, 6]]
    assert update(x, rows, Tensor([0])).tolist() == [[5, 6], [3, 4]]
    assert ops.operations.InplaceUpdateV2()(x, Tensor([0], ms.int32), rows).tolist() == [[5, 6], [3, 4]]


def test_a_choice_promotes_and_broadcasts():
    found = ops.Select()(Tensor([[True], [False]]), t([1.0, 2.0]), Tensor(4, ms.int32))
    assert (found.dtype, found.tolist()) == (ms.float32, [[1, 2], [4, 4]])


def test_sums_of_squares_of_float64_are_float64():
    found = ops.SquareSumAll()(Tensor(np.arange(3.0)), Tensor(np.arange(3.0)))
    assert [(x.dtype, x.tolist()) for x in found] == [(ms.float64, 5)] * 2


def test_false_and_an_empty_list_name_nothing_as_in_numpy():
    x = t([1.0, 2.0])
    assert (x[False].shape, x[[]].shape) == ((0, 2), (0,))
    x[False] *= 3
    x[[]] *= 3
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8])
def test_what_is_only_read_is_named_by_integers_of_any_type(kind):
    x, i = t([1.0, 2.0]), Tensor(np.array([1], kind))
    assert ops.gather(x, i, 0).tolist() == ops.gather_elements(x, 0, i).tolist() == [2]
    assert ops.gather_nd(x, i.reshape(1, 1)).tolist() == [2]


def test_a_line_resized_to_one_element_is_its_middle():
    assert ops.interpolate(t([[[1.0, 2.0, 3.0, 4.0, 5.0]]]), size=1, mode="linear").tolist() == [[[3]]]


@pytest.mark.parametrize("operation", [ops.AssignAdd(), ops.AssignSub(), ops.Assign()])
def test_what_is_assigned_has_no_gradient_through_the_variable(operation):
    w = ms.Parameter(np.ones(2, np.float32), name="w")
    x, y = ms.Tensor([3.0, 4.0]), ms.Tensor([5.0, 6.0])
    dx, dy = ms.grad(lambda x, y: operation(w, x * x) * y, (0, 1))(x, y)
    assert dx.tolist() == [0.0, 0.0] and dy.tolist() == w.asnumpy().tolist()
