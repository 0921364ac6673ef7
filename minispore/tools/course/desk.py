"""The desk of a reader: what the commands list, start, check and hint do with a folder of exercises."""

from pathlib import Path

from minispore.core.errors import value_error
from minispore.tools.course.exercise import CHAPTERS, exercise_of, exercises
from minispore.tools.course.judging import judged
from minispore.tools.course.progress import State, read_progress, write_progress

__all__ = ["Desk"]

PRINTED = 20  # lines of what the reader's file printed


class Desk:
    """A reader's folder; each method returns the text to print, ``check`` the exit status too.

    Args:
        folder (Union[str, Path]): The folder; it is made when the first exercise is started.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.states = read_progress(self.folder)

    def list(self):
        """The chapters and their exercises, with the progress in each."""
        lines = []
        for chapter, title in enumerate(CHAPTERS, 1):
            lines.append(f"{chapter:>2}  {title}")
            lines += [self._row(each) for each in exercises() if each.chapter == chapter]
        solved = sum(each.number in self._solved() for each in exercises())
        return "\n".join([*lines, f"{solved} of {len(exercises())} exercises are solved."])

    def start(self, number, again=False):
        """Write the file of an exercise, and return its text.

        Raises:
            ValueError: If the file is there and ``again`` is False, or there is no such exercise.
            OSError: If it cannot be written.
        """
        exercise = self._exercise(number)
        path = self.folder / exercise.file_name
        if path.exists() and not again:
            raise value_error("course", f"the file '{path}' must not exist unless '--again' is given")
        self.folder.mkdir(parents=True, exist_ok=True)
        path.write_text(exercise.start, encoding="utf-8")
        self.states.setdefault(exercise.number, State())
        write_progress(self.folder, self.states)
        title = f"Exercise {exercise.number}: {exercise.title}"
        check = f"minispore course check {exercise.number}"
        return f"{title}\n\n{exercise.text}\n\nWritten: {path}\nWhen it is mended: {check}"

    def check(self, number, file=None):
        """Grade a file; returns the text, and 0 if the exercise is solved, else 1.

        Raises:
            ValueError: If there is no such exercise or file.
        """
        exercise = self._exercise(number)
        path = Path(file) if file else self.folder / exercise.file_name
        if not path.is_file():
            expected = f"the file '{path}' must exist: minispore course start {exercise.number}"
            raise value_error("course", expected, "none")
        verdict = judged(exercise, path)
        state = self.states.setdefault(exercise.number, State())
        state.tries += not verdict.passed
        state.solved = state.solved or verdict.passed
        lines = _printed(verdict)
        lines += self._passed(exercise, verdict) if verdict.passed else self._failed(exercise, verdict)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_progress(self.folder, self.states)
        return "\n".join(lines), int(not verdict.passed)

    def hint(self, number):
        """The next hint of an exercise; all of them again after the last.

        Raises:
            ValueError: If there is no such exercise.
        """
        exercise = self._exercise(number)
        lines = self._next_hint(exercise)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_progress(self.folder, self.states)
        return "\n".join(lines)

    def _exercise(self, number):
        return exercise_of(number, self._solved())

    def _solved(self):
        return {number for number, state in self.states.items() if state.solved}

    def _row(self, exercise):
        state = self.states.get(exercise.number)
        told = "" if state is None else "solved" if state.solved else "begun"
        told += f", {state.tries} failed tries" if state and state.tries > 1 else ""
        told += ", 1 failed try" if state and state.tries == 1 else ""
        return f"    {exercise.number:5} {exercise.title:50} {told}".rstrip()

    def _passed(self, exercise, verdict):
        lines = [f"{exercise.number} is solved: {verdict.words}."]
        rest = [each for each in exercises() if each.number not in self._solved()]
        after = [each for each in rest if _place(each) > _place(exercise)] or rest
        return [*lines, f"Next: minispore course start {after[0].number}" if after else "All exercises are solved."]

    def _failed(self, exercise, verdict):
        lines = [f"{exercise.number} is not solved yet: {verdict.words.rstrip('.')}."]
        if verdict.program:
            lines += ["", "Smallest counterexample, a program to paste:", ""]
            lines += [f"    {line}".rstrip() for line in verdict.program.splitlines()]
        return [*lines, "", *self._next_hint(exercise)]

    def _next_hint(self, exercise):
        state = self.states.setdefault(exercise.number, State())
        every = [f"Hint {i} of {len(exercise.hints)}: {text}" for i, text in enumerate(exercise.hints, 1)]
        if state.hints == len(every):
            return ["There is no further hint. Again:", *every]
        state.hints += 1
        return [every[state.hints - 1]]


def _place(exercise):
    return exercise.folder.name


def _printed(verdict):
    """The first lines of the reader's own output."""
    lines = verdict.printed.splitlines()
    more = [f"    ... {len(lines) - PRINTED} more lines"] if len(lines) > PRINTED else []
    return ["Your file printed:", *(f"    {line}" for line in lines[:PRINTED]), *more, ""] if lines else []
