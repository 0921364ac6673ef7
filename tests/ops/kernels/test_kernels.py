"""NumPy's own algorithm is an ``if xp is np`` at the top of a kernel, the portable algorithm below it."""

import ast
from pathlib import Path

import pytest

from minispore import ops

OPS = Path(ops.__file__).parent
FILES = sorted(OPS.rglob("*.py"))
GUARD = "xp is np"


def comparisons(tree):
    """Every comparison of the array module: ``xp is np``, ``xp is not np``, ``xp == numpy``, ``xp.__name__ == ...``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(getattr(x, "id", "") == "xp" for x in ast.walk(node)):
            sides = [node.left, *node.comparators]
            if any(ast.unparse(side) in {"xp", "xp.__name__"} for side in sides):
                yield node


def guard_of(function):
    """The comparison at the top of a function: ``if xp is np [and ...]:``, whose body ends it or is all of it."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    if not body or not isinstance(body[0], ast.If) or body[0].orelse:
        return None
    test = body[0].test
    first = test.values[0] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else test
    ends = isinstance(body[0].body[-1], (ast.Return, ast.Raise)) or len(body) == 1
    return first if ends and ast.unparse(first) == GUARD else None


def misplaced(source):
    """The comparisons of ``xp`` in a source that are not such a guard of a function of the module."""
    tree = ast.parse(source)
    guards = {guard_of(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    return [f"line {node.lineno}: {ast.unparse(node)}" for node in comparisons(tree) if node not in guards]


@pytest.mark.parametrize("path", [p for p in FILES if "kernels" in p.parts], ids=lambda p: p.stem)
def test_a_kernel_asks_for_numpy_at_its_top_or_not_at_all(path):
    assert misplaced(path.read_text()) == []


@pytest.mark.parametrize("path", [p for p in FILES if "kernels" not in p.parts], ids=lambda p: p.stem)
def test_outside_the_kernels_no_operation_asks_for_numpy(path):
    assert [node.lineno for node in comparisons(ast.parse(path.read_text()))] == []


@pytest.mark.parametrize(
    "body",
    [
        "y = x\n    if xp is np:\n        return y\n    return x",
        "if xp is not np:\n        return x\n    return -x",
        "if x.size and xp is np:\n        return x\n    return -x",
        "if xp is np or x.size:\n        return x\n    return -x",
        "if xp is np:\n        x = -x\n    return x",
        "if xp is np:\n        return x\n    else:\n        return -x",
        "return x if xp is np else -x",
        "if xp.__name__ == 'numpy':\n        return x\n    return -x",
        "def inner():\n        if xp is np:\n            return x\n    return inner()",
    ],
)
def test_every_other_form_is_found(body):
    assert len(misplaced(f"def kernel(xp, x):\n    {body}\n")) == 1


def test_the_form_itself_may_have_conditions_and_a_docstring():
    assert (
        misplaced('def kernel(xp, x):\n    """-x."""\n    if xp is np and x.size:\n        return -x\n    return 0 - x')
        == []
    )
    assert misplaced("def check(xp, x):\n    if xp is np:\n        look(x)") == []
