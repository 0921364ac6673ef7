"""The array module of the current device, and the way of arrays to it and back: NumPy's stay on the host.

A device with a memory of its own attaches itself from outside (``devices/gpu.py``): it has :func:`use` called with its
array module, and :data:`other_memory` carry its arrays.
"""

import numpy as np

from minispore.core import context
from minispore.core.errors import type_error

xp = np  # the array module that primitives compute with
array_type = np.ndarray
register = None  # the overflow register of the current device, ``devices/overflow_register.py``, where it has one
other_memory = None  # the transfers of arrays that are not NumPy's, ``devices/transfers.py``

_of_this_device = []  # dicts whose contents were made with the current array module


def forget_on_change(table):
    """Have the dict ``table`` cleared when the array module changes."""
    _of_this_device.append(table)


_followers = []  # functions of the array modules before and after a change


def on_change(function):
    """Decorate a function: it is called with the array modules before and after, when another one comes into force."""
    _followers.append(function)
    return function


def use(module):
    """Compute with ``module`` (NumPy, CuPy, or a stand-in for them) from now on; returns the module used before."""
    global xp, array_type
    before = xp
    xp, array_type = module, module.ndarray
    for table in _of_this_device:
        table.clear()
    for function in _followers:
        function(before, module)
    return before


def has_kernels(module=None):
    """True if an array module, or the current one, compiles CUDA: primitives may have kernels for it then."""
    return hasattr(module or xp, "RawKernel")


def to_host(array):
    """The NumPy array of a device array: itself on the CPU, a copy from another memory."""
    return array if isinstance(array, np.ndarray) else other_memory.to_host(array)


def from_host(array):
    """The device array of a NumPy array: itself on the CPU, a copy in another memory."""
    return array if xp is np else other_memory.from_host(xp, array)


def constant(module, array):
    """The device array of positions, weights or counts that an operation makes on the host: sent once, and kept."""
    return array if module is np else other_memory.constant(module, array)


def is_on_host(array):
    """True if reading the numbers of an array waits for nothing."""
    return isinstance(array, np.ndarray) or other_memory.is_on_host(xp, array)


def synchronize():
    """Wait until the device has computed all that it was given; NumPy always has."""
    if xp is not np:
        other_memory.synchronize(xp)


def as_array(operation, result):
    """Make an array of the result of an array function: NumPy's reductions return scalars, which are not arrays.

    Raises:
        TypeError: If the result is on another device than the current one.
    """
    if isinstance(result, (np.generic, float, int)):
        return from_host(np.asarray(result))
    raise type_error(
        operation,
        f"the inputs must live on the device in force, {context.settings['device_target']}",
        f"an array of {type(result).__module__}.{type(result).__name__}",
    )


def as_arrays(operation, result):
    """The result of a computation with arrays in the place of NumPy's scalars: an array, or a tuple of arrays."""
    if type(result) is tuple:
        return tuple([as_arrays(operation, y) for y in result])
    return result if type(result) is array_type else as_array(operation, result)
