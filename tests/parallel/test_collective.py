"""Collective operations: identities in one process, which refuse what a group of one cannot be; and in several."""

import pytest
from support.thread_group import every

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


def test_several_processes_exchange_their_tensors(device):
    def call(rank):
        x = ms.Tensor([[1.0 + rank], [10.0 * rank]])
        return [
            ops.AllReduce()(x).asnumpy().tolist(),
            ops.AllReduce("max")(x).asnumpy().tolist(),
            ops.AllGather()(x).asnumpy().tolist(),
            ops.ReduceScatter()(x).asnumpy().tolist(),
            ops.Broadcast(1)((x,))[0].asnumpy().tolist(),
        ]

    all_parts = [[1.0], [0.0], [2.0], [10.0]]
    for rank, found in enumerate(every(2, call)):
        assert found == [[[3], [10]], [[2], [10]], all_parts, [[[3]], [[10]]][rank], [[2], [10]]]


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_narrow_floats_keep_their_dtype(dtype):
    found = every(2, lambda rank: ops.AllReduce()(ms.Tensor([1.0 + rank], dtype)))
    assert all(y.dtype == dtype and float(y[0].asnumpy()) == 3 for y in found)


# The loss of each process is the sum of weights (1 + its number) times outputs; the gradient that of all losses' sum
@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (ops.AllReduce, [[3, 3], [3, 3]]),
        (lambda: ops.AllReduce("max"), [[0, 3], [3, 0]]),
        (lambda: ops.AllReduce("prod"), [[9, 9], [6, 12]]),
        (ops.AllGather, [[3, 3], [3, 3]]),
        (ops.ReduceScatter, [[1, 2], [1, 2]]),
        (lambda: lambda x: ops.Broadcast(1)((x,))[0], [[0, 0], [3, 3]]),
    ],
)
def test_the_gradient_is_that_of_the_sum_of_all_losses(make, expected):
    collective = make()

    def call(rank):
        x = ms.Tensor([[2.0, 4.0], [3.0, 3.0]][rank])
        return ms.grad(lambda x: collective(x).sum() * (1.0 + rank))(x).asnumpy().tolist()

    assert every(2, call) == expected


def test_what_several_processes_cannot_do_is_refused_in_each():
    def call(rank):
        for make, kind, text in [
            (lambda: ops.ReduceScatter()(ms.Tensor([1.0, 2.0, 3.0])), ValueError, "divisible by the 2 processes"),
            (lambda: ops.AlltoAll(1, 0, 0)(X), NotImplementedError, "use AllReduce, AllGather"),
            (lambda: ops.Broadcast(2), ValueError, r"must be in \[0, 2\)"),
            (lambda: ms.grad(ops.ReduceScatter("max"))(X), NotImplementedError, "the gradient of 'max' is not defined"),
        ]:
            with pytest.raises(kind, match=text):
                make()

    every(2, call)


def test_a_barrier_holds_each_process_until_all_have_come():
    come = []

    def call(rank):
        come.append(rank)
        assert int(ops.Barrier()()) == 3
        return sorted(come)

    assert every(3, call) == [[0, 1, 2]] * 3
    assert int(ops.Barrier()()) == 1


def test_graph_mode_does_not_replay_what_waits_for_other_processes():
    def call(rank):
        doubled = ms.jit(lambda x: ops.AllReduce()(x * 2))
        return [float(doubled(ms.Tensor(1.0 + rank + i)).asnumpy()) for i in range(4)]

    assert every(2, call) == [[6, 10, 14, 18]] * 2


def test_the_ways_to_reduce_have_names():
    assert (ops.ReduceOp.SUM, ops.ReduceOp.MAX, ops.ReduceOp.MIN, ops.ReduceOp.PROD) == ("sum", "max", "min", "prod")
