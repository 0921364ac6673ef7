"""Operations on the form of Tensors beyond the laws for every primitive: ties, zeros, emptiness, refusal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import strict_cupy

from minispore import Parameter, Tensor, bool_, grad, int32, ops
from minispore.core import backend
from minispore.ops.kernels.scan import scanned
from minispore.ops.kernels.scatter import combined_at

WHOLE = st.integers(-3, 3)


@given(st.lists(WHOLE, min_size=1, max_size=9))
def test_running_extremes_name_the_last_of_equals(values):
    for operation, better in ((ops.cummax, max), (ops.cummin, min)):
        found, places = operation(Tensor(np.array(values)), 0)
        for i in range(len(values)):
            best = better(values[: i + 1])
            assert int(found[i]) == best and int(places[i]) == max(j for j in range(i + 1) if values[j] == best)


@given(st.lists(WHOLE, min_size=4, max_size=4), st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_the_gradients_of_products_at_places_are_the_products_of_the_others(values, places):
    u, x = np.array(values, np.float64), np.array([2.0, 0.0, 3.0])
    at = Tensor(np.array(places)[:, None])
    by_x, by_u = grad(lambda a, b: ops.tensor_scatter_mul(a, at, b).sum(), (0, 1))(Tensor(x), Tensor(u))
    segments = grad(lambda b: ops.unsorted_segment_prod(b, Tensor(np.array(places)), 3).sum())(Tensor(u))
    for i, place in enumerate(places):
        others = np.prod([u[j] for j in range(4) if places[j] == place and j != i])
        assert float(by_u[i]) == x[place] * others and float(segments[i]) == others
    assert by_x.asnumpy().tolist() == [np.prod(u[np.array(places) == k]) for k in range(3)]


@given(st.lists(st.integers(0, 3), max_size=7), st.sampled_from([np.maximum, np.multiply, None]))
def test_combining_at_places_is_one_after_another(places, ufunc):
    combine = ufunc or (lambda old, new: new)
    x, values = np.arange(1, 5), np.arange(len(places)) * 7 % 5
    expected = x.copy()
    for place, value in zip(places, values, strict=True):
        expected[place] = combine(expected[place], value)
    found = combined_at(np, x, (np.array(places, int),), values, combine)
    assert found.tolist() == expected.tolist() and x.tolist() == [1, 2, 3, 4]


@given(st.integers(0, 9))
def test_a_scan_is_what_accumulate_gives(count):
    x = np.random.default_rng(count).standard_normal((count, 2))
    np.testing.assert_array_equal(scanned(np, x, np.maximum), np.maximum.accumulate(x) if count else x)


@pytest.mark.needs("devices")
def test_a_gpu_writes_the_last_of_several_values_too():
    backend.use(strict_cupy)
    try:
        x = Tensor(np.zeros((3, 2), np.float32))
        x[Tensor([1, 1, 0])] = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
        assert x.asnumpy().tolist() == [[4, 5], [2, 3], [0, 0]]
    finally:
        backend.use(np)


def test_ties_for_the_largest_share_the_gradient():
    found = grad(lambda x, u: ops.tensor_scatter_max(x, Tensor([[0], [0]]), u).sum(), (0, 1))(
        Tensor([2.0, 1.0]), Tensor([2.0, 1.0])
    )
    assert [g.asnumpy().tolist() for g in found] == [[0.5, 1.0], [0.5, 0.0]]
    shared = grad(lambda x: ops.unsorted_segment_max(x, Tensor([0, 0, 1]), 3)[0])(Tensor([1.0, 1.0, 5.0]))
    assert shared.asnumpy().tolist() == [0.5, 0.5, 0.0]


def test_an_empty_segment_holds_what_changes_nothing():
    x, ids = Tensor([1.0]), Tensor([2])
    limits = np.finfo(np.float32)
    found = [float(f(x, ids, 3)[0]) for f in (ops.unsorted_segment_sum, ops.unsorted_segment_prod)]
    assert found == [0.0, 1.0]
    assert float(ops.unsorted_segment_max(x, ids, 3)[0]) == limits.min
    assert float(ops.unsorted_segment_min(x, ids, 3)[0]) == limits.max


def test_a_parameter_is_written_and_its_values_returned():
    w = Parameter(Tensor(np.zeros((3, 2), np.float32)), name="w")
    out = ops.scatter_update(w, Tensor([2, 2]), Tensor(np.float32([[1, 1], [2, 3]])))
    assert type(out) is Tensor and out.tolist() == w.tolist() == [[0, 0], [0, 0], [2, 3]]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ops.gather_nd(x, Tensor([[3]])),
        lambda x: ops.gather_elements(x, 0, Tensor([[3]])),
        lambda x: ops.scatter_nd(Tensor([[3]]), Tensor([1.0]), (3,)),
        lambda x: ops.tensor_scatter_max(x, Tensor([[3, 0]]), Tensor([1.0])),
        lambda x: ops.tensor_scatter_elements(x, Tensor([[3]]), Tensor([[1.0]])),
        lambda x: ops.scatter_add(Parameter(x), Tensor([3]), Tensor([[1.0, 1.0]])),
        lambda x: ops.unsorted_segment_sum(x, Tensor([0, 4, 0]), 3),
        lambda x: ops.unsorted_segment_min(x, Tensor([0, 3, 0]), 3),
        lambda x: ops.unsorted_segment_max(x, Tensor([0, 3, 0]), 3),
        lambda x: ops.unsorted_segment_prod(x, Tensor([0, 3, 0]), 3),
    ],
)
def test_an_index_outside_is_an_error_on_the_cpu(call):
    with pytest.raises(IndexError):
        call(Tensor(np.zeros((3, 2), np.float32)))


@pytest.mark.parametrize("operation", [ops.unsorted_segment_sum, ops.unsorted_segment_max, ops.unsorted_segment_prod])
def test_where_telling_would_mean_to_wait_an_element_of_no_segment_goes_nowhere(operation, device):
    if device is np:
        pytest.skip("the host tells")
    x, segments = Tensor([2.0, 3.0, 5.0, 7.0]), Tensor([0, -1, 2, 9])
    before = getattr(device, "synchronisations", 0)
    found, slope = operation(x, segments, 2), grad(lambda x: operation(x, segments, 2)[0])(x)
    assert getattr(device, "synchronisations", 0) == before
    assert (found.tolist()[0], slope.tolist()) == (2, [1, 0, 0, 0])


def test_segments_are_numbered_by_any_integer_type():
    x, segments = Tensor([1.0, 2.0]), Tensor(np.array([3, 200], np.uint8))
    assert ops.unsorted_segment_sum(x, segments, 300).asnumpy()[[3, 200]].tolist() == [1, 2]
    assert grad(lambda x: ops.unsorted_segment_sum(x, segments, 300)[200])(x).tolist() == [0, 1]


WRITERS = {
    "TensorScatterUpdate": lambda i: ops.TensorScatterUpdate()(ops.ones(3), i, ops.ones(1)),
    "TensorScatterAdd": lambda i: ops.TensorScatterAdd()(ops.ones(3), i, ops.ones(1)),
    "TensorScatterDiv": lambda i: ops.TensorScatterDiv()(ops.ones(3), i, ops.ones(1)),
    "ScatterNdAdd": lambda i: ops.ScatterNdAdd()(Parameter(ops.ones(3)), i, ops.ones(1)),
    "ScatterUpdate": lambda i: ops.ScatterUpdate()(Parameter(ops.ones(3)), i, ops.ones((1, 1))),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.uint64])
def test_what_is_written_is_named_by_int32_or_int64(name, kind):
    expected = rf"For '{name}', the 'indices' must be a Tensor of int32 or int64, but got Tensor\[U?Int\d+\]"
    with pytest.raises(TypeError, match=expected):
        WRITERS[name](Tensor(np.array([[0]], kind)))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64])
def test_integers_are_divided_one_after_another_and_rounded_toward_zero(kind):
    x, by = np.array([100, 7, 9, 5], kind), np.array([3, 4, 100, 100, 0], kind)
    at = np.array([0, 0, 1, 1, 2], np.int32)
    expected = [8, 0, 0, 5]
    assert ops.tensor_scatter_div(Tensor(x), Tensor(at[:, None]), Tensor(by)).tolist() == expected
    assert ops.scatter_div(Parameter(Tensor(x)), Tensor(at), Tensor(by)).tolist() == expected


def test_negative_integers_are_divided_toward_zero_too():
    x, by, at = Tensor([-7, 7, -9], int32), Tensor([2, -2, -2], int32), Tensor([0, 1, 2], int32)
    assert ops.ScatterDiv()(Parameter(x), at, by).tolist() == [-3, -3, 4]
    assert ops.TensorScatterDiv()(x, at.reshape(3, 1), by).tolist() == [-3, -3, 4]


def test_bools_are_padded_with_false():
    x = Tensor([True, True])
    assert ops.Pad(((1, 2),))(x).tolist() == [False, True, True, False, False]


@pytest.mark.parametrize("name", ["BitwiseAnd", "BitwiseOr", "BitwiseXor"])
def test_bools_have_a_bit_each(name):
    a, b = np.array([True, True, False, False]), np.array([True, False, True, False])
    found = getattr(ops, name)()(Tensor(a), Tensor(b))
    assert found.dtype == bool_
    expected = {"BitwiseAnd": a & b, "BitwiseOr": a | b, "BitwiseXor": a ^ b}[name]
    np.testing.assert_array_equal(found.asnumpy(), expected)
    with pytest.raises(TypeError, match="must be a Tensor of integers or bools, but got"):
        getattr(ops, name)()(Tensor(a), Tensor([1.0] * 4))


def test_a_range_is_a_tuple_of_numbers():
    found = ops.tuple_to_array(range(1, 7, 2))
    assert (found.dtype, found.tolist()) == (int32, [1, 3, 5])
    with pytest.raises(TypeError, match=r"a tuple of numbers or a range, but got \[1, 2\]"):
        ops.tuple_to_array([1, 2])


def test_the_squares_of_two_tensors_of_one_shape_are_summed():
    with pytest.raises(ValueError, match=r"For 'SquareSumAll', the 'y' must have the shape \(3,\), but got \(2,\)"):
        ops.SquareSumAll()(ops.ones(3), ops.ones(2))


@pytest.mark.parametrize("shape", [(0,), (2, 0)])
def test_nothing_to_put_in_order_is_put_in_order(shape):
    x = Tensor(np.zeros(shape, np.float32))
    assert ops.sort(x)[0].shape == shape and ops.cumsum(x, -1).shape == shape and ops.cummax(x, -1)[0].shape == shape
    assert ops.nonzero(x).shape == (0, len(shape)) and ops.masked_select(x, x > 0).shape == (0,)


@given(st.integers(-5, 5), st.integers(-5, 5))
def test_rolling_back_undoes_rolling(shift, axis):
    x = Tensor(np.arange(12).reshape(3, 4))
    axis = axis % 2
    np.testing.assert_array_equal(ops.roll(x, shift, axis).asnumpy(), np.roll(x.asnumpy(), shift, axis))
    np.testing.assert_array_equal(ops.roll(ops.roll(x, shift), -shift).asnumpy(), x.asnumpy())


@given(st.integers(-5, 5), st.permutations([0, 1, 2]))
def test_turning_diagonals_and_moving_axes_are_numpys(k, axes):
    x = np.arange(24).reshape(2, 3, 4)
    t, two = Tensor(x), tuple(axes[:2])
    np.testing.assert_array_equal(ops.rot90(t, k, two).asnumpy(), np.rot90(x, k, two))
    np.testing.assert_array_equal(ops.diagonal(t, k, *two).asnumpy(), np.diagonal(x, k, *two))
    np.testing.assert_array_equal(ops.moveaxis(t, two, (0, -1)).asnumpy(), np.moveaxis(x, two, (0, -1)))
    np.testing.assert_array_equal(ops.swapaxes(t, *two).asnumpy(), np.swapaxes(x, *two))


def test_gathering_with_batch_axes_is_gathering_row_by_row():
    rng = np.random.default_rng(0)
    x, at = rng.standard_normal((2, 3, 4, 5)), rng.integers(0, 4, (2, 3, 6))
    found = ops.gather(Tensor(x), Tensor(at), 2, 2).asnumpy()
    np.testing.assert_array_equal(found, np.take_along_axis(x, at[..., None], 2))
    found = ops.gather(Tensor(x), Tensor(at), -1, 1)
    assert found.shape == (2, 3, 4, 3, 6)
    np.testing.assert_array_equal(found.asnumpy()[1], x[1][..., at[1]])


@pytest.mark.parametrize(("counts", "expected"), [(2, [1, 1, 2, 2]), ([0, 3], [2, 2, 2]), (Tensor([1, 2]), [1, 2, 2])])
def test_elements_are_repeated_as_often_as_asked(counts, expected):
    assert ops.repeat_interleave(Tensor([1, 2]), counts, 0).asnumpy().tolist() == expected
