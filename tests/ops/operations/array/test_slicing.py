"""Cutting and turning along axes: slices, reversal, rolling, taking apart."""

import pytest

from minispore import Tensor, float32, int32, int64, ops

SLICES = {
    "slice": lambda kind: ops.slice(Tensor([1, 2, 3, 4]), Tensor([1], kind), Tensor([2], kind)),
    "mixed": lambda kind: ops.Slice()(Tensor([1, 2, 3, 4]), [1], Tensor([2], kind)),
    "strided": lambda kind: ops.StridedSlice()(Tensor([1, 2, 3, 4]), Tensor([1], kind), (3,), Tensor([1], kind)),
}


@pytest.mark.parametrize("name", SLICES)
@pytest.mark.parametrize("kind", [int32, int64])
def test_a_slice_has_bounds_that_are_tensors_of_ints_too(name, kind):
    assert SLICES[name](kind).tolist() == [2, 3]
    with pytest.raises(TypeError, match=r"For '(Strided)?Slice', the '(begin|size)' must be a tuple"):
        SLICES[name](float32)
