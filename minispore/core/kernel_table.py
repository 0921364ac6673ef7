"""Kernels: a table of the ways in which devices compute primitives, beside the ``compute`` that each primitive has.

A device registers a function with :func:`kernel_of`; ``Primitive.__call__`` finds it once for each kind of input.
"""

import numpy as np

from minispore.core import backend

__all__ = []

kernels = {}  # (class, device) -> function(primitive, xp, *arrays)
_found = {}  # the same for derived classes, as far as they were asked for; None for one without
_NUMPY, _GPU, _CUDA = ("numpy",), ("gpu",), ("cuda", "gpu")  # whose kernels the device of an array module has


def kernel_of(primitive_class, device):
    """Register a device's way of computing a primitive: ``kernel_of(MatMul, "cuda")(function)``.

    The device is "numpy", "gpu", or "cuda" for a kernel in CUDA's language, which stands before one for any GPU.

    ``function(primitive, xp, *arrays)`` returns what ``compute`` would, or None for arrays that it does not take. It
    holds for derived classes too, unless they have a ``compute`` of their own.
    """

    def register(function):
        kernels[primitive_class, device] = function
        _found.clear()
        return function

    return register


def kernel_for(primitive_class, module):
    """The kernel ``(primitive, xp, *arrays)`` of a class for the device of an array module, or None."""
    devices = _NUMPY if module is np else _CUDA if backend.has_kernels(module) else _GPU
    key = primitive_class, devices
    if key not in _found:
        _found[key] = _nearest(*key)
    return _found[key]


def has_kernel(primitive_class):
    """True if the device in force has a way of its own to compute a primitive of a class."""
    return kernel_for(primitive_class, backend.xp) is not None


def _nearest(primitive_class, devices):
    """The kernel of the nearest base that has one, or None where a ``compute`` is nearer."""
    for kind in primitive_class.__mro__:
        for device in devices:
            if (kind, device) in kernels:
                return kernels[kind, device]
        if "compute" in kind.__dict__:
            break
    return None


def computed_as(kind, primitive, xp, *arrays):
    """The output arrays of a primitive as its class, or a base of it, computes them: by a kernel or by ``compute``."""
    kernel = kernel_for(kind, xp)
    result = None if kernel is None else kernel(primitive, xp, *arrays)
    return kind.compute(primitive, xp, *arrays) if result is None else result
