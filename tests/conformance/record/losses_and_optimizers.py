"""Record losses, optimizers, learning rates and metrics of the real MindSpore into ``vectors/learning.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.losses_and_optimizers [--out FILE]``. Tables name
what is built with which arguments; ``meta`` in the file holds them as JSON, so that a reader builds the same. An
argument ``["tensor", values]`` is a Tensor. Of a loss the file has inputs, the output and the gradient of its sum by
each floating input (but the weights); of an optimizer the Parameters after each of four steps; of rates and metrics
their values.
"""
# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from mindspore import nn, train

WEIGHT = ["tensor", [0.5, 1.0, 2.0]]
WIDE = ["tensor", [[1.0, 2.0, 3.0], [0.5, 1.0, 1.0], [0.1, 0.2, 0.3], [2.0, 0.0, 1.0]]]


def row(name, *args, inputs=(), **kwargs):
    """A row of a table: what to build, with which arguments, and kinds of inputs."""
    return {"name": name, "args": args, "kwargs": kwargs, "inputs": inputs}


def class_losses(reduction):
    """Losses against class numbers and probabilities."""
    for shape in ([4, 3], [2, 3, 2], [2, 3, 2, 2]):
        inputs = [["normal", shape], ["class", [shape[0], *shape[2:]]]]
        yield row("CrossEntropyLoss", reduction=reduction, inputs=inputs)
        yield row("CrossEntropyLoss", WEIGHT, reduction=reduction, label_smoothing=0.3, inputs=inputs)
        yield row("CrossEntropyLoss", WEIGHT, ignore_index=2, reduction=reduction, inputs=inputs)
        yield row("NLLLoss", WEIGHT, ignore_index=1, reduction=reduction, inputs=inputs)
        yield row("NLLLoss", reduction=reduction, inputs=inputs)
        soft = [["normal", shape], ["positive", shape]]
        yield row("CrossEntropyLoss", WEIGHT, reduction=reduction, label_smoothing=0.3, inputs=soft)
    yield row("CrossEntropyLoss", WEIGHT, reduction=reduction, inputs=[["normal", [3]], ["class", []]])


def losses():
    """Every loss with every reduction."""
    for reduction in ("mean", "sum", "none"):
        yield from class_losses(reduction)
        pair = [["normal", [4, 3]], ["normal", [4, 3]]]
        yield row("SmoothL1Loss", 0.5, reduction, inputs=pair)
        yield row("HuberLoss", reduction, 0.7, inputs=pair)
        yield row("HuberLoss", reduction, inputs=[["normal", [4, 3]], ["normal", [3]]])
        chances = [["chance", [4, 3]], ["chance", [4, 3]]]
        yield row("BCELoss", None, reduction, inputs=chances)
        yield row("BCELoss", WIDE, reduction, inputs=chances)
        yield row("BCEWithLogitsLoss", reduction, inputs=[["normal", [4, 3]], ["chance", [4, 3]]])
        yield row("BCEWithLogitsLoss", reduction, WIDE, WEIGHT, inputs=[["normal", [4, 3]], ["chance", [4, 3]]])
        yield row("CosineEmbeddingLoss", 0.2, reduction, inputs=[*pair, ["sign", [4]]])
        yield row("CosineEmbeddingLoss", reduction=reduction, inputs=[*[["normal", [2, 3, 2]]] * 2, ["sign", [2, 2]]])


OPTIMIZERS = [
    row("AdamWeightDecay"),
    row("AdamWeightDecay", 0.1, beta1=0.5, beta2=0.9, eps=0.1, weight_decay=0.05),
    row("Adagrad"),
    row("Adagrad", accum=0.5, learning_rate=0.1, weight_decay=0.05, loss_scale=8.0),
    row("RMSProp"),
    row("RMSProp", 0.05, decay=0.8, momentum=0.9, epsilon=0.1, weight_decay=0.05, loss_scale=8.0),
    row("RMSProp", centered=True),
    row("RMSProp", 0.05, decay=0.8, momentum=0.9, epsilon=0.1, centered=True),
    row("Adadelta"),
    row("Adadelta", 0.5, rho=0.8, epsilon=0.01, weight_decay=0.05, loss_scale=8.0),
]
LISTS = [
    row("piecewise_constant_lr", [2, 5, 6], [0.1, 0.05, 0.01]),
    row("cosine_decay_lr", 0.01, 0.1, 9, 2, 3),
    row("polynomial_decay_lr", 0.1, 0.01, 17, 2, 3, 0.5),
    row("polynomial_decay_lr", 0.1, 0.01, 17, 2, 3, 0.5, True),
    row("warmup_lr", 0.1, 9, 2, 3),
    *(row(f"{kind}_decay_lr", 0.1, 0.9, 9, 2, 3) for kind in ("exponential", "natural_exp", "inverse")),
    *(row(f"{kind}_decay_lr", 0.1, 0.9, 9, 2, 3, True) for kind in ("exponential", "natural_exp", "inverse")),
]
SCHEDULES = [
    row("CosineDecayLR", 0.01, 0.1, 4),
    row("PolynomialDecayLR", 0.1, 0.01, 4, 0.5),
    row("PolynomialDecayLR", 0.1, 0.01, 4, 2.0, True),
    row("WarmUpLR", 0.1, 4),
    *(row(f"{kind}DecayLR", 0.1, 0.9, 3) for kind in ("Exponential", "NaturalExp", "Inverse")),
    *(row(f"{kind}DecayLR", 0.1, 0.9, 3, True) for kind in ("Exponential", "NaturalExp", "Inverse")),
]
SCORES, CLASSES = ["normal", [7, 6]], ["six", [7]]
METRICS = [
    row("Accuracy", inputs=[SCORES, CLASSES]),
    row("Accuracy", "multilabel", inputs=[["bit", [7, 2]], ["bit", [7, 2]]]),
    *(row(name, inputs=[SCORES, CLASSES]) for name in ("Precision", "Recall", "F1")),
    *(row(name, "multilabel", inputs=[["bit", [7, 3]], ["bit", [7, 3]]]) for name in ("Precision", "Recall")),
    row("Top1CategoricalAccuracy", inputs=[SCORES, CLASSES]),
    row("Top5CategoricalAccuracy", inputs=[SCORES, CLASSES]),
    row("TopKCategoricalAccuracy", 3, inputs=[["tie", [7, 6]], CLASSES]),
    row("MAE", inputs=[SCORES, SCORES]),
    row("MSE", inputs=[SCORES, SCORES]),
    row("Loss", inputs=[["normal", []]]),
]
DRAW = {
    "normal": lambda rng, shape: rng.normal(size=shape).astype(np.float32),
    "positive": lambda rng, shape: rng.uniform(0.1, 1, shape).astype(np.float32),
    "chance": lambda rng, shape: rng.uniform(0.02, 0.98, shape).astype(np.float32),
    "class": lambda rng, shape: rng.integers(0, 3, shape).astype(np.int32),
    "six": lambda rng, shape: rng.integers(0, 6, shape).astype(np.int32),
    "sign": lambda rng, shape: rng.choice([-1, 1], shape).astype(np.int32),
    "bit": lambda rng, shape: rng.integers(0, 2, shape).astype(np.int32),
    "tie": lambda rng, shape: rng.integers(0, 3, shape).astype(np.float32),
}


