"""What is missing for a GPU, or does not fit, is told with what mends it."""

import re
import sys
from importlib import metadata
from types import SimpleNamespace

import numpy as np
import pytest

import minispore as ms
from minispore.__main__ import main
from minispore.devices import cuda_check


class CUDARuntimeError(RuntimeError):
    """An error of the driver with its number."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


def cupy_with(devices=1, version="14.2.0", driver=12090, error=None, compiler=None):
    """A stand-in for CuPy on a machine with a driver, devices and a compiler, or errors in their places."""

    def count():
        if error is not None:
            raise error
        return devices

    def compiler_version():
        if compiler is not None:
            raise compiler
        return 12, 9

    runtime = SimpleNamespace(
        getDeviceCount=count,
        CUDARuntimeError=CUDARuntimeError,
        driverGetVersion=lambda: driver,
        runtimeGetVersion=lambda: 12090,
    )
    cuda = SimpleNamespace(runtime=runtime, nvrtc=SimpleNamespace(getVersion=compiler_version))
    return SimpleNamespace(__version__=version, cuda=cuda)


NO_DEVICE, OLD = CUDARuntimeError("cudaErrorNoDevice", 100), CUDARuntimeError("cudaErrorInsufficientDriver", 35)
BROKEN = CUDARuntimeError("cudaErrorUnknown: unknown error\nmore", 999)
CASES = {
    "an old CuPy": (cupy_with(version="13.6.0"), "CuPy 14.2 or newer, but 13.6.0 is installed: install it with pip"),
    "no driver": (cupy_with(driver=0, error=OLD), "but no NVIDIA driver is installed: nvidia-smi"),
    "an old driver": (
        cupy_with(driver=11080, error=OLD),
        "for CUDA 11.8 and CuPy is for 12.9: install a newer",
    ),
    "no device": (cupy_with(error=NO_DEVICE), "a CUDA device and its driver, which nvidia-smi shows .*NoDevice"),
    "none of several": (cupy_with(devices=0), "a CUDA device and its driver, .*the driver finds none"),
    "a broken driver": (
        cupy_with(error=BROKEN),
        r"which nvidia-smi shows .* \(cudaErrorUnknown: unknown error\)$",
    ),
    "a driver of two versions": (
        cupy_with(error=CUDARuntimeError("cudaErrorSystemDriverMismatch: system has ...", 803)),
        r"library and kernel module are of one version: restart .* \(cudaErrorSystemDriverMismatch: .*\)$",
    ),
    "a device that is not set up": (
        cupy_with(error=CUDARuntimeError("cudaErrorSystemNotReady: not yet", 802)),
        "nvidia-fabricmanager must run",
    ),
    "no compiler": (cupy_with(compiler=OSError("libnvrtc.so.12")), r"NVRTC, .* \(libnvrtc.so.12\); install .*\[ctk\]"),
}


@pytest.mark.parametrize("case", CASES)
def test_each_lack_has_a_sentence_that_mends_it(monkeypatch, case):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    cupy, message = CASES[case]
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(cuda_check.why_not(cupy))


def test_what_works_lacks_nothing():
    assert cuda_check.why_not(cupy_with()) is None


@pytest.mark.parametrize(("found", "lacks"), [(None, True), ("/usr/include", False)])
def test_headers_that_nvidias_finder_does_not_find_are_told(monkeypatch, found, lacks):
    finder = SimpleNamespace(find_nvidia_header_directory={"cudart": found}.get)
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", finder)
    told = cuda_check.why_not(cupy_with())
    assert told.startswith("CUDA's headers, which its compiler reads") and "[ctk]" in told if lacks else told is None


FULL, TAKEN = CUDARuntimeError("cudaErrorMemoryAllocation", 2), CUDARuntimeError("cudaErrorDevicesUnavailable", 46)
FAILING = {
    "full": (FULL, r"needs a CUDA device with free memory: nvidia-smi shows .* \(cudaErrorMemoryAllocation\)\.$"),
    "taken": (TAKEN, r"needs a CUDA device that no other process has for itself: .*\(cudaErrorDevicesUnavailable\)\.$"),
    "broken": (BROKEN, r"needs a CUDA device and its driver, which nvidia-smi shows .* \(cudaErrorUnknown: .*\)\.$"),
}


@pytest.mark.parametrize("case", FAILING)
def test_a_device_that_is_there_and_fails_is_told_by_info_and_by_the_context(monkeypatch, capsys, case):
    error, message = FAILING[case]

    def fail(*_):
        raise error

    cupy = cupy_with()
    cupy.__spec__ = SimpleNamespace(name="cupy")
    cupy.cuda.Device = lambda number: SimpleNamespace(use=fail)
    cupy.cuda.runtime.memGetInfo = fail
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(RuntimeError, match=message):
        ms.set_context(device_target="GPU")
    assert ms.get_context("device_target") == "CPU"
    assert main(["info"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("GPU: "))
    assert re.search(message, line) and line.startswith("GPU: none can be used: that needs a CUDA device")


def test_devices_that_are_hidden_are_told(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert "CUDA_VISIBLE_DEVICES='' names none that is there" in cuda_check.why_not(cupy_with(error=NO_DEVICE))


@pytest.fixture
def wheels(monkeypatch):
    """A function that installs wheels, name -> (version, what it needs), as far as metadata tell."""

    def install(found):
        def version(name):
            if name not in found:
                raise metadata.PackageNotFoundError(name)
            return found[name][0]

        monkeypatch.setattr(metadata, "version", version)
        monkeypatch.setattr(metadata, "requires", lambda name: found[name][1])

    return install


def test_two_wheels_of_cupy_are_told(wheels):
    wheels({"cupy-cuda12x": ("14.2.0", None), "cupy-cuda13x": ("14.2.0", None)})
    told = cuda_check.why_not_imported(ImportError("undefined symbol"))
    assert "pip uninstall cupy-cuda12x cupy-cuda13x, then install it" in told


@pytest.mark.parametrize("wanted", [">=99.0", "<1.5,>=1.0", ">=0.5,<1.9; python_version > '3'"])
def test_a_numpy_that_cupy_does_not_take_is_told(wheels, wanted):
    wheels({"cupy-cuda12x": ("14.2.0", ["cuda-pathfinder", f"numpy{wanted}"])})
    bounds = wanted.partition(";")[0]
    told = cuda_check.why_not_imported(ImportError("numpy.core.multiarray failed to import"))
    assert told.endswith(f'numpy{bounds}, but {np.__version__} is installed: pip install "numpy{bounds}"')


@pytest.mark.parametrize("needs", [None, [], ["numpy"], ["numpy>=1.20,<99", "other>=3"], ["numpy!=1.2"]])
def test_another_failure_of_the_import_is_told_as_it_is(wheels, needs):
    wheels({"cupy-cuda12x": ("14.2.0", needs)})
    told = cuda_check.why_not_imported(ImportError("libcudart.so is missing\n===="))
    assert told.startswith("CuPy, which is installed but cannot be imported (libcudart.so is missing); install it")
