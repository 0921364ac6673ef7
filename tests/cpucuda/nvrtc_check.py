"""Compile kernels with NVIDIA's NVRTC, or nvcc, for real chips, which needs no GPU: it refuses some of what g++ takes.

    python tests/cpucuda/nvrtc_check.py                            # minispore's own kernels, for CHIPS
    CPUCUDA_SOURCES=kept CUPY_CACHE_DIR=$(mktemp -d) python -m pytest -m cpucuda tests/ops
    python tests/cpucuda/nvrtc_check.py kept sm_80 sm_90           # whatever a run used, kept with its options
    python tests/cpucuda/nvrtc_check.py --nvcc PATH                # minispore's own kernels by nvcc

CuPy asks for a kernel only where its cache of files lacks it: with an empty one it asks for all. What is printed of a
kernel that compiles is how many bytes of registers it keeps in memory (spills), where there are any.
"""

import argparse
import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cpucuda import nvcc

CHIPS = "sm_75", "sm_80", "sm_86", "sm_90"
MOST_SPILLED = 64  # bytes of a thread
OWN = "// What the kernels share", "// Philox"  # in the texts of minispore's own kernels, not in those that CuPy writes
_USING_ALL = (
    *("tests/devices/cuda/test_operations.py", "tests/devices/cuda/test_low_bits.py"),
    *("tests/ops/kernels/random_streams", "tests/cpucuda/test_operations.py"),
)
_ROOT = Path(__file__).resolve().parents[2]
_SPILLS = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
_FUNCTION = re.compile(r"Compiling entry function '(\w+)'")


class NVRTC:
    """The library of the wheel nvidia-cuda-nvrtc-cu12."""

    def __init__(self):
        import nvidia

        path = next(Path(next(iter(nvidia.__path__))).glob("cuda_nvrtc/lib/libnvrtc.so.1*"))
        self.library = ctypes.CDLL(str(path))

    def compile(self, source, options, names):
        """(whether it compiles, the log)."""
        program = ctypes.c_void_p()
        self.library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
        for name in names:
            self.library.nvrtcAddNameExpression(program, name.encode())
        given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        failed = self.library.nvrtcCompileProgram(program, len(options), given)
        log = self._log(program)
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        return not failed, log

    def _log(self, program):
        size = ctypes.c_size_t()
        self.library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        self.library.nvrtcGetProgramLog(program, log)
        return log.value.decode(errors="replace")


# What stands for each parameter of a template of minispore's own where one instance is compiled
ARGUMENTS = {
    **{"typename T": "float16", "typename O": "float16", "typename W": "float", "typename A": "float"},
    **{"typename L": "long long", "typename Cell": "Lstm", "int MADE": "64", "bool RELU": "false"},
    **{"typename Y": "float16", "int COUNT": "8"},
}
OF_FILES = {"copies": {"typename T": "long long"}, "low_bits": {"typename T": "unsigned"}}  # other types of numbers
_KERNEL = re.compile(r"template <([^>]*)>\s*__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)")


def kernels_of(source):
    """The names of the kernels of a text."""
    return re.findall(r"__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)", source)


def own_files():
    """The files of minispore's own kernels that hold templates of kernels; philox.cu is compiled with dropout.cu."""
    from minispore.devices.cuda import launch

    folder = Path(launch.__file__).parent
    return sorted(path.stem for path in folder.glob("*.cu") if _KERNEL.search(path.read_text()))


def own(file):
    """(source, CuPy's options, an instance of each template) of a file of minispore's own kernels."""
    import cupy

    from minispore.devices.cuda import device_words, launch

    before = device_words.text() if file == "dropout" else ""
    text, arguments = launch.text_of(file), ARGUMENTS | OF_FILES.get(file, {})
    names = [
        f"{name}<{', '.join(arguments[parameter.strip()] for parameter in parameters.split(','))}>"
        for parameters, name in _KERNEL.findall(text)
    ]
    options = cupy._core.core.assemble_cupy_compiler_options(launch.options(cupy))
    return launch.with_common(before + text), options, names


def parts(text):
    """(source, options, name expressions) of a file that driver/compiler.cpp kept."""
    lines, marked = text.split("\n"), {"//OPTION ": [], "//NAME ": []}
    while lines and lines[0].startswith(tuple(marked)):
        mark, _, rest = lines.pop(0).partition(" ")
        marked[f"{mark} "].append(rest)
    return "\n".join(lines), marked["//OPTION "], marked["//NAME "]


def for_chip(options, chip):
    """The options with a chip, and with a word on what spills, in the place of the chip that they were for."""
    return [*(option for option in options if not option.startswith("-arch")), f"-arch={chip}", "--ptxas-options=-v"]


def compiled(folder, chip, marks=("",), compiler=None):
    """(path, whether it compiles, the compiler's log) of each kernel of a folder whose text has one of the marks."""
    compiler = compiler or NVRTC()
    for path in sorted(Path(folder).glob("*.cu")):
        source, options, names = parts(path.read_text())
        if any(mark in source for mark in marks):
            yield path, *compiler.compile(source, for_chip(options, chip), names)


def refused(folder, chip):
    """(path, log) of each kernel of a folder that NVRTC does not compile for a chip, such as sm_90."""
    return ((path, log) for path, compiles, log in compiled(folder, chip) if not compiles)


def spilled(log):
    """Function -> bytes of a thread's registers that are kept in memory, from NVRTC's log."""
    found = {}
    for text in log.split("ptxas info")[1:]:
        function, spills = _FUNCTION.search(text), _SPILLS.search(text)
        if function:
            last = function.group(1)
        if spills:
            found[last] = max(map(int, spills.groups()))
    return {function: count for function, count in found.items() if count}


def keep_own(folder):
    """Run the tests that use every kernel of minispore's own, and keep what NVRTC is given."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "CPUCUDA_SOURCES": str(folder), "CUPY_CACHE_DIR": cache}
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "cpucuda", *_USING_ALL]
        subprocess.run(command, cwd=_ROOT, env=environment, check=True)


def report(folder, chip, marks, compiler):
    """Print what does not compile for a chip, and what spills; whether any does not, or spills too much."""
    count, failed, worst = 0, 0, 0
    for path, compiles, log in compiled(folder, chip, marks, compiler):
        count += 1
        if not compiles:
            failed += 1
            print(f"{path}:\n{log[:2000]}")
        for function, spills in spilled(log).items():
            worst = max(worst, spills)
            print(f"{chip}: {function} spills {spills} bytes")
    print(f"{chip}: {count} kernels, {failed} do not compile, {worst} bytes spilled at most", flush=True)
    return bool(failed) or worst > MOST_SPILLED


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", help="kept kernels; default: minispore's own, of a run of their tests")
    parser.add_argument("--nvcc", metavar="PATH", help="the other compiler, instead of NVRTC")
    parser.add_argument("chips", nargs="*", default=CHIPS, help="such as sm_90 (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as kept:
        if options.folder is None:
            keep_own(kept)
        marks = OWN if options.folder is None else ("",)
        compiler = nvcc.NVCC(options.nvcc) if options.nvcc else NVRTC()
        faults = [report(options.folder or kept, chip, marks, compiler) for chip in options.chips]
        return any(faults)


if __name__ == "__main__":
    sys.exit(main())
