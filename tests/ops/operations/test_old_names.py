"""Primitives of MindSpore 1 compute as what they are called now, and say so once."""

import logging

from minispore import Tensor, ops
from minispore.ops.operations import old_names


def test_an_old_name_is_told_once(caplog):
    old_names._warn_once.cache_clear()
    with caplog.at_level(logging.WARNING, logger="minispore"):
        assert [ops.TensorAdd()(Tensor(1), 2).item() for _ in range(2)] == [3, 3]
    assert [record.getMessage() for record in caplog.records] == ["'TensorAdd' is the old name of 'Add'."]


def test_a_shape_can_be_a_tensor():
    assert ops.TensorShape()(Tensor([[1, 2, 3]])).tolist() == [1, 3]
