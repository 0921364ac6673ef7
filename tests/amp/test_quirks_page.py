"""The ledger names tests that exist."""

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEDGER = (ROOT / "docs" / "quirks.md").read_text()
NAMED = list(dict.fromkeys(re.findall(r"`(tests/[^`]+)`", LEDGER)))


@functools.cache
def functions_of(path):
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("named", NAMED)
def test_every_test_that_the_ledger_names_exists(named):
    path, _, function = named.partition("[")[0].partition("::")
    assert (ROOT / path).exists()
    assert not function or function in functions_of(ROOT / path)


def test_every_row_about_mixed_precision_names_the_test_that_holds_it():
    section = LEDGER.split("## Mixed precision")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|") and not line.startswith(("|---", "| what"))]
    assert len(rows) >= 35
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 6, row
        assert all(cells), row
        assert re.fullmatch(r"(`tests/[^`]+::test_\w+`(, )?)+", cells[-1]), row
