"""The table, the numbers and the picture."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.tools.cli.history import History
from minispore.tools.cli.job import Job
from minispore.tools.cli.plot import draw, smoothed
from minispore.tools.cli.report import Result, table, write_json

CELLS = {"float16": {"Conv2d": 2, "Dense": 3}, "float32": {"ReLU": 4, "Flatten": 1}}
PLAIN = Result("O0", {"float32": {"Dense": 1}}, History([2.0, 1.0], [], [], [0.5, 0.8125], [1.0, 2.5]), None)
SCALED = Result("O2", CELLS, History([2.0, float("nan")], [1.0, 0.0], [16.0, 8.0], [0.9], [12.0]), 8.0)


def test_the_table_has_a_line_for_each_level_and_dtype_with_its_columns_aligned():
    assert table([PLAIN, SCALED]).split("\n") == [
        "level  cells                   test accuracy  seconds  skipped steps  loss scale",
        "O0     float32: Dense                81.25 %      3.5              0           -",
        "O2     float16: Conv2d x2,           90.00 %     12.0              1           8",
        "         Dense x3",
        "       float32: ReLU x4,",
        "         Flatten",
    ]


def test_the_table_fits_80_columns_whatever_the_network_and_scale():
    cells = {"float16": {f"LongNamedCell{i}": i + 1 for i in range(9)}, "float32": {"BatchNorm2d": 21}}
    wide = Result("O2", cells, History([1.0], [0.0], [2.0**21], [1.0], [12345.6]), 2.0**21 + 1)
    lines = table([PLAIN, SCALED, wide]).split("\n")
    assert max(map(len, lines)) == 80 and " ".join(lines).count("LongNamedCell") == 9


def test_the_json_file_holds_the_options_and_each_levels_numbers(tmp_path):
    write_json(Job(out=tmp_path, loss_scale="dynamic"), [PLAIN, SCALED])
    found = json.loads((tmp_path / "results.json").read_text())
    assert found["options"]["net"] == "lenet5" and found["options"]["loss_scale"] == "dynamic"
    assert found["levels"]["O0"] == {
        "cells": {"float32": {"Dense": 1}},
        "test_accuracy": 0.8125,
        "seconds": 3.5,
        "skipped_steps": 0,
        "final_loss_scale": None,
        "losses": [2.0, 1.0],
        "loss_scales": None,
        "test_accuracies": [0.5, 0.8125],
    }
    assert found["levels"]["O2"]["losses"] == [2.0, None]  # JSON has no nan
    assert found["levels"]["O2"]["loss_scales"] == [16.0, 8.0]
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=30), st.integers(1, 40))
def test_the_running_mean_is_the_mean_of_the_last_values(values, window):
    means = [np.mean(values[max(0, i + 1 - window) : i + 1]) for i in range(len(values))]
    np.testing.assert_allclose(smoothed(values, window), means, atol=1e-9)


@pytest.mark.parametrize("results", [[PLAIN], [PLAIN, SCALED]])
def test_the_picture_is_a_png_file_whether_or_not_a_level_has_a_scale(results, tmp_path):
    pytest.importorskip("matplotlib")
    assert draw(results, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_no_picture(tmp_path, no_matplotlib):
    assert not draw([PLAIN], tmp_path / "curves.png")
    assert not list(tmp_path.iterdir())
