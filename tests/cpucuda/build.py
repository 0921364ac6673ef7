"""Build the CPU's CUDA for the CuPy that is installed beside this Python.

    python tests/cpucuda/build.py                       # with a Python that has the wheels of requirements.txt
    python tests/cpucuda/build.py --venv .venv-cupy     # makes that environment first, or completes it

What is there is neither downloaded nor compiled again. Needs Linux on x86-64 and g++. The exit status is 3 where
a wheel, CuPy's source, the compiler or this kind of machine is missing, and 1 where something that is there fails.
"""

import argparse
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sources import MISSING, missing, runtime_source

HERE = Path(__file__).resolve().parent
# Without unique symbols: a template's shared memory is one library's, not that of all with a template of that name.
KERNEL_FLAGS = "-std=c++17 -fno-gnu-unique -O1 -ffp-contract=off -fno-strict-aliasing -fPIC -w"
DRIVER = ("device", "memory", "graphs", "compiler", "scheduler", "launch")
LIBRARIES = ("blas", "blaslt", "solver")
NEEDED = {"cupy": "cupy-cuda12x", "Cython": "Cython", "nvidia": "nvidia-cuda-runtime-cu12"}
# What kernels include, compiled once: of CUDA's own headers nothing, and what CuPy puts at the head of its kernels.
PRECOMPILED = {
    "plain.h": ["prelude.h"],
    "cupy.h": ["prelude.h", "cupy/complex.cuh", "cupy/carray.cuh", "cupy/atomics.cuh", "cupy/math_constants.h"],
}


def told(command, what, status=1):
    """Run a command; what it says is shown only where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        print(f"{done.stdout[-4000:]}\n{what} failed: {' '.join(map(str, command))}", file=sys.stderr)
        raise SystemExit(status)


def is_fresh(target, *sources):
    return target.exists() and all(target.stat().st_mtime >= Path(s).stat().st_mtime for s in sources)


def require_machine():
    """End where the scheduler's registers, the loader or the compiler are others."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        missing(f"this is {sys.platform} on {platform.machine()}, not Linux on x86-64")
    if shutil.which("g++") is None:
        missing("g++ is not there: install a C++ compiler")


def require_wheels():
    """End where this Python lacks a wheel."""
    lacking = [wheel for module, wheel in NEEDED.items() if importlib.util.find_spec(module) is None]
    if lacking:
        wanted = HERE / "requirements.txt"
        missing(f"{sys.executable} lacks {', '.join(lacking)}: pip install -r {wanted}, or give --venv a folder")


def in_environment(folder, arguments):
    """Go on with the Python of a virtual environment that has the wheels."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        told([sys.executable, "-m", "venv", folder], "Making the environment")
    install = [python, "-m", "pip", "install", "-q", "--retries", "2", "-r", HERE / "requirements.txt"]
    told(install, "Installing the wheels", MISSING)
    raise SystemExit(subprocess.run([python, __file__, *arguments], check=False).returncode)


class Build:
    """Paths of a build, and its steps."""

    def __init__(self, folder):
        import cupy_backends
        import nvidia

        self.folder = Path(folder)
        self.objects, self.lib, self.headers = (self.folder / name for name in ("objects", "lib", "headers"))
        self.site = Path(cupy_backends.__file__).parent.parent
        wheels = Path(next(iter(nvidia.__path__)))
        self.include = [f"-I{HERE / 'driver'}"]
        self.include += [f"-I{wheels / name / 'include'}" for name in ("cuda_runtime", "cuda_nvcc", "cuda_nvrtc")]
        for path in (self.objects, self.lib, self.headers, self.folder / "kernels"):
            path.mkdir(parents=True, exist_ok=True)

    def compile(self, name, *flags):
        """An object of a file of driver/."""
        source, out = HERE / "driver" / f"{name}.cpp", self.objects / f"{name}.o"
        if not is_fresh(out, source, HERE / "driver" / "driver.h", __file__):
            base = ["g++", "-std=c++17", "-ffp-contract=off", "-fPIC", "-w", *flags, *self.include]
            told([*base, f'-DKERNEL_FLAGS="{KERNEL_FLAGS}"', "-c", source, "-o", out], f"Compiling {source.name}")
        return out

    def runtime(self):
        """An object of CuPy's binding to the CUDA runtime, from CuPy's own source."""
        source, out = runtime_source(self.folder / "source", self.site), self.objects / "runtime.o"
        if not is_fresh(out, source):
            import sysconfig

            include = [f"-I{sysconfig.get_paths()['include']}", f"-I{source.parent}", *self.include]
            told(
                ["g++", "-O1", "-fPIC", "-w", "-fpermissive", *include, "-c", source, "-o", out],
                "Compiling CuPy's runtime",
            )
        return out

    def precompile(self, name):
        """A header that kernels begin with, compiled: half of a kernel's compile time."""
        header = self.headers / name
        out = self.headers / f"{name}.gch"
        text = "".join(f'#include "{part}"\n' for part in PRECOMPILED[name])
        if not header.exists() or header.read_text() != text:
            header.write_text(text)
        included = self.site / "cupy" / "_core" / "include"
        parts = [HERE / "prelude.h", *(HERE / "headers").glob("*.h"), *(included / "cupy").glob("*.cuh")]
        if not is_fresh(out, header, *parts, __file__):
            include = [f"-I{HERE}", f"-I{HERE / 'headers'}", f"-I{included}"]
            told(
                ["g++", *KERNEL_FLAGS.split(), *include, "-x", "c++-header", header, "-o", out], f"Precompiling {name}"
            )

    def link(self, name, objects, *more):
        """A library, which takes its place when it is whole: another process may have the old one open."""
        part = self.lib / f".{name}"
        told(["g++", "-shared", *objects, "-o", part, f"-Wl,-soname,{name},-rpath,$ORIGIN", *more], f"Linking {name}")
        part.rename(self.lib / name)

    def everything(self):
        """Compile what is older than its source, and link."""
        from libraries import make_stubs, missing_runtime

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            runtime = pool.submit(self.runtime)
            driver = [pool.submit(self.compile, name, "-O1") for name in DRIVER]
            libraries = [pool.submit(self.compile, name, "-O3", "-march=native") for name in LIBRARIES]
            nccl = pool.submit(self.compile, "nccl", "-O1")
            headers = [pool.submit(self.precompile, name) for name in PRECOMPILED]
            runtime, *rest = (f.result() for f in (runtime, *driver, *libraries, *headers))
        driver, libraries = rest[: len(DRIVER)], rest[len(DRIVER) : len(DRIVER) + len(LIBRARIES)]
        missing = missing_runtime(runtime, driver, self.objects)
        self.link("libcuda.so.1", [*driver, missing], "-ldl", "-lpthread")
        cuda = self.lib / "libcuda.so.1"
        self.link("libcpublas.so", libraries, cuda)
        self.link("libnccl.so.2", [nccl.result()])
        make_stubs(self.site, libraries, self.objects, self.lib)
        self.link("runtime.so", [runtime], cuda)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", help="a virtual environment to make and use")
    default = os.environ.get("CPUCUDA_BUILD", HERE / "build")
    parser.add_argument("--build", default=default, help="where to build (CPUCUDA_BUILD; default: %(default)s)")
    options = parser.parse_args()
    require_machine()
    if options.venv:
        in_environment(options.venv, ["--build", str(options.build)])
    require_wheels()
    Build(options.build).everything()
    print(f"The CPU's CUDA is in {options.build}: {sys.executable} -m pytest -m cpucuda")


if __name__ == "__main__":
    main()
