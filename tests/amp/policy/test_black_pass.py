"""The black pass: which cells O2 and custom black lists keep in float32."""

import numpy as np

import minispore as ms
from minispore import Tensor, amp, nn


def test_o2_leaves_a_norm_inside_the_users_own_float32_alone():
    class Inner(nn.Cell):
        def __init__(self):
            super().__init__()
            self.bn = nn.BatchNorm1d(2)

        def construct(self, x):
            return self.bn(x)

    inner, x = Inner().to_float(ms.float32), Tensor([[1.0001, 2.0003], [3.00017, 4.2323]])
    expected = inner(x).asnumpy()
    np.testing.assert_array_equal(amp.auto_mixed_precision(nn.SequentialCell(inner), "O2")(x).asnumpy(), expected)


def test_sync_batch_norm_counts_as_batch_norm_as_a_root_and_in_custom_lists():
    root = nn.SyncBatchNorm(2)
    amp.auto_mixed_precision(root, "O2")
    assert root._compute_dtype == np.float32
    network = nn.SequentialCell(nn.SyncBatchNorm(2), nn.BatchNorm1d(2))
    amp.custom_mixed_precision(network, black_list=[nn.Dense])
    assert [type(cell).__name__ for cell in network.cell_list] == ["SyncBatchNorm", "BatchNorm1d"]


def test_a_later_to_float_of_an_outer_cell_is_the_users_last_word():
    network = nn.SequentialCell(nn.Dense(2, 2).to_float(ms.float16)).to_float(ms.float32)
    outer = nn.SequentialCell(network, nn.Dense(2, 2))
    amp.auto_mixed_precision(outer, "O3")
    assert (network[0]._compute_dtype, outer[1]._compute_dtype) == (np.float32, np.float16)
