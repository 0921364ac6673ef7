"""The array module of the current device: NumPy for the CPU, CuPy for the GPU. The only place that imports cupy."""

import contextlib
import importlib
import importlib.util

import numpy as np

from minispore import context, cuda_check, device_memory, device_numbers, kernel_progress
from minispore.errors import memory_error, runtime_error, type_error

xp = np  # the array module that primitives compute with
array_type = np.ndarray
register = None  # the overflow register of the current device, ``overflow_register.py``, where it has one


def _cupy():
    """CuPy; RuntimeError with the sentence that mends it where it is missing or does not work."""
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
def _told(module):
    """Have an error of the driver say what mends it: a device may be there, and be full or taken."""
    try:
        yield
    except module.cuda.runtime.CUDARuntimeError as error:
        raise runtime_error("set_context", f'device_target="GPU" needs {cuda_check.why_failed(error)}') from error


def _require_device(module, device_id):
    count = module.cuda.runtime.getDeviceCount()
    if not 0 <= device_id < count:
        raise runtime_error("set_context", f"the 'device_id' must be below the number of devices, {count}", device_id)
    with _told(module):
        module.cuda.Device(device_id).use()


def gpu_facts():
    """What there is of a GPU, name -> text; RuntimeError, with what mends it, where none can be used."""
    module = _working_cupy()
    with _told(module):
        return cuda_check.facts(module)


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


def _select(new):
    """Follow a change of ``device_target`` or ``device_id``; raises before anything changes."""
    if new["device_target"] == "GPU":
        module = _working_cupy()
        _require_device(module, new["device_id"])
        device_memory.meter_of(module)
        kernel_progress.tell(module)
        use(module)
    else:
        use(np)


context.watch("device_target", _select)
context.watch("device_id", _select)


def has_kernels(module=None):
    """True if an array module, or the current one, compiles CUDA: primitives may have kernels for it then."""
    return hasattr(module or xp, "RawKernel")


def to_host(array):
    """The NumPy array of a device array: itself on the CPU, a copy from the GPU."""
    return array if isinstance(array, np.ndarray) else device_numbers.read(array)


# (dtype, bytes) of a 0-d host array, or (dtype, shape, bytes) of a constant -> its array on the current device; None
# until a number is asked for again
_numbers = {}
forget_on_change(_numbers)
_MOST_NUMBERS = 256  # a block of the GPU's memory, 512 bytes, for each


def from_host(array):
    """The device array of a NumPy array: itself on the CPU, a copy on the GPU.

    A number that is asked for again is kept, the one longest unused going first: to make one is a launch, and nothing
    writes into the array of a Tensor. A count of steps, another number each time, so takes no memory.
    """
    if xp is np:
        return array
    if array.ndim:
        try:
            made = xp.asarray(array)
        except MemoryError as error:
            raise memory_error("Tensor", error) from error
    else:
        key = array.dtype, array.tobytes()
        known = key in _numbers
        kept = _numbers.pop(key, None)
        made = _number(array) if kept is None else kept
        _kept(key, made, made if known else None)
    if array.size == 1 and not device_numbers.is_known(made):
        device_numbers.remember(made, array.copy())
    return made


def known_on_host(array):
    """The device array of a NumPy array of one element, which the host knows."""
    made = xp.asarray(array)
    if made is not array:
        device_numbers.remember(made, array)
    return made


def constant(module, array):
    """The device array of positions, weights or counts that an operation makes on the host: sent once, and kept.

    A capture takes nothing from the host, and any other launch is spared the copy.
    """
    if module is np:
        return array
    key = array.dtype, array.shape, array.tobytes()
    kept = _numbers.pop(key, None)
    made = module.asarray(array) if kept is None else kept
    return _kept(key, made, made)


def _kept(key, made, remembered):
    """Give ``made`` back; what is remembered of it takes the place of what is longest unused."""
    if len(_numbers) >= _MOST_NUMBERS:
        _numbers.pop(next(iter(tuple(_numbers))), None)  # which another thread may have done
    _numbers[key] = remembered
    if context.running.asked_numbers is not None:
        context.running.asked_numbers[id(made)] = made
    return made


def numbers():
    """The arrays of numbers and constants that are kept now."""
    return [kept for kept in _numbers.values() if kept is not None]


def _number(array):
    """A 0-d device array: CuPy's asarray makes 0 of -0, by setting memory to zeros."""
    return xp.full((), array[()], array.dtype) if array.dtype.kind in "fV" else xp.asarray(array)


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


def count_gpus():
    """How many CUDA devices CuPy finds: 0 without CuPy or a driver."""
    if importlib.util.find_spec("cupy") is None:
        return 0
    runtime = _cupy().cuda.runtime
    try:
        return runtime.getDeviceCount()
    except runtime.CUDARuntimeError:
        return 0


def synchronize():
    """Wait until the device has computed all that it was given; NumPy always has."""
    if hasattr(xp, "cuda"):
        xp.cuda.Device().synchronize()


def free_unused_memory():
    """Give the memory that no array holds back: on a GPU that of CuPy's pool; NumPy keeps none."""
    device_memory.give_back(xp)
