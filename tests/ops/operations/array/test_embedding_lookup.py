"""EmbeddingLookup: MindSpore 2.0.0's rows, zeros outside the table, gradient and errors."""

import numpy as np
import pytest

from minispore import Tensor, grad, ops

TABLE = np.arange(8, dtype=np.float32).reshape(4, 2)
INDICES = np.array([[5, 2], [8, 5]], np.int32)
LOOKUP = ops.EmbeddingLookup()


@pytest.mark.parametrize(
    ("offset", "rows"),
    [
        (4, [[[2, 3], [0, 0]], [[0, 0], [2, 3]]]),
        (0, [[[0, 0], [4, 5]], [[0, 0], [0, 0]]]),
        (-1, [[[0, 0], [6, 7]], [[0, 0], [0, 0]]]),
    ],
)
def test_rows_begin_at_the_offset_and_are_zeros_outside(offset, rows):
    assert LOOKUP(Tensor(TABLE), Tensor(INDICES), offset).asnumpy().tolist() == rows


def test_an_index_below_the_offset_is_outside_and_a_table_may_have_one_axis():
    assert LOOKUP(Tensor(TABLE), Tensor([-1, 3]), 0).asnumpy().tolist() == [[0, 0], [6, 7]]
    assert LOOKUP(Tensor(np.arange(4.0)), Tensor(INDICES), 2).asnumpy().tolist() == [[3, 0], [0, 3]]


def test_the_gradient_counts_how_often_a_row_was_found():
    of_table = grad(lambda x: LOOKUP(x, Tensor(INDICES), 4).sum())(Tensor(TABLE))
    assert of_table.asnumpy().tolist() == [[0, 0], [2, 2], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("inputs", "kind", "text"),
    [
        (([1.0], Tensor(INDICES), 0), TypeError, "'input_params' must be a Tensor"),
        ((Tensor(TABLE), [1, 2], 0), TypeError, "'input_indices' must be a Tensor of ints"),
        ((Tensor(TABLE), Tensor([1.0]), 0), TypeError, "'input_indices' must be a Tensor of ints"),
        ((Tensor(TABLE), Tensor(INDICES), 1.0), TypeError, "'offset' must be an int"),
        ((Tensor(1.0), Tensor(INDICES), 0), ValueError, "'input_params' must have at least one row"),
    ],
)
def test_wrong_inputs_are_refused(inputs, kind, text):
    with pytest.raises(kind, match=f"For 'EmbeddingLookup', the {text}"):
        LOOKUP(*inputs)
