"""What ``insight.watch`` costs a training step that does not overflow: while it watches, and once it has stopped.

    python benchmarks/insight.py [WORKLOAD ...] [--seconds 5] [--clock wall|cpu] [--graph]

Three steps of each network are made, with a dynamic loss scale at O2: one that was never watched, one that was watched
and is not any longer ("off"), and one that is ("on"). They run in turns, in an order that changes from round to round,
so that what else the machine does falls on all alike. Printed are the median of the first, and the medians of the
others over it. The exit code is 1 where "on" is above 1.5, or "off" above 1.00 by more than the clock's own spread,
which a second step that was never watched shows ("again").
"""

import argparse
import importlib
import itertools
import sys
import time
from statistics import median

import numpy as np

import minispore as ms
from minispore.tools import insight

WORKLOADS = {
    "lenet5": {"batch": 32},
    "mlp": {},
    "encoder": {},
    "resnet20": {"batch": 4},
}
ON, OFF, WARM_UP, LEAST = 1.5, 1.0, 3, 8
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def scaled_step(ms, net, optimizer, x, y, level=None, loss=None):
    """A workload's training step, with a dynamic loss scale at O2."""
    loss = loss or ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager = ms.amp.DynamicLossScaleManager(1024.0, 2, 10**6)
    step = ms.amp.build_train_network(net, optimizer, loss, level="O2", loss_scale_manager=manager)
    x, y = ms.Tensor(x), ms.Tensor(y.astype(np.int32) if y.dtype.kind == "i" else y)
    return step, lambda: step(x, y)[1].asnumpy()


def built(name):
    """``(step, a function that runs it)`` of a workload."""
    module = importlib.import_module(f"workloads.{name}")
    module.step_of_cells = scaled_step
    return module.cells(ms, **WORKLOADS[name])


def variants(name):
    """The runs that are compared, by name; what watches is kept, since it ends with its last reference's use."""
    runs, kept = {}, []
    for variant in ("never", "again", "off", "on"):
        step, runs[variant] = built(name)
        if variant in ("off", "on"):
            kept.append(insight.watch(step))
        if variant == "off":
            kept[-1].stop()
    return runs, kept


def measured(runs, seconds, clock):
    """The median milliseconds of each run; an overflow is an error, since another thing would be measured."""
    for run in list(runs.values()) * WARM_UP:
        run()
    times, orders = {name: [] for name in runs}, itertools.cycle(itertools.permutations(runs))
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times["on"]) < LEAST:
        for name in next(orders):
            start = clock()
            if runs[name]():
                raise RuntimeError(f"The step '{name}' overflows.")
            times[name].append(1e3 * (clock() - start))
    return {name: median(found) for name, found in times.items()}


def main():
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workloads", nargs="*", default=list(WORKLOADS))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--graph", action="store_true")
    options = parser.parse_args()
    if options.graph:
        ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_context(cpu_loss_scale=True)
    missed = False
    print(f"{'workload':<10}  {'never':>9}  {'again':>6}  {'off':>6}  {'on':>6}")
    for name in options.workloads:
        found = measured(variants(name)[0], options.seconds, CLOCKS[options.clock])
        again, off, on = (found[variant] / found["never"] for variant in ("again", "off", "on"))
        print(f"{name:<10}  {found['never']:>6.2f} ms  {again:>6.3f}  {off:>6.3f}  {on:>6.3f}")
        missed |= on > ON or off > OFF + max(abs(again - 1), 0.02)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
