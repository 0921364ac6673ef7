"""Rows added at an index: bit for bit what ``np.add.at`` makes, however often the index names a row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.ops.kernels import scatter, scatter_rows
from minispore.ops.kernels.scatter import added_at

numbers = np.random.default_rng


@st.composite
def indices(draw):
    """Some places named often, some seldom, in a drawn order."""
    counts = draw(st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, 7, 40]), min_size=1, max_size=12))
    index = np.repeat(np.arange(len(counts)), counts)
    return len(counts), numbers(draw(st.integers(0, 99))).permutation(index)


@given(indices(), st.sampled_from([np.float32, np.float64, np.int32]), st.sampled_from([(2,), (3, 2), (1, 16)]))
def test_they_are_added_in_the_order_of_the_index(drawn, dtype, block):
    length, index = drawn
    values = numbers(1).standard_normal((length + len(index), *block)) * 1000
    out, x = np.split(values.astype(dtype), [length])
    expected = out.copy()
    np.add.at(expected, index, x)
    scatter_rows.add_rows(out, index, x)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("length", [300, (1 << 16) + 5])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int64], ids=str)
def test_a_kernel_takes_them_where_rows_are_long_and_many(length, dtype, monkeypatch):
    used = []
    monkeypatch.setattr(scatter, "add_rows", lambda *a: used.append(1) or scatter_rows.add_rows(*a))
    index = numbers(0).integers(-length, length, (40, 20))
    x = numbers(0).integers(-9, 9, (40, 20, 16)).astype(dtype)
    expected = np.zeros((length, 16), dtype)
    np.add.at(expected, index, x)
    np.testing.assert_array_equal(added_at(np, np.zeros((length, 16), dtype), (index,), x), expected)
    assert used


@pytest.mark.parametrize("wrong", [-301, 300])
def test_an_index_outside_is_an_error(wrong):
    index = np.full(2000, wrong)
    with pytest.raises(IndexError, match="out of bounds"):
        added_at(np, np.zeros((300, 16), np.float32), (index,), np.ones((2000, 16), np.float32))


def test_one_value_may_be_added_everywhere():
    index = np.arange(2000) % 7
    found = added_at(np, np.zeros((7, 16), np.float32), (index, ...), np.float32(1))
    np.testing.assert_array_equal(found, np.repeat(np.bincount(index)[:, None], 16, axis=1))
