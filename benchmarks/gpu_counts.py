"""What training steps ask of a GPU, without one: operations, waits and bytes, and the bytes that cannot be saved.

    python tests/cpucuda/build.py --venv .venv-cupy
    .venv-cupy/bin/python benchmarks/gpu_counts.py lenet5 O2          # one network and level
    .venv-cupy/bin/python benchmarks/gpu_counts.py lenet5 O2 --by name  # the same by kernel
    .venv-cupy/bin/python benchmarks/gpu_counts.py lenet5 O2 --by primitive

Bytes are counted of two small batches and carried on to the page's batch, since they grow evenly with it. The floor is
what a step moves whose every primitive reads its inputs and writes its outputs once, each by one kernel.
"""

import argparse
import collections
import json
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import gpu_operations
from cpucuda import device, traffic
from gpu_page import BATCHES

import minispore as ms
from minispore.core import backend
from minispore.core.layers import Layer

SMALL = 2, 4  # the batches that are run
WARM = 4


class Counts(NamedTuple):
    """A step's figures at the page's batch, ``by_name`` the bytes of each kernel; in graph mode no bytes are known.

    ``nodes`` are the operations of the CUDA graphs that the step launches: 0 in an eager one.
    """

    operations: int
    waits: int
    bytes: float
    floor: float
    multiplications: float
    by_name: dict
    nodes: int = 0


class _Watch(Layer):
    """Counts operations by primitive, the outermost where one uses another, and the bytes of its inputs and outputs."""

    def __init__(self):
        self.bytes, self.operations = 0, collections.Counter()

    def around_compute(self, call, primitive, args, arrays):
        """Count what a primitive asks for."""
        with device.counted() as did:
            found = call(primitive, args, arrays)
        self.operations[type(primitive).__name__] += did["operations"]
        self.add(arrays, found)
        return found

    def add(self, given, found):
        """Count arrays once each; nothing for a view, which moves nothing."""
        given = {id(x): x for x in _arrays(given)}
        found = {id(x): x for x in _arrays([found])}
        memory = {x.data.mem.ptr for x in given.values()}
        if not any(x.data.mem.ptr in memory for x in found.values()):
            self.bytes += sum(x.nbytes for x in {**given, **found}.values())


def _arrays(values):
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _arrays(value)
        elif type(value) is backend.array_type:
            yield value


def asked(step):
    """(operations, waits) of a step after the first few."""
    for _ in range(WARM):
        step()
    with device.counted() as did:
        step()
    return did["operations"], did["sync"]


def nodes(step):
    """The operations of the graphs that a captured step launches."""
    with device.counted() as did:
        step()
    return did["node"]


def small_counts(name, level, batch):
    """(operations, waits, the list of operations, the floor) of one step of a small batch."""
    import cupy

    with traffic.watched(cupy) as blocks:
        step = gpu_operations.step_of(name, level, batch)
        operations, waits = asked(step)
        found = traffic.moved(blocks, step)
    with _Watch() as watch:
        step()
    return operations, waits, found, watch.bytes


def counts(name, level, mode="eager"):
    """The :class:`Counts` of a network's step at its batch of the page."""
    device.activate()
    ms.set_context(device_target="GPU", mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    if mode == "graph":
        step = gpu_operations.step_of(name, level, SMALL[0])
        return Counts(*asked(step), 0, 0, 0, {}, nodes(step))
    (operations, waits, few, low), (_, _, more, high) = (small_counts(name, level, batch) for batch in SMALL)

    def carried(small, large):
        return small + (large - small) / (SMALL[1] - SMALL[0]) * (BATCHES[name] - SMALL[0])

    def total(found, figure):
        sums = collections.Counter()
        for operation in found:
            sums[operation.name] += getattr(operation, figure)
        return sums

    small, large = total(few, "bytes"), total(more, "bytes")
    by_name = {key: carried(small[key], large[key]) for key in {**small, **large}}
    products = carried(*(sum(total(found, "multiplications").values()) for found in (few, more)))
    return Counts(operations, waits, sum(by_name.values()), carried(low, high), products, by_name)


def by_primitive(name, level):
    """Print how many operations each primitive asks for, and how many are asked for outside of all of them."""
    step = gpu_operations.step_of(name, level, SMALL[0])
    asked(step)
    with _Watch() as watch, device.counted() as did:
        step()
    rest = did["operations"] - sum(watch.operations.values())
    for primitive, count in [*watch.operations.most_common(), ("outside of primitives", rest)]:
        print(f"  {count:6} {primitive}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", choices=sorted(BATCHES))
    parser.add_argument("level", choices=["O0", "O1", "O2", "O3"])
    parser.add_argument("mode", choices=["eager", "graph"], nargs="?", default="eager")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--by", choices=["name", "primitive"], help="list the bytes of each kernel, or who asks")
    options = parser.parse_args()
    found = counts(options.net, options.level, options.mode)
    if options.json:
        print(json.dumps({key: value for key, value in found._asdict().items() if key != "by_name"}))
        return
    print(f"{options.net} {options.level} batch {BATCHES[options.net]}: ", end="")
    print(f"{found.operations} device operations, {found.waits} waits", end=", ")
    if options.mode == "graph":
        print(f"{found.nodes} operations in the graph")
        return
    print(f"{found.bytes / 1e6:.1f} MB moved, ", end="")
    print(f"{found.bytes / found.floor:.2f} of the floor, {found.multiplications / 1e9:.2f} G multiplications")
    if options.by == "primitive":
        by_primitive(options.net, options.level)
    if options.by == "name":
        for name, count in sorted(found.by_name.items(), key=lambda pair: -pair[1]):
            print(f"  {count / 1e6:10.2f} MB {name}")


if __name__ == "__main__":
    main()
