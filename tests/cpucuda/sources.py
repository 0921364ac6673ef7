"""CuPy's binding to the CUDA runtime as C++, made by Cython from the source distribution of the installed version."""

import hashlib
import importlib.metadata
import json
import os
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

DIRECTIVES = {
    "embedsignature": True,
    "c_api_binop_methods": True,
    "binding": False,
    "warn.deprecated.IF": False,
    "freethreading_compatible": True,
}
SETTINGS = {
    "CUPY_USE_CUDA_PYTHON": False,
    "CUPY_CUFFT_STATIC": False,
    "CUPY_CYTHON_VERSION": "3.2",
    "CUPY_CUDA_VERSION": 12090,
    "CUPY_HIP_VERSION": 0,
}


MISSING = 3  # exit status


def missing(what):
    """End with the status that tells a missing thing from a failure."""
    print(what, file=sys.stderr)
    raise SystemExit(MISSING)


def version():
    """Of the installed CuPy, by whatever wheel it came."""
    found = [d.version for d in importlib.metadata.distributions() if (d.name or "").lower().startswith("cupy")]
    return found[0]


def archive(folder):
    """The source distribution, from the package index unless it is here; its digest is the index's."""
    name = f"cupy-{version()}.tar.gz"
    path = folder / name
    if path.exists():
        return path
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
    accept = {"Accept": "application/vnd.pypi.simple.v1+json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{index}/cupy/", headers=accept), timeout=60) as page:
            file = next(f for f in json.load(page)["files"] if f["filename"] == name)
        with urllib.request.urlopen(file["url"], timeout=120) as answer:
            data = answer.read()
    except (urllib.error.URLError, StopIteration, ValueError) as error:
        missing(f"{name} could not be had from {index} ({error!r}): put it into {folder}")
    if hashlib.sha256(data).hexdigest() != file["hashes"]["sha256"]:
        raise SystemExit(f"{name} is not what {index} says it is: its digest differs")
    path.write_bytes(data)
    return path


def unpacked(folder):
    """The folder cupy_backends of the source distribution."""
    backends = folder / f"cupy-{version()}" / "cupy_backends"
    if not backends.exists():
        with tarfile.open(archive(folder)) as tar:
            parts = [m for m in tar.getmembers() if m.name.startswith(f"{backends.parent.name}/cupy_backends/")]
            tar.extractall(folder, parts, filter="data")
    return backends


def runtime_source(folder, site):
    """The path of runtime.cpp."""
    folder.mkdir(parents=True, exist_ok=True)
    backends = unpacked(folder)
    pyx = backends / "cuda" / "api" / "runtime.pyx"
    out = pyx.with_suffix(".cpp")
    if not out.exists():
        translate(backends.parent, pyx)
    return out


def translate(root, pyx):
    """Have Cython make C++ of a module, without its advice to CuPy's authors."""
    from Cython.Build import cythonize
    from Cython.Compiler import Errors
    from setuptools import Extension

    Errors.LEVEL = 2
    before = Path.cwd()
    os.chdir(root)
    try:
        extension = Extension("cupy_backends.cuda.api.runtime", [str(pyx.relative_to(root))], language="c++")
        cythonize([extension], language_level=3, compiler_directives=DIRECTIVES, compile_time_env=SETTINGS, quiet=True)
    finally:
        os.chdir(before)
