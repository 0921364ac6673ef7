"""Devices: a device's own ways of computing, beside the portable rules of ``ops``.

A device registers kernels of primitives by ``core.kernel_table.kernel_of``. They are imported when the device's array
module is first used: a program on the CPU never waits for them.
"""

import importlib

import numpy as np

from minispore.core import backend, kernel_table

__all__ = []
FRONT, LISTED = "gpu: overflow_register:", []

_OF_GPUS = "minispore.devices.cuda.operations", "minispore.devices.cuda.capture"


@backend.on_change
def _register_kernels(before, module):
    """Import the kernels of GPUs when one of their array modules is first used."""
    if module is not np:
        _import_kernels()


def _import_kernels():
    for name in _OF_GPUS:
        importlib.import_module(name)


def names_with_kernels():
    """The names of the primitives that have kernels in CUDA's language."""
    _import_kernels()
    return sorted({name for kind, device in kernel_table.kernels if device == "cuda" for name in _names(kind)})


def _names(kind):
    """The name of a class, and those of the ones derived from it, but for names that are nobody's to use."""
    yield from [] if kind.__name__.startswith("_") else [kind.__name__]
    for derived in kind.__subclasses__():
        yield from _names(derived)