def argument(value):
    """An argument as a table writes it, as what it stands for."""
    tensor = isinstance(value, list) and value and value[0] == "tensor"
    return ms.Tensor(np.array(value[1], np.float32)) if tensor else value


def build(made, module, *before):
    """What a row names."""
    keywords = {name: argument(value) for name, value in made["kwargs"].items()}
    return getattr(module, made["name"])(*before, *map(argument, made["args"]), **keywords)


def drawn(made, rng):
    """The inputs of a row as arrays."""
    return [np.asarray(DRAW[kind](rng, shape)) for kind, shape in made["inputs"]]


def record_loss(key, made, out):
    """The inputs, the output and the gradients of its sum."""
    inputs = drawn(made, np.random.default_rng(int(key.split("/")[1])))
    loss, tensors = build(made, nn), [ms.Tensor(x) for x in inputs]
    of_targets = made["name"] in ("SmoothL1Loss", "HuberLoss", "CosineEmbeddingLoss")
    positions = tuple(i for i, x in enumerate(inputs) if x.dtype == np.float32 and (i == 0 or of_targets))
    grads = ms.grad(lambda *xs: loss(*xs).sum(), positions)(*tensors)
    grads = grads if isinstance(grads, tuple) else (grads,)
    out.update({f"{key}/input/{i}": x for i, x in enumerate(inputs)})
    out[f"{key}/output"] = loss(*tensors).asnumpy()
    out.update({f"{key}/gradient/{i}": g.asnumpy() for i, g in zip(positions, grads)})


def record_optimizer(key, made, out):
    """The Parameters after each step, and the names of the state."""
    rng = np.random.default_rng(0)
    values = {"a": rng.normal(size=(2, 3)).astype(np.float32), "b": rng.normal(size=3).astype(np.float32)}
    params = [ms.Parameter(ms.Tensor(value), name=name) for name, value in values.items()]
    optimizer = build(made, nn, params)
    made["state"] = list(optimizer.parameters_dict())
    for step in range(4):
        optimizer(tuple(ms.Tensor(rng.normal(size=p.shape).astype(np.float32)) for p in params))
        out.update({f"{key}/{step}/{p.name}": p.asnumpy().copy() for p in params})


def record_metric(key, made, out):
    """Three batches, the value of all, and the mean of classes where there are several."""
    rng, metric = np.random.default_rng(0), build(made, train)
    metric.clear()
    for batch in range(3):
        inputs = drawn(made, rng)
        out.update({f"{key}/{batch}/{i}": x for i, x in enumerate(inputs)})
        metric.update(*inputs)
    out[f"{key}/value"] = metric.eval()
    if out[f"{key}/value"].ndim:
        out[f"{key}/average"] = metric.eval(True)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors" / "learning.npz"
    )
    path, out = parser.parse_args().out, {}
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    tables = {"loss": list(losses()), "optimizer": OPTIMIZERS, "list": LISTS, "schedule": SCHEDULES, "metric": METRICS}
    for recorder, table in ((record_loss, "loss"), (record_optimizer, "optimizer"), (record_metric, "metric")):
        for i, made in enumerate(tables[table]):
            recorder(f"{table}/{i}", made, out)
    for i, made in enumerate(LISTS):
        out[f"list/{i}"] = np.array(build(made, nn))
    for i, made in enumerate(SCHEDULES):
        out[f"schedule/{i}"] = np.array([build(made, nn)(ms.Tensor(k, ms.int32)).asnumpy() for k in range(14)])
    out["meta"] = np.array(json.dumps({"mindspore": ms.__version__, **tables}))
    np.savez_compressed(path, **out)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(out)} arrays")


if __name__ == "__main__":
    main()
