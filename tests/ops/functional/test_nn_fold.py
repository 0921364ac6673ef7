"""Folding columns into planes, beside numbers that MindSpore 2.0.0 gave, and beside the gradient of unfolding."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

COLUMNS = Tensor((np.arange(32, dtype=np.float32) * 7 % 11).reshape(1, 8, 4))
THREE = Tensor([3, 3], ms.int32)


def test_columns_are_folded_as_mindspore_does():
    found = ops.fold(COLUMNS, THREE, [2, 2], [1, 1], [0, 0], [1, 1]).asnumpy()[0].tolist()
    assert found == [[[0, 13, 2], [4, 34, 8], [4, 10, 6]], [[2, 17, 4], [8, 20, 12], [6, 3, 8]]]


@pytest.mark.parametrize("sizes", [((2, 3), 1, 0, 1), (2, 2, 1, 1), ((3, 2), 1, (1, 0), 2)])
def test_folding_is_the_gradient_of_unfolding(sizes):
    x = Tensor(np.random.default_rng(0).standard_normal((2, 3, 5, 4)).astype(np.float32))
    columns, pull = ms.ops.vjp(lambda x: ops.unfold(x, *sizes), x)
    folded = ops.fold(columns, Tensor([5, 4], ms.int32), *sizes)
    found = pull(columns)
    found = found[0] if isinstance(found, tuple) else found
    np.testing.assert_allclose(folded.asnumpy(), found.asnumpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: ops.fold(COLUMNS, (3, 3), 2)),
        (ValueError, lambda: ops.fold(COLUMNS, THREE, 3)),
        (ValueError, lambda: ops.fold(COLUMNS[0], THREE, 2)),
    ],
)
def test_a_wrong_argument_is_refused_by_name(kind, call):
    with pytest.raises(kind, match=r"^For 'fold', the "):
        call()
