"""The functions of MindSpore's ``runtime`` and ``hal`` that mean something where each call computes at once.

A device here is the CPU or, with CuPy, one GPU. Streams, events and pools of memory are NumPy's and CuPy's own matter.
"""

from minispore import backend
from minispore.checks import check_choice

__all__ = ["device_count", "empty_cache", "is_available", "is_initialized", "launch_blocking", "synchronize"]

_DEVICES = ("CPU", "GPU", "Ascend")


def synchronize():
    """Wait until the device has computed all that it was given; the CPU always has."""
    backend.synchronize()


def launch_blocking():
    """Have each operation end before the next begins, which is so."""


def empty_cache():
    """Give back the memory that no Tensor holds: on a GPU that of CuPy's pool; on the CPU none is kept."""
    backend.free_unused_memory()


def is_available(device_target):
    """Whether ``set_context(device_target=...)`` would take a device: the CPU, the emulated Ascend, a GPU with CuPy."""
    return device_count(device_target) > 0


def is_initialized(device_target):
    """Whether a device is ready: each that is available is."""
    return is_available(device_target)


def device_count(device_target="CPU"):
    """How many devices of a kind there are: one CPU, one emulated Ascend, and the GPUs that CuPy finds."""
    check_choice("device_count", "device_target", device_target, _DEVICES)
    return backend.count_gpus() if device_target == "GPU" else 1


class _Executor:
    """What runs operations in MindSpore; here each call of one has run it when it returns."""

    def sync(self):
        """Wait until all operations have run."""
        synchronize()


_pynative_executor = _Executor()
