"""Run another's script from equal weights and equal random numbers: ``python prelude.py SCRIPT ARGUMENTS``.

SCRIPT may be a notebook: its code cells run in order, without the lines for IPython alone.

Works with MindSpore, and with minispore in its place by ``minispore run prelude.py SCRIPT ARGUMENTS``. Then both print
numbers that can be compared. What is set: each Parameter by its name and shape when an optimizer takes it, or, where it
is not trained, when its network is set to train; random Tensors from NumPy, data in their order, no dropout.
"""

import functools
import importlib.util
import os
import random
import runpy
import sys
import types
import zlib
from pathlib import Path

import mindspore
import mindspore.dataset as data
import numpy as np
from cells import as_script
from mindspore import Tensor, nn, ops

NUMBERS = np.random.RandomState(0)


def equal_weights():
    """Let every optimizer begin with values that depend on the names and shapes of its Parameters."""
    begin = nn.Optimizer.__init__

    def begin_equally(self, learning_rate, parameters, *args, **kwargs):
        parameters = list(parameters)
        for group in parameters:
            for parameter in group.get("params", ()) if isinstance(group, dict) else (group,):
                fill(parameter)
        begin(self, learning_rate, parameters, *args, **kwargs)
        np.random.seed(0)  # MindSpore draws weights by it

    nn.Optimizer.__init__ = begin_equally
    train = nn.Cell.set_train

    def train_equally(self, mode=True):
        for name, parameter in self.parameters_and_names():
            if not parameter.requires_grad and name.endswith(("gamma", "beta")):  # drawn, too: affine=False
                fill(parameter)
        np.random.seed(0)
        return train(self, mode)

    nn.Cell.set_train = train_equally


def equal_draws_of_weights():
    """Let an initializer draw what the shape decides, and leave NumPy's stream of numbers to the script."""

    def initialize(self, array):
        array[...] = spread(array.shape, str(tuple(array.shape))) if array.ndim > 1 else 0  # biases: by optimizers

    for each in vars(mindspore.common.initializer).values():
        if getattr(each, "__name__", "") in DRAWN:
            each._initialize = initialize
            if hasattr(each, "draw"):  # minispore's own way
                each.draw = mindspore.common.initializer.Initializer.draw
    Tensor.init_data = aside(Tensor.init_data)
    for name in ("RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"):  # MindSpore draws these by NumPy itself
        layer = getattr(nn, name)
        layer.__init__ = aside(layer.__init__, lambda self: [fill(each, "") for each in self.get_parameters()])


def aside(act, after=lambda self: None):
    """A method that leaves NumPy's stream of numbers as it found it."""

    def run(self, *args, **kwargs):
        numbers = np.random.get_state()
        result = act(self, *args, **kwargs)
        after(self)
        np.random.set_state(numbers)
        return result

    return run


DRAWN = {"Normal", "TruncatedNormal", "Uniform", "Orthogonal", "VarianceScaling"} | {
    f"{name}{kind}" for name in ("He", "Xavier") for kind in ("Normal", "Uniform")
}


def fill(parameter, name=None):
    """Give a Parameter values that its name and shape decide."""
    values = spread(parameter.shape, f"{parameter.name if name is None else name}{tuple(parameter.shape)}")
    centre = 1.0 if parameter.name.endswith("gamma") else 0.0
    parameter.set_data(Tensor((centre + values).astype(parameter.asnumpy().dtype)))


def spread(shape, seed):
    """Uniform numbers of a shape that a text decides: within one over the root of what enters a neuron."""
    scale = 1 / np.sqrt(max(np.prod(shape[1:]), 1)) if len(shape) > 1 else 0.02
    return scale * np.random.RandomState(zlib.crc32(seed.encode())).uniform(-1, 1, shape)


