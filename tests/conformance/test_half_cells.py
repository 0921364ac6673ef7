"""Every operation gives MindSpore's dtypes in a cell that ``to_float`` marks.

The vectors are those of ``record/half_cells.py``. minispore is like 2.0.0; where that takes no such call, like 2.7.0.
"""

import functools
import json
import pathlib

import pytest
from conformance.cases.half_cells import cases, outcome

import minispore as ms

VECTORS = pathlib.Path(__file__).parent / "vectors"
HALF = ["Float16", "Float32"]
OWN = {  # as the ledger tells
    "x.index_add(0, i, u, alpha=2)": ["Float32", "raises TypeError"],
    "ops.HookBackward(lambda g: g)(x)": ["Float32", "Float16"],
    **dict.fromkeys(("abs(x)", "x.sum()", "x.sum(a)", "x.sum(a, None, k)"), HALF),
    **dict.fromkeys(("ops.diagonal(x, n, 0, 1)", "x.diagonal(n, 0, 1)"), HALF),
    "ops.zeros(s, t)": ["Float16", "Float16"],  # its ``t`` is float16
}


@functools.cache
def record(release):
    return json.loads((VECTORS / f"half_cells_{release}.json").read_text())


def expected(told):
    """The dtypes in a float16 cell and in a float32 cell; None for what neither release takes."""
    releases = zip(*(record(release).get(told, [""] * 2) for release in ("2.0.0", "2.7.0")), strict=True)
    both = [[one for one in ones if one and not one.startswith("raises")] for ones in releases]
    return OWN.get(told.partition(" #")[0]) or [ones[0] if ones else None for ones in both]


TAKEN = {told: case for told, case in cases().items() if any(expected(told))}


@pytest.mark.parametrize("told", TAKEN)
def test_the_dtypes_are_mindspores(told):
    found = outcome(ms, *TAKEN[told])
    assert [one if wanted else None for one, wanted in zip(found, expected(told), strict=True)] == expected(told)


def test_almost_all_operations_are_recorded():
    assert len(TAKEN) > 1000
