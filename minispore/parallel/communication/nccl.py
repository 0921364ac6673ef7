"""The engine NCCL: groups of processes with a GPU each, through CuPy; another engine (MPI) is what they agree by.

The arrays stay on the GPU. What moves has a stream of its own, so that what computes goes on beside it.
"""

import importlib
import time
import warnings

import numpy as np

from minispore.core import backend
from minispore.core.context import set_context, settings
from minispore.core.errors import runtime_error
from minispore.parallel.communication.protocol import Group, late

__all__ = []

_INSTALL = (
    'install it with pip install "nvidia-nccl-cu12>=2.18.1,<3" (CUDA 12) or pip install "nvidia-nccl-cu13>=2.18.1,<3" '
    "(CUDA 13)"
)
_NAP = 5e-5  # seconds
_TYPES = frozenset(("float32", "float64", "int8", "uint8", "int32", "uint32", "int64", "uint64"))  # that NCCL combines


def _library():
    """CuPy's module of NCCL."""
    if settings["device_target"] != "GPU":
        expected = "NCCL needs set_context(device_target='GPU') before; init('mpi') is for processes on the CPU"
        raise runtime_error("init", expected, settings["device_target"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CuPy warns of a library that it does not find; the error below says it
        library = importlib.import_module("cupy.cuda.nccl")
    if not library.available:
        raise runtime_error("init", f"NCCL needs its library, libnccl.so.2: {_INSTALL}", "none that CuPy finds")
    return library


class NCCLGroup(Group):
    """The processes of an NCCL communicator.

    Args:
        library (module): CuPy's module of NCCL.
        control (Group): The same processes in an engine by which they agree, and share the communicator's name.
    """

    def __init__(self, library, control):
        self._library, self._control = library, control
        self.rank, self.ranks, self.hosts = control.rank, control.ranks, control.hosts
        name = library.get_unique_id() if control.rank == 0 else b""
        name = bytes.fromhex(control.exchange_texts("init", name.hex())[0])
        self._communicator = library.NcclCommunicator(self.size, name, self.rank)
        self._stream = backend.xp.cuda.Stream(non_blocking=True)

    @property
    def xp(self):
        return backend.xp

    def taken(self, array):
        return backend.xp.asarray(array, order="C")

    def _start_exchange(self, operation, record):
        return self._control._start_exchange(operation, record)

    def _begin(self, operation, start, *buffers):
        """Begin a movement, after what the current stream computes; returns the function that waits for it."""
        self._stream.wait_event(backend.xp.cuda.get_current_stream().record())
        start(*[buffer.data.ptr for buffer in buffers])
        moved = self._stream.record()

        def finish():
            self._wait(operation, moved)
            return buffers[-1]

        return finish

    def _wait(self, operation, moved):
        end = time.monotonic() + settings["op_timeout"]
        while not moved.done:
            time.sleep(_NAP)
            if settings["op_timeout"] and time.monotonic() > end:
                self.give_up(operation)
                raise late(operation, self)

    def give_up(self, operation):
        self._communicator.abort()
        self._control.give_up(operation)

    def start_sum(self, operation, array):
        if array.dtype.name not in _TYPES or not array.size:
            return lambda: self._all_reduce(operation, array, "sum")
        return self._start_reduction(operation, array, array, "sum")

    def _start_reduction(self, operation, array, out, op):
        size, kind, op = array.size, self._named(array.dtype.name), self._named(op)
        start = lambda x, y: self._communicator.allReduce(x, y, size, kind, op, self._stream.ptr)  # noqa: E731
        return self._begin(operation, start, array, out)

    def _named(self, name):
        """NCCL's number of a type or an operation."""
        return getattr(self._library, f"NCCL_{name.upper()}")

    def _all_reduce(self, operation, array, op):
        if array.dtype.name not in _TYPES or not array.size:
            return getattr(self._all_gather(operation, array), op)(axis=0, dtype=array.dtype)
        array = self.taken(array)
        return self._start_reduction(operation, array, backend.xp.empty_like(array), op)()

    def _bytes(self, array):
        """The array as bytes, and what NCCL calls them."""
        return self.taken(array).reshape(-1).view(np.uint8), self._library.NCCL_UINT8

    def _all_gather(self, operation, array):
        out = backend.xp.empty((self.size, *array.shape), array.dtype)
        mine, kind = self._bytes(array)
        if mine.size:
            start = lambda x, y: self._communicator.allGather(x, y, mine.size, kind, self._stream.ptr)  # noqa: E731
            self._begin(operation, start, mine, out)()
        return out

    def _reduce_scatter(self, operation, array, op):
        part = array.shape[0] // self.size
        if array.dtype.name not in _TYPES or not array.size:
            return self._all_reduce(operation, array, op)[self.rank * part : (self.rank + 1) * part]
        array = self.taken(array)
        out = backend.xp.empty((part, *array.shape[1:]), array.dtype)
        kind, op, stream = self._named(array.dtype.name), self._named(op), self._stream.ptr
        start = lambda x, y: self._communicator.reduceScatter(x, y, out.size, kind, op, stream)  # noqa: E731
        return self._begin(operation, start, array, out)()

    def _broadcast(self, operation, array, root):
        out = backend.xp.array(array, order="C")
        flat, kind = self._bytes(out)
        if flat.size:
            start = lambda x: self._communicator.bcast(x, flat.size, kind, root, self._stream.ptr)  # noqa: E731
            self._begin(operation, start, flat)()
        return out

    def _split(self, ranks):
        control = self._control._split(ranks)
        return None if control is None else NCCLGroup(self._library, control)

    def close(self):
        self._communicator.destroy()
        self._control.close()


def over(control):
    """The group of the processes ``control``, each with the GPU of its number on its machine.

    Raises:
        RuntimeError: If the device is no GPU, NCCL's library is missing, or there are too few GPUs.
    """
    library = _library()
    number, _ = control.local()
    if number and not settings["device_id"]:
        set_context(device_id=number)
    return NCCLGroup(library, control)
