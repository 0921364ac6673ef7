"""A docstring begins with a noun, an imperative or "True if": its first word is not a question's."""

import ast

from test_rooms import ROOT

QUESTIONS = {"What", "Whether", "Where", "How", "Why", "Which", "When", "Who"}


def questions(text):
    """The first lines of the docstrings of a file's text that begin with a question's word."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            docstring = ast.get_docstring(node) or ""
            if docstring.partition(" ")[0].rstrip(",.:") in QUESTIONS:
                yield docstring.splitlines()[0]


def test_no_docstring_begins_with_a_question():
    found = {
        f"{path.relative_to(ROOT).as_posix()}: {line}"
        for path in ROOT.rglob("*.py")
        for line in questions(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_modules_classes_and_functions_are_read():
    text = '"""What it is."""\nclass A:\n    """Whether."""\n    def f(self):\n        """True if it is."""\n'
    assert list(questions(text)) == ["What it is.", "Whether."]
