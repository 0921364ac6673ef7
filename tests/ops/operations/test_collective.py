"""Collective operations in one process: identities, which refuse what a group of one cannot be."""

import pytest

import minispore as ms
from minispore import ops

X = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
EXCHANGE = ([0], [0], ([2, 2],), ([2, 2],), ms.float32)


@pytest.mark.parametrize("make", [ops.AllReduce, ops.AllGather, ops.ReduceScatter, lambda: ops.AlltoAll(1, 0, 1)])
def test_one_tensor_comes_back_with_its_gradient_in_memory_of_its_own(make):
    found = make()(X)
    assert (found.asnumpy() == X.asnumpy()).all() and found is not X
    assert (ms.grad(lambda x: make()(x) * x)(X).asnumpy() == 2 * X.asnumpy()).all()


@pytest.mark.parametrize("make", [lambda: ops.Broadcast(0), lambda: ops.NeighborExchange(*EXCHANGE)])
def test_a_tuple_of_tensors_comes_back(make):
    (found,) = make()((X,))
    assert (found.asnumpy() == X.asnumpy()).all()


def test_a_created_group_is_known():
    ms.communication.init()
    ms.communication.create_group("mine", [0])
    try:
        assert ops.AllReduce(ops.ReduceOp.MAX, "mine").group == "mine"
    finally:
        ms.communication.release()
    with pytest.raises(ValueError, match="the 'group' must be one of"):
        ops.AllReduce(group="mine")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: ops.AllReduce("mean"), ValueError),
        (lambda: ops.AllReduce(3), TypeError),
        (lambda: ops.AllReduce(group=3), TypeError),
        (lambda: ops.ReduceScatter("mean"), ValueError),
        (lambda: ops.Broadcast(1), ValueError),
        (lambda: ops.Broadcast("0"), TypeError),
        (lambda: ops.AlltoAll(2, 0, 0), ValueError),
        (lambda: ops.AlltoAll(1, 2, 0)(X), ValueError),
        (lambda: ops.NeighborExchange([1], *EXCHANGE[1:]), ValueError),
        (lambda: ops.NeighborExchange(0, *EXCHANGE[1:]), TypeError),
        (lambda: ops.NeighborExchange([0], [0], ([2],), ([3],), ms.float32), ValueError),
        (lambda: ops.NeighborExchange([0], [0], [2], [2], ms.float32), TypeError),
        (lambda: ops.NeighborExchange(*EXCHANGE)((ms.Tensor([1.0]),)), ValueError),
        (lambda: ops.NeighborExchange(*EXCHANGE)((X.astype(ms.float16),)), TypeError),
        (lambda: ops.AllGather()(ms.Tensor(1.0)), ValueError),
        (lambda: ops.AllReduce()(ms.Tensor([True])), TypeError),
    ],
)
def test_what_a_group_of_one_cannot_be_is_refused(make, kind):
    with pytest.raises(kind, match=r"^For '"):
        make()
