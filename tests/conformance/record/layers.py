"""Record single layers of the real MindSpore.

``python -m conformance.record.layers [--out FILE]`` writes ``layers.npz``.

Runs with MindSpore 2.0.0's Python, and with 2.7.0's for what only that computes; the cases of the other release stay in
the file. ``meta`` holds the cases of ``cases/layers.py`` and ``cases/convolutions.py`` as JSON, so that a reader builds
the same layers. Of each case the file has inputs, Parameters, and twice, in float32 and marked
by ``to_float(float16)``: the outputs, the gradients of inputs and Parameters of ``sum(out * weight)``, and the moving
statistics that the layer wrote. The weights of that sum are float16 values, so that lowering them loses nothing.
"""
# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from conformance.cases import convolutions, layers
from mindspore import nn, ops

FILE = pathlib.Path(__file__).parent.parent / "vectors" / "layers.npz"


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
    rng = np.random.default_rng(row["seed"])
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


def numbered(cases):
    """The cases with the release that records them and the seeds of their values, counted from 0."""
    return [{**row, "mindspore": ms.__version__, "seed": i} for i, row in enumerate(cases)]


def of_this_release():
    """The cases that the MindSpore which runs this records."""
    if not ms.__version__.startswith("2.0"):
        return numbered(convolutions.LATER)
    return [row for cases in (layers.COMMON, layers.MORE, convolutions.CASES) for row in numbered(cases)]


def of_other_releases(path):
    """The arrays and the rows of a file that other releases recorded, counted anew."""
    out, rows = {}, []
    if not path.exists():
        return out, rows
    with np.load(path) as file:
        for i, row in enumerate(json.loads(str(file["meta"]))["cases"]):
            if row["mindspore"] != ms.__version__:
                keys = [key for key in file.files if key.startswith(f"{i}/")]
                out.update({f"{len(rows)}/{key.partition('/')[2]}": file[key] for key in keys})
                rows.append(row)
    return out, rows


def save(path, cases):
    """Record the cases, and write them to the file beside those of other releases."""
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    out, rows = of_other_releases(path)
    for row in cases:
        print(len(rows), row["layer"], row["args"], row["kwargs"], flush=True)
        record(str(len(rows)), row, out)
        rows.append(row)
    np.savez_compressed(path, meta=np.array(json.dumps({"cases": rows})), **out)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=FILE)
    save(parser.parse_args().out, of_this_release())


if __name__ == "__main__":
    main()
