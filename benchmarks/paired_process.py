"""One of the two processes of ``paired.py``: it times steps of the minispore that PYTHONPATH names, as it is asked.

It reads lines of JSON, each with a case and how many steps to take, and answers each with a line: the milliseconds of
processor time of every step.
"""

import functools
import importlib
import json
import sys
import time

import programs

import minispore as ms

WARM_UP = 4  # graph mode records two steps
PROGRAMS = {"empty cell": programs.empty_cell, "dense": programs.o2_step, "conversion": programs.o1_conversion}


@functools.cache
def step_of(name, module, arguments, mode):
    """The step of a case, after a few."""
    ms.set_context(mode=mode)
    step = (
        PROGRAMS[name]()
        if module is None
        else importlib.import_module(f"workloads.{module}").cells(ms, **dict(arguments))
    )
    for _ in range(WARM_UP):
        step()
    return step


def times(step, count):
    """The milliseconds of processor time of each of ``count`` steps."""
    found = []
    for _ in range(count):
        begun = time.process_time_ns()
        step()
        found.append((time.process_time_ns() - begun) / 1e6)
    return found


def main():
    for line in sys.stdin:
        asked = json.loads(line)
        mode = ms.GRAPH_MODE if asked["graph"] else ms.PYNATIVE_MODE
        step = step_of(asked["name"], asked["module"], tuple(sorted(asked["arguments"].items())), mode)
        ms.set_context(mode=mode)
        print(json.dumps(times(step, asked["count"])), flush=True)


if __name__ == "__main__":
    main()
