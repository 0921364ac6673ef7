"""The process that runs a reader's file: ``python -m minispore.tools.course.grader NUMBER FILE OUT``.

It writes its verdict as JSON to the file OUT. A reader's file that ends the process leaves none.
"""

import importlib
import json
import sys
import warnings
from dataclasses import asdict
from pathlib import Path

from minispore.tools.course.exercise import exercise_of
from minispore.tools.course.verdict import Verdict, shown_error

__all__ = ["verdict_on"]


def verdict_on(number, path):
    """The :class:`~minispore.tools.course.verdict.Verdict` on a file; an error while it is loaded is one as well."""
    exercise = exercise_of(number)
    try:
        by = importlib.import_module(f"minispore.tools.course.by_{exercise.graded['by']}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # overflows are expected: cases are drawn to overflow
            return by.grade(exercise, path)
    except ModuleNotFoundError as error:
        if error.name == "hypothesis":
            return Verdict(False, "its cases need Hypothesis: pip install hypothesis")
        return Verdict(False, shown_error(error, path))
    except Exception as error:  # the reader's own code raised it
        return Verdict(False, shown_error(error, path))


if __name__ == "__main__":
    Path(sys.argv[3]).write_text(json.dumps(asdict(verdict_on(sys.argv[1], sys.argv[2]))), encoding="utf-8")
