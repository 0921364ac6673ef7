"""Settings of the CPU."""

from __future__ import annotations

from minispore.core.checks import check_positive_int
from minispore.devices.device_context._settings import questions, without_effect

__all__ = ["device_count", "is_available", "threads_num"]

device_count, is_available = questions("CPU")


def threads_num(num) -> None:
    """Set the number of an operation's threads; here the environment sets it, before NumPy is imported.

    Raises:
        TypeError: If ``num`` is not an int.
        ValueError: If it is not above 0.
    """
    without_effect("threads_num", check_positive_int("threads_num", "num", num))
