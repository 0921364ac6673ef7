"""Exercises: each is a folder of package data, whose name begins with its chapter and its number in it."""

import functools
from dataclasses import dataclass
from pathlib import Path

import tomllib

from minispore.core.errors import value_error

__all__ = ["CHAPTERS", "Exercise", "exercise_of", "exercises"]

FOLDER = Path(__file__).parent / "exercises"
CHAPTERS = (
    "The experiment: a network fails in float16",
    "Numbers in 16 bits",
    "The tape",
    "The three rules of a primitive",
    "Cell and Parameters",
    "The loss scale by hand",
    "Overflow, status, and the skipped step",
    "O3, then O2",
    "Master weights, and norms in float32",
    "A network's source as nodes",
    "O1, cast by cast",
    "Receipts, verdicts, the planner",
    "bfloat16, auto, eight and four bits",
    "Tensor cores, captured steps, many processes",
)


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        folder (Path): Its folder of package data.
        title (str): Its title.
        graded (dict): The way of grading: its key "by" is "law", "check" or "mutants".
        hints (tuple): Hints, from a nudge to a plain one; none is the answer.
    """

    folder: Path
    title: str
    graded: dict
    hints: tuple

    @property
    def chapter(self):
        """Its chapter, from 1."""
        return int(self.folder.name.split("_")[0])

    @property
    def number(self):
        """Its number as a reader types it, such as "6.2"."""
        return f"{self.chapter}.{self.folder.name.split('_')[1]}"

    @property
    def file_name(self):
        """The name of the reader's file."""
        return f"{self.folder.name}.py"

    @property
    def text(self):
        """Its text, in Markdown."""
        return (self.folder / "text.md").read_text(encoding="utf-8").strip()

    @property
    def start(self):
        """The file to begin with, which is subtly wrong or has a part to write."""
        return (self.folder / "start.txt").read_text(encoding="utf-8")


@functools.cache
def exercises():
    """All exercises, in the order of their chapters."""
    return tuple(_read(path.parent) for path in sorted(FOLDER.glob("*/exercise.toml")))


def _read(folder):
    facts = tomllib.loads((folder / "exercise.toml").read_text(encoding="utf-8"))
    return Exercise(folder, facts["title"], facts["graded"], tuple(facts["hints"]))


def exercise_of(number, solved=()):
    """The exercise of a number.

    Args:
        number (str): A number such as "6.2", or a chapter such as "6": its first exercise that is not solved.
        solved (Collection[str]): The numbers of the solved exercises. Default: ().

    Raises:
        ValueError: If there is no such exercise.
    """
    chapter, _, which = number.partition(".")
    found = [each for each in exercises() if str(each.chapter) == (chapter.lstrip("0") or "0")]
    if which:
        found = [each for each in found if each.number == f"{each.chapter}.{which}"]
    if not found:
        known = ", ".join(each.number for each in exercises())
        raise value_error("course", f"the number must be a chapter, or one of {known}", f"'{number}'")
    return next((each for each in found if each.number not in solved), found[0])
