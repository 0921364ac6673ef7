"""A network gets the whole batch in one process."""

import pytest

import minispore as ms
from minispore import nn


class SumOfThree(nn.Cell):
    def construct(self, a, b, c):
        return a + b + c


def test_a_network_gets_what_the_cell_around_it_gets():
    from_address = ms.nn.wrap.cell_wrapper
    net = from_address.VirtualDatasetCellTriple(SumOfThree())
    assert net(ms.Tensor([1.0]), ms.Tensor([2.0]), ms.Tensor([3.0])).asnumpy().tolist() == [6.0]
    assert from_address._VirtualDatasetCell(nn.ReLU())(ms.Tensor([-1.0])).asnumpy().tolist() == [0.0]
    with pytest.raises(TypeError, match=r"^For 'VirtualDatasetCellTriple', the 'backbone' must be a Cell"):
        from_address.VirtualDatasetCellTriple(1)
