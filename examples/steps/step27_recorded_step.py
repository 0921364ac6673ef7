"""Step 27: a recorded step. The operations of one run, in order, are a program: run it again without the network.

Rules are written with operations too. So one recording holds the forward pass and the gradients: a straight line
without cells, marks, tape or Python's branches. The numbers are the same to the bit. A Parameter is read at each
replay, since the optimizer has moved it. What a recording froze must be checked: other shapes are recorded anew.

    python examples/steps/step27_recorded_step.py
"""

from step01_tensor import Tensor
from step02_tape import value_and_grad
from step03_operation import Operation
from step07_dense import batch, squared_error
from step20_o2 import norm_network, o2
from step24_receipt import noted


class Recorded:
    """A function of Tensors that gives a list of Tensors, recorded at its first call."""

    def __init__(self, function):
        self.function, self.shapes = function, None

    def __call__(self, *inputs):
        shapes = [x.shape for x in inputs]
        if shapes != self.shapes:
            self.shapes = shapes
            return self.record(inputs)
        return self.replay(inputs)

    def record(self, inputs):
        """Run the function; keep each operation, its inputs and its output."""
        self.inputs, (self.outputs, self.lines) = inputs, noted(self.function, *inputs)
        return self.outputs

    def replay(self, inputs):
        """The recorded operations on other inputs; what no line made is read as it is now."""
        now = dict(zip(self.inputs, inputs))
        for operation, arguments, out in self.lines:
            now[out] = Operation.run(operation, [now.get(x, x) for x in arguments])
        return [now[x] for x in self.outputs]


def training_function(network, weights, scale=1024.0):
    """``function(x, y)``: the loss, and the scaled gradient of each weight."""

    def function(x, y):
        loss, gradients = value_and_grad(lambda: squared_error(network(x), y), weights, scale)
        return [loss, *gradients]

    return function


def main():
    network, (x, y) = o2(norm_network()), batch()
    weights = list(network.parameters().values())
    plain = training_function(network, weights)
    recorded = Recorded(plain)
    recorded(x, y)
    print(*(type(line[0]).__name__ for line in recorded.lines))
    weights[0].array, x = weights[0].array * 2, Tensor(x.array[::-1])  # another weight, other inputs
    same = [(a.array == b.array).all() for a, b in zip(recorded(x, y), plain(x, y))]
    print("replayed equals run:", all(same))


if __name__ == "__main__":
    main()
