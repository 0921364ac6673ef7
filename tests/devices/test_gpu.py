"""A GPU as the device: set by set_context, refused where it is not there."""

import os
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from core.test_startup import run

import minispore as ms
from minispore.core import backend

pytestmark = pytest.mark.usefixtures("restored")


class NoDriverError(RuntimeError):
    pass


def cupy_with(devices):
    """A module that looks like CuPy on a machine with so many devices; None is a machine without a driver."""

    def count():
        if devices is None:
            raise NoDriverError("cudaErrorNoDevice")
        return devices

    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=NoDriverError)
    module = ModuleType("cupy")
    module.__spec__ = SimpleNamespace(name="cupy")
    nvrtc = SimpleNamespace(getVersion=lambda: (12, 9))
    module.cuda = SimpleNamespace(runtime=runtime, Device=lambda i: SimpleNamespace(use=lambda: None), nvrtc=nvrtc)
    module.ndarray = type("ndarray", (), {})
    return module


def test_a_gpu_without_cupy_is_refused_with_the_install_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(RuntimeError, match=r'needs CuPy.*not installed.*pip install "cupy-cuda12x\[ctk\]>='):
        ms.set_context(device_target="GPU")
    assert (ms.get_context("device_target"), backend.xp) == ("CPU", np)


@pytest.mark.parametrize("devices, message", [(None, "needs a CUDA device and its driver"), (1, "below the number of")])
def test_a_gpu_that_is_not_there_is_refused(monkeypatch, devices, message):
    monkeypatch.setitem(sys.modules, "cupy", cupy_with(devices))
    with pytest.raises(RuntimeError, match=message):
        ms.set_context(device_target="GPU", device_id=1)
    assert (ms.get_context("device_target"), ms.get_context("device_id"), backend.xp) == ("CPU", 0, np)


def test_a_gpu_that_is_there_is_computed_on(monkeypatch):
    module = cupy_with(2)
    monkeypatch.setitem(sys.modules, "cupy", module)
    ms.set_context(device_target="GPU", device_id=1)
    assert backend.xp is module
    ms.set_context(device_target="CPU")
    assert backend.xp is np


def test_no_device_at_all_is_refused_like_no_driver(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", cupy_with(0))
    with pytest.raises(RuntimeError, match="device"):
        ms.set_context(device_target="GPU")
    assert backend.xp is np


def test_a_process_on_the_cpu_imports_no_kernels_of_a_gpu():
    loaded = run("import minispore as ms, sys, json; ms.ops.relu(ms.Tensor([1.0])); print(json.dumps([*sys.modules]))")
    assert [name for name in loaded if name.startswith("minispore.devices.cuda.")] == []


USE = """
import json
import minispore as ms
x = ms.grad(lambda x: x * x)(ms.Tensor(3.0)).item()
try:
    ms.set_context(device_target="GPU")
except RuntimeError as error:
    print(json.dumps([x, str(error)]))
"""


def test_a_broken_cupy_hinders_nothing_on_the_cpu_and_is_named_on_the_gpu(tmp_path):
    (tmp_path / "cupy").mkdir()
    (tmp_path / "cupy" / "__init__.py").write_text('raise ImportError("libcudart.so is missing")')
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    result, error = run(USE, PYTHONPATH=os.pathsep.join(paths))
    assert result == 6.0
    assert "CuPy" in error
    assert "libcudart.so is missing" in error