def equal_draws():
    """Draw random Tensors by NumPy, and keep what dropout would drop."""

    def shape_of(*size):
        return size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size

    def normal(*size, dtype=None):
        return Tensor(NUMBERS.randn(*shape_of(*size)).astype(np.float32))

    def uniform(*size, dtype=None):
        return Tensor(NUMBERS.rand(*shape_of(*size)).astype(np.float32))

    def standard_normal(shape, seed=None):
        return normal(tuple(shape))

    def between(shape, minval, maxval, seed=None, dtype=None):
        low, high = (array_of(each) for each in (minval, maxval))
        return Tensor((low + (high - low) * NUMBERS.rand(*shape)).astype(np.float32))

    def around(shape, mean, stddev, seed=None):
        return Tensor((array_of(mean) + array_of(stddev) * NUMBERS.randn(*shape)).astype(np.float32))

    def whole(low, high, size, **kwargs):
        return Tensor(NUMBERS.randint(low, high, size), kwargs.get("dtype") or mindspore.int64)

    ops.randn, ops.rand, ops.standard_normal, ops.randint = normal, uniform, standard_normal, whole
    ops.uniform, ops.normal = between, around
    ops.UniformReal = lambda seed=0, seed2=0: uniform
    ops.StandardNormal = lambda seed=0, seed2=0: normal
    nn.Dropout.construct = nn.Dropout2d.construct = lambda self, x: x


def array_of(value):
    """A number, or the array of a Tensor."""
    return value.asnumpy() if isinstance(value, Tensor) else value


SOURCES = "Mnist FashionMnist Cifar10 Cifar100 ImageFolder CelebA Mind Generator NumpySlices TextFile TFRecord"


def equal_order():
    """Read every source of data in its order, unless a sampler is given."""
    for name in SOURCES.split():
        source = getattr(data, f"{name}Dataset")
        source.__init__ = in_order(source.__init__)
    data.Dataset.shuffle = lambda self, *_, **__: self


def equal_places():
    """Let every device be the CPU, draw figures into memory, and take data that lie there for downloaded."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    begin = mindspore.set_context

    def on_the_cpu(**kwargs):
        kwargs.pop("device_id", None)
        if "device_target" in kwargs:
            kwargs["device_target"] = "CPU"
        begin(**kwargs)

    mindspore.set_context = mindspore.context.set_context = on_the_cpu
    for name, give in (("download", {"download": lambda url, path, **_: path}), ("moxing", {"file": COPIES})):
        module = sys.modules.setdefault(name, types.ModuleType(name))
        vars(module).update(give)


COPIES = types.SimpleNamespace(copy_parallel=lambda *_, **__: None, copy=lambda *_, **__: None)


class Sorted(set):
    """A set whose order does not follow hashes, which differ from Python to Python."""

    def __iter__(self):
        return iter(sorted(super().__iter__(), key=repr))


def in_order(begin):
    @functools.wraps(begin)
    def begin_in_order(self, *args, **kwargs):
        begin(self, *args, **(kwargs if kwargs.get("sampler") else {**kwargs, "shuffle": False}))

    return begin_in_order


def this_device():
    """Run on the CPU what asks for another device; the number of a device and a folder for graphs are left out."""
    choose = mindspore.set_context

    def choose_cpu(**kwargs):
        taken = {name: value for name, value in kwargs.items() if name not in ("device_id", "save_graphs_path")}
        choose(**{**taken, "device_target": "CPU"} if "device_target" in taken else taken)

    mindspore.set_context = mindspore.context.set_context = choose_cpu


def graph_mode():
    """Stay in graph mode, whatever the script sets, where ``STRANGERS_TIMED`` says so: for ``times.py``."""
    if os.environ.get("STRANGERS_TIMED") == "graph":
        choose = mindspore.set_context

        def without_mode(mode=None, **kwargs):
            choose(**kwargs)

        choose(mode=mindspore.GRAPH_MODE)
        mindspore.set_context = mindspore.context.set_context = without_mode


def plots_of_old():
    """Let matplotlib take the settings that its versions before 3.5 took: a preamble in lines."""
    if importlib.util.find_spec("matplotlib"):
        checks = importlib.import_module("matplotlib").RcParams.validate
        whole = checks["pgf.preamble"]
        checks["pgf.preamble"] = lambda text: whole(text if isinstance(text, str) else "\n".join(text))


def main():
    random.seed(0)
    np.random.seed(0)
    mindspore.set_seed(0)
    equal_weights()
    equal_draws_of_weights()
    if "STRANGERS_TIMED" not in os.environ:  # what is put in the place of operations cannot be compiled
        equal_draws()
    equal_places()
    equal_order()
    this_device()
    graph_mode()
    plots_of_old()
    del sys.argv[0]
    sys.path[:0] = [str(Path(sys.argv[0]).parent), "."]
    runpy.run_path(as_script(Path(sys.argv[0])), {"set": Sorted}, run_name="__main__")


main()
