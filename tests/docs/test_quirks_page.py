"""The ledger names tests that exist."""

import ast
import functools
import re
from pathlib import Path

import pytest

from minispore.tools.testing import ledger

ROOT = Path(__file__).resolve().parents[2]
NAMED = list(dict.fromkeys(re.findall(r"`(tests/[^`]+)`", ledger.page())))


@functools.cache
def functions_of(path):
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("named", NAMED)
def test_every_test_that_the_ledger_names_exists(named):
    path, _, function = named.partition("[")[0].partition("::")
    assert (ROOT / path).exists()
    assert not function or function in functions_of(ROOT / path)


def test_every_row_about_mixed_precision_names_the_test_that_holds_it():
    rows = [row for row in ledger.rows() if row.section[0] == "Mixed precision"]
    assert len(rows) >= 35
    for row in rows:
        assert len(row.columns) == 6, row
        assert all(row.cells.values()), row
        assert re.fullmatch(r"(`tests/[^`]+::test_\w+`(, )?)+", row.cells["held by"]), row
