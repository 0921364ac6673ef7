"""Record single layers of the real MindSpore.

``python -m conformance.record.layers [--out FILE]`` writes ``layers.npz``.

Runs with MindSpore 2.0.0's Python. ``CASES`` names layers with their arguments; ``meta`` in the file holds it as JSON,
so that a reader builds the same layers. Of each case the file has inputs, Parameters, and twice, in float32 and marked
by ``to_float(float16)``: the outputs, the gradients of inputs and Parameters of ``sum(out * weight)``, and the moving
statistics that the layer wrote. The weights of that sum are float16 values, so that lowering them loses nothing.
"""
# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from mindspore import nn, ops

IMAGES = [[3, 4, 7, 8]]


def case(layer, inputs, *args, train=False, kind="uniform", **kwargs):
    """A row of the table: how to build the layer, the shapes of its inputs, and what they are filled with."""
    return {"layer": layer, "args": args, "kwargs": kwargs, "inputs": inputs, "train": train, "kind": kind}


def losses():
    """Every loss with every reduction."""
    for reduction in ("mean", "sum", "none"):
        for layer in ("MSELoss", "L1Loss"):
            yield case(layer, [[5, 3], [5, 3]], reduction=reduction)
        yield case("SoftmaxCrossEntropyWithLogits", [[6, 4], [6, 4]], kind="rows", sparse=False, reduction=reduction)
        yield case("SoftmaxCrossEntropyWithLogits", [[6, 4], [6]], kind="classes", sparse=True, reduction=reduction)


def batch_norms():
    """Batch normalization in training, in evaluation, and told which statistics to take."""
    for layer, shape in (("BatchNorm1d", [9, 4]), ("BatchNorm2d", [3, 4, 5, 2]), ("BatchNorm3d", [2, 3, 3, 2, 4])):
        for train in (True, False):
            yield case(layer, [shape], shape[1], train=train)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, eps=0.1, momentum=0.3, train=True)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, affine=False, train=True)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, use_batch_statistics=False, train=True)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, use_batch_statistics=True)


def recurrent():
    """Recurrent cells, with and without biases; an LSTM cell takes the pair (h, c) after x."""
    for has_bias in (True, False):
        yield case("LSTMCell", [[3, 5], [3, 4], [3, 4]], 5, 4, has_bias)
        yield case("GRUCell", [[3, 5], [3, 4]], 5, 4, has_bias)
        yield case("RNNCell", [[3, 5], [3, 4]], 5, 4, has_bias)
    yield case("RNNCell", [[3, 5], [3, 4]], 5, 4, nonlinearity="relu")


def activations():
    """Activations, with large and small values."""
    for layer in ("ReLU", "ReLU6", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "GELU"):
        yield case(layer, [[4, 9]], kind="wide")
    yield case("GELU", [[4, 9]], False, kind="wide")
    yield case("Softmax", [[3, 4, 5]], 1, kind="wide")
    yield case("LogSoftmax", [[3, 4, 5]], 0, kind="wide")
    yield case("PReLU", [[3, 4, 5]], 4, kind="wide")
    yield case("PReLU", [[3, 4, 5]], kind="wide")


CASES = [
    case("Dense", [[5, 3]], 3, 4),
    case("Dense", [[5, 3]], 3, 4, has_bias=False),
    case("Dense", [[2, 5, 3]], 3, 4, activation="relu"),
    case("Dense", [[2, 2, 2, 3]], 3, 2, activation="tanh"),
    case("Dense", [[1, 1]], 1, 1),
    case("Dense", [[32, 200]], 200, 40),
    case("Conv2d", IMAGES, 4, 6, 3),
    case("Conv2d", IMAGES, 4, 6, 3, has_bias=True, stride=2),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="valid"),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="pad", padding=1, has_bias=True),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="pad", padding=(0, 1, 2, 1), stride=2),
    case("Conv2d", IMAGES, 4, 6, (2, 3), stride=(1, 2), pad_mode="valid", has_bias=True),
    case("Conv2d", IMAGES, 4, 6, (4, 2)),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="pad", padding=2, dilation=2),
    case("Conv2d", IMAGES, 4, 6, 1, stride=2),
    case("Conv2d", IMAGES, 4, 6, 3, group=2, has_bias=True),
    case("Conv2d", IMAGES, 4, 4, 3, group=4, pad_mode="valid"),
    case("Conv2d", [[2, 16, 9, 9]], 16, 12, 3),
    case("MaxPool2d", IMAGES, 2, 2),
    case("MaxPool2d", IMAGES, 3, 2, "same"),
    case("MaxPool2d", IMAGES, (2, 3), (2, 1)),
    case("MaxPool2d", IMAGES, 3, 1, "same", kind="ties"),
    case("MaxPool2d", [[4, 7, 8]], 2, 2),
    case("AvgPool2d", IMAGES, 2, 2),
    case("AvgPool2d", IMAGES, 3, 2, "same"),
    case("AvgPool2d", IMAGES, (2, 3), (2, 1)),
    *batch_norms(),
    case("LayerNorm", [[4, 6]], [6]),
    case("LayerNorm", [[2, 3, 4, 5]], [3, 4, 5], begin_norm_axis=1, begin_params_axis=1),
    case("LayerNorm", [[2, 3, 4, 5]], [4, 5], begin_norm_axis=2, begin_params_axis=2, epsilon=0.1),
    case("Flatten", [[2, 3, 4, 5]]),
    case("Flatten", [[2, 3, 4, 5]], 0, 2),
    case("Dropout", [[4, 3]], p=0.5),
    *activations(),
    *recurrent(),
    *losses(),
]


