"""Metrics give the values of the real MindSpore (``record/metrics.py``)."""

import json
import pathlib

import numpy as np
import pytest
from conformance.cases.metrics import rows, value

import minispore as ms

RECORDED = json.loads((pathlib.Path(__file__).parent / "vectors" / "metrics.json").read_text())["values"]
ROWS = list(rows())


def is_mean_square(name, options):
    """Whether MindSpore leaves the root of the mean square out."""
    return name == "RootMeanSquareDistance" and not options["symmetric"]


@pytest.mark.parametrize("i", range(len(ROWS)), ids=lambda i: f"{i}-{ROWS[i][0]}")
def test_a_metric_is_that_of_mindspore(i):
    found, expected = value(ms, *ROWS[i]), RECORDED[i]
    assert len(found) == len(expected)
    for x, y in zip(found, expected, strict=True):
        y = np.sqrt(y) if is_mean_square(*ROWS[i][:2]) else y
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-12)


def test_the_root_of_the_mean_square_is_taken():
    chosen = [i for i, row in enumerate(ROWS) if is_mean_square(*row[:2])]
    assert chosen and all(value(ms, *ROWS[i])[0] == pytest.approx(np.sqrt(RECORDED[i][0])) for i in chosen)
