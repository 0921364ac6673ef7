"""Runs of Model print what they print under the real MindSpore (``record/model_runs.py``)."""

import functools
import json
import pathlib
import re

import pytest
from conformance.cases.model_runs import Runs

import minispore as ms

RECORDED = json.loads((pathlib.Path(__file__).parent / "vectors" / "model_runs.json").read_text())["runs"]
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?")


@functools.cache
def found():
    return Runs(ms).lines()


def parted(lines):
    """The text without the numbers that have a point, and those numbers."""
    text = "\n".join(lines)
    return NUMBER.sub("_", text), [float(number) for number in NUMBER.findall(text)]


@pytest.mark.parametrize("name", RECORDED)
def test_a_run_prints_what_mindspore_prints(name):
    (expected, numbers), (text, values) = parted(RECORDED[name]), parted(found()[name])
    assert text == expected
    tolerance = 2e-3 if name == "amp_levels" else 2e-6  # float16 is rounded once here
    assert values == pytest.approx(numbers, rel=tolerance)
