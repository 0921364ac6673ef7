"""Facts about mixed precision in which releases differ, each a small experiment: FACTS names them.

The recorder runs this file under MindSpore, the tests with ``mindspore`` resolved to minispore. A fact is what a
function returns, or the kind of error that it raises.
"""

import mindspore as ms
import numpy as np
from conformance.amp import measure
from mindspore import amp, nn, ops

X = ms.Tensor(np.random.RandomState(0).randn(3, 2).astype(np.float32))


class Net(nn.Cell):
    """A cell of each list."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)
        self.bn = nn.BatchNorm1d(2)

    def construct(self, x):
        x = self.fc(x)
        return self.bn(x)


class TwoNames(nn.Cell):
    """A black-listed cell under two names."""

    def __init__(self):
        super().__init__()
        self.a = nn.LayerNorm((2,))
        self.b = self.a

    def construct(self, x):
        x = self.a(x)
        return self.b(x)


class Pair(nn.Cell):
    """Two outputs, of which the second reads the first."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)

    def construct(self, x):
        x = self.fc(x)
        return x, x * 2


class State(nn.Cell):
    """A listed cell with two outputs."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(2, 2)

    def construct(self, x, h, c):
        h, c = self.cell(x, (h, c))
        return h, c


class Operator(nn.Cell):
    """A matrix product, written as an operator."""

    def construct(self, x):
        return x @ x.T


def classes(network):
    """The names of the classes of all cells."""
    return [type(cell).__name__ for _, cell in network.cells_and_names()]


def dtypes(outs):
    """The dtypes of Tensors."""
    return [str(out.dtype) for out in outs]


def original_after_o1():
    """Whether the network handed to O1 still computes what it did."""
    network = Net().set_train(False)
    before = network(X).asnumpy()
    amp.auto_mixed_precision(network, "O1")
    return bool(np.array_equal(network(X).asnumpy(), before))


def two_names_at_o2():
    """How a black-listed cell under two names is wrapped."""
    network = TwoNames()
    amp.auto_mixed_precision(network, "O2")
    return [type(cell).__name__ for cell in network._cells.values()]


def twice(first, second):
    """The classes after two conversions."""
    return lambda: classes(amp.auto_mixed_precision(amp.auto_mixed_precision(Net(), first), second))


def original_again():
    """The classes after a second conversion of the original handle."""
    network = Net()
    amp.auto_mixed_precision(network, "O2")
    return classes(amp.auto_mixed_precision(network, "O2"))


def wrapped_attribute():
    """Whether a wrapper has its cell's attributes."""
    network = Net()
    amp.auto_mixed_precision(network, "O2")
    return list(network.bn.gamma.shape)


def functional_at_o1():
    """Whether O1 leaves a matrix product that is written as an operator in float32."""
    found, expected = amp.auto_mixed_precision(Operator(), "O1")(X), Operator()(X)
    return bool(np.array_equal(found.asnumpy(), expected.asnumpy()))


def built(**keywords):
    """The class of the training step."""

    def fact():
        network = Net()
        optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
        return type(amp.build_train_network(network, optimizer, nn.MSELoss(), **keywords)).__name__

    return fact


def converted_and_built():
    """Whether a converted network is converted again by build_train_network."""
    network = amp.auto_mixed_precision(Net(), "O1")
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    return type(amp.build_train_network(network, optimizer, nn.MSELoss(), level="O3")).__name__


def unscaled_float16():
    """What a scaler makes of a float16 gradient of 1 at a scale of 2 ** 26."""
    (gradient,) = amp.StaticLossScaler(2.0**26).unscale((ms.Tensor(np.ones(1, np.float16)),))
    return float(gradient.asnumpy()[0])


def black_listed_primitive():
    """Whether a black list takes a primitive."""
    return type(amp.custom_mixed_precision(Net(), black_list=[ops.MatMul])).__name__


def changed_at_o1(name):
    """Whether O1 changes the output of a network of ``networks.py``, which it does where something is converted."""

    def fact():
        (before, inputs), (after, _) = (measure.build(name, level) for level in ("O0", "O1"))
        return not np.array_equal(before(*inputs).asnumpy(), after(*inputs).asnumpy())

    return fact


FACTS = {
    "the original computes as before after O1": original_after_o1,
    "a black-listed cell under two names at O2": two_names_at_o2,
    "O2 of a network at O2": twice("O2", "O2"),
    "O3 of a network at O2": twice("O2", "O3"),
    "O2 of a network at O1": twice("O1", "O2"),
    "O0 of a network at O2": twice("O2", "O0"),
    "O2 of the original handle of a network at O2": original_again,
    "the shape of gamma through a wrapper": wrapped_attribute,
    "the dtypes of a tuple at O3": lambda: dtypes(amp.auto_mixed_precision(Pair(), "O3")(X)),
    "the dtypes of a tuple at O1": lambda: dtypes(amp.auto_mixed_precision(Pair(), "O1")(X)),
    "the dtypes of an LSTMCell's state at O1": lambda: dtypes(amp.auto_mixed_precision(State(), "O1")(X, X, X)),
    "a matrix product as an operator stays at O1": functional_at_o1,
    "O1 changes a Dense in a SequentialCell": changed_at_o1("sequential_inside"),
    "O1 changes Dense cells that a loop calls": changed_at_o1("list_in_a_loop"),
    "O1 changes a Dense that is the network": changed_at_o1("listed_root"),
    "O1 changes a user's subclass of Dense": changed_at_o1("special_dense"),
    "a primitive on a black list": black_listed_primitive,
    "a dynamic scale on the CPU": built(level="O2"),
    "a fixed scale that the optimizer does not have": built(loss_scale_manager=amp.FixedLossScaleManager(8.0, False)),
    "level auto on the CPU": built(level="auto"),
    "a fourth keyword": built(strict=True),
    "O3 of a network at O1 in build_train_network": converted_and_built,
    "1 in float16, unscaled by 2 ** 26": unscaled_float16,
    "all_finite of a single Tensor": lambda: bool(amp.all_finite(ms.Tensor([1.0]))),
    "nn.GradAccumulationCell": lambda: nn.GradAccumulationCell.__name__,
}


def fact(name):
    """The value of a fact, or the kind of error, as "raises ...": str."""
    try:
        return FACTS[name]()
    except Exception as error:  # that it dies is the fact
        return f"raises {type(error).__name__}"
