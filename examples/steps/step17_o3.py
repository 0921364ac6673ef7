"""Step 17: marks, and O3. A mark on a cell makes each operation inside see its inputs in float16.

The cast stands at each operation, not at the door of the cell: so Parameters are cast as well, and stay stored in
float32. The gradient of that cast brings a Parameter's gradient back to float32. A cell without a mark ends the mark of
the cell that calls it.

O3 is a mark on everything. The output is cast to float32, because the loss is computed in float32.

    python examples/steps/step17_o3.py
"""

from step03_operation import Operation
from step06_cell import Cell
from step07_dense import batch, small_network, squared_error
from step09_momentum import Momentum
from step12_float16 import Cast, promote
from step16_dynamic_scale import DynamicStep

marks = [None]  # the mark that holds now is the last


def lower(operation, inputs):
    """Cast the inputs to the mark that holds; casts themselves stay as they are."""
    if marks[-1] is None or isinstance(operation, Cast):
        return promote(operation, inputs)
    return [x if x.kind == marks[-1] else Cast(marks[-1])(x) for x in inputs]


def run_marked(cell, inputs):
    marks.append(cell.mark)
    try:
        return cell.construct(*inputs)
    finally:
        marks.pop()


Operation.lower, Cell.mark, Cell.run = staticmethod(lower), None, staticmethod(run_marked)


def to_float(cell, kind):
    """Mark a cell and all cells inside; returns it."""
    for _, inside in cell.cells():
        inside.mark = kind
    return cell


class CastOutput(Cell):
    """A cell whose output is cast."""

    def __init__(self, backbone, kind):
        self.backbone, self.cast = backbone, Cast(kind)

    def construct(self, *inputs):
        return self.cast(self.backbone(*inputs))


def o3(network, kind="float16"):
    """The network in float16, for callers in float32."""
    return CastOutput(to_float(network, kind), "float32")


def main():
    for level, convert in (("O0", lambda network: network), ("O3", o3)):
        network, (x, y) = convert(small_network()), batch()
        step = DynamicStep(network, squared_error, Momentum(network.parameters().values(), 0.03, 0.9), 2.0**14)
        print(level, *(f"{float(loss):.5f}" for loss, _, _ in [step(x, y) for _ in range(41)][::8]))
    print({path: parameter.kind for path, parameter in network.parameters().items()})


if __name__ == "__main__":
    main()
