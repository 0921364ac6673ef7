"""Step 26: auto. Each operation looks itself up while the network runs: no source is read, no cell is listed.

Products are on the white list: float16. Sums, roots and logarithms are on the black list: float32. All others compute
as their inputs; where these differ, in float32. The network alone has the mark, and it holds for all cells inside that
have none: functions and operators are reached too, which O1 misses.

    python examples/steps/step26_auto.py
"""

from step03_operation import Operation
from step04_broadcasting import SumTo
from step05_products import MatMul
from step06_cell import Cell
from step07_dense import batch, squared_error
from step09_momentum import Momentum
from step10_convolution import Convolution
from step11_classify import RowsCrossEntropy
from step12_float16 import Cast, promote
from step16_dynamic_scale import DynamicStep
from step17_o3 import lower, marks, run_marked
from step19_layer_norm import Rsqrt
from step21_source_as_nodes import Network
from step24_receipt import products

WHITE, BLACK = (MatMul, Convolution), (SumTo, Rsqrt, RowsCrossEntropy)


def lower_or_look_up(operation, inputs):
    if marks[-1] != "auto":
        return lower(operation, inputs)
    kind = "float16" if isinstance(operation, WHITE) else "float32" if isinstance(operation, BLACK) else None
    return promote(operation, [x if kind in (None, x.kind) else Cast(kind)(x) for x in inputs])


def run_in_auto(cell, inputs):
    """A cell without a mark computes under its caller's auto."""
    return cell.construct(*inputs) if cell.mark is None and marks[-1] == "auto" else run_marked(cell, inputs)


Operation.lower, Cell.run = staticmethod(lower_or_look_up), staticmethod(run_in_auto)


def auto(network):
    """The network itself, marked."""
    network.mark = "auto"
    return network


def main():
    network, (x, y) = auto(Network()), batch()
    print("products of a run:", products(network, x), " output:", network(x).kind)
    step = DynamicStep(network, squared_error, Momentum(network.parameters().values(), 0.05, 0.9), 2.0**10)
    print("losses", *(f"{loss:.4f}" for loss in [float(step(x, y)[0]) for _ in range(41)][::10]))


if __name__ == "__main__":
    main()
