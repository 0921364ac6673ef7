"""Verdicts on a reader's file: passed, or the reason in a sentence, with a program that shows it."""

import math
import traceback
from dataclasses import dataclass

__all__ = ["Verdict", "Wrong", "in_code", "shown_error", "told"]


class Wrong(AssertionError):  # noqa: N818 - a finding
    """A reader's answer is not the right one for a case."""


@dataclass(frozen=True)
class Verdict:
    """The result of a check.

    Attributes:
        passed (bool): Whether the exercise is solved.
        words (str): The reason if it is not; else the number of cases.
        program (str): A program that shows the failure when it is pasted; empty where none is needed.
        printed (str): The output of the reader's file.
    """

    passed: bool
    words: str
    program: str = ""
    printed: str = ""


def in_code(value):
    """A plain value as the expression that makes it; inf and nan too.

    Examples:
        >>> from minispore.tools.course.verdict import in_code
        >>> in_code([1.5, float("-inf"), (2, "a")])
        "[1.5, float('-inf'), (2, 'a')]"
    """
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(in_code, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{in_code(key)}: {in_code(each)}' for key, each in value.items())}}}"
    return repr(value)


def told(error):
    """An exception in one line: its class and its words."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def shown_error(error, path):
    """An exception in one line, with the line of the reader's file that it came from."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno} is not Python: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{told(error)} (line {lines[-1]})" if lines else told(error)
