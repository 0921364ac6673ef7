"""The peers: each a framework in a mode, with the interpreter that has it; what they measure, fresh processes do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
MINUTES = 3  # after which a measurement is given up


class Peer(NamedTuple):
    """A framework in a mode, the interpreter that has it, and what is imported before it."""

    label: str
    framework: str
    python: str
    mode: str = "eager"
    before: tuple = ()


EAGER, RECORDED, AFTER_NUMPY = "minispore", "minispore, graph mode", "minispore after NumPy"
TORCH, MS_GRAPH, MS_PYNATIVE, AUTOGRAD = "PyTorch", "MindSpore, graph mode", "MindSpore, PyNative mode", "HIPS autograd"


def all_peers(options):
    """Every peer that the options name an interpreter for, minispore first."""
    peers = [
        Peer(EAGER, "minispore", sys.executable),
        Peer(RECORDED, "minispore", sys.executable, "graph"),
        Peer(AFTER_NUMPY, "minispore", sys.executable, before=("numpy",)),
        Peer(TORCH, "torch", options.torch_python),
        Peer(MS_GRAPH, "mindspore", options.mindspore_python, "graph"),
        Peer(MS_PYNATIVE, "mindspore", options.mindspore_python),
        Peer(AUTOGRAD, "autograd", options.autograd_python),
    ]
    return [peer._replace(python=_interpreter(peer.python)) for peer in peers if peer.python]


def _interpreter(python):
    """The whole path of an interpreter, since processes run elsewhere."""
    found = shutil.which(python)
    if found is None:
        sys.exit(f"There is no interpreter '{python}'.")
    return os.path.abspath(found)


def environment(framework, threads):
    """The variables of a measuring process: its threads, and this checkout's minispore.

    minispore is told to keep to one thread; where it may use more it decides for itself, as it does for its users.
    Compiled modules are kept, as after an installation: an import does not compile them each time.
    """
    chosen = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(threads)), "GLOG_v": "3"}
    chosen["PYTHONDONTWRITEBYTECODE"] = ""
    if framework == "minispore":
        chosen["PYTHONPATH"] = str(HERE.parent)
        if threads > 1:
            chosen = {name: value for name, value in chosen.items() if name not in THREAD_VARIABLES}
    return chosen


def measured(peer, task):
    """What a fresh process of ``peer`` finds for ``task``; ``{"failed": message}`` where it fails."""
    task = {"module": None, **task, "framework": peer.framework, "mode": peer.mode, "before": list(peer.before)}
    command = [peer.python, str(HERE / "measure.py"), json.dumps(task)]
    chosen = environment(peer.framework, task["threads"])
    try:
        with TemporaryDirectory() as place:  # MindSpore leaves files where it runs
            done = subprocess.run(
                command, env=chosen, capture_output=True, text=True, check=False, timeout=60 * MINUTES, cwd=place
            )
    except subprocess.TimeoutExpired:
        return {"failed": f"gave up after {MINUTES} minutes"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    found = json.loads(done.stdout.splitlines()[-1])
    if peer.framework == "minispore" and found["unwanted"]:
        return {"failed": f"importing minispore imports {' and '.join(found['unwanted'])} too"}
    return found
