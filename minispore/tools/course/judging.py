"""A reader's file judged in a process of its own, with a limit of time."""

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from minispore.tools.course.verdict import Verdict

__all__ = ["SECONDS", "judged"]

SECONDS = 120  # of one check; the exercises take a few, on a slow machine too


def judged(exercise, path, seconds=SECONDS):
    """The :class:`~minispore.tools.course.verdict.Verdict` on a file.

    Args:
        exercise (Exercise): The exercise.
        path (Path): The reader's file.
        seconds (float): The limit of time. Default: 120.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "verdict.json"
        command = [sys.executable, "-m", "minispore.tools.course.grader", exercise.number, str(path), str(out)]
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=seconds
            )
        except subprocess.TimeoutExpired:
            return Verdict(False, f"it did not end within {seconds:g} seconds")
        if not out.exists():
            last = " ".join(done.stderr.splitlines()[-1:])
            return Verdict(False, f"the file ended the process before it was graded (status {done.returncode}) {last}")
        return replace(Verdict(**json.loads(out.read_text(encoding="utf-8"))), printed=done.stdout)
