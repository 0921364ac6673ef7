"""Settings of absent hardware: a legal value is accepted, and logged at debug level."""

import logging

from minispore.devices.runtime import device_count, is_available

__all__ = []

_log = logging.getLogger("minispore.log")


def without_effect(function, value):
    """Log that nothing here reads the setting."""
    _log.debug("%s(%r) has no effect in minispore: nothing here reads it", function, value)


def questions(device_target):
    """The functions ``device_count()`` and ``is_available()`` of one kind of device."""

    def device_count_of():
        return device_count(device_target)

    def is_available_of():
        return is_available(device_target)

    device_count_of.__name__, is_available_of.__name__ = "device_count", "is_available"
    device_count_of.__doc__ = f"How many devices ``{device_target}`` there are."
    is_available_of.__doc__ = f"Whether ``set_context(device_target={device_target!r})`` would take a device."
    return device_count_of, is_available_of
