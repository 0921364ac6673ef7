"""What a device is asked for, where each call computes at once."""

import pytest

import minispore as ms
from minispore import hal, runtime


def test_the_cpu_is_there_and_has_always_computed():
    assert hal.is_available("CPU") and hal.is_initialized("CPU") and hal.device_count() == 1
    assert hal.device_count("GPU") == ms.backend.count_gpus()
    for wait in (
        runtime.synchronize,
        runtime.launch_blocking,
        runtime.empty_cache,
        ms.common.api._pynative_executor.sync,
    ):
        assert wait() is None


def test_an_unknown_device_is_refused():
    with pytest.raises(ValueError, match=r"^For 'device_count', the 'device_target' must be one of"):
        hal.is_available("TPU")
