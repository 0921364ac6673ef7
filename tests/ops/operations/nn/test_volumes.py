"""Pooling over volumes, beside numbers that MindSpore 2.0.0 gave on the CPU, and its gradient."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

COUNT = Tensor(np.arange(60, dtype=np.float32).reshape(1, 1, 3, 4, 5))

RECORDED = [
    (ops.MaxPool3D(2, 2), [[[26, 28], [36, 38]]]),
    (ops.AvgPool3D(2, 2), [[[13, 15], [23, 25]]]),
    (ops.MaxPool3D(2, 2, "SAME"), [[[26, 28, 29], [36, 38, 39]], [[46, 48, 49], [56, 58, 59]]]),
    (
        ops.AvgPool3D(2, 2, "same"),
        [[[13, 15, 8.25], [23, 25, 13.25]], [[21.5, 22.5, 11.625], [26.5, 27.5, 14.125]]],
    ),
    (
        ops.MaxPool3D(2, 2, "pad", 1),
        [[[0, 2, 4], [10, 12, 14], [15, 17, 19]], [[40, 42, 44], [50, 52, 54], [55, 57, 59]]],
    ),
    (
        ops.AvgPool3D(2, 2, "pad", 1),
        [
            [[0, 0.375, 0.875], [1.875, 4.5, 5.5], [1.875, 4.125, 4.625]],
            [[7.5, 15.75, 16.75], [18.75, 39, 41], [11.25, 23.25, 24.25]],
        ],
    ),
]


@pytest.mark.parametrize(("pool", "recorded"), RECORDED)
def test_volumes_are_pooled_as_mindspore_does(pool, recorded):
    np.testing.assert_allclose(pool(COUNT).asnumpy()[0, 0], recorded, rtol=1e-6)


def test_a_gradient_is_shared_over_each_window():
    found = ms.grad(ops.AvgPool3D(2, 1, "pad", 1, False, False))(COUNT).asnumpy()[0, 0]
    outer, inner = [[3.375, 2.25, 2.25, 2.25, 3.375]], [[2.25, 1.5, 1.5, 1.5, 2.25]]
    middle = [[1.5, 1, 1, 1, 1.5]]
    np.testing.assert_allclose(
        found, [outer + inner * 2 + outer, inner + middle * 2 + inner, outer + inner * 2 + outer]
    )


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (ValueError, lambda: ops.MaxPool3D(2, 2, "valid", 1)),
        (ValueError, lambda: ops.MaxPool3D(2, 2, "x")),
        (ValueError, lambda: ops.AvgPool3D(2, 2, "pad", -1)),
        (ValueError, lambda: ops.AvgPool3D(0)),
        (TypeError, lambda: ops.MaxPool3D(2)(1)),
        (ValueError, lambda: ops.MaxPool3D(2)(COUNT[0])),
        (TypeError, lambda: ops.AvgPool3D(2, ceil_mode=1)),
    ],
)
def test_a_wrong_argument_is_refused_by_name(kind, call):
    with pytest.raises(kind, match=r"^For '(Max|Avg)Pool3D', the "):
        call()
