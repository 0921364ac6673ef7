"""Every exercise: its solution passes, its start fails, and so does each wrong repair and each lazy answer."""

import contextlib
import io
import re
import warnings

import pytest
from support.course_mutants import WRONG_REPAIRS

from minispore.tools.course.by_mutants import mutants_of
from minispore.tools.course.exercise import CHAPTERS, exercise_of, exercises

NUMBERS = [each.number for each in exercises()]
OF_LAWS = [each.number for each in exercises() if each.graded["by"] == "law"]
OF_MUTANTS = [each.number for each in exercises() if each.graded["by"] == "mutants"]
REPAIRS = [(number, *repair) for number, repairs in WRONG_REPAIRS.items() for repair in repairs]


def run(program):
    """The words in which a pasted program ends; empty if it ends well."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(program, "<pasted>", "exec"), {})
    except Exception as error:
        return str(error)
    return ""


def assert_fails(found, exercise):
    """The verdict fails in words, and its program, where there is one, ends in them or shows a law that lets pass."""
    assert not found.passed and found.words
    assert exercise.start not in found.program
    if found.program and exercise.graded["by"] != "mutants":
        assert " ".join(run(found.program).split())[:60] in found.words


@pytest.mark.parametrize("number", NUMBERS)
def test_the_solution_passes(number, solution, verdict):
    found = verdict(exercise_of(number), solution(exercise_of(number)))
    assert found.passed, found.words


@pytest.mark.parametrize("number", NUMBERS)
def test_the_file_to_begin_with_fails_with_a_program(number, verdict):
    exercise = exercise_of(number)
    found = verdict(exercise, exercise.start)
    assert_fails(found, exercise)
    assert found.program


@pytest.mark.parametrize(("number", "old", "new"), REPAIRS, ids=[f"{row[0]}-{i}" for i, row in enumerate(REPAIRS)])
def test_a_wrong_repair_fails(number, old, new, solution, verdict):
    exercise = exercise_of(number)
    text = solution(exercise)
    assert text.count(old) == 1
    assert_fails(verdict(exercise, text.replace(old, new)), exercise)


def test_there_are_forty_mutants_and_each_chapter_has_an_exercise():
    of_mutants = sum(len(mutants_of(exercise_of(number))) for number in OF_MUTANTS)
    assert len(NUMBERS) + len(REPAIRS) + of_mutants >= 40
    assert {each.chapter for each in exercises()} == set(range(1, len(CHAPTERS) + 1))


@pytest.mark.parametrize("number", NUMBERS)
def test_an_empty_file_fails(number, verdict):
    found = verdict(exercise_of(number), "")
    assert not found.passed and re.search("must (define|have a function)", found.words)


def without_bodies(text, instead):
    """A text whose functions do nothing but ``instead``; those of the adapter stay as they are."""
    head, mark, adapter = text.partition("# The adapter")
    return re.sub(r"(?m)^( *)def (\w+)\((.*)\):$", rf"\1def \2(\3):\n\1    {instead}", head) + mark + adapter


@pytest.mark.parametrize("instead", ["raise NotImplementedError", "raise ZeroDivisionError", "return None"])
@pytest.mark.parametrize("number", NUMBERS)
def test_functions_that_raise_or_do_nothing_fail(number, instead, solution, verdict):
    text = without_bodies(solution(exercise_of(number)), instead)
    assert instead in text
    found = verdict(exercise_of(number), text)
    assert not found.passed and found.words


@pytest.mark.parametrize("number", OF_LAWS)
def test_a_target_without_the_verb_fails(number, verdict):
    text = "class Target:\n    name, version = 'mine', '1'\n\n\ndef target():\n    return Target()\n"
    found = verdict(exercise_of(number), text)
    assert not found.passed and re.search("could not be tried|must stay|takes out", found.words)


@pytest.mark.parametrize("number", OF_MUTANTS)
@pytest.mark.parametrize(
    "body", ["pass", "assert False", "assert not seen.append(1) and len(seen) < 2", "raise OSError"]
)
def test_a_law_that_does_not_look_fails(number, body, verdict):
    assert not verdict(exercise_of(number), f"seen = []\n\n\ndef law(given):\n    {body}\n").passed


@pytest.mark.parametrize("number", OF_MUTANTS)
def test_the_program_of_a_surviving_mutant_runs(number, verdict):
    found = verdict(exercise_of(number), "def law(given):\n    pass\n")
    assert "lets a wrong implementation pass" in found.words and run(found.program) == ""


@pytest.mark.parametrize("number", NUMBERS)
def test_an_exercise_has_a_text_and_hints_in_steps_without_the_answer(number, solution):
    exercise = exercise_of(number)
    assert exercise.title and exercise.text and 2 <= len(exercise.hints) <= 5
    lines = {line.strip() for line in solution(exercise).splitlines()} - {
        s.strip() for s in exercise.start.splitlines()
    }
    shown = " ".join([exercise.text, *exercise.hints])
    assert [line for line in lines if len(line) > 16 and line in shown] == []


@pytest.mark.parametrize("number", ["0", "15", "6.9", "six", ""])
def test_an_unknown_number_is_refused(number):
    with pytest.raises(ValueError, match="the number must be a chapter, or one of"):
        exercise_of(number)


def test_a_chapter_is_its_first_exercise_that_is_not_solved():
    assert exercise_of("06") is exercise_of("6") is exercise_of("6.1") is exercise_of("6", {"6.1", "6.2", "6.3"})
