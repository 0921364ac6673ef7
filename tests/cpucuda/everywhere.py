"""A pytest plugin: tests that choose no device compute on CuPy, where it can run.

    python -m pytest -p cpucuda.everywhere -n 2 -m "not cpucuda" tests/nn tests/amp tests/rewrite tests/train

Tests fail here that are about NumPy's arrays (whose memory they compare, or whose functions they watch), or that make
their Tensors when they are imported; what else fails is a difference.
"""

import importlib

import pytest

from minispore import backend

_CHOSEN = {"device", "other_device", "on_cupy"}  # the fixtures by which a test chooses


@pytest.fixture(autouse=True)
def everything_on_cupy(request):
    """Have a test that takes no device compute with CuPy."""
    if _CHOSEN & set(request.fixturenames):
        yield
        return
    before = backend.use(importlib.import_module("cupy"))
    yield
    backend.use(before)
