"""What ``mpiexec -n 2`` runs for the tests of the engine MPI: ``python mpi_job.py NAME`` calls that function."""

import os
import signal
import sys

import numpy as np

import minispore as ms
from minispore import communication, nn, ops

BATCH, STEPS, BAD_STEP = 8, 20, 7


def rows(overflows):
    """The global batches of all steps; in one of them a row of the odd half may be infinite."""
    draw = np.random.default_rng(0)
    for step in range(STEPS):
        x, y = draw.normal(size=(BATCH, 6)).astype(np.float32), draw.integers(0, 3, BATCH).astype(np.int32)
        if overflows and step == BAD_STEP:
            x[5] = np.inf
        yield x, y


def trained(optimizer, level, mode, rank, size, micro=1):
    """Parameters, mean losses, and overflows and scales, after training on this process's rows of each batch."""
    ms.set_context(mode=mode, cpu_loss_scale=True)
    draw = np.random.default_rng(rank)  # different Parameters: the first step must make them equal
    net = nn.SequentialCell(nn.Dense(6, 16, activation="relu"), nn.Dense(16, 3))
    for p in net.get_parameters():
        p.set_data(ms.Tensor(draw.normal(size=p.shape).astype(np.float32) * 0.3))
    optimizer = optimizer(net.trainable_params())
    net = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = ms.build_train_network(nn.GradAccumulationCell(net, micro) if micro > 1 else net, optimizer, level=level)
    courses = []
    for x, y in rows(level == "O2"):
        out = step(ms.Tensor(x[rank::size]), ms.Tensor(y[rank::size]))
        courses.append([float(part.asnumpy()) for part in (out if isinstance(out, tuple) else (out,))])
    return {p.name: p.asnumpy() for p in step.get_parameters()}, np.array(courses)


CASES = [
    (lambda p: nn.Momentum(p, 0.1, 0.9), "O0", ms.PYNATIVE_MODE),
    (lambda p: nn.Momentum(p, 0.1, 0.9), "O2", ms.GRAPH_MODE),
    (lambda p: nn.Adam(p, 0.01), "O0", ms.GRAPH_MODE, 2),
    (lambda p: nn.Adam(p, 0.01), "O2", ms.PYNATIVE_MODE),
]


def training():
    """Two processes train as one does on the global batch."""
    alone = [trained(*case[:3], 0, 1, *case[3:]) for case in CASES]
    communication.init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    rank, gather = communication.get_rank(), ops.AllGather()
    for case, (expected, course) in zip(CASES, alone, strict=True):
        found, mine = trained(*case[:3], rank, 2, *case[3:])
        both = gather(ms.Tensor(mine[None])).asnumpy()
        assert np.array_equal(both[0, :, 1:], both[1, :, 1:]) and np.array_equal(both[0, :, 1:], course[:, 1:])
        # float32 adds up 2**-24 in each of the steps' sums; at O2 float16's activations round to 2**-11
        bound = 2e-6 if case[1] == "O0" else 2e-3
        kept = np.isfinite(course[:, 0])
        assert np.allclose(both[:, kept, 0].mean(0), course[kept, 0], atol=bound, rtol=bound)
        assert kept.sum() == STEPS - (case[1] == "O2")
        for name, value in found.items():
            assert np.allclose(value, expected[name], atol=bound, rtol=bound), (name, case)
            halves = gather(ms.Tensor(value.reshape(1, -1))).asnumpy()
            assert np.array_equal(halves[0], halves[1]), name
    said("as one")


def collectives():
    """Groups and operations; rank 1 ends late, and the job still ends well."""
    communication.init("mpi")
    rank = communication.get_rank()
    assert communication.get_group_size() == 2 and communication.GlobalComm.BACKEND == "mpi"
    assert (communication.get_local_rank(), communication.get_local_rank_size()) == (rank, 2)
    communication.create_group("turned", [1, 0])
    communication.create_group("last", [1])
    assert communication.get_rank("turned") == 1 - rank
    assert communication.get_world_rank_from_group_rank("turned", 0) == 1
    if rank:
        assert communication.get_group_size("last") == 1
    else:
        try:
            ops.AllReduce(group="last")(ms.Tensor(1.0))
        except RuntimeError as error:
            assert "must be a member of the group 'last'" in str(error)
        else:
            raise AssertionError("a process outside the group has used it")
    for dtype in (ms.float32, ms.float16, ms.bfloat16, ms.int32, ms.float64):
        x = ms.Tensor([[1 + rank], [10 * rank]], dtype)
        for op, expected in (("sum", [[3], [10]]), ("prod", [[2], [0]]), ("max", [[2], [10]]), ("min", [[1], [0]])):
            y = ops.AllReduce(op, "turned")(x)
            assert y.dtype == dtype and y.asnumpy().astype(float).tolist() == expected
            part = ops.ReduceScatter(op)(x)
            assert part.dtype == dtype and part.asnumpy().astype(float).tolist() == [expected[rank]]
        turned = ops.AllGather("turned")(x).asnumpy().astype(float).ravel().tolist()
        assert turned == [2, 10, 1, 0]
        assert ops.Broadcast(0, "turned")((x,))[0].asnumpy().astype(float).ravel().tolist() == [2, 10]
    assert ops.Broadcast(1)((ms.Tensor(rank == 1),))[0].asnumpy()
    assert ms.grad(lambda x: ops.AllReduce()(x) * (1.0 + rank))(ms.Tensor(5.0)).asnumpy() == 3
    assert ops.AllReduce()(ms.Tensor(np.zeros((0, 2), np.float32))).shape == (0, 2)
    communication.destroy_group("turned")
    communication.release()
    assert not communication.GlobalComm.INITED and ops.AllReduce()(ms.Tensor(7.0)) == 7
    said("exchanged")


def disagreement():
    """Both processes raise the error that names what each does, and can go on."""
    try:
        ops.AllReduce()(ms.Tensor(np.zeros(2 + communication.get_rank(), np.float32)))
    except RuntimeError as error:
        said(error)
    assert ops.AllReduce()(ms.Tensor(1.0)) == 2


def everything():
    """All of the above, one after the other; then rank 1 ends while rank 0 waits for it, which ends the job."""
    collectives()
    training()
    disagreement()
    if communication.get_rank() == 0:
        ops.AllReduce()(ms.Tensor(1.0))


def killed():
    """Rank 1 is killed while rank 0 waits for it."""
    communication.init()
    ops.AllReduce()(ms.Tensor(1.0))
    if communication.get_rank() == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    ops.AllReduce()(ms.Tensor(1.0))


def absent():
    """Rank 1 does not come, and rank 0 waits as long as ``op_timeout`` says."""
    ms.set_context(op_timeout=1)
    communication.init()
    if communication.get_rank() == 0:
        ops.AllReduce()(ms.Tensor(1.0))
    signal.sigtimedwait([], 30)


def said(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
