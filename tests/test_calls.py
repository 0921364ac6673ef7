"""Budgets of calls and lines: the functions of the package that a small program runs, and the files that they fill.

The figures are today's. One may shrink; a commit that raises one says why. The laws that they are on their way to, and
the programs, stand in ``benchmarks/reading.py`` and ``benchmarks/programs.py``.
"""

import functools
import sys

import pytest
from support.benchmark import BENCHMARKS, load

reading = load("reading")

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11),
    reason="the budgets are those of Python 3.11: from 3.12 comprehensions are no calls",
)

BUDGETS = {  # program -> calls; the law, the goal
    "an empty Cell": 9,  # 9, 6
    "nn.Dense(3, 2) made": 178,  # 180, 120
    "an O2 step of one Dense": 676,  # 750, 600
    "the same, recorded": 488,  # 500, 350
    "a conversion to O1": 2930,  # 4,000, 3,000
}
LINES = {  # program -> lines of code of the files that it runs through; the laws are shares of those of 0.1.0
    "a gradient of a product": 988,  # 0.54 of 1,906
    "an empty Cell called, a Dense made": 1299,  # 0.49 of 2,657
    "an O2 step with an overflow": 3572,  # 0.67 of 5,416
    "an O1 conversion": 3631,  # 0.79 of 4,846
    "one primitive called": 340,  # 0.45 of 763
}
STEP = {"changes of file": 411, "body lines": 1086}  # of an O2 step of one Dense; the laws: 220, 850


@functools.cache
def figures(program):
    return reading.figures(BENCHMARKS.parent, program)


@pytest.mark.parametrize("program", BUDGETS)
def test_a_program_makes_no_more_calls_than_its_budget(program):
    assert figures(program)["calls"] <= BUDGETS[program]


@pytest.mark.parametrize("program", LINES)
def test_a_program_has_no_more_lines_to_read_than_the_law(program):
    assert figures(program)["lines to read"] <= LINES[program]


@pytest.mark.parametrize("what", STEP)
def test_a_step_at_o2_goes_through_no_more_files_and_lines_than_its_budget(what):
    assert figures(reading.STEP)[what] <= STEP[what]


def test_each_law_of_calls_has_a_budget():
    assert BUDGETS.keys() == reading.CALLS.keys() and LINES.keys() == reading.READ.keys()
