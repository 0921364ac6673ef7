"""Compile kernels with NVIDIA's NVRTC for real chips, which needs no GPU: it refuses some of what g++ takes.

    CPUCUDA_SOURCES=kept python -m pytest -m cpucuda tests/ops     # keeps the source of each kernel, with its options
    python tests/cpucuda/nvrtc_check.py kept sm_80 sm_90

CuPy compiles a kernel only where its caches lack it: give CPUCUDA_CACHE an empty folder to have all of them.
"""

import ctypes
import sys
from pathlib import Path


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


def parts(text):
    """(source, options, name expressions) of a file that driver/compiler.cpp kept."""
    lines, marked = text.split("\n"), {"//OPTION ": [], "//NAME ": []}
    while lines and lines[0].startswith(tuple(marked)):
        mark, _, rest = lines.pop(0).partition(" ")
        marked[f"{mark} "].append(rest)
    return "\n".join(lines), marked["//OPTION "], marked["//NAME "]


def refused(folder, chip):
    """(path, log) of each kernel of a folder that NVRTC does not compile for a chip, such as sm_90."""
    nvrtc = NVRTC()
    for path in sorted(Path(folder).glob("*.cu")):
        source, options, names = parts(path.read_text())
        options = [option for option in options if not option.startswith("-arch")]
        compiles, log = nvrtc.compile(source, [*options, f"-arch={chip}"], names)
        if not compiles:
            yield path, log


def main():
    folder, *chips = sys.argv[1:]
    status = 0
    for chip in chips:
        found = list(refused(folder, chip))
        for path, log in found:
            print(f"{path}:\n{log[:2000]}")
        print(f"{chip}: {len(list(Path(folder).glob('*.cu')))} kernels, {len(found)} do not compile")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())
