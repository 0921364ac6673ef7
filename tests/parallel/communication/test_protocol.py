"""The laws of the protocol, on a group of threads."""

import ml_dtypes
import numpy as np
import pytest
from support.thread_group import every, in_threads, processes

import minispore as ms


@pytest.fixture
def soon():
    before = ms.get_context("op_timeout")
    ms.set_context(op_timeout=1)
    yield
    ms.set_context(op_timeout=before)


@pytest.mark.parametrize(
    ("op", "expected"), [("sum", [6, 60]), ("prod", [6, 6000]), ("max", [3, 30]), ("min", [1, 10])]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.int32])
def test_every_process_gets_the_same_combination(op, expected, dtype):
    with processes(3) as group:
        found = in_threads(group, lambda r: group.all_reduce("AllReduce", np.array([r + 1, 10 * r + 10], dtype), op))
    assert all((y == np.array(expected, dtype)).all() for y in found)
    assert {y.dtype for y in found} == {np.dtype(dtype)}


def test_narrow_floats_are_summed_in_float32_and_rounded_once():
    parts = np.float16([2048, 1, 1, 1])  # in float16 2048 + 1 is 2048, so that summing there would stay at 2048
    with processes(4) as group:
        found = in_threads(group, lambda r: group.all_reduce("AllReduce", parts[r : r + 1]))
        means = in_threads(group, lambda r: group.all_reduce("AllReduce", np.float16([60000]), factor=0.25))
    assert [float(y[0]) for y in found] == [2052.0] * 4  # 2051 lies between 2050 and 2052, which is the even one
    assert [float(y[0]) for y in means] == [60000.0] * 4  # whose sum is no float16


@pytest.mark.parametrize("op", ["max", "min", "sum"])
def test_nan_of_one_process_reaches_all(op):
    with processes(2) as group:
        found = in_threads(group, lambda r: group.all_reduce("AllReduce", np.float32([[np.nan, 1][r], 2]), op))
    assert all(np.isnan(y[0]) and not np.isnan(y[1]) for y in found)


def test_a_scattered_sum_gathered_is_the_sum():
    def both(group):
        x = np.arange(6, dtype=np.float32).reshape(6, 1) * (group.rank + 1)
        part = group.reduce_scatter("ReduceScatter", x)
        return group.all_gather("AllGather", part).reshape(6, 1), group.all_reduce("AllReduce", x)

    with processes(3) as group:
        for gathered, summed in in_threads(group, lambda _: both(group)):
            assert (gathered == summed).all() and gathered[5] == 30


def test_what_is_broadcast_is_the_roots():
    with processes(3) as group:
        found = in_threads(group, lambda r: group.broadcast("Broadcast", [np.array(r), np.ones(2) * r], 2))
    assert all(x == 2 and y.tolist() == [2, 2] for x, y in found)


def test_fused_arrays_are_reduced_as_each_alone():
    def arrays(rank):
        return [np.full((2, 2), rank, np.float32), np.float16(rank + 0.5), np.zeros((0, 3), np.float32)]

    with processes(2) as group:
        found = in_threads(group, lambda r: group.reduce_flat("reducer", [arrays(r)[:2], arrays(r)[2:]], 0.5))
    for (x, y), (z,) in found:
        assert (x == 0.5).all() and x.dtype == np.float32 and y == 1 and y.dtype == np.float16 and z.shape == (0, 3)


def test_part_of_a_group_is_a_group_of_its_own():
    def summed(rank):
        part = group.split("create_group", "mine", [2, 0])
        if part is None:
            return None
        return part.rank, part.size, float(part.all_reduce("AllReduce", np.array([rank + 1.0]))[0]), part.local()

    with processes(3) as group:
        assert in_threads(group, summed) == [(1, 2, 4.0, (1, 2)), None, (0, 2, 4.0, (0, 2))]


