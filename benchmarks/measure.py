"""One measurement: what a fresh process does for one peer and one task; ``peers.py`` starts it.

``python measure.py TASK``, with the task as JSON, prints one line of JSON. The task names a ``framework``, its ``mode``
("eager" or "graph"), the modules imported ``before`` it, ``threads``, and, unless the import is all that matters, a
``module`` of the workloads with its ``arguments`` and the ``kind`` of measurement with the ``seconds`` it may take.
"""

import importlib
import json
import logging
import sys
import time
from importlib.metadata import version
from statistics import median

import memory

UNWANTED = ("cupy", "matplotlib")
WARM_UP, LEAST = 3, 3  # steps before the timed ones (graph mode records two), and the fewest timed ones
PEAK_STEPS = 5
SETTLED, GROWN = 100, 1000  # steps before memory is looked at, and those after which it is looked at again


def milliseconds(function):
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1e3


def prepare(name, framework, mode, threads):
    """Set the peer up as its users would for its best speed."""
    graph = mode == "graph"
    if name == "torch":
        framework.set_num_threads(threads)
    if name == "minispore":
        framework.set_context(mode=framework.GRAPH_MODE if graph else framework.PYNATIVE_MODE)
    if name == "mindspore":  # its worker threads would take the cores from one another
        chosen = framework.GRAPH_MODE if graph else framework.PYNATIVE_MODE
        framework.set_context(mode=chosen, device_target="CPU", pynative_synchronize=not graph)
        framework.set_context(runtime_num_threads=threads, inter_op_parallel_num=threads)
        framework.runtime.set_cpu_affinity(False)


def built(framework, name, task):
    """The step that is measured."""
    module = importlib.import_module(f"workloads.{task['module']}")
    build = {"torch": "torch", "autograd": "arrays"}.get(name, "cells")
    return getattr(module, build)(framework, **task["arguments"])


def timed(step, task):
    """Wall time, and processor time of all the process's threads, of a step: medians, and the least wall time."""
    for _ in range(WARM_UP):
        step()
    wall, processor, end = [], [], time.perf_counter() + task["seconds"]
    while len(wall) < LEAST or time.perf_counter() < end:
        used, start = time.process_time(), time.perf_counter()
        step()
        wall.append((time.perf_counter() - start) * 1e3)
        processor.append((time.process_time() - used) * 1e3)
    return {"wall_ms": median(wall), "cpu_ms": median(processor), "least_ms": min(wall), "steps": len(wall)}


def peak(step, task):
    """How far above what the process holds before the first step memory rises in some steps."""
    memory.forget_peak()
    before = memory.resident_mb()
    for _ in range(PEAK_STEPS):
        step()
    return {"before_mb": before, "peak_mb": memory.peak_mb() - before}


def timed_with_peak(step, task):
    return {**peak(step, task), **timed(step, task)}


def growth(step, task):
    """What the process holds after the first steps, and after many more."""
    for _ in range(SETTLED):
        step()
    before = memory.resident_mb()
    for _ in range(GROWN):
        step()
    return {"before_mb": before, "growth_mb": memory.resident_mb() - before}


def bounds(step, task):
    import bounds  # it knows minispore's inside, which no other peer should import

    return bounds.of(step)


KINDS = {
    "steps": timed,
    "peak": peak,
    "batches": timed_with_peak,
    "growth": growth,
    "bounds": bounds,
}


class Refusals(logging.Handler):
    """Keeps what minispore says where it cannot replay a step."""

    def __init__(self):
        super().__init__()
        self.told = []
        logger = logging.getLogger("minispore")
        logger.addHandler(self)
        logger.setLevel(logging.INFO)

    def emit(self, record):
        self.told.append(record.getMessage())


def main(task):
    name = task["framework"]
    for module in task["before"]:
        importlib.import_module(module)
    used = time.process_time()
    found = {"import_ms": milliseconds(lambda: importlib.import_module(name))}
    found["import_cpu_ms"] = (time.process_time() - used) * 1e3
    found["unwanted"] = [module for module in UNWANTED if module in sys.modules]
    framework, refusals = sys.modules[name], Refusals()
    found["version"] = version(name) if name == "autograd" else framework.__version__
    if task["module"] is not None:
        prepare(name, framework, task["mode"], task["threads"])
        found.update(KINDS[task["kind"]](built(framework, name, task), task))
    print(json.dumps({**found, "refusals": refusals.told}))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
