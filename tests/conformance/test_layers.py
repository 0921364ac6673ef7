"""Single layers agree with the real MindSpore, in float32 and marked by ``to_float(float16)``.

``record/layers.py`` says what the vectors hold. A float32 value may be off by the rounding errors of sums; a float16
one by two units in the last place of the largest value of its array, because MindSpore rounds in other places inside a
layer that minispore computes as one operation.
"""

import functools
import json
import pathlib

import numpy as np
import pytest

import minispore as ms
from minispore import nn


@functools.cache
def record():
    """For each case, by its number as text, its arrays; ``meta`` beside them."""
    found = {}
    with np.load(pathlib.Path(__file__).parent / "vectors" / "layers.npz") as file:
        for key, array in file.items():
            number, _, name = key.partition("/")
            found.setdefault(number, {})[name] = array
    return found


@functools.cache
def cases():
    """The rows of all cases."""
    return json.loads(str(record()["meta"][""]))["cases"]


def label(number):
    row = cases()[number]
    told = [str(a) for a in row["args"]] + [f"{k}={v}" for k, v in row["kwargs"].items()]
    return f"{number}-{row['layer']}({', '.join(told)}){'-train' * row['train']}"


EVERY_CASE = pytest.mark.parametrize("number", range(len(cases())), ids=label)


def untupled(value):
    return tuple(value) if isinstance(value, list) else value


def build(row):
    args = [untupled(value) for value in row["args"]]
    return getattr(nn, row["layer"])(*args, **{name: untupled(value) for name, value in row["kwargs"].items()})


def part(number, *path):
    """The arrays under ``path`` in the record of a case, by the rest of their keys."""
    prefix = "/".join(path) + "/"
    return {key[len(prefix) :]: value for key, value in record()[str(number)].items() if key.startswith(prefix)}


def load(layer, number):
    for name, p in layer.parameters_and_names():
        p.set_data(ms.Tensor(record()[str(number)][f"parameter/{name}"]))


def outputs_of(layer, row, args):
    out = layer(args[0], tuple(args[1:])) if row["layer"] == "LSTMCell" else layer(*args)
    return out if isinstance(out, tuple) else (out,)


@functools.cache
def found(number, precision, device=np):
    """What minispore gives for a case, under the record's keys; ``device`` is the array module in force."""
    row = cases()[number]
    layer, theirs = build(row).set_train(row["train"]), part(number, precision)
    if precision == "float16":
        layer.to_float(ms.float16)
    args = [ms.Tensor(x) for x in part(number, "input").values()]
    load(layer, number)
    ours = {f"output/{i}": y.asnumpy() for i, y in enumerate(outputs_of(layer, row, args))}
    ours.update({f"written/{n}": p.asnumpy().copy() for n, p in layer.parameters_and_names() if "moving" in n})
    load(layer, number)
    weights = [ms.Tensor(theirs[f"weight/{i}"]) for i in range(len(ours)) if f"weight/{i}" in theirs]

    def total(*inputs):
        pairs = zip(outputs_of(layer, row, inputs), weights, strict=True)
        return sum((y.astype(ms.float32) * w).sum() for y, w in pairs)

    trained = [(name, p) for name, p in layer.parameters_and_names() if p.requires_grad]
    positions = tuple(i for i, x in enumerate(args) if x.dtype == ms.float32)
    grads = ms.grad(total, positions, [p for _, p in trained] or None)(*args)
    of_inputs, of_parameters = grads if trained else (grads, ())
    of_inputs = of_inputs if isinstance(of_inputs, tuple) else (of_inputs,)
    ours.update({f"input gradient/{i}": g.asnumpy() for i, g in zip(positions, of_inputs, strict=True)})
    ours.update({f"gradient/{name}": g.asnumpy() for (name, _), g in zip(trained, of_parameters, strict=True)})
    return ours


def is_wrong_there(row, key):
    """Where MindSpore 2.0.0 on CPU errs: rows of labels get zeros, and LayerNorm's gradients leave epsilon out."""
    if row["layer"] == "LayerNorm" and "epsilon" in row["kwargs"]:
        return key in ("input gradient/0", "gradient/gamma")
    return row["kind"] == "rows" and key == "input gradient/1"


