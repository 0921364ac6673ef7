"""The functions of MindSpore's ``runtime`` and ``hal`` that have a meaning if each call computes at once.

A device here is the CPU or, with CuPy, one GPU. Streams and events are CuPy's own matter. Bytes of memory are a GPU's:
arrays hold allocated ones; reserved ones include CuPy's pool for later arrays. On the CPU all of them are 0, as in
MindSpore: NumPy allocates arrays one by one.
"""

from __future__ import annotations

from typing import Any

from minispore.core import backend
from minispore.core.checks import check_choice
from minispore.devices import device_memory, gpu

__all__ = [
    *("device_count", "empty_cache", "is_available", "is_initialized", "launch_blocking"),
    *("max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats"),
    *("memory_summary", "reset_max_memory_allocated", "reset_max_memory_reserved", "reset_peak_memory_stats"),
    "synchronize",
]

_DEVICES = ("CPU", "GPU", "Ascend")


def synchronize() -> None:
    """Wait until the device has computed all that it was given; the CPU always has."""
    backend.synchronize()


def launch_blocking() -> Any:
    """Let each operation end before the next begins, as it always does here."""


def empty_cache() -> None:
    """Give back the memory that no Tensor holds: on a GPU CuPy's pool; on the CPU nothing is kept."""
    device_memory.give_back(backend.xp)


def is_available(device_target) -> Any:
    """True if ``set_context(device_target=...)`` takes a device: the CPU, the emulated Ascend, a GPU with CuPy."""
    return device_count(device_target) > 0


def is_initialized(device_target) -> Any:
    """True if a device is ready: each that is available is."""
    return is_available(device_target)


def device_count(device_target="CPU") -> Any:
    """Number of devices of a kind: one CPU, one emulated Ascend, and the GPUs that CuPy finds."""
    check_choice("device_count", "device_target", device_target, _DEVICES)
    return gpu.count_gpus() if device_target == "GPU" else 1


def memory_allocated() -> Any:
    """Bytes that arrays hold now."""
    return device_memory.figures(backend.xp)[0]


def memory_reserved() -> Any:
    """Bytes taken from the device now: by arrays, and for later ones."""
    return device_memory.figures(backend.xp)[1]


def max_memory_allocated() -> Any:
    """The most bytes that arrays held at a time since the GPU was chosen, or since the peak was begun anew."""
    return device_memory.figures(backend.xp)[2]


def max_memory_reserved() -> Any:
    """The most bytes taken from the device at a time, likewise."""
    return device_memory.figures(backend.xp)[3]


def reset_max_memory_allocated() -> None:
    """Begin the peak of allocated bytes anew, at the bytes allocated now."""
    device_memory.reset_peaks(backend.xp, reserved=False)


def reset_max_memory_reserved() -> None:
    """Begin the peak of reserved bytes anew, at the bytes reserved now."""
    device_memory.reset_peaks(backend.xp, used=False)


def reset_peak_memory_stats() -> None:
    """Begin both peaks anew."""
    device_memory.reset_peaks(backend.xp)


def memory_stats() -> Any:
    """All figures by MindSpore's names, in bytes; MindSpore's two pools do not exist here, and are left out."""
    used, reserved, peak, peak_reserved = device_memory.figures(backend.xp)
    return {
        "total_reserved_memory": reserved,
        "total_allocated_memory": used,
        "total_idle_memory": reserved - used,
        "total_eager_free_memory": 0,
        "max_reserved_memory": peak_reserved,
        "max_allocated_memory": peak,
    }


def memory_summary() -> Any:
    """A table of :func:`memory_stats`, a str."""
    rows = [(name.replace("_", " "), device_memory.amount(count)) for name, count in memory_stats().items()]
    return "\n".join(f"{name:24}{count:>12}" for name, count in rows)


class _Executor:
    """MindSpore's executor of operations; here each call of one has run it when it returns."""

    def sync(self):
        """Wait until all operations have run."""
        synchronize()


_pynative_executor = _Executor()
