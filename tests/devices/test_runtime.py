"""What a device is asked for, where each call computes at once."""

import gc

import pytest

import minispore as ms
from minispore import hal
from minispore.devices import gpu, runtime


def test_the_cpu_is_there_and_has_always_computed():
    assert hal.is_available("CPU") and hal.is_initialized("CPU") and hal.device_count() == 1
    assert hal.device_count("GPU") == gpu.count_gpus()
    for wait in (
        runtime.synchronize,
        runtime.launch_blocking,
        runtime.empty_cache,
        ms.common.api._pynative_executor.sync,
    ):
        assert wait() is None


def test_the_cpu_counts_no_memory_as_mindspore_does_not():
    for read in (runtime.memory_allocated, runtime.max_memory_allocated, hal.memory_reserved, hal.max_memory_reserved):
        assert read() == 0
    for reset in (runtime.reset_peak_memory_stats, hal.reset_max_memory_allocated, hal.reset_max_memory_reserved):
        assert reset() is None
    assert set(runtime.memory_stats().values()) == {0}
    assert runtime.memory_summary().splitlines()[1].split() == ["total", "allocated", "memory", "0", "B"]


def test_a_gpu_counts_what_is_held_and_the_most_that_was(on_cupy):
    gc.collect()
    runtime.empty_cache()
    ms.hal.reset_peak_memory_stats()
    before = runtime.memory_allocated()
    x = ms.ops.ones((512, 512), ms.float32)
    y = x + x
    assert runtime.memory_allocated() - before == 2 << 20
    del y
    assert runtime.memory_allocated() - before == 1 << 20
    assert runtime.max_memory_allocated() - before == 2 << 20
    stats = runtime.memory_stats()
    assert stats["max_reserved_memory"] >= stats["max_allocated_memory"] == runtime.max_memory_allocated()
    assert stats["total_idle_memory"] == runtime.memory_reserved() - runtime.memory_allocated() >= 1 << 20
    runtime.empty_cache()
    assert runtime.memory_reserved() < runtime.max_memory_reserved()
    runtime.reset_peak_memory_stats()
    assert runtime.max_memory_allocated() == before + (1 << 20)
    assert runtime.max_memory_reserved() == runtime.memory_reserved()


def test_an_unknown_device_is_refused():
    with pytest.raises(ValueError, match=r"^For 'device_count', the 'device_target' must be one of"):
        hal.is_available("TPU")
