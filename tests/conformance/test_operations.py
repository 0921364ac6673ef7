"""Every operation, layer, loss and optimizer gives what the real MindSpore gives, on drawn cases.

``cases/operations/`` says what the cases are, ``judge/operations.py`` how they are judged, and
``record/operations.py`` makes the record. With MINDSPORE_PYTHON set, a record made now, of other numbers, is judged as
well.
"""

import functools
import os
import pathlib
import subprocess

import pytest
from conformance.cases.operations import keyed
from conformance.cases.operations import row as rows
from conformance.judge import explained_differences, operations, read_vectors
from support.few import few

HERE = pathlib.Path(__file__).parent
ROWS = keyed.keyed()
EVERY_ROW = pytest.mark.parametrize("key", ROWS)
LIVE_FIRST = 100 * rows.CASES  # the number from which live cases are drawn
ALONE, ALONE_FIRST = 120, 1000  # how many cases there are, and from which number, where MindSpore is not asked


@functools.cache
def recorded_verdicts(key):
    """The verdicts on a row of the record, once for all tests."""
    record, meta = read_vectors.record()
    return operations.verdicts(ROWS[key], record[key], meta["first"])


def unexplained(key, verdicts):
    """The findings of a row that ``explained_differences.py`` gives no reason for, each with its case."""
    return [
        f"{expression} {number} ({ROWS[key].kind(number)}): {finding.part} {finding.words}"
        for (expression, number), verdict in verdicts.items()
        for finding in verdict.findings
        if explained_differences.reason_for(key, ROWS[key].kind(number), finding.part) is None
    ]


@EVERY_ROW
def test_an_operation_gives_what_mindspore_gives_or_the_difference_is_explained(key):
    assert unexplained(key, recorded_verdicts(key)) == []


def test_every_case_is_recorded():
    record, _ = read_vectors.record()
    assert {key: list(given) for key, given in record.items()} == {key: row.cases() for key, row in ROWS.items()}


def test_every_explanation_is_needed():
    needed = set()
    for key in {k for k in ROWS if explained_differences.reasons_of(k)}:
        for (_, number), verdict in recorded_verdicts(key).items():
            for finding in verdict.findings:
                needed.add(explained_differences.reason_for(key, ROWS[key].kind(number), finding.part))
    assert {reason for *_, reason in explained_differences.DIFFERENCES} - needed == set()


@pytest.mark.parametrize("key", [key for key in ROWS if key not in explained_differences.LEANS.split()])
@few(number=ALONE)
def test_an_operation_is_as_near_to_float64_where_mindspore_is_not_asked(key, number):
    row = ROWS[key]
    expression = row.expressions[number // 12 % len(row.expressions)]
    verdict = operations.judge(row, expression, ALONE_FIRST + number, 0, {"refused": "not asked"})
    assert verdict.worst <= 1, (expression, verdict.findings)


@pytest.fixture(scope="session")
def live_record(tmp_path_factory):
    """A record that the real MindSpore makes now."""
    path = tmp_path_factory.mktemp("live") / "operations.npz"
    command = [os.environ["MINDSPORE_PYTHON"], "-B", "-m", "conformance.record.operations", "--out", path]
    command += ["--first", str(LIVE_FIRST)]
    subprocess.run(command, check=True, capture_output=True, timeout=1800, cwd=HERE.parent)
    return read_vectors.record(path)


@pytest.mark.oracle
@pytest.mark.skipif("MINDSPORE_PYTHON" not in os.environ, reason="MINDSPORE_PYTHON names no real MindSpore")
@EVERY_ROW
def test_an_operation_gives_what_mindspore_gives_side_by_side(key, live_record):
    record, meta = live_record
    assert unexplained(key, operations.verdicts(ROWS[key], record[key], meta["first"])) == []
