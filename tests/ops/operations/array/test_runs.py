"""Runs of equal elements, ranges and differences of lists, whose number depends on the data."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, ops

FEW = st.lists(st.integers(0, 3), max_size=12)


@given(FEW)
def test_runs_are_those_of_groupby(values):
    x = np.array(values, np.int32)
    out, runs, counts = ops.unique_consecutive(Tensor(x), True, True)
    groups = [(key, len(list(group))) for key, group in itertools.groupby(values)]
    assert out.tolist() == [key for key, _ in groups]
    assert counts.tolist() == [n for _, n in groups]
    assert out.asnumpy()[runs.asnumpy()].tolist() == values
    assert (out.dtype, runs.dtype, counts.dtype) == (ms.int32,) * 3


@given(FEW, FEW)
def test_a_list_without_another(first, second):
    x, y = np.array(first, np.int64), np.array(second, np.int64)
    out, places = ops.ListDiff()(Tensor(x), Tensor(y))
    assert out.tolist() == [v for v in first if v not in second]
    assert x[places.asnumpy()].tolist() == out.tolist()
    assert places.dtype == ms.int32


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([-2, -1, 1, 3])), max_size=5))
def test_ranges_are_pythons(bounds):
    parts = [np.array(part, np.int32) for part in zip(*bounds, strict=True)] or [np.zeros(0, np.int32)] * 3
    splits, values = ops.RaggedRange()(*map(Tensor, parts))
    expected = [list(range(*bound)) for bound in bounds]
    assert values.tolist() == [v for part in expected for v in part]
    assert splits.tolist() == [0, *itertools.accumulate(map(len, expected))]


def test_slices_along_an_axis_are_compared_whole():
    x = Tensor([[1, 1, 2], [1, 1, 3], [1, 1, 3]])
    assert ops.unique_consecutive(x, axis=1).tolist() == [[1, 2], [1, 3], [1, 3]]
    assert ops.unique_consecutive(x, axis=-2).tolist() == [[1, 1, 2], [1, 1, 3]]


def test_nan_is_no_run():
    assert ops.unique_consecutive(Tensor([np.nan, np.nan, 1.0])).size == 3


WRONG = [
    (ValueError, "For 'UniqueConsecutive', the 'axis' must be in", lambda: ops.unique_consecutive(Tensor([1]), axis=1)),
    (TypeError, "For 'UniqueConsecutive', the 'return_idx' must be a bool", lambda: ops.UniqueConsecutive(1)),
    (TypeError, "For 'ListDiff', the type of 'y'", lambda: ops.ListDiff()(Tensor([1]), Tensor([1.0]))),
    (ValueError, "For 'ListDiff', the 'x' must have 1 axes", lambda: ops.ListDiff()(Tensor([[1]]), Tensor([1]))),
    (TypeError, "For 'ListDiff', the 'out_idx' must be int32 or int64", lambda: ops.ListDiff(ms.float32)),
    (ValueError, "For 'RaggedRange', the 'deltas'", lambda: ops.RaggedRange()(Tensor([1]), Tensor([2]), Tensor([0]))),
    (
        ValueError,
        "For 'RaggedRange', the 'limits'",
        lambda: ops.RaggedRange()(Tensor([1]), Tensor([2, 3]), Tensor([1])),
    ),
]


@pytest.mark.parametrize(("kind", "part", "call"), WRONG)
def test_what_does_not_fit_is_refused(kind, part, call):
    with pytest.raises(kind, match=part):
        call()
