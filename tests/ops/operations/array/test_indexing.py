"""Indexing and assignment follow NumPy for keys of every kind, and their gradients the definition."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, grad, ops

SHAPES = st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple)


def _slices(length):
    bound = st.none() | st.integers(-length - 2, length + 2)
    return st.builds(slice, bound, bound, st.none() | st.sampled_from([1, 2, 3, -1, -2]))


@st.composite
def keys(draw):
    """``(shape, key)``: the key's Tensors as arrays; ints in them broadcast with one another."""
    shape = draw(SHAPES)
    common = draw(st.lists(st.integers(1, 3), max_size=2).map(tuple))
    masked = draw(st.booleans())
    parts, axis = [], 0
    while axis < len(shape) and draw(st.integers(0, 5)):
        length = shape[axis]
        kind = draw(st.sampled_from(["slice", "int", "array", "list", "mask", "none", "rest"]))
        if kind == "mask" and masked and len(common) < 2:
            rank = draw(st.integers(1, min(2, len(shape) - axis)))
            count = int(np.prod(shape[axis : axis + rank]))
            bits = draw(st.lists(st.booleans(), min_size=count, max_size=count))
            parts.append(np.array(bits, bool).reshape(shape[axis : axis + rank]))
            axis, masked = axis + rank, False  # of several masks the numbers chosen would have to fit
            common = ()
        elif kind == "none":
            parts.append(None)
        elif kind == "rest":
            if Ellipsis not in [p for p in parts if p is Ellipsis]:
                parts.append(Ellipsis)
                axis = max(axis, draw(st.integers(axis, len(shape))))
        elif kind in ("int", "array", "list") and length:
            ints = st.integers(-length, length - 1)
            if kind == "int":
                parts.append(draw(ints))
            else:
                size = int(np.prod(common))
                values = np.array(draw(st.lists(ints, min_size=size, max_size=size)), np.int64).reshape(common)
                parts.append(values.tolist() if kind == "list" and common else values)
            axis += 1
        else:
            parts.append(draw(_slices(length)))
            axis += 1
    return shape, _fitting(shape, tuple(parts))


def _fitting(shape, key):
    """The key, or all of x where the parts around an Ellipsis stand for other axes than they were drawn for."""
    try:
        _ = np.zeros(shape)[key]
    except IndexError:
        return (Ellipsis,)
    return key


def _as_tensors(key):
    return tuple(Tensor(part) if isinstance(part, np.ndarray) else part for part in key)


def _filled(shape, rng):
    return rng.standard_normal(shape)


@given(keys(), st.integers(0, 2**32 - 1))
def test_getitem_gives_what_numpy_gives(drawn, seed):
    shape, key = drawn
    x = _filled(shape, np.random.default_rng(seed))
    np.testing.assert_array_equal(Tensor(x)[_as_tensors(key)].asnumpy(), x[key])


def test_a_key_without_tensors_is_made_once():
    operation = ops.GetItem((1, ("slice", None, 2, None)))
    assert operation.key(()) == (1, slice(None, 2, None))
    assert operation.key(()) is operation.key(())


@given(keys(), st.integers(0, 2**32 - 1), st.booleans())
def test_setitem_gives_what_numpy_gives(drawn, seed, stretched):
    shape, key = drawn
    rng = np.random.default_rng(seed)
    x = _filled(shape, rng)
    value = _filled(x[key].shape[1:] if stretched else x[key].shape, rng)
    t = before = Tensor(x)
    view = t.asnumpy()
    t[_as_tensors(key)] = Tensor(value)
    expected = x.copy()
    expected[key] = value
    np.testing.assert_array_equal(t.asnumpy(), expected)
    np.testing.assert_array_equal(view, x)  # the array that was there is a value: nothing writes into it
    assert t is before


@given(keys(), st.integers(0, 2**32 - 1))
def test_the_gradient_of_getitem_is_scattered_to_where_it_was_taken(drawn, seed):
    shape, key = drawn
    rng = np.random.default_rng(seed)
    x = _filled(shape, rng)
    weights = _filled(x[key].shape, rng)
    found = grad(lambda t: (t[_as_tensors(key)] * Tensor(weights)).sum())(Tensor(x))
    expected = np.zeros(shape)
    np.add.at(expected, key, weights)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-12, atol=1e-12)


