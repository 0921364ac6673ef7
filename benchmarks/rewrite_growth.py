"""How the time and the memory of rewriting grow: parse, edit at every node, and generate, from 100 to 10,000 nodes.

    python benchmarks/rewrite_growth.py [--sizes 100 1000 10000] [--rounds 3]

Two networks of each size: one long construct, and blocks of ten calls in a SequentialCell, each a sub-tree of its own.
The edit puts a node behind every call and lets its readers read that. The exit code is 1 where 1,000 nodes take a
second or more, or ten times as many nodes take more than twelve times the time or the memory.
"""

import argparse
import gc
import itertools
import linecache
import sys
import time
import tracemalloc

from minispore import nn, ops
from minispore.rewrite import Node, NodeType, SymbolTree

SECONDS_AT_1000, LARGEST_GROWTH = 1.0, 12.0
CALLS_A_BLOCK = 10
STEPS = ("parse", "edit", "generate")


def cell_of(calls, label):
    """A cell whose construct is a chain of ``calls`` calls of two primitives."""
    body = "".join(f"        x = self.{('relu', 'neg')[i % 2]}(x)\n" for i in range(calls))
    text = f"class Chain(nn.Cell):\n    def construct(self, x):\n{body}        return x\n"
    filename = f"<{label}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space = {"nn": nn, "__name__": __name__}
    exec(compile(text, filename, "exec"), space)
    cell = space["Chain"]()
    cell.relu, cell.neg = ops.ReLU(), ops.Neg()
    return cell


def long_network(nodes):
    """One construct of so many calls."""
    return cell_of(nodes, f"long {nodes}")


def deep_network(nodes):
    """Blocks of ten calls each, every one a class of its own, in a SequentialCell."""
    count = nodes // CALLS_A_BLOCK
    return nn.SequentialCell([cell_of(CALLS_A_BLOCK, f"block {i} of {count}") for i in range(count)])


def edit(tree):
    """Put a node behind every call, in the trees inside too, and let its readers read that."""
    for node in list(tree.nodes(all_nodes=True)):
        own = node.get_symbol_tree()
        if node.get_node_type() is NodeType.CallPrimitive:
            (target,) = node.get_targets()
            made = Node.create_call_cell(ops.Neg(), [target], [target])
            own.insert(own.after(node), made)
            own.redirect(target, made.get_targets()[0])


def run(network):
    """The processor seconds of each step: others on the machine do not count."""
    marks = [time.process_time()]
    tree = SymbolTree.create(network)
    marks.append(time.process_time())
    edit(tree)
    marks.append(time.process_time())
    tree.get_network()
    tree.get_code()
    marks.append(time.process_time())
    return [after - before for before, after in itertools.pairwise(marks)]


def measured(network, rounds):
    """The least seconds of each step over the rounds, and the peak of memory of one more round, in MiB."""
    gc.collect()
    times = [min(step) for step in zip(*(run(network) for _ in range(rounds)), strict=True)]
    tracemalloc.start()
    run(network)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return times, peak


def report(make, sizes, rounds):
    """Print a line a size; returns whether all is as it must be."""
    print(
        f"\n{make.__name__}\n  nodes  {'  '.join(f'{step:>8}' for step in STEPS)}     total      peak  growth of both"
    )
    run(make(sizes[0]))  # so that the first size does not pay for what happens once
    before, good = None, True
    for size in sizes:
        times, peak = measured(make(size), rounds)
        now = sum(times), peak
        growth = [10 * (a / b) / (size / before[1]) for a, b in zip(now, before[0], strict=True)] if before else []
        steps = "  ".join(f"{seconds:7.3f}s" for seconds in times)
        print(f"{size:7}  {steps}  {now[0]:7.3f}s  {peak:5.1f}MiB  {'  '.join(f'{each:.1f}x' for each in growth)}")
        good = good and all(each <= LARGEST_GROWTH for each in growth) and (size != 1000 or now[0] < SECONDS_AT_1000)
        before = now, size
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    results = [report(make, options.sizes, options.rounds) for make in (long_network, deep_network)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
