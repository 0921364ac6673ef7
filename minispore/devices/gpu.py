"""The GPU: CuPy as the array module, after a check that it works. The only place that imports cupy."""

import contextlib
import importlib
import importlib.util

import numpy as np

from minispore.core import backend, context
from minispore.core.errors import runtime_error
from minispore.devices import cuda_check, device_memory, kernel_progress, transfers

__all__ = ["count_gpus", "gpu_facts"]

context.add_device("GPU")
backend.other_memory = transfers


def _cupy():
    """CuPy; RuntimeError says what to install if it is missing or broken."""
    reason = cuda_check.why_no_cupy()
    if reason is not None:
        raise runtime_error("set_context", f'device_target="GPU" needs {reason}')
    try:
        return importlib.import_module("cupy")
    except ImportError as error:
        reason = cuda_check.why_not_imported(error)
        raise runtime_error("set_context", f'device_target="GPU" needs {reason}') from error


def _working_cupy():
    """CuPy with a device, a driver and a compiler; RuntimeError likewise."""
    module = _cupy()
    reason = cuda_check.why_not(module)
    if reason is not None:
        raise runtime_error("set_context", f'device_target="GPU" needs {reason}')
    return module


@contextlib.contextmanager
def _with_remedy(module):
    """Add a remedy to an error of the driver: a device may exist, and be full or taken."""
    try:
        yield
    except module.cuda.runtime.CUDARuntimeError as error:
        raise runtime_error("set_context", f'device_target="GPU" needs {cuda_check.why_failed(error)}') from error


def _require_device(module, device_id):
    count = module.cuda.runtime.getDeviceCount()
    if not 0 <= device_id < count:
        raise runtime_error("set_context", f"the 'device_id' must be below the number of devices, {count}", device_id)
    with _with_remedy(module):
        module.cuda.Device(device_id).use()


def gpu_facts():
    """The facts of a GPU, name -> text; RuntimeError says what to install or repair if no GPU can be used."""
    module = _working_cupy()
    with _with_remedy(module):
        return cuda_check.facts(module)


def _select(new):
    """Follow a change of ``device_target`` or ``device_id``; raises before anything changes."""
    if new["device_target"] == "GPU":
        module = _working_cupy()
        _require_device(module, new["device_id"])
        device_memory.meter_of(module)
        kernel_progress.tell(module)
        backend.use(module)
    else:
        backend.use(np)


context.settings.watch("device_target", _select)
context.settings.watch("device_id", _select)


def count_gpus():
    """The number of CUDA devices that CuPy finds: 0 without CuPy or a driver."""
    if importlib.util.find_spec("cupy") is None:
        return 0
    runtime = _cupy().cuda.runtime
    try:
        return runtime.getDeviceCount()
    except runtime.CUDARuntimeError:
        return 0
