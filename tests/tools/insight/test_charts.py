"""Charts of the report: where lines, marks and bars stand."""

import math

import pytest

from minispore.tools.insight import charts


def points(line):
    return [[tuple(map(float, pair.split(","))) for pair in piece.split()] for piece in line.pieces]


def test_a_line_goes_from_the_least_to_the_greatest_value():
    line = charts.line_of("Loss", [3.0, 1.0, 2.0])
    assert points(line) == [[(0, 0), (320, 200), (640, 100)]]
    assert line.ticks[0] == (200, "1") and line.ticks[-1] == (0, "3")
    assert line.summary == "Loss: 3 at first, 2 at last, between 1 and 3 in 3 steps; no step was skipped."


def test_a_value_that_is_not_finite_breaks_the_line():
    line = charts.line_of("Loss", [1.0, math.nan, 3.0, 2.0, math.inf])
    assert [len(piece) for piece in points(line)] == [2, 2]  # a single value is drawn as a short dash
    assert "between 1 and 3" in line.summary


def test_powers_of_two_are_drawn_as_stairs_with_marks_at_skipped_steps():
    line = charts.line_of("Loss scale", [1024.0, 512.0, 512.0], skipped=[1], as_powers=True)
    assert points(line) == [[(0, 0), (320, 0), (320, 200), (640, 200)]]
    assert line.marks == (0.0,) and [text for _, text in line.ticks] == ["2^9", "2^10"]
    assert line.summary.endswith("1 step was skipped.")


def test_many_steps_are_thinned_but_keep_the_extremes():
    values = [1.0] * 10_000
    values[1234], values[5678] = 9.0, -9.0
    (piece,) = points(charts.line_of("Loss", values))
    assert len(piece) <= 620 and {y for _, y in piece} >= {0.0, 200.0}


@pytest.mark.parametrize("values", [[], [math.nan, math.inf]])
def test_without_a_finite_value_there_is_no_line(values):
    assert charts.line_of("Loss", values) is None


def test_the_bars_of_a_histogram_say_what_float16_makes_of_them():
    found = charts.bars_of({-26: 1, -20: 2, 3: 4, 16: 1}, 430, 100)
    assert [(bar[4], bar[5], bar[6]) for bar in found.bars] == [
        (-26, 1, "zero"),
        (-20, 2, "subnormal"),
        (3, 4, "normal"),
        (16, 1, "overflow"),
    ]
    assert [bar[3] for bar in found.bars] == [25, 50, 100, 25]
    assert found.summary == "8 numbers from 2**-26 to below 2**17"
    assert charts.bars_of({}, 430, 100) is None


@pytest.mark.parametrize("scale", [math.inf, math.nan, 0.0, -2.0])
def test_a_scale_that_is_no_power_is_left_out_of_the_chart(scale):
    line = charts.line_of("Loss scale", [4.0, scale, 2.0], as_powers=True)
    assert len(line.pieces) == 2 and "between 2^1 and 2^2 in 3 steps" in line.summary
    assert charts.line_of("Loss scale", [scale], as_powers=True) is None
