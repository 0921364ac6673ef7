"""Count what a function runs of minispore: its calls, the files they go through, and the lines of code to read for it.

Only functions of the package's own files count. A function that runs while a module is imported does not.
"""

import ast
import functools
import io
import itertools
import sys
import tokenize
from pathlib import Path
from typing import NamedTuple

import minispore

ROOT = str(Path(minispore.__file__).resolve().parent) + "/"
_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class Walk(NamedTuple):
    """The package's functions that ran, in the order of their calls, as code objects."""

    calls: list

    def files(self):
        """The files in which a function ran."""
        return {code.co_filename for code in self.calls}

    def changes(self):
        """The number of calls that go to another file than the call before."""
        names = [None, *(code.co_filename for code in self.calls)]
        return sum(before != after for before, after in itertools.pairwise(names))

    def lines_to_read(self):
        """The lines of code of all files in which a function ran."""
        return sum(len(lines_of_code(file)) for file in self.files())

    def body_lines(self):
        """The lines of code of the functions that ran, each line once."""
        ran = {(code.co_filename, code.co_firstlineno, code.co_name) for code in self.calls}
        found = {
            (file, line)
            for file in self.files()
            for place, lines in functions_of(file).items()
            if (file, *place) in ran
            for line in lines
        }
        return len(found)


def walked(function):
    """The :class:`Walk` of one call of ``function``."""
    calls, importing = [], 0

    def note(frame, event, _):
        nonlocal importing
        code = frame.f_code
        if code.co_name == "<module>":
            importing += (event == "call") - (event == "return")
        elif event == "call" and not importing and code.co_filename.startswith(ROOT):
            calls.append(code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return Walk(calls)


@functools.cache
def lines_of_code(file):
    """The numbers of a file's lines of code: no blank line, no comment, no docstring."""
    text = Path(file).read_text(encoding="utf-8")
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and _has_docstring(node):
            lines.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return frozenset(lines)


def _has_docstring(node):
    return ast.get_docstring(node, clean=False) is not None


@functools.cache
def functions_of(file):
    """The lines of code of each function of a file, by the first line and the name that Python gives its code.

    They begin at the line of ``def``, below the decorators.
    """
    code, found = lines_of_code(file), {}
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found[first, node.name] = code & set(range(node.lineno, node.end_lineno + 1))
    return found
