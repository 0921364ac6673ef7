"""What ``mpiexec -n 2`` runs for the tests of the engine MPI: ``python mpi_job.py NAME`` calls that function."""

import hashlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import planned_faults

import minispore as ms
from minispore import communication, nn, ops

BATCH, STEPS, RESUMED, BAD_STEP = 8, 20, 10, 13


def rows(overflows):
    """The global batches of all steps; in one of them a row of the last quarter may be infinite."""
    draw = np.random.default_rng(0)
    for step in range(STEPS):
        x, y = draw.normal(size=(BATCH, 6)).astype(np.float32), draw.integers(0, 3, BATCH).astype(np.int32)
        if overflows and step == BAD_STEP:
            x[7] = np.inf
        yield x, y


def part(x, rank, size, micro):
    """A process's rows: its share of each of the ``micro`` parts of the batch."""
    return ms.Tensor(x.reshape(micro, size, -1, *x.shape[1:])[:, rank].reshape(-1, *x.shape[1:]))


class Case(NamedTuple):
    """What is trained: an optimizer of Parameters, at a level, in a mode, on parts of the batch."""

    name: str
    optimizer: Callable
    level: str
    mode: int = ms.PYNATIVE_MODE
    micro: int = 1
    scaled: bool = False  # with a dynamic loss scale, and a step that overflows in one process

    def step(self, rank):
        """A training step, whose Parameters are other ones in each process: the first step must make them equal."""
        draw = np.random.default_rng(rank)
        before = nn.Dense(6, 16, has_bias=False)  # normalization takes a bias out again: its gradient is all rounding
        # No ReLU: where its input is nearly 0, rounding decides whether a row has a gradient, and no bound covers that.
        after = nn.Dropout(p=0.25), nn.Dense(16, 16), nn.Tanh(), nn.Dense(16, 3)
        net = nn.SequentialCell(before, nn.SyncBatchNorm(16), nn.GELU(), *after)
        for p in net.trainable_params():
            p.set_data(ms.Tensor(draw.normal(size=p.shape).astype(np.float32) * 0.3))
        optimizer = self.optimizer(net.trainable_params())
        net = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
        net = nn.GradAccumulationCell(net, self.micro) if self.micro > 1 else net
        manager = ms.amp.DynamicLossScaleManager(2.0**8, 2, 5) if self.scaled else None
        return ms.build_train_network(net, optimizer, level=self.level, loss_scale_manager=manager)


def trained(case, rank, size, saved=None, resumes=False):
    """Parameters, and losses with overflows and scales, after training on this process's rows of each batch.

    Half-way the state is ``saved`` in a file, or with ``resumes`` training begins there.
    """
    ms.set_context(mode=case.mode, cpu_loss_scale=True)
    step, course = case.step(rank), []
    if resumes:
        ms.load_param_into_net(step, ms.load_checkpoint(saved), strict_load=True)
    for number, (x, y) in enumerate(rows(case.scaled)):
        if resumes and number < RESUMED:
            continue
        if number == RESUMED and saved is not None and not resumes:
            ms.save_checkpoint(step, saved)
        ms.set_seed(number + 1)
        out = step(part(x, rank, size, case.micro), part(y, rank, size, case.micro))
        course.append([float(value.asnumpy()) for value in (out if isinstance(out, tuple) else (out,))])
    return {p.name: p.asnumpy() for p in step.get_parameters()}, np.array(course)


def _momentum(parameters):
    return nn.Momentum(parameters, 0.02, 0.9)


OPTIMIZERS = {
    "SGD": lambda parameters: nn.SGD(parameters, 0.02, momentum=0.9),
    "Momentum": _momentum,
    "Adam": lambda parameters: nn.Adam(parameters, 0.003),
    "LARS of Lamb": lambda parameters: nn.LARS(nn.Lamb(parameters, 0.005), lars_filter=lambda p: p.ndim > 1),
}
FEW = [
    Case("Momentum", _momentum, "O0"),
    Case("Adam", OPTIMIZERS["Adam"], "O2", ms.GRAPH_MODE, 2, True),
    Case("LARS of Lamb", OPTIMIZERS["LARS of Lamb"], "O3", ms.PYNATIVE_MODE, 1, True),
]
ALL = [
    Case(name, make, level, mode, micro, scaled)
    for name, make in OPTIMIZERS.items()
    for level in ("O0", "O2", "O3")
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE)
    for micro, scaled in ((1, False), (1, True), (2, True))
]


