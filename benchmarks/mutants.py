"""Mutant: one small wrong in a file's text, and all those that a file has.

A comparison, an operator, a number or a truth value is another. An operand of ``and`` and ``or``, a ``not`` or a call
whose result nobody takes is left out. A condition is negated, and a result is None.
"""

import ast
import itertools
import random
from pathlib import Path
from typing import NamedTuple

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*", ast.Pow: "*"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Mutant(NamedTuple):
    """A file of the folder ``root`` with one change: the text from ``start`` to ``end`` is ``new``."""

    root: Path
    name: str  # of the file, in the folder
    line: int
    start: int
    end: int
    new: str
    runs: bool  # whether the place is in a function, so that the tests which run it are known

    @property
    def path(self):
        """Where the file is."""
        return self.root / self.name

    def text(self):
        """The file's text with the change."""
        text = self.path.read_text()
        return text[: self.start] + self.new + text[self.end :]

    def told(self):
        """The change in a line."""
        return f"{self.name}:{self.line}: {self.path.read_text()[self.start : self.end]!r} -> {self.new!r}"

    def changed(self):
        """The file, and its first changed line as it would be, by which a table of mutants names this one."""
        return self.name, self.text().splitlines()[self.line - 1].strip()


def mutants(root, name):
    """Every mutant of a file of a folder, in the order of its text."""
    text = (root / name).read_text()
    lines = text.splitlines(keepends=True)
    begins = [0, *itertools.accumulate(map(len, lines))]

    def place(line, column):
        return begins[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found = []
    for node, runs in _nodes(ast.parse(text), False):
        for first, last, new in _changes(node):
            start, end = place(*first), place(*last)
            if not callable(new) or text[start:end]:
                made = new(text[start:end]) if callable(new) else new
                found.append(Mutant(root, name, first[0], start, end, made, runs))
    return sorted(found, key=lambda mutant: mutant.start)


def sample(root, pattern, count, seed):
    """So many mutants of the files of a folder, chosen by a seed, and how many there are."""
    every = [m for path in sorted(root.glob(pattern)) for m in mutants(root, path.relative_to(root).as_posix())]
    return random.Random(seed).sample(every, min(count, len(every))), len(every)


def _nodes(node, runs):
    """Each node below a node, and whether it is in the body of a function."""
    for field, value in ast.iter_fields(node):
        inside = runs or (isinstance(node, FUNCTIONS) and field == "body")
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, inside
                yield from _nodes(child, inside)


def _ends(node):
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _changes(node):
    """The changes of a node: the places of what is replaced, and by what."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield _ends(node.left)[1], _ends(node.comparators[0])[0], _operator(COMPARISONS[type(node.ops[0])])
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _is_text(node):
        yield _ends(node.left)[1], _ends(node.right)[0], _operator(OPERATORS[type(node.op)])
    elif isinstance(node, ast.BoolOp):
        yield from _other_conditions(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield *_ends(node), lambda text: f"(True and {text[3:]})"
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        yield *_ends(node), repr(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield *_ends(node.test), lambda text: f"(not ({text}))"
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield *_ends(node.value), "None"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield *_ends(node), "pass"


def _other_conditions(node):
    """``or`` in the place of ``and`` and the other way round; each operand left out."""
    is_and = isinstance(node.op, ast.And)
    yield _ends(node.values[0])[1], _ends(node.values[1])[0], _operator("or" if is_and else "and")
    for value in node.values:
        yield *_ends(value), str(is_and)


def _operator(new):
    """Replaces an operator, and keeps the brackets around it."""

    def made(text):
        before, after = text[: len(text) - len(text.lstrip(") \n"))], text[len(text.rstrip("( \n")) :]
        return f"{before or ' '}{new}{after or ' '}"

    return made


def _is_text(node):
    return any(isinstance(x, (ast.JoinedStr, ast.Constant)) and not isinstance(getattr(x, "value", ""), (int, float))
               for x in (node.left, node.right))  # fmt: skip


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None
