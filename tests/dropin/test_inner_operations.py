"""Operations that MindSpore keeps to itself."""

import pytest

import minispore as ms
from minispore.ops.operations import _inner_ops as inner

A, B, HALF = ms.Tensor([[1.0, 2.0]]), ms.Tensor([3.0]), ms.Tensor([4.0], ms.float16)


def test_tensors_are_joined_by_dtype_in_the_order_of_the_first():
    found = inner.FlattenConcat()([A, HALF, B])
    assert [(x.dtype, x.tolist()) for x in found] == [(ms.float32, [1, 2, 3]), (ms.float16, [4])]
    by_a = ms.grad(lambda a: (inner.FlattenConcat()((a, B))[0] ** 2).sum())(A)
    assert by_a.tolist() == [[2, 4]]


def test_what_is_not_joined_is_refused_by_name():
    with pytest.raises(ValueError, match=r"^For 'FlattenConcat', the 'fusion_size' must be 0, but got 4"):
        inner.FlattenConcat(4)
    with pytest.raises(TypeError, match=r"^For 'FlattenConcat', the 'tensors' must be a list or tuple of Tensors"):
        inner.FlattenConcat()(A)
