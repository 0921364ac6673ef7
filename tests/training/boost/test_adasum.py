"""AdaSum: the formula of its paper in float64, and its two ends."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.thread_group import every

import minispore as ms
from minispore import boost, nn
from minispore.boost.adasum import _levels, adasum, combined
from minispore.parallel.communication import world

JOB = Path(__file__).parents[2] / "support" / "mpi_boost_job.py"
MPIEXEC = shutil.which("mpiexec", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))


def by_paper(a, b):
    product = (a * b).sum()
    shares = (1 - product / (2 * square) if square else 1.0 for square in ((a * a).sum(), (b * b).sum()))
    return sum(share * x for share, x in zip(shares, (a, b), strict=True))


@pytest.mark.parametrize(("dtype", "tolerance"), [(ms.float32, 1e-5), (ms.float16, 4e-3)])
def test_two_steps_are_combined_by_the_papers_formula(dtype, tolerance):
    rng = np.random.default_rng(0)
    for shape in [(), (7,), (3, 4)]:
        a, b = (ms.Tensor(rng.standard_normal(shape), dtype) for _ in range(2))
        found = adasum(a, b)
        assert found.dtype == dtype and found.shape == shape
        expected = by_paper(a.asnumpy().astype(np.float64), b.asnumpy().astype(np.float64))
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=tolerance)


def test_zero_steps_change_nothing():
    a, zero = ms.Tensor([3.0, -1.0]), ms.Tensor([0.0, 0.0])
    for found, expected in [(adasum(a, zero), a), (adasum(zero, a), a), (adasum(zero, zero), zero)]:
        np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())


def test_squares_beyond_float16_do_not_overflow():
    a = ms.Tensor(np.full(4, 300.0), ms.float16)
    np.testing.assert_array_equal(adasum(a, a).asnumpy(), a.asnumpy())


def test_a_group_of_one_takes_its_own_step():
    w, old = ms.Parameter([9.0, 9.0], name="w"), ms.Tensor([5.0, 6.0])
    boost.AdaSum(0, 1, 1, (w,))((ms.Tensor([0.5, 1.0]),), (w,), (old,))
    np.testing.assert_array_equal(w.asnumpy(), [4.5, 5.0])


def in_pairs(steps):
    """The steps of all groups, combined in float64 by the paper's formula: neighbours, then pairs, then fours."""
    while len(steps) > 1:
        steps = [by_paper(a, b) for a, b in zip(steps[::2], steps[1::2], strict=True)]
    return steps[0]


SHAPES = [(3, 5), (), (7,), (1, 1), (2, 3, 2)]


def drawn_steps(group, dtype=np.float32):
    """The steps of one group of processes: those of other groups are partly parallel to them."""
    common, own = np.random.default_rng(0), np.random.default_rng(group + 1)
    return [(common.standard_normal(shape) + own.standard_normal(shape)).astype(dtype) for shape in SHAPES]


