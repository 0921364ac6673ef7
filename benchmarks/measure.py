"""One measurement: what a fresh process does for one peer and one workload; ``compare.py`` starts it.

``python measure.py FRAMEWORK WORKLOAD SECONDS THREADS [numpy]`` prints one line of JSON: the milliseconds of the import
and of each step, and which modules that no import should bring in are there.
"""

import importlib
import json
import sys
import time

from workloads import WORKLOADS

UNWANTED = ("cupy", "matplotlib")
WARM_UP, LEAST = 5, 5  # steps before the timed ones, and the fewest timed ones


def milliseconds(function):
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1e3


def prepare(name, framework, threads):
    """Set the peer up as its users would for its best speed in eager execution."""
    if name == "torch":
        framework.set_num_threads(threads)
    if name == "mindspore":  # without the synchronous mode its worker threads take the core from one another
        framework.set_context(mode=framework.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)


def timed(step, seconds):
    """The milliseconds of each step, for about ``seconds``."""
    for _ in range(WARM_UP):
        step()
    times, end = [], time.perf_counter() + seconds
    while len(times) < LEAST or time.perf_counter() < end:
        times.append(milliseconds(step))
    return times


def main(name, workload, seconds, threads, *before):
    for module in before:
        importlib.import_module(module)
    import_ms = milliseconds(lambda: importlib.import_module(name))
    unwanted = [module for module in UNWANTED if module in sys.modules]
    steps, task = [], WORKLOADS[workload]
    if task.module is not None:
        framework = sys.modules[name]
        prepare(name, framework, int(threads))
        module = importlib.import_module(f"workloads.{task.module}")
        build = module.torch if name == "torch" else module.cells
        steps = timed(build(framework, **task.arguments), float(seconds))
    print(json.dumps({"import_ms": import_ms, "steps_ms": steps, "unwanted": unwanted}))


if __name__ == "__main__":
    main(*sys.argv[1:])
