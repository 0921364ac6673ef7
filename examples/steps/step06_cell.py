"""Step 6: a Cell owns Parameters and other Cells, and computes with ``construct``.

A Parameter is a Tensor with a name that an optimizer may change. Assignment sorts: Cells and Parameters are found again
by walking the attributes. ``Cell.run`` is a seam, as the two of step 3: a mark of precision will stand there.

    python examples/steps/step06_cell.py
"""

from step01_tensor import Tensor
from step04_broadcasting import add, mul


class Parameter(Tensor):
    """A Tensor that belongs to a Cell; an optimizer gives it other arrays."""


class Cell:
    """Base of the parts of a network."""

    run = staticmethod(lambda cell, inputs: cell.construct(*inputs))

    def __call__(self, *inputs):
        return Cell.run(self, inputs)

    def cells(self, path=""):
        """Every Cell with its path, this one first."""
        yield path, self
        for name, child in vars(self).items():
            if isinstance(child, Cell):
                yield from child.cells(f"{path}.{name}" if path else name)

    def parameters(self):
        """Every Parameter with its path."""
        owned = [(path, name, value) for path, cell in self.cells() for name, value in vars(cell).items()]
        return {f"{path}.{name}".lstrip("."): value for path, name, value in owned if isinstance(value, Parameter)}


class Sequential(Cell):
    """Cells that run one after another; their names are numbers."""

    def __init__(self, *cells):
        vars(self).update({str(i): cell for i, cell in enumerate(cells)})

    def construct(self, x):
        for cell in [child for child in vars(self).values() if isinstance(child, Cell)]:
            x = cell(x)
        return x


class Line(Cell):
    """``slope * x + height``."""

    def __init__(self):
        self.slope, self.height = Parameter(2.0), Parameter(1.0)

    def construct(self, x):
        return add(mul(self.slope, x), self.height)


def main():
    network = Sequential(Line(), Line())
    print("output:", network(Tensor([0.0, 1.0])))
    for path, parameter in network.parameters().items():
        print(path, parameter)


if __name__ == "__main__":
    main()