def expected(number, precision):
    """What MindSpore gave, its biased moving variance made the unbiased one that minispore keeps."""
    row, theirs = cases()[number], part(number, precision)
    for key in [key for key in theirs if key.endswith("moving_variance")]:
        before = record()[str(number)][f"parameter/{key[len('written/') :]}"]
        if not np.array_equal(theirs[key], before):
            shape = row["inputs"][0]
            count, past = np.prod(shape) // shape[1], row["kwargs"].get("momentum", 0.9)
            theirs[key] = past * before + (theirs[key] - past * before) * (count / (count - 1))
    return {key: value for key, value in theirs.items() if not key.startswith("weight/")}


def judged(number, precision, device):
    """Triples (key, ours, theirs) of what MindSpore gets right."""
    ours, theirs = found(number, precision, device), expected(number, precision)
    return [(k, ours[k], value) for k, value in theirs.items() if not is_wrong_there(cases()[number], k)]


@EVERY_CASE
def test_a_layer_has_mindspores_parameters(number):
    assert [name for name, _ in build(cases()[number]).parameters_and_names()] == cases()[number]["names"]


@EVERY_CASE
@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_outputs_and_gradients_have_mindspores_shapes_and_dtypes(number, precision):
    ours, theirs = found(number, precision), expected(number, precision)
    told = {key: (value.shape, "written" in key or value.dtype) for key, value in theirs.items()}
    assert {key: (value.shape, "written" in key or value.dtype) for key, value in ours.items()} == told


@EVERY_CASE
def test_outputs_gradients_and_statistics_are_mindspores_in_float32(number, device):
    for key, ours, theirs in judged(number, "float32", device):
        error = np.linalg.norm(np.subtract(ours, theirs, dtype=np.float64))
        assert error <= 1e-5 * np.linalg.norm(theirs) + 1e-30, key


@EVERY_CASE
def test_outputs_gradients_and_statistics_are_mindspores_in_float16(number, device):
    for key, ours, theirs in judged(number, "float16", device):
        error = np.abs(np.subtract(ours, theirs, dtype=np.float64)).max()
        assert error <= 2 * np.spacing(np.abs(theirs).max().astype(np.float16)), key


def difference_quotient(function, x, step=1e-5):
    """The gradient of a float64 function of an array, element by element."""
    found = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        moved = np.zeros_like(x)
        moved[i] = step
        found[i] = (function(x + moved) - function(x - moved)) / (2 * step)
    return found


def float64s(number, *keys):
    return [record()[str(number)][key].astype(np.float64) for key in keys]


def test_the_gradients_of_layer_norm_know_epsilon_where_mindspores_do_not():
    (number,) = [n for n, row in enumerate(cases()) if is_wrong_there(row, "gradient/gamma")]
    x, gamma, weight = float64s(number, "input/0", "parameter/gamma", "float32/weight/0")

    def total(x, gamma):
        centred = x - x.mean((2, 3), keepdims=True)
        return (centred / np.sqrt(x.var((2, 3), keepdims=True) + 0.1) * gamma * weight).sum()

    by_x = difference_quotient(lambda x: total(x, gamma), x)
    by_gamma = difference_quotient(lambda gamma: total(x, gamma), gamma)
    for key, exact in (("input gradient/0", by_x), ("gradient/gamma", by_gamma)):
        np.testing.assert_allclose(found(number, "float32")[key], exact, atol=1e-6)
        assert np.linalg.norm(expected(number, "float32")[key] - exact) > 0.1 * np.linalg.norm(exact)


def test_labels_that_are_rows_get_the_gradient_that_mindspore_leaves_out():
    numbers = [n for n, row in enumerate(cases()) if row["kind"] == "rows"]
    for number in numbers:
        logits, weight = float64s(number, "input/0", "float32/weight/0")
        share = 1 / len(logits) if cases()[number]["kwargs"]["reduction"] == "mean" else 1.0
        log_softmax = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        exact = -log_softmax * share * weight.reshape(-1, 1)
        np.testing.assert_allclose(found(number, "float32")["input gradient/1"], exact, rtol=1e-5)
        assert not expected(number, "float32")["input gradient/1"].any()
    assert len(numbers) == 3
