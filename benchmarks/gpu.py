"""The one command on a machine with a GPU: its facts, the device tests, checks, times beside PyTorch, and the page.

    python benchmarks/gpu.py --torch-python PATH               # half an hour; writes docs/reference/performance_gpu.md
    .venv-cupy/bin/python benchmarks/gpu.py --counts           # without a GPU: what is counted, on the CPU's CUDA
    python benchmarks/gpu.py --torch-python PATH --nets mlp    # a part; the rest of what was measured stays

Where no GPU is there, the page says so and shows what is counted. Figures are kept in a file, so that counts from a
machine without a GPU and times from one with it make one page. What is missing (PyTorch, nvcc) or fails is a sentence
on the page.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import gpu_page

from minispore.devices import gpu

HERE = Path(__file__).resolve().parent
LEVELS = "O0", "O2"
OURS = "O0", "O2", "O0, graph mode", "O2, graph mode"
THEIRS = (
    *("float32", "float32, channels_last", "AMP", "AMP, channels_last", "AMP, torch.compile"),
    *("AMP, CUDA graph", "float32, CUDA graph"),
)
BLOCKS, STEPS = 5, 200
MINUTES = 10  # after which a measurement is given up
MINUTES_OF_TESTS = 40  # every kernel is compiled anew, where no cache has it
PARTS = "facts", "tests", "checks", "times"
ASK_TORCH = (
    "import torch; assert torch.cuda.is_available(), 'this PyTorch finds no GPU'; "
    "print(f'{torch.__version__}, CUDA {torch.version.cuda}')"
)
_EXCEPTION = re.compile(r"^[\w.]*(?:Error|Exception)\b.*", re.MULTILINE)


def ran(command, minutes=MINUTES, folder=None, **variables):
    """A process that has ended, with what it wrote; RuntimeError where it cannot be started or takes too long."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent), **variables}
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=folder, env=environment, timeout=60 * minutes
        )
    except OSError as error:
        raise RuntimeError(f"{command[0]} cannot be started: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"given up after {minutes} minutes") from error


def why(done):
    """Why a process failed: the last exception that it names, or the last line that it wrote."""
    lines = _EXCEPTION.findall(done.stderr) or (done.stderr.strip() or done.stdout.strip()).splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


def told(command):
    """The last line of a process's standard output; RuntimeError, with the reason, where it fails."""
    done = ran(command)
    if done.returncode:
        raise RuntimeError(why(done))
    return done.stdout.strip().splitlines()[-1]


def of_machine():
    """What there is of a GPU, or why none can be used."""
    try:
        return gpu.gpu_facts() | {"nvcc": _nvcc()}, None
    except RuntimeError as error:
        return None, str(error).partition('device_target="GPU" ')[2] or str(error)


def _nvcc():
    """Whether nvcc is there, which is not needed: the kernels are compiled by NVRTC."""
    from cupy.cuda import get_nvcc_path

    path = get_nvcc_path()
    return "none, and none is needed: the kernels are compiled by NVRTC" if path is None else f"{path}, not used"


def of_torch(python):
    """What PyTorch there is to compare with, or why there is none: one of the two is None."""
    try:
        return {"PyTorch": told([python, "-c", ASK_TORCH])}
    except RuntimeError as error:
        return {"missing": str(error)}


def tests():
    """The last line of pytest on the tests that need a GPU."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "gpu", "-n", "auto", "-p", "no:benchmark", "tests"]
    try:
        done = ran(command, MINUTES_OF_TESTS, HERE.parent, CPUCUDA="off")
    except RuntimeError as error:
        return str(error)
    lines = done.stdout.strip().splitlines()
    return lines[-1] if lines else why(done)


def checks():
    """The lines of the checks."""
    try:
        done = ran([sys.executable, str(HERE / "gpu_checks.py")])
    except RuntimeError as error:
        return [f"all: FAILS: {error}"]
    lines = done.stdout.strip().splitlines()
    return lines if lines and "Traceback" not in done.stderr else [*lines, f"the rest: FAILS: {why(done)}"]


def times(name, torch_python, folder, steps):
    """Each framework's variants: first losses and blocks of milliseconds, or why a measurement failed."""
    found = {}
    base = {"net": name, "batch": gpu_page.BATCHES[name], "steps": steps, "blocks": BLOCKS}
    base |= {key: str(Path(folder) / f"{name}_{key}.npz") for key in ("weights", "data")}
    for framework, python, variants in (("minispore", sys.executable, OURS), ("torch", torch_python, THEIRS)):
        for variant in variants if python else ():
            for resident in (True, False):
                task = {**base, "framework": framework, "variant": variant, "resident": resident}
                key = f"{framework}; {variant}; {'resident' if resident else 'copied'}"
                try:
                    found[key] = json.loads(told([python, str(HERE / "gpu_step.py"), json.dumps(task)]))
                except RuntimeError as error:
                    found[key] = {"failed": str(error)}
                print(f"{name}: {key}: {gpu_page.summary(found[key])}", flush=True)
    return found


def counts(name, level, mode):
    """Operations, waits and bytes of a step, in a process of its own on the CPU's CUDA."""
    line = told([sys.executable, str(HERE / "gpu_counts.py"), name, level, mode, "--json"])
    print(f"{name} {level} {mode}: {line}", flush=True)
    return json.loads(line)


class Results:
    """The figures of this run and of those before, kept in a file."""

    def __init__(self, path):
        self.path = Path(path)
        self.parts = json.loads(self.path.read_text()) if self.path.exists() else {}

    def keep(self, name, part):
        """Keep a part, and write the file."""
        self.parts[name] = part
        self.path.write_text(json.dumps(self.parts, indent=1) + "\n")

    def add(self, name, key, figures):
        """Keep figures in a part, beside those that are there under other keys."""
        self.keep(name, {**self.parts.get(name, {}), key: figures})


def measure(facts, options, results):
    """All that needs a GPU."""
    for name, part in (("facts", lambda: facts), ("tests", tests), ("checks", checks)):
        if name not in options.skip:
            results.keep(name, part())
            print(results.parts[name], flush=True)
    if "times" in options.skip:
        return
    results.keep("torch", of_torch(options.torch_python))
    print(gpu_page.of_torch(results.parts), flush=True)
    python = None if "missing" in results.parts["torch"] else options.torch_python
    with TemporaryDirectory() as folder:
        for name in options.nets:
            results.add("times", name, times(name, python, folder, options.steps))
            results.add("steps", name, options.steps)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    python = "an interpreter that has PyTorch for this GPU (default: this one)"
    parser.add_argument("--torch-python", default=sys.executable, help=python)
    parser.add_argument("--nets", nargs="+", choices=sorted(gpu_page.BATCHES), default=list(gpu_page.BATCHES))
    parser.add_argument("--steps", type=int, default=STEPS, help="steps of a block (%(default)s)")
    parser.add_argument("--skip", nargs="+", choices=PARTS, default=[], help="parts to leave out")
    parser.add_argument("--counts", action="store_true", help="count operations and bytes too, on the CPU's CUDA")
    parser.add_argument("--results", default=HERE / "gpu_results.json", help="where figures are kept (%(default)s)")
    parser.add_argument(
        "--write", default=HERE.parent / "docs" / "reference" / "performance_gpu.md", help="the page (%(default)s)"
    )
    options = parser.parse_args(arguments)
    results, (facts, reason) = Results(options.results), of_machine()
    if facts is None:
        print(f"No GPU: it {reason}", flush=True)
    else:
        measure(facts, options, results)
    if options.counts:
        for name in options.nets:
            for level in LEVELS:
                found = {mode: counts(name, level, mode) for mode in ("eager", "graph")}
                results.add("counts", f"{name} {level}", found)
    Path(options.write).write_text(gpu_page.text(results.parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
