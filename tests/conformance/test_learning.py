"""Losses, optimizers, learning rates and metrics agree with the real MindSpore.

The vectors are those of ``record/losses_and_optimizers.py``.
"""

import functools
import json
import pathlib

import numpy as np
import pytest

import minispore as ms
from minispore import nn

VECTORS = pathlib.Path(__file__).parent / "vectors" / "learning.npz"


@functools.cache
def record():
    with np.load(VECTORS) as file:
        return {key: file[key] for key in file.files}


@functools.cache
def table(name):
    return json.loads(str(record()["meta"]))[name]


def every(name):
    def label(number):
        row = table(name)[number]
        told = [str(a) for a in row["args"]] + [f"{k}={v}" for k, v in row["kwargs"].items()]
        return f"{number}-{row['name']}({', '.join(told)})"

    return pytest.mark.parametrize("number", range(len(table(name))), ids=label)


def argument(value):
    tensor = isinstance(value, list) and value and value[0] == "tensor"
    return ms.Tensor(np.array(value[1], np.float32)) if tensor else value


def build(row, *before):
    keywords = {name: argument(value) for name, value in row["kwargs"].items()}
    return getattr(nn, row["name"])(*before, *map(argument, row["args"]), **keywords)


def part(*path):
    """The arrays under ``path`` in the record, by the rest of their keys."""
    prefix = "/".join(map(str, path)) + "/"
    return {key[len(prefix) :]: value for key, value in record().items() if key.startswith(prefix)}


def assert_near(found, expected, **told):
    """Equal to a few rounding errors of float32, of the largest value or of one."""
    assert found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=2e-6, atol=2e-6 * max(np.abs(expected).max(), 1), **told)


@every("loss")
def test_a_loss_and_its_gradients(number):
    loss = build(table("loss")[number])
    inputs = [ms.Tensor(x) for x in part("loss", number, "input").values()]
    assert_near(loss(*inputs).asnumpy(), record()[f"loss/{number}/output"])
    gradients = part("loss", number, "gradient")
    found = ms.grad(lambda *xs: loss(*xs).sum(), tuple(map(int, gradients)))(*inputs)
    found = found if isinstance(found, tuple) else (found,)
    for g, (name, expected) in zip(found, gradients.items(), strict=True):
        assert_near(g.asnumpy(), expected, err_msg=name)


@every("optimizer")
def test_an_optimizers_steps_and_the_names_of_its_state(number):
    rng, row = np.random.default_rng(0), table("optimizer")[number]
    values = {"a": rng.normal(size=(2, 3)).astype(np.float32), "b": rng.normal(size=3).astype(np.float32)}
    params = [ms.Parameter(ms.Tensor(value), name=name) for name, value in values.items()]
    optimizer = build(row, params)
    assert list(optimizer.parameters_dict()) == row["state"]
    for step in range(4):
        optimizer(tuple(ms.Tensor(rng.normal(size=p.shape).astype(np.float32)) for p in params))
        for p in params:
            assert_near(p.asnumpy(), record()[f"optimizer/{number}/{step}/{p.name}"])


@every("list")
def test_a_list_of_rates(number):
    np.testing.assert_allclose(build(table("list")[number]), record()[f"list/{number}"], rtol=1e-14, atol=1e-17)


@every("schedule")
def test_a_schedule_of_rates(number):
    schedule = build(table("schedule")[number])
    found = np.array([schedule(ms.Tensor(k, ms.int32)).asnumpy() for k in range(14)])
    assert_near(found, record()[f"schedule/{number}"])


@every("metric")
def test_a_metric_of_three_batches(number):
    metric, batches = build(table("metric")[number]), part("metric", number)
    for batch in range(3):
        metric.update(*(x for key, x in batches.items() if key.startswith(f"{batch}/")))
    np.testing.assert_allclose(metric.eval(), batches["value"], rtol=1e-6)
    if "average" in batches:
        np.testing.assert_allclose(metric.eval(True), batches["average"], rtol=1e-6)