def training(cases="FEW", folder=None):
    """Several processes train as one does on the global batch, and go on from where one has stopped."""
    cases, folder = globals()[cases], folder or tempfile.mkdtemp()
    alone = []
    for number, case in enumerate(cases):
        saved = os.path.join(folder, f"{number} {os.getpid()}.ckpt")
        alone.append((case, saved, trained(case, 0, 1, saved)))
    communication.init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    rank, size = communication.get_rank(), communication.get_group_size()
    digest = hashlib.sha256()
    for case, saved, (expected, course) in alone:
        for resumes in (False, True):
            ms.set_auto_parallel_context(all_reduce_fusion_config=[1, 3] if resumes else [])
            found, mine = trained(case, rank, size, saved, resumes)
            mine = _as_one(case, found, mine, expected, course[RESUMED:] if resumes else course)
            for value in (mine, *found.values()):
                digest.update(value.tobytes())
    said(f"as one {digest.hexdigest()}")


def _as_one(case, found, mine, expected, course):
    """Check a process's results against the others' and the single process's; returns the losses of all processes."""
    all_ = ops.AllGather()(ms.Tensor(mine[None])).asnumpy()
    assert (all_[:, :, 1:] == course[:, 1:]).all(), (case, "overflows and scales")
    kept = np.isfinite(course[:, 0])
    assert kept.sum() == len(course) - case.scaled, (case, "steps that overflow")
    _assert_near(case, "the losses", all_[:, kept, 0].mean(0), course[kept, 0])
    for name, value in found.items():
        parts = ops.AllGather()(ms.Tensor(value.reshape(1, -1))).asnumpy()
        assert (parts == parts[0]).all(), (case, name, "of different processes")
        _assert_near(case, name, value, expected[name])
    return all_


def _assert_near(case, name, found, expected):
    """Within what the order of sums changes: in each step float32's rounding of each row, or one of float16's."""
    bound = STEPS * (BATCH * 2.0**-24 if case.level == "O0" else 2.0**-11) * max(1.0, np.abs(expected).max(initial=0))
    error = np.abs(np.subtract(found, expected, dtype=np.float64)).max(initial=0)
    if os.environ.get("SHOW"):
        print(case.name, case.level, case.mode, case.micro, name, error / bound, flush=True)
    assert error <= bound, (case, name, error)


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


def overflows(courses="4", size=None):
    """Drawn courses of training in which buckets overflow in drawn processes: all agree on every step.

    Each course has its own buckets; in each step each process may have an infinity in the gradient of one Parameter,
    of one of the parts of its batch. What happens is what a single process would do with all of them.
    """
    communication.init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    ms.set_context(cpu_loss_scale=True)
    rank, size = communication.get_rank(), communication.get_group_size()
    for course in range(int(courses)):
        draw = np.random.default_rng(course)  # the same draws in all processes
        ends = sorted(draw.choice(5, size=draw.integers(0, 4), replace=False).tolist())
        ms.set_auto_parallel_context(all_reduce_fusion_config=ends)
        micro, mode = int(draw.integers(1, 3)), [ms.PYNATIVE_MODE, ms.GRAPH_MODE][int(draw.integers(0, 2))]
        ms.set_context(mode=mode)
        _course_of_overflows(draw, micro, rank, size)
    ms.set_auto_parallel_context(all_reduce_fusion_config=[])
    said("agreed")


class Five(nn.Cell):
    """The sum of five weights, each times its own column of x."""

    def __init__(self):
        super().__init__()
        self.weights = ms.ParameterTuple([ms.Parameter(np.ones(n, np.float32), name=f"w{n}") for n in range(1, 6)])

    def construct(self, x):
        return sum((w * x[:, i]).sum() for i, w in enumerate(self.weights))


