"""NVIDIA's other compiler, the command nvcc, asked for what ``nvrtc_check.NVRTC`` is asked for. It needs no GPU.

nvcc has a host's compiler read the text first, and instantiates a template where the host's side names it. Beside CUDA
13's wheels ``nvidia-cuda-nvcc``, ``nvidia-cuda-runtime`` and ``nvidia-cuda-cccl`` it is found by itself; elsewhere by
the variable ``NVCC``, or on the path.
"""

import subprocess
import tempfile
from pathlib import Path

_TAKEN = "-I", "-D", "-std=", "--std=", "-ftz=", "-arch=", "--ptxas-options=", "--maxrregcount="


def found():
    """The command's path, as CuPy finds it; None where there is none."""
    from cupy.cuda import get_nvcc_path

    return get_nvcc_path()


class NVCC:
    """The command at ``path``."""

    def __init__(self, path):
        self.path = path

    def compile(self, source, options, names):
        """(whether it compiles, the log)."""
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / "kernel.cu"
            text.write_text(f"{source}\n{_uses(names)}")
            command = [self.path, "-cubin", "-o", f"{folder}/kernel.cubin", *filter(_is_taken, options), text]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        return not done.returncode, done.stdout + done.stderr


def _uses(names):
    """The host's side: an array of the instances' places."""
    return f"void* used[] = {{{''.join(f'(void*)&{name}, ' for name in names)}nullptr}};\n"


def _is_taken(option):
    """Whether an option of NVRTC's is one of nvcc's too; a folder with another CUDA's headers is not."""
    return option.startswith(_TAKEN) and not (Path(option.removeprefix("-I")) / "cuda_runtime.h").exists()
