"""Tensor's methods on places and pieces."""

import minispore as ms


def test_searchsorted_compares_two_types_in_the_wider_one():
    row = ms.Tensor([1, 2, 3, 5], ms.int32)
    assert row.searchsorted(ms.Tensor([2.5, 0.5])).asnumpy().tolist() == [2, 0]
    assert ms.Tensor([1.5, 2.0, 3.0]).searchsorted(ms.Tensor([2, 0])).asnumpy().tolist() == [1, 0]
