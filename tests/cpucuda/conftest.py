"""CuPy itself for the tests of this folder."""

import importlib

import pytest

from cpucuda import device


@pytest.fixture
def cupy():
    """The installed CuPy on the CPU's CUDA; skips where that is not built."""
    if not device.is_built():
        pytest.skip("the CPU's CUDA is not built: python tests/cpucuda/build.py")
    return importlib.import_module("cupy")


@pytest.fixture
def stream(cupy):
    """A stream that may be captured."""
    return cupy.cuda.Stream(non_blocking=True)