@pytest.mark.parametrize(("devices", "groups"), [(1, 2), (1, 4), (1, 8), (2, 2), (3, 4)])
def test_the_steps_of_groups_are_combined_pair_by_pair(devices, groups):
    def combine(rank):
        params = [ms.Parameter(np.zeros(shape, np.float32), name=f"p{i}") for i, shape in enumerate(SHAPES)]
        steps = tuple(map(ms.Tensor, drawn_steps(rank // devices)))
        old = tuple(ms.Tensor(np.full(shape, 10, np.float32)) for shape in SHAPES)
        boost.AdaSum(rank, devices, groups, params)(steps, params, old)
        return [p.asnumpy() for p in params]

    found = every(devices * groups, combine)
    for i in range(len(SHAPES)):
        expected = 10 - in_pairs([drawn_steps(group, np.float64)[i] for group in range(groups)])
        for one in found:
            np.testing.assert_array_equal(one[i], found[0][i])
        np.testing.assert_allclose(found[0][i], expected, rtol=1e-6, atol=1e-6)


@given(sizes=st.lists(st.integers(0, 9), min_size=1, max_size=6), levels=st.integers(1, 3), seed=st.integers(0, 99))
def test_arrays_of_any_sizes_are_combined_alone_wherever_the_parts_of_processes_end(sizes, levels, seed):
    """An array lies in the parts of several processes, begins or ends in the middle of one, or is empty."""
    steps = np.random.default_rng(seed).integers(-9, 10, (2**levels, sum(sizes))).astype(np.float32)
    ends = np.cumsum(sizes)

    def combine(rank):
        return combined(steps[rank], ends, _levels(world.world(), 1, 2**levels))

    expected = np.split(np.zeros(sum(sizes)), ends[:-1])
    for i, part in enumerate(expected):
        part[:] = in_pairs([np.split(step, ends[:-1])[i].astype(np.float64) for step in steps])
    for found in every(2**levels, combine):
        np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5, atol=1e-5)


def test_float16_steps_are_combined_in_float32_and_zero_steps_change_nothing():
    def combine(rank):
        w = ms.Parameter(np.zeros(4, np.float16), name="w")
        step = ms.Tensor(np.full(4, 300.0 * (rank < 2)), ms.float16)
        boost.AdaSum(rank, 1, 4, (w,))((step,), (w,), (ms.Tensor(np.zeros(4), ms.float16),))
        return w.asnumpy().tolist()

    assert every(4, combine) == [[-300.0] * 4] * 4


def data_of(rank):
    rng = np.random.default_rng(rank)
    x = rng.standard_normal((4, 3)).astype(np.float32)
    return ms.Tensor(x), ms.Tensor(x @ np.float32([[1], [-2], [0.5]]))


def trained(rank, steps=4):
    """The weight of a linear layer after some steps, and whether they were summed adaptively."""
    net = nn.Dense(3, 1, "ones", has_bias=False)
    opt = nn.SGD(net.trainable_params(), 0.1)
    step = ms.build_train_network(net, opt, nn.MSELoss(), boost_level="O2")
    for _ in range(steps):
        step(*data_of(rank))
    return net.weight.asnumpy().ravel(), step.enable_adasum


def by_oracle(size, mean, steps=4):
    """As ``trained``, in float64; or with the mean gradient of all processes."""
    w = np.ones(3)
    data = [[t.asnumpy().astype(np.float64) for t in data_of(rank)] for rank in range(size)]
    for _ in range(steps):
        each = [0.1 * 2 * x.T @ (x @ w - y.ravel()) / len(y) for x, y in data]
        w = w - (np.mean(each, axis=0) if mean else in_pairs(each))
    return w


@pytest.mark.parametrize(("size", "devices"), [(2, 1), (4, 1), (2, 8)])
@pytest.mark.usefixtures("own_configuration")
def test_a_training_step_sums_the_steps_of_groups_adaptively(size, devices):
    config = {"mode": "manual", "less_bn": False, "grad_freeze": False, "adasum": True}
    boost.AutoBoost("O2", {"boost": config, "common": {"device_number": devices}})

    def train(rank):
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        return trained(rank)

    try:
        found = every(size, train)
    finally:
        ms.reset_auto_parallel_context()
    for weight, adaptively in found:
        assert adaptively == (size > devices)
        np.testing.assert_array_equal(weight, found[0][0])
        np.testing.assert_allclose(weight, by_oracle(size, mean=not adaptively), rtol=1e-5)


@pytest.mark.skipif(importlib.util.find_spec("mpi4py") is None or MPIEXEC is None, reason="needs the extra mpi")
@pytest.mark.skipif(settings.default.max_examples < 2000, reason="two jobs of MPI: under the deep profile")
@pytest.mark.parametrize("size", [2, 4])
def test_processes_of_mpi_are_boosted(size):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(JOB.parents[2])}
    command = [MPIEXEC, "-n", str(size), sys.executable, str(JOB)]
    job = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert job.returncode == 0 and job.stdout.count("boosted") == size, job.stderr


def test_what_is_refused():
    a = ms.Tensor([1.0])
    for error, sentence, call in [
        (TypeError, "must be Tensors of one dtype", lambda: adasum(a, 1.0)),
        (TypeError, "must be Tensors of one dtype", lambda: adasum(a, a.astype(ms.float16))),
        (ValueError, "must have the same shape", lambda: adasum(a, ms.Tensor([1.0, 2.0]))),
        (ValueError, "'group_number' must be a power of two, but got 3", lambda: boost.AdaSum(0, 1, 3, ())),
        (ValueError, "own of 2, but got 0, in process 0 of 1", lambda: boost.AdaSum(0, 1, 2, ())),
        (ValueError, "'rank' must be in", lambda: boost.AdaSum(2, 1, 2, ())),
        (ValueError, "'device_number' must be", lambda: boost.AdaSum(0, 0, 2, ())),
        (TypeError, "must be a tuple of Parameters", lambda: boost.AdaSum(0, 1, 1, (a,))),
    ]:
        with pytest.raises(error, match=sentence):
            call()