def _course_of_overflows(draw, micro, rank, size):
    net, scale, good = Five(), 8.0, 0
    manager = ms.amp.DynamicLossScaleManager(scale, 2, 2)
    loss = nn.GradAccumulationCell(net, micro) if micro > 1 else net
    step = ms.build_train_network(loss, nn.SGD(net.trainable_params(), 0.25), loss_scale_manager=manager)
    weights = np.ones(5)
    for _ in range(6):
        x = draw.integers(1, 3, (size, micro, 5)).astype(np.float32)
        bad = draw.random(size) < 0.2
        for number in np.flatnonzero(bad):
            x[number, draw.integers(micro), draw.integers(5)] = np.inf
        _, overflow, used = step(ms.Tensor(x[rank]))
        assert bool(overflow) == bad.any() and float(used) == scale
        if bad.any():
            scale, good = max(scale / 2, 1.0), 0
        else:
            weights -= 0.25 * x.sum(1).mean(0)
            good += 1
            scale, good = (2 * scale, 0) if good == 2 else (scale, good)
        assert float(step.scale_sense) == scale
        for w, expected in zip(net.weights, weights, strict=True):
            assert (w.asnumpy() == expected).all()


def faults(count="6"):
    """Drawn processes fail in drawn places of drawn steps: all are told, and training goes on."""
    communication.init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    rank, size = communication.get_rank(), communication.get_group_size()
    for seed in range(int(count)):
        draw = np.random.default_rng(seed)  # the same draws in all processes
        ms.set_context(mode=[ms.PYNATIVE_MODE, ms.GRAPH_MODE][seed % 2])
        planned = planned_faults.drawn_faults(draw, size)
        told, parameters = planned_faults.course(rank, size, planned)
        planned_faults.check_told(planned, told)
        for value in parameters:
            parts = ops.AllGather()(ms.Tensor(value.reshape(1, -1))).asnumpy()
            assert (parts == parts[0]).all()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    said("told")


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
    overflows()
    faults()
    disagreement()
    if communication.get_rank() == 0:
        ops.AllReduce()(ms.Tensor(1.0))


def halted(place, how, folder):
    """Rank 1 (in saving rank 0, which saves) is halted in its fifth step; before, each step has left a checkpoint."""
    ms.set_context(op_timeout=3)
    communication.init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, all_reduce_fusion_config=[1])
    net = nn.WithLossCell(nn.SequentialCell(nn.Dense(6, 16), nn.Dense(16, 3)), nn.MSELoss())
    step, rank = ms.build_train_network(net, nn.Momentum(net.trainable_params(), 0.1, 0.9)), communication.get_rank()
    x, y = ms.Tensor(np.ones((4, 6), np.float32)), ms.Tensor(np.ones((4, 3), np.float32))
    for number in range(8):
        if number == 4:
            _halt_in(place, getattr(signal, how), net, rank)
        step(x, y)
        if rank == 0:
            ms.save_checkpoint(step, os.path.join(folder, "last.ckpt"), append_dict={"steps": number + 1})


def _halt_in(place, how, net, rank):
    """Have the process get a signal the next time that it comes to a place."""
    halt = lambda *_: os.kill(os.getpid(), how)  # noqa: E731 - it stands for functions of three kinds
    if place == "step" and rank == 1:
        net.register_forward_hook(halt)
    if place == "reduction" and rank == 1:
        group = communication.world.world()
        begin = group.start_sum
        group.start_sum = lambda *arguments: (begin(*arguments), halt())
    if place == "saving" and rank == 0:
        os.replace = halt


def absent():
    """Rank 1 does not come, and rank 0 waits as long as ``op_timeout`` says."""
    ms.set_context(op_timeout=1)
    communication.init()
    if communication.get_rank() == 0:
        ops.AllReduce()(ms.Tensor(1.0))
    signal.sigtimedwait([], 30)


def given_up():
    """Rank 0 catches the error of a wait for rank 1, which does not come, and ends; rank 1 goes on."""
    ms.set_context(op_timeout=1)
    communication.init()
    if communication.get_rank() == 0:
        try:
            ops.AllReduce()(ms.Tensor(1.0))
        except RuntimeError as error:
            said(error)
    else:
        signal.sigtimedwait([], 3)


def said(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