def test_processes_that_disagree_all_raise_and_say_who_does_what():
    with processes(3) as group:
        errors = in_threads(group, lambda r: group.all_reduce("AllReduce", np.zeros((2, 3 + r // 2), np.float32)))
    said = r"rank 0, 1: AllReduce of sum over Float32 (2, 3); rank 2: AllReduce of sum over Float32 (2, 4)"
    for rank, error in enumerate(errors):
        assert isinstance(error, RuntimeError)
        assert str(error) == (
            "For 'AllReduce', all 3 ranks must make the same calls in the same order, but got on rank "
            f"{rank} that they differ: {said}."
        )


def test_processes_in_different_operations_all_raise():
    def call(rank):
        x = np.zeros(2, np.float32)
        return group.all_gather("AllGather", x) if rank else group.all_reduce("AllReduce", x)

    with processes(2) as group:
        errors = in_threads(group, call)
    assert [str(error).partition(",")[0] for error in errors] == ["For 'AllReduce'", "For 'AllGather'"]
    assert all("rank 0: AllReduce of sum" in str(e) and "rank 1: AllGather of Float32" in str(e) for e in errors)


def test_the_first_array_that_differs_is_named():
    def call(rank):
        return group.broadcast("Broadcast", [np.zeros(2), np.zeros(2 + rank), np.zeros(rank)], 0, ["a", "b", "c"])

    with processes(2) as group:
        errors = in_threads(group, call)
    assert all("rank 0: Broadcast of 'b' Float64 (2,); rank 1: Broadcast of 'b' Float64 (3,)" in str(e) for e in errors)


def test_a_process_that_does_not_come_ends_the_wait_of_the_others(soon):
    with processes(3) as group:
        *errors, absent = in_threads(group, lambda r: r == 2 or group.barrier("Barrier"))
    assert absent is True
    for rank, error in enumerate(errors):
        assert str(error).startswith("For 'Barrier', all 3 ranks must come within the op_timeout of 1 seconds")
        assert f"got rank {rank} (process " in str(error)


def test_an_agreement_that_has_begun_is_reached_before_the_next_call_and_stays_reached():
    def call(rank):
        agreed = group.start_agreement("later", "this")
        summed = group.all_reduce("AllReduce", np.array([1.0 + rank]))
        agreed()
        return float(summed[0])

    with processes(3) as group:
        assert in_threads(group, call) == [6.0] * 3


def test_a_process_that_fails_is_told_of_by_the_agreement_that_the_others_have_begun():
    def call(rank):
        if rank == 1:
            with group.reporting_errors("later"):
                raise ValueError("planned")
        agreed = group.start_agreement("later", "this")
        try:
            group.all_reduce("AllReduce", np.array([1.0]))
        except RuntimeError as error:
            with pytest.raises(RuntimeError) as again:
                agreed()
            assert again.value is error
            return str(error)

    with processes(3) as group:
        first, failed, last = in_threads(group, call)
        assert isinstance(failed, ValueError) and failed.__context__ is None
        for text in (first, last):
            assert text.endswith("rank 0, 2: later of this; rank 1: the error ValueError: planned.")
        after = in_threads(group, lambda rank: float(group.all_reduce("AllReduce", np.array([1.0]))[0]))
    assert after == [3.0] * 3  # the processes still understand one another


def test_an_error_is_raised_though_nobody_can_be_told(soon):
    def call(rank):
        if rank == 0:
            with group.reporting_errors("reducer"):
                raise ValueError("planned")

    with processes(2) as group:
        error, _ = in_threads(group, call)
    assert isinstance(error, ValueError) and str(error) == "planned"


def test_a_text_that_meets_a_call_is_refused_by_both():
    def call(rank):
        return group.exchange_texts("watch", "text") if rank else group.barrier("Barrier")

    with processes(2) as group:
        errors = in_threads(group, call)
    for operation, error in zip(("Barrier", "watch"), errors, strict=True):
        assert str(error).startswith(f"For '{operation}', all 2 ranks must exchange texts, or all must agree")


def test_alone_every_movement_gives_a_copy_of_the_array():
    from minispore.parallel.communication.protocol import Alone

    alone, x = Alone(), np.float16([1, 2])
    moved = [alone.all_reduce("x", x), alone.reduce_scatter("x", x, "max"), alone.broadcast("x", [x], 0)[0]]
    assert all((y == x).all() and y is not x for y in moved)
    assert alone.all_gather("x", x).tolist() == [[1, 2]] and alone.local() == (0, 1)


def test_the_world_is_that_of_one_process_again_afterwards():
    assert every(2, lambda rank: ms.communication.world.world().size) == [2, 2]
    assert ms.communication.world.world().size == 1
