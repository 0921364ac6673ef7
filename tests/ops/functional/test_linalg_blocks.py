"""Matrices of blocks and diagonals, beside numbers that MindSpore 2.0.0 gave on the CPU."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops


def sevens(*shape):
    return Tensor((np.arange(np.prod(shape), dtype=np.float32) * 7 % 11).reshape(shape))


def test_blocks_stand_along_the_diagonal():
    found = ops.block_diag(sevens(2, 2), sevens(3), Tensor(5.0, ms.float32)).asnumpy().tolist()
    assert found == [[0, 7, 0, 0, 0, 0], [3, 10, 0, 0, 0, 0], [0, 0, 0, 7, 3, 0], [0, 0, 0, 0, 0, 5]]


@pytest.mark.parametrize(
    ("x", "where", "recorded"),
    [
        (sevens(2, 2), (), [[[0, 0], [0, 7]], [[3, 0], [0, 10]]]),
        (sevens(3), (1,), [[0, 0, 0, 0], [0, 0, 7, 0], [0, 0, 0, 3], [0, 0, 0, 0]]),
        (
            sevens(2, 2),
            (-1, 0, 2),
            [[[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [3, 0, 0]], [[0, 7, 0], [0, 10, 0]]],
        ),
    ],
)
def test_the_last_axis_becomes_a_diagonal(x, where, recorded):
    assert ops.diag_embed(x, *where).asnumpy().tolist() == recorded


def test_gradients_pass_to_what_stands_on_the_diagonal():
    weights = Tensor(np.arange(16, dtype=np.float32).reshape(4, 4))
    assert ms.grad(lambda x: (ops.diag_embed(x, 1) * weights).sum())(sevens(3)).asnumpy().tolist() == [1, 6, 11]
    found = ms.grad(lambda x: (ops.block_diag(x, sevens(2, 2)) * weights).sum())(sevens(2, 2))
    assert found.asnumpy().tolist() == [[0, 1], [4, 5]]


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: ops.block_diag(1)),
        (ValueError, lambda: ops.block_diag(sevens(1, 2, 2))),
        (ValueError, lambda: ops.diag_embed(sevens(2), 0, 1, 1)),
        (TypeError, lambda: ops.diag_embed(sevens(2), 1.0)),
        (ValueError, lambda: ops.diag_embed(sevens(2), 0, 0, 5)),
    ],
)
def test_a_wrong_argument_is_refused_by_name(kind, call):
    with pytest.raises(kind, match=r"^For '(block_diag|diag_embed)', the "):
        call()
