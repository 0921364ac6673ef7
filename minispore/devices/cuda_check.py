"""Check that CuPy, CUDA and the driver fit together: None, or a sentence with the remedy.

Asking a driver for its state computes nothing. ``facts`` are for ``minispore info``.
"""

import importlib
import importlib.util
import os

import numpy as np

__all__ = ["INSTALL", "facts", "why_failed", "why_no_cupy", "why_not", "why_not_imported"]

_OLDEST = 14, 2
_WHEELS = "cupy-cuda11x", "cupy-cuda12x", "cupy-cuda13x", "cupy"
INSTALL = (
    'install it with pip install "cupy-cuda12x[ctk]>=14.2" (CUDA 12) or pip install "cupy-cuda13x[ctk]>=14.2" (CUDA 13)'
)
_NO_DEVICE, _OLD_DRIVER = 100, 35  # cudaErrorNoDevice, cudaErrorInsufficientDriver
_WORKING = "a CUDA device and its driver, which nvidia-smi shows where they work"
_MENDS = {  # cudaErrorMemoryAllocation, DevicesUnavailable, SystemNotReady, SystemDriverMismatch -> the remedy
    2: "a CUDA device with free memory: nvidia-smi shows which processes hold it",
    46: "a CUDA device that no other process has for itself: nvidia-smi shows its processes and its compute mode",
    802: "a CUDA device that is set up: where several are joined by NVSwitch, nvidia-fabricmanager must run",
    803: "a driver whose library and kernel module are of one version: restart the machine after its update",
}


def installed():
    """The wheels of CuPy that are installed, by name, with their versions."""
    from importlib import metadata  # half as long to import as this package, and needed where something is wrong

    found = {}
    for name in _WHEELS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def why_no_cupy():
    """The reason why CuPy is missing, before an import; or None."""
    return None if importlib.util.find_spec("cupy") is not None else f"CuPy, which is not installed; {INSTALL}"


def why_not_imported(error):
    """The remedy for a failed import of CuPy."""
    wheels = installed()
    if len(wheels) > 1:
        return (
            f"one CuPy, but {' and '.join(wheels)} are installed, which overwrite one another: pip uninstall "
            f"{' '.join(wheels)}, then {INSTALL}"
        )
    for name, version in wheels.items():
        wanted = _numpy_wanted(name)
        if wanted and not _fits(np.__version__, wanted):
            return (
                f"a NumPy that CuPy {version} works with, numpy{wanted}, but {np.__version__} is installed: "
                f'pip install "numpy{wanted}"'
            )
    return f"CuPy, which is installed but cannot be imported ({_first_line(error)}); {INSTALL}"


def _numpy_wanted(wheel):
    """The versions of NumPy that a wheel requires, such as "<2.6,>=2.0"; empty without a requirement."""
    from importlib import metadata

    needs = [need for need in metadata.requires(wheel) or () if need.startswith("numpy")]
    return needs[0].removeprefix("numpy").partition(";")[0].strip(" ()") if needs else ""


def _fits(version, wanted):
    """True if a version lies within bounds such as "<2.6,>=2.0"; True for bounds of other kinds."""
    found = _numbers(version)
    for bound in wanted.split(","):
        if bound.startswith(">=") and found < _numbers(bound[2:]):
            return False
        if bound.startswith("<") and bound[1:2] != "=" and found >= _numbers(bound[1:]):
            return False
    return True


def _numbers(version):
    """The leading numbers of a version: (2, 10) of "2.10rc1"."""
    numbers = []
    for part in version.split(".")[:3]:
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        numbers.append(int(digits or 0))
    return tuple(numbers)


def why_no_driver(cupy):
    """The reason why no device can be used, and the remedy; or None.

    The reasons differ for an old CuPy, an absent driver, an old driver and hidden devices.
    """
    if _numbers(getattr(cupy, "__version__", "99")) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        return f"CuPy {oldest} or newer, but {cupy.__version__} is installed: {INSTALL}"
    runtime = cupy.cuda.runtime
    try:
        return None if runtime.getDeviceCount() else _no_device("the driver finds none")
    except runtime.CUDARuntimeError as error:
        status = getattr(error, "status", None)
        if status == _NO_DEVICE:
            return _no_device(_first_line(error))
        if status == _OLD_DRIVER:
            return _old_driver(runtime)
        return why_failed(error)


def why_failed(error):
    """The remedy for a device that answers with this error of the driver."""
    needed = _MENDS.get(getattr(error, "status", None), _WORKING)
    return f"{needed} ({_first_line(error)})"


def _no_device(reason):
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
    if hidden is not None:
        return f"a CUDA device, and CUDA_VISIBLE_DEVICES={hidden!r} names none that is there ({reason}): unset it"
    return f"{_WORKING} ({reason})"


def _old_driver(runtime):
    driver, needed = runtime.driverGetVersion(), _version(runtime.runtimeGetVersion())
    if not driver:
        return "a CUDA device and its driver, but no NVIDIA driver is installed: nvidia-smi shows one where it works"
    return (
        f"a CUDA device and its driver, but the driver is for CUDA {_version(driver)} and CuPy is for {needed}: "
        f"install a newer driver, or the CuPy for the driver's CUDA"
    )


def _version(number):
    """CUDA's version of its number: "12.9" of 12090."""
    return f"{number // 1000}.{number % 1000 // 10}"


def why_no_compiler(cupy):
    """The reason why kernels could not be compiled, and the remedy; None if nothing is missing."""
    try:
        cupy.cuda.nvrtc.getVersion()
    except (ImportError, OSError, RuntimeError) as error:
        return f"NVRTC, CUDA's compiler, which cannot be loaded ({_first_line(error)}); {INSTALL}"
    return None if _finds_headers() else f"CUDA's headers, which its compiler reads and which are not found; {INSTALL}"


def _finds_headers():
    """True if NVIDIA's finder, which CuPy asks when it first compiles, knows the folder of CUDA's headers."""
    try:
        find = importlib.import_module("cuda.pathfinder").find_nvidia_header_directory
    except (ImportError, AttributeError):
        return True  # a CuPy that does not ask it
    return find("cudart") is not None


def _first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]


def why_not(cupy):
    """The reason why CuPy cannot compute here, and the remedy; None if it can."""
    return why_no_driver(cupy) or why_no_compiler(cupy)


def facts(cupy):
    """Facts about a GPU that can be used, name -> text."""
    runtime = cupy.cuda.runtime
    names, free_and_total = [], runtime.memGetInfo()
    for device in range(runtime.getDeviceCount()):
        of = runtime.getDeviceProperties(device)
        names.append(
            f"{of['name'].decode()} (sm_{of['major']}{of['minor']}, {of['multiProcessorCount']} multiprocessors)"
        )
    driver, own = _version(runtime.driverGetVersion()), _version(runtime.runtimeGetVersion())
    compiler = ".".join(map(str, cupy.cuda.nvrtc.getVersion()))
    return {
        "GPU": "; ".join(names),
        "GPU memory": " of ".join(f"{bytes_ / 2**30:.1f} GiB" for bytes_ in free_and_total) + " are free",
        "CUDA": f"{own} of CuPy's, compiler {compiler}, driver for up to {driver}",
    }