def input_values(rng, row):
    """The inputs of a case as arrays."""
    shapes, kind = row["inputs"], row["kind"]
    if kind == "ties":
        return [rng.integers(-2, 2, shape).astype(np.float32) for shape in shapes]
    values = [rng.uniform(-1, 1, shape).astype(np.float32) * (6 if kind == "wide" else 1) for shape in shapes]
    if kind == "rows":
        values[1] = np.abs(values[1]) / np.abs(values[1]).sum(1, keepdims=True)
    if kind == "classes":
        values[1] = rng.integers(0, shapes[0][1], shapes[1]).astype(np.int32)
    return values


def parameter_values(rng, layer):
    """Values that matter for every Parameter: variances above 0, gamma around 1."""
    values = {}
    for name, p in layer.parameters_and_names():
        spread = rng.uniform(-0.5, 0.5, p.shape)
        values[name] = (spread + (name.split(".")[-1] in ("gamma", "moving_variance"))).astype(np.float32)
    return values


def tensors(out):
    """The outputs of a layer as a list."""
    return list(out) if isinstance(out, (tuple, list)) else [out]


class WeightedSum(nn.Cell):
    """``sum(out * weight)`` over a layer's outputs, whose gradients are the weights."""

    def __init__(self, layer, weights, pair):
        super().__init__(auto_prefix=False)
        self.layer, self.weights, self.pair = layer, weights, pair

    def construct(self, *inputs):
        """The sum."""
        out = self.layer(inputs[0], inputs[1:]) if self.pair else self.layer(*inputs)
        total = 0
        for y, weight in zip(tensors(out), self.weights):
            total = total + (ops.cast(y, ms.float32) * weight).sum()
        return total


def load(layer, values):
    """Put values into the Parameters."""
    for name, p in layer.parameters_and_names():
        p.set_data(ms.Tensor(values[name]))


def run(layer, row, values, inputs, rng):
    """Everything that a case records at one precision, by key."""
    pair, args = row["layer"] == "LSTMCell", [ms.Tensor(x) for x in inputs]
    layer.set_train(row["train"])
    load(layer, values)
    out = tensors(layer(args[0], tuple(args[1:])) if pair else layer(*args))
    found = {f"output/{i}": y.asnumpy() for i, y in enumerate(out)}
    found.update({f"written/{n}": p.asnumpy().copy() for n, p in layer.parameters_and_names() if "moving" in n})
    weights = [rng.uniform(-1, 1, y.shape).astype(np.float16).astype(np.float32) for y in out]
    found.update({f"weight/{i}": w for i, w in enumerate(weights)})
    load(layer, values)
    trained = [(name, p) for name, p in layer.parameters_and_names() if p.requires_grad]
    positions = tuple(i for i, x in enumerate(inputs) if x.dtype == np.float32)
    total = WeightedSum(layer, [ms.Tensor(w) for w in weights], pair)
    grads = ms.grad(total, positions, [p for _, p in trained] or None)(*args)
    of_inputs, of_parameters = grads if trained else (grads, ())
    found.update({f"input gradient/{i}": g.asnumpy() for i, g in zip(positions, tensors(of_inputs))})
    found.update({f"gradient/{name}": g.asnumpy() for (name, _), g in zip(trained, of_parameters)})
    return found


def build(row):
    """The layer of a row."""
    return getattr(nn, row["layer"])(*row["args"], **row["kwargs"])


def record(key, row, out):
    """Add one case to the dictionary ``out``, and the paths of its Parameters to its row."""
    rng = np.random.default_rng(int(key))
    layer, inputs = build(row), input_values(rng, row)
    values = parameter_values(rng, layer)
    out.update({f"{key}/input/{i}": x for i, x in enumerate(inputs)})
    out.update({f"{key}/parameter/{name}": value for name, value in values.items()})
    row["names"] = list(values)
    for precision in ("float32", "float16"):
        if precision == "float16":
            layer.to_float(ms.float16)
        found = run(layer, row, values, inputs, rng)
        out.update({f"{key}/{precision}/{name}": value for name, value in found.items()})


def save(path, cases):
    """Record the cases, and write them to the file."""
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    out = {}
    for i, row in enumerate(cases):
        print(i, row["layer"], row["args"], row["kwargs"], flush=True)
        record(str(i), row, out)
    out["meta"] = np.array(json.dumps({"mindspore": ms.__version__, "cases": cases}))
    np.savez_compressed(path, **out)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors" / "layers.npz"
    )
    save(parser.parse_args().out, CASES)


if __name__ == "__main__":
    main()
