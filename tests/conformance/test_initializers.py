"""Initializers draw from the distributions of the real MindSpore (``record/initializers.py``)."""

import json
import pathlib

import numpy as np
import pytest

import minispore as ms
from minispore.nn import initializer

with np.load(pathlib.Path(__file__).parent / "vectors" / "initializers.npz") as file:
    RECORD = {key: file[key] for key in file.files}
TABLE = json.loads(str(RECORD["meta"]))["table"]
LARGEST_DISTANCE = 2.2  # of two samples, in units of the root of 1/n + 1/m: one pair in 8,000 is further apart


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("number", range(len(TABLE)), ids=[f"{n}-{k}" for n, k, _ in TABLE])
def test_an_initializer_has_mindspores_distribution(number):
    ms.set_seed(1)
    name, arguments, shape = TABLE[number]
    found = initializer.initializer(getattr(initializer, name)(**arguments), shape).asnumpy().astype(np.float64).ravel()
    mean, deviation, smallest, largest, *percentiles = RECORD[str(number)]
    unit = np.sqrt(2 / found.size)
    assert abs(found.mean() - mean) < 5 * deviation * unit
    assert abs(found.std() / deviation - 1) < 5 * unit
    shares = np.searchsorted(np.sort(found), percentiles) / found.size
    assert np.abs(shares - np.arange(1, 100) / 100).max() < LARGEST_DISTANCE * unit
    if abs(smallest - mean) < 2 * deviation:  # the distribution has bounds
        assert found.min() == pytest.approx(smallest, abs=deviation * 0.01)
        assert found.max() == pytest.approx(largest, abs=deviation * 0.01)
