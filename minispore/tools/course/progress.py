"""The progress of a reader, a file of JSON: for each exercise failed tries, hints shown, and if it is solved."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from minispore.core.errors import value_error
from minispore.data.atomic_file import replace_file

__all__ = ["State", "read_progress", "write_progress"]

NAME = "progress.json"


@dataclass
class State:
    """The progress in one exercise."""

    tries: int = 0
    hints: int = 0
    solved: bool = False


def read_progress(folder):
    """The :class:`State` of each exercise that was begun, by its number.

    Args:
        folder (Path): The reader's folder.

    Raises:
        ValueError: If the file in it is not one of the course.
    """
    path = Path(folder) / NAME
    if not path.exists():
        return {}
    try:
        return {number: State(**state) for number, state in json.loads(path.read_text(encoding="utf-8")).items()}
    except (ValueError, TypeError, AttributeError) as error:
        expected = f"the file '{path}' must be the course's own; delete it to begin anew"
        raise value_error("course", expected, f"{type(error).__name__}") from error


def write_progress(folder, states):
    """Write the progress, entirely or not at all."""
    text = json.dumps({number: asdict(state) for number, state in states.items()}, indent=1) + "\n"
    replace_file(Path(folder) / NAME, lambda file: file.write(text.encode("utf-8")), "course")
