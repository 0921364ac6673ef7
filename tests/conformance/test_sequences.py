"""Recurrent layers, attention and Transformers agree with the real MindSpore (``record/sequences.py``)."""

import functools
import json
import pathlib

import numpy as np
import pytest
from conformance.cases.sequences import CASES, found

import minispore as ms

VECTORS = pathlib.Path(__file__).parent / "vectors" / "sequences.npz"


@functools.cache
def record():
    with np.load(VECTORS) as file:
        return {key: file[key] for key in file.files if key != "meta"}, json.loads(str(file["meta"]))


def recorded(key):
    """The arrays of a case by name."""
    values, meta = record()
    index = meta["index"][key]
    ends = np.cumsum([np.prod(shape, dtype=int) for _, shape, _ in index])
    parts = np.split(values[key], ends[:-1])
    return {n: x.reshape(shape).astype(kind) for x, (n, shape, kind) in zip(parts, index, strict=True)}


def label(key):
    number, precision = key.split("/")
    row = CASES[int(number)]
    told = [f"{k}={v}" for k, v in row["kwargs"].items()] + [n for n in row["inputs"] if "mask" in n]
    return f"{number}-{row['layer']}({', '.join(told)})-{precision}"


def keys(precision):
    return [key for key in record()[1]["index"] if key.endswith(precision)]


@pytest.mark.parametrize("key", keys("float32"), ids=label)
def test_float32_agrees_to_a_few_rounding_errors(key):
    ours, theirs = found(ms, int(key.split("/")[0]), "float32"), recorded(key)
    assert list(ours) == list(theirs)
    for name, expected in theirs.items():
        assert ours[name].dtype == expected.dtype and ours[name].shape == expected.shape
        scale = max(np.abs(expected).max(), 1)
        np.testing.assert_allclose(ours[name], expected, rtol=2e-6, atol=2e-6 * scale, err_msg=name)


def is_wrong_there(row, name):
    """The LSTM kernel of MindSpore's CPU, which runs where there is no seq_length, has wrong float16 gradients."""
    return row["layer"] == "LSTM" and "seq_length" not in row["inputs"] and "gradient" in name


@pytest.mark.parametrize("key", keys("float16"), ids=label)
def test_float16_errs_no_more_than_mindspore_does(key):
    """At most twice as far from the float32 answer, or four roundings of the largest value."""
    number = int(key.split("/")[0])
    ours, theirs, exact = found(ms, number, "float16"), recorded(key), recorded(f"{number}/float32")
    assert list(ours) == list(theirs)
    for name, expected in theirs.items():
        assert ours[name].dtype == expected.dtype and ours[name].shape == expected.shape
        error, allowed = (np.abs(x.astype(np.float64) - exact[name]).max() for x in (ours[name], expected))
        roundings = 4 * 2.0**-11 * max(np.abs(exact[name]).max(), 1)
        assert error <= (0 if is_wrong_there(CASES[number], name) else 2 * allowed) + roundings, name


def test_every_case_is_recorded_in_both_precisions():
    assert len(keys("float32")) == len(keys("float16")) == len(CASES) and not record()[1]["errors"]
