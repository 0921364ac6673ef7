"""Operations that are others put together, beside numbers that MindSpore 2.0.0 gave, and their gradients."""

import numpy as np
import pytest
from support.differentiated import assert_differentiated

import minispore as ms
from minispore import Tensor, ops

COUNT = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
SQUARE = Tensor(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2))
CHANNELS = Tensor(np.arange(8, dtype=np.float32).reshape(1, 4, 1, 2))

RECORDED = [
    (ops.MaxPoolWithArgmax(2, 2)(COUNT)[0], [[5, 7], [13, 15]]),
    (ops.MaxPoolWithArgmax(2, 2)(COUNT)[1], [[5, 7], [13, 15]]),
    (ops.MaxPoolWithArgmax(2, 2, "same")(COUNT[:, :, :3, :3])[1], [[4, 5], [7, 8]]),
    (ops.ResizeBilinearV2()(SQUARE, (3, 3)), [[0, 2 / 3, 1], [4 / 3, 2, 7 / 3], [2, 8 / 3, 3]]),
    (ops.ResizeBilinearV2(True)(SQUARE, (3, 3)), [[0, 0.5, 1], [1, 1.5, 2], [2, 2.5, 3]]),
    (ops.ResizeBilinearV2(False, True)(SQUARE, (3, 3)), [[0, 0.5, 1], [1, 1.5, 2], [2, 2.5, 3]]),
    (
        ops.LRN(2, 1.0, 0.5, 0.5)(CHANNELS),
        [[[0, 0.23249528], [0.37139067, 0.45749572], [0.74278134, 0.7624929], [1.114172, 1.073751]]],
    ),
]


@pytest.mark.parametrize(("found", "recorded"), RECORDED)
def test_a_composed_operation_computes_as_mindspore_does(found, recorded):
    np.testing.assert_allclose(found.asnumpy().ravel(), np.ravel(recorded), rtol=1e-6, atol=1e-6)


def test_places_of_the_largest_are_of_int32():
    assert ops.MaxPoolWithArgmax(2, 2)(COUNT)[1].dtype == ms.int32


def test_a_gradient_passes_to_the_largest_of_a_window():
    found = ms.grad(lambda x: ops.MaxPoolWithArgmax(2, 2)(x)[0])(COUNT).asnumpy()[0, 0]
    assert found.tolist() == [[0, 0, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0], [0, 1, 0, 1]]


def test_the_gradient_of_lrn_is_the_difference_quotient():
    x, move = np.random.default_rng(0).uniform(-1, 1, (2, 1, 4, 1, 2))
    assert_differentiated(lambda x: (ops.LRN(1)(x) * Tensor(move)).sum(), x)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda: ops.LRN()(SQUARE[0])),
        (TypeError, lambda: ops.LRN(bias=1)),
        (ValueError, lambda: ops.LRN(norm_region="WITHIN")),
        (TypeError, lambda: ops.ResizeBilinearV2()(SQUARE, 3)),
        (ValueError, lambda: ops.MaxPoolWithArgmax(2, 2, "pad")),
        (TypeError, lambda: ops.MaxPoolWithArgmax()(1)),
    ],
)
def test_what_a_composed_operation_does_not_take_is_refused_by_name(error, call):
    with pytest.raises(error, match=r"^For '\w+', "):
        call()
