"""Step 24: the receipt. A conversion that nobody can check is a guess; so each call gets a line: its type, and why.

The receipt is read off the tree, not off a run: it is known before the first step. ``noted`` makes the check: it runs
the network and notes every operation. So the format of each product can be compared with the receipt.

    python examples/steps/step24_receipt.py
"""

from step03_operation import Operation
from step05_products import MatMul
from step07_dense import batch
from step12_float16 import Cast
from step21_source_as_nodes import Network
from step23_o1 import WHITE_LIST, o1


def receipt(converted):
    """A line for each call of the user's: the line, the cell, its class, its type, the reason."""
    lines = []
    for node in converted.tree.nodes:
        if not isinstance(node.called, Cast):
            listed = type(node.called) in WHITE_LIST
            kind, why = ("float16", "white list") if listed else ("float32", "not listed")
            lines.append((node.line, node.name, type(node.called).__name__, kind, why))
    return lines


def noted(function, *inputs):
    """What a run returns; and every operation in it with its inputs and its output, in order."""
    lines, run = [], Operation.run

    def noting(operation, arguments):
        out = run(operation, arguments)
        lines.append((operation, arguments, out))
        return out

    Operation.run = staticmethod(noting)
    try:
        return function(*inputs), lines
    finally:
        Operation.run = staticmethod(run)


def products(network, x):
    """The format of every product of a run."""
    return [out.kind for operation, _, out in noted(network, x)[1] if isinstance(operation, MatMul)]


def main():
    network, (x, _) = Network(), batch()
    converted = o1(network)
    for line, cell, kind, computes_in, why in receipt(converted):
        print(f"line {line:<3} {cell:7} {kind:10} {computes_in:8} {why}")
    print("products of a run before:", products(network, x))
    print("products of a run at O1: ", products(converted, x))


if __name__ == "__main__":
    main()