def _assigned(x, key, value):
    out = np.array(x)
    out[key] = value
    return out


@given(keys(), st.integers(0, 2**32 - 1), st.booleans())
def test_the_gradients_through_setitem_are_the_difference_quotients(drawn, seed, stretched):
    shape, key = drawn
    rng = np.random.default_rng(seed)
    x, weights, way_x = (_filled(shape, rng) for _ in range(3))
    place = x[key].shape
    value, way_value = (_filled(place[1:] if stretched else place, rng) for _ in range(2))

    def function(t, v):
        t = t * 1
        t[_as_tensors(key)] = v
        return (t * Tensor(weights)).sum()

    found = grad(function, (0, 1))(Tensor(x), Tensor(value))
    slope = sum(float((g.asnumpy() * w).sum()) for g, w in zip(found, (way_x, way_value), strict=True))
    moved = [(_assigned(x + s * way_x, key, value + s * way_value) * weights).sum() for s in (0.5, -0.5)]
    np.testing.assert_allclose(slope, moved[0] - moved[1], rtol=1e-9, atol=1e-9)


def test_of_values_that_go_to_one_place_the_last_stays_and_has_the_gradient():
    def function(v):
        t = ops.zeros((3,))
        t[Tensor([1, 1, 2])] = v
        return (t * Tensor([1.0, 10.0, 100.0])).sum()

    assert grad(function)(Tensor([3.0, 4.0, 5.0])).asnumpy().tolist() == [0.0, 10.0, 100.0]
    assert float(function(Tensor([3.0, 4.0, 5.0]))) == 540.0


