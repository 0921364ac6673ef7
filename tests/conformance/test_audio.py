"""Transforms of sound, against those of MindSpore 2.0.0."""

import json
from pathlib import Path

import numpy as np
import pytest
from conformance.cases.audio import CASES, COLUMNS, REFUSED, parts_of

from minispore.dataset import audio

NAMES = {"A": audio, "np": np}
# What MindSpore computes in float32, where it adds up; here it is float64 until the end. So they agree less closely
IN_FLOAT32 = ("BassBiquad(44100", "RiaaBiquad", "TimeStretch", "PhaseVocoder", "Resample(8000")
KINDS = {"TypeError": TypeError, "ValueError": ValueError, "RuntimeError": RuntimeError}


@pytest.fixture(scope="module")
def recorded():
    with np.load(Path(__file__).parent / "vectors" / "audio.npz") as file:
        meta = json.loads(str(file["meta"]))
        found = {name: file[str(i)] for i, name in enumerate(meta["names"])}
    return found, meta["errors"]


def tolerance(expression, expected):
    if expected.dtype == np.float16:  # MindSpore's recursion is in float16
        return 2e-2
    return 1e-4 if any(word in expression for word in IN_FLOAT32) else 1e-5


@pytest.mark.parametrize(("expression", "columns"), CASES, ids=[expression for expression, _ in CASES])
def test_a_transform_of_sound_gives_mindspores_numbers(expression, columns, recorded):
    for column in columns:
        given = COLUMNS[column].copy()
        for i, part in enumerate(parts_of(eval(expression, dict(NAMES))(given))):
            expected = recorded[0][f"{expression}|{column}|{i}"]
            assert (part.shape, part.dtype) == (expected.shape, expected.dtype), column
            within = tolerance(expression, expected)
            most = np.abs(expected[np.isfinite(expected)].astype(np.float64)).max(initial=0)
            np.testing.assert_allclose(part, expected, rtol=within, atol=within * most, err_msg=column)
        np.testing.assert_array_equal(given, COLUMNS[column], err_msg="the column was changed")


@pytest.mark.parametrize(("expression", "column"), REFUSED)
def test_what_mindspore_refuses_is_refused_with_an_error_of_its_kind(expression, column, recorded):
    with pytest.raises(KINDS[recorded[1][f"{expression}|{column}"]], match=r"^For '"):
        eval(expression, {**NAMES, "x": COLUMNS[column]})
