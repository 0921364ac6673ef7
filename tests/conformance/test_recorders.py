"""Scripts that record vectors run under MindSpore or PyTorch; what they import of the tests is there all the same."""

import ast
import importlib.util
import pathlib

import pytest

RECORDED = {"mindspore", "torch"}  # which no test needs
SCRIPTS = sorted((pathlib.Path(__file__).parent / "record").glob("*.py"))


def imported(path):
    """The modules that a script imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_what_a_script_imports_is_there(path):
    names = {name for name in imported(path) if name.partition(".")[0] not in RECORDED}
    assert {name for name in names if importlib.util.find_spec(name) is None} == set()