def test_a_list_of_more_than_numbers_stands_for_a_tuple():
    x = Tensor(np.arange(12).reshape(3, 4))
    np.testing.assert_array_equal(x[[[0, 1], [2, 0]]].asnumpy(), x[[0, 1], [2, 0]].asnumpy())
    assert x[[0, None]].shape == (1, 4) and x[:, [[0, 1], [2, 0]]].shape == (3, 2, 2)
    assert x[[Tensor(0), Tensor(1)]].shape == () and x[[]].shape == (0, 4)


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (3, IndexError),
        ((0, 0, 0), IndexError),
        (([0], [4]), IndexError),
        (1.0, IndexError),
        ("a", IndexError),
        ({0}, IndexError),
        (Tensor([1.0]), IndexError),
        ((..., ...), IndexError),
        (slice(None, None, 0), ValueError),
        (([0, 1], [0, 1, 2]), ValueError),
        (Tensor([True, False]), ValueError),
        ((slice(None), Tensor([True, False, True])), ValueError),
        ((..., Tensor([True, False, True])), ValueError),
    ],
)
def test_a_key_that_names_nothing_is_refused_before_anything_changes(key, error):
    x = Tensor(np.arange(12.0).reshape(3, 4))
    with pytest.raises(error):
        x[key]
    with pytest.raises(error):
        x[key] = 7.0
    np.testing.assert_array_equal(x.asnumpy(), np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize(
    "key",
    [[0, 3], [-4], np.array([[0], [7]]), ([0, 1], [0, 4]), (..., [4]), (None, slice(None), [0, -5]), ([True] * 3, [9])],
)
def test_numbers_outside_that_the_host_knows_are_refused_on_every_device(device, key):
    x = Tensor(np.arange(12.0).reshape(3, 4))
    with pytest.raises(IndexError, match=r"For '\w+', the indices must lie within the input, but got: index -?\d+ is"):
        x[key]
    with pytest.raises(IndexError, match=r"For '\w+', the indices must lie within the input, but got: index -?\d+ is"):
        x[key] = 7.0
    np.testing.assert_array_equal(x.asnumpy(), np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize("value", [[1.0, 2.0, 3.0], np.ones((2, 4)), np.ones((2, 1, 4))])
def test_a_value_that_does_not_fit_is_refused(value):
    x = Tensor(np.zeros((3, 4)))
    with pytest.raises(ValueError, match="must broadcast to"):
        x[0] = Tensor(value)


MASK = np.array([True, False, True])
LONGER = [  # a key, and a value that has more axes than the key leaves
    (0, np.ones((1, 4))),
    ((0, 1), np.full(1, 9.0)),
    ((0, 1), [7.0]),
    (..., np.full((1, 3, 4), 2.0)),
    (slice(None), np.arange(4.0).reshape(1, 1, 1, 4)),
    (np.array([0, 2]), np.arange(8.0).reshape(1, 2, 4)),
    (MASK, np.arange(8.0).reshape(1, 1, 2, 4)),
    ((MASK, 1), np.arange(2.0).reshape(1, 2)),
]


@pytest.mark.parametrize(("key", "value"), LONGER)
def test_leading_axes_of_length_1_that_a_value_has_too_many_are_dropped(key, value):
    x, expected = Tensor(np.zeros((3, 4))), np.zeros((3, 4))
    x[key] = value if isinstance(value, list) else Tensor(value)
    expected[key] = np.squeeze(value)
    np.testing.assert_array_equal(x.asnumpy(), expected)


def test_the_gradient_of_a_value_with_a_leading_axis_too_many_has_that_axis():
    def assigned(x, v):
        y = x * 1
        y[1] = v
        return (y * y).sum()

    x, v = Tensor(np.ones((2, 3))), Tensor(np.full((1, 3), 2.0))
    dx, dv = grad(assigned, (0, 1))(x, v)
    assert (dx.tolist(), dv.tolist()) == ([[2, 2, 2], [0, 0, 0]], [[4, 4, 4]])


@pytest.mark.parametrize("value", [None, "a", object()])
def test_a_value_that_is_none_is_refused(value):
    x = Tensor(np.zeros((3, 4)))
    with pytest.raises(TypeError):
        x[0] = value


@st.composite
def keys_of_lists(draw):
    """``(shape, key)``: lists of ints, masks as tuples of bools, plain bools, None, slices, in any order."""
    shape, count = draw(st.lists(st.integers(2, 4), min_size=2, max_size=3).map(tuple)), draw(st.sampled_from([2, 1]))
    parts = []
    for length in shape[: draw(st.integers(2, len(shape)))]:
        parts += draw(st.lists(st.sampled_from([None, True]), max_size=1))
        chosen = draw(st.lists(st.integers(0, length - 1), min_size=count, max_size=count, unique=True))
        mask = tuple(i in chosen for i in range(length))
        parts.append(draw(st.sampled_from([chosen, mask, chosen, mask, chosen[:1], slice(None)])))
    return shape, (*parts, *draw(st.lists(st.sampled_from([None, True, Ellipsis]), max_size=1)))


@given(keys_of_lists(), st.sampled_from([1, 2, 0]))
@example(((3, 3, 3), (None, True, [1, 0], (False, True, True), [2])), 0)
@example(((2, 3, 4), (..., (True, False, True), None, slice(None), True, None)), 1)
def test_values_with_leading_axes_are_assigned_to_masks_and_bools_beside_lists(shape_and_key, extra):
    shape, key = shape_and_key
    expected = np.zeros(shape, np.float32)
    told = tuple(np.array(part) if isinstance(part, tuple) else part for part in key)  # to NumPy a tuple is no mask
    value = np.arange(expected[told].size, dtype=np.float32).reshape(expected[told].shape)
    expected[told] = value
    value = value.reshape((1,) * extra + value.shape)
    for given_value in (Tensor(value), value.tolist() if value.size else Tensor(value)):
        x = ms.ops.zeros(shape, ms.float32)
        x[key] = given_value
        np.testing.assert_array_equal(x.asnumpy(), expected)


def test_every_axis_of_the_indices_may_be_of_the_batch():
    x = Tensor(np.arange(24.0).reshape(2, 3, 4), ms.float32)
    rows, pairs = Tensor([1, 2], ms.int32), Tensor([[0, 2], [1, 1]], ms.int32)
    np.testing.assert_array_equal(ops.gather(x, rows, 1, 1), [[4, 5, 6, 7], [20, 21, 22, 23]])
    np.testing.assert_array_equal(ops.Gather(1)(x, rows, 2), [[1, 5, 9], [14, 18, 22]])
    found = ms.grad(lambda x: ops.gather(x, pairs, 2, 2).sum())(x[:, :2])
    np.testing.assert_array_equal(found.asnumpy().argmax(-1), [[0, 2], [1, 1]])
    assert found.sum() == 4
