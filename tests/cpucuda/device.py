"""Have the installed CuPy run on the CPU's CUDA, and tell what it did: ``activate()`` before CuPy is imported.

CuPy's own code runs, from the check of arguments to the text of kernels. What stands in for CUDA is loaded under the
names that CuPy looks for; only the module that binds the CUDA runtime, and that of Thrust, are others.
"""

import contextlib
import ctypes
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("CPUCUDA_BUILD", HERE / "build"))
LIB = BUILD / "lib"
NAMES = ("launch", "malloc", "h2d", "d2h", "d2d", "memset", "sync", "gemm", "compile", "graph", "node")
OPERATIONS = ("launch", "gemm", "memset", "d2d", "h2d", "d2h", "graph")  # what the device is asked to do
_FOUND_BY_NAME = ("cudart", "nvrtc", "cublas", "cublasLt", "cusolver", "cufft", "curand", "cusparse")
_NAMES_OF_LIBRARIES = {"cublasLt": "libcpublas.so"}
_state = SimpleNamespace(library=None)

# Part of a test's name -> what its operation needs and the driver has not
LACKS = dict.fromkeys(("-Qr", "-Geqrf", "-Eig", "-MatrixSolveLs"), "it has no such routine of cuSOLVER")


def is_built():
    """Whether it is built for this Python, and not switched off by ``CPUCUDA=off``."""
    built = (LIB / "runtime.so").exists() and importlib.util.find_spec("cupy") is not None
    return built and os.environ.get("CPUCUDA", "on") != "off"


def activate():
    """Load the driver, and have CuPy find it."""
    if _state.library is not None:
        return
    if "cupy" in sys.modules:
        raise RuntimeError("CuPy is imported already: activate the CPU's CUDA before")
    if not is_built():
        raise RuntimeError(f"The CPU's CUDA is not built: run {HERE / 'build.py'}")
    os.environ.update(CPUCUDA_HOME=str(HERE), CPUCUDA_BUILD=str(BUILD))
    cache = os.environ.setdefault("CPUCUDA_CACHE", str(BUILD / "kernels"))
    Path(cache).mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("CUPY_CACHE_DIR", os.path.join(cache, "cupy"))
    os.environ.setdefault("CUPY_ACCELERATORS", "")  # CUB comes as code for the device
    _state.library = _load("libcuda.so.1")
    for path in sorted(LIB.glob("lib*.so*")):
        _load(path.name)
    _state.library.cpucuda_counters.restype = ctypes.POINTER(ctypes.c_long)
    sys.meta_path.insert(0, _Finder())
    _answer_by_name()


def _load(name):
    return ctypes.CDLL(str(LIB / name), mode=ctypes.RTLD_GLOBAL)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "cupy_backends.cuda.api.runtime":
            loader = importlib.machinery.ExtensionFileLoader(name, str(LIB / "runtime.so"))
            return importlib.util.spec_from_file_location(name, loader.path, loader=loader)
        if name == "cupy.cuda.thrust":
            return importlib.util.spec_from_file_location(name, HERE / "thrust.py")
        return None


def _answer_by_name():
    """Answer NVIDIA's finder of libraries, by which CuPy opens them when they are first used."""
    from cuda import pathfinder

    real = pathfinder.load_nvidia_dynamic_lib

    def found(name):
        if name not in _FOUND_BY_NAME:
            return real(name)
        named = next(LIB.glob("libcublas.so*")).name if name == "cublas" else _NAMES_OF_LIBRARIES.get(name)
        library = _load(named) if named else _state.library
        path, handle = library._name, library._handle
        return SimpleNamespace(_handle_uint=handle, abs_path=path, was_already_loaded_from_elsewhere=True)

    pathfinder.load_nvidia_dynamic_lib = found


# What was done


def counters():
    """Name -> how often since the start: launches, copies by direction, waits ("sync"), products ("gemm"), ..."""
    values = _state.library.cpucuda_counters()
    return {name: values[i] for i, name in enumerate(NAMES)}


@contextlib.contextmanager
def counted():
    """A dict that holds, at the end of the ``with`` block, what was done in it; ``operations`` is the device's sum."""
    before, found = counters(), {}
    yield found
    after = counters()
    found.update({name: after[name] - before[name] for name in NAMES})
    found["operations"] = sum(found[name] for name in OPERATIONS)


@contextlib.contextmanager
def dry():
    """Kernels, products and copies to the host do nothing: what a ``with`` block takes is the host's own time."""
    _state.library.cpucuda_dry(1)
    try:
        yield
    finally:
        _state.library.cpucuda_dry(0)


@contextlib.contextmanager
def traced(path):
    """Write a line for each launch, product, copy and wait of a ``with`` block to a file."""
    _state.library.cpucuda_trace(os.fsencode(path))
    try:
        yield
    finally:
        _state.library.cpucuda_trace(None)
