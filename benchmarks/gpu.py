"""The one command on a machine with a GPU: its facts, the device tests, checks, times beside PyTorch, and the page.

    python benchmarks/gpu.py --torch-python PATH               # half an hour; writes docs/performance_gpu.md
    .venv-cupy/bin/python benchmarks/gpu.py --counts           # without a GPU: what is counted, on the CPU's CUDA
    python benchmarks/gpu.py --torch-python PATH --nets mlp    # a part; the rest of what was measured stays

Where no GPU is there, the page says so and shows what is counted. Figures are kept in a file, so that counts from a
machine without a GPU and times from one with it make one page.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import gpu_page

from minispore import backend

HERE = Path(__file__).resolve().parent
LEVELS = "O0", "O2"
OURS = "O0", "O2", "O0, graph mode", "O2, graph mode"
THEIRS = (
    *("float32", "float32, channels_last", "AMP", "AMP, channels_last", "AMP, torch.compile"),
    *("AMP, CUDA graph", "float32, CUDA graph"),
)
BLOCKS, STEPS = 5, 200
MINUTES = 10  # after which a measurement is given up
PARTS = "facts", "tests", "checks", "times"


def told(command, **options):
    """A process's standard output; RuntimeError with its last line of errors where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=60 * MINUTES, **options
    )
    if done.returncode:
        raise RuntimeError(
            (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
        )
    return done.stdout


def of_machine():
    """What there is of a GPU, or why none can be used."""
    try:
        return backend.gpu_facts(), None
    except RuntimeError as error:
        return None, str(error).partition('device_target="GPU" ')[2] or str(error)


def tests():
    """The last line of pytest on the tests that need a GPU."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "gpu", "-n", "0", "tests"]
    environment = {**os.environ, "CPUCUDA": "off", "PYTHONPATH": str(HERE.parent)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parent, env=environment)
    return done.stdout.strip().splitlines()[-1]


def checks():
    """The lines of the checks."""
    done = subprocess.run(
        [sys.executable, str(HERE / "gpu_checks.py")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    )
    return done.stdout.strip().splitlines() or done.stderr.strip().splitlines()[-1:]


def times(name, torch_python, folder):
    """Each framework's variants: first losses and blocks of milliseconds, or why a measurement failed."""
    found = {}
    base = {"net": name, "batch": gpu_page.BATCHES[name], "steps": STEPS, "blocks": BLOCKS}
    base |= {key: str(Path(folder) / f"{name}_{key}.npz") for key in ("weights", "data")}
    for framework, python, variants in (("minispore", sys.executable, OURS), ("torch", torch_python, THEIRS)):
        for variant in variants if python else ():
            for resident in (True, False):
                task = {**base, "framework": framework, "variant": variant, "resident": resident}
                key = f"{framework}; {variant}; {'resident' if resident else 'copied'}"
                try:
                    found[key] = json.loads(
                        told([python, str(HERE / "gpu_step.py"), json.dumps(task)]).splitlines()[-1]
                    )
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    found[key] = {"failed": str(error)}
                print(f"{name}: {key}: {gpu_page.summary(found[key])}", flush=True)
    return found


def counts(name, level, mode):
    """Operations, waits and bytes of a step, in a process of its own on the CPU's CUDA."""
    text = told([sys.executable, str(HERE / "gpu_counts.py"), name, level, mode, "--json"])
    print(f"{name} {level} {mode}: {text.splitlines()[-1]}", flush=True)
    return json.loads(text.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch-python", help="an interpreter that has PyTorch for this GPU")
    parser.add_argument("--nets", nargs="+", choices=sorted(gpu_page.BATCHES), default=list(gpu_page.BATCHES))
    parser.add_argument("--skip", nargs="+", choices=PARTS, default=[], help="parts to leave out")
    parser.add_argument("--counts", action="store_true", help="count operations and bytes too, on the CPU's CUDA")
    parser.add_argument("--results", default=HERE / "gpu_results.json", help="where figures are kept (%(default)s)")
    parser.add_argument("--write", default=HERE.parent / "docs" / "performance_gpu.md", help="the page (%(default)s)")
    options = parser.parse_args()
    path = Path(options.results)
    results = json.loads(path.read_text()) if path.exists() else {}

    def keep(key, part):
        results[key] = part
        path.write_text(json.dumps(results, indent=1) + "\n")

    facts, reason = of_machine()
    if facts is None:
        print(f"No GPU: it {reason}", flush=True)
    for part in [part for part in PARTS if facts and part not in options.skip]:
        if part == "facts":
            keep(part, facts)
        elif part in ("tests", "checks"):
            keep(part, globals()[part]())
            print(results[part], flush=True)
        else:
            with TemporaryDirectory() as folder:
                for name in options.nets:
                    keep("times", {**results.get("times", {}), name: times(name, options.torch_python, folder)})
    if options.counts:
        for name in options.nets:
            for level in LEVELS:
                found = {mode: counts(name, level, mode) for mode in ("eager", "graph")}
                keep("counts", {**results.get("counts", {}), f"{name} {level}": found})
    Path(options.write).write_text(gpu_page.text(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
