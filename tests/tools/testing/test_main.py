"""The command: how it ends, what it says of a target that it cannot ask, and the target that it writes."""

import sys

import pytest
from hypothesis import strategies as st

from minispore.tools.testing import __main__ as command
from minispore.tools.testing.laws import LAWS, Broken, Law
from minispore.tools.testing.runner import Drawing, results, tried
from minispore.tools.testing.targets import load

pytestmark = pytest.mark.usefixtures("restored")

SCALER = """
class Target:
    name, version, speaks, faces = "mine", "1", "mindspore", {"scaler": "torch"}

    def scale_course(self, face, start, factor, window, word):
        return [start] * len(word)


def target():
    return Target()
"""


def test_a_law_that_fails_ends_with_1_though_another_is_absent(run):
    assert run(SCALER, "--law", "loss_scale_course", "--law", "formula")[0] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "For 'load', the file 'mine.py' must have a function 'target' that makes the target"),
        (SCALER.replace("name, version, ", "version, ").replace('"mine", ', ""), "must have a 'name', a str"),
        (SCALER.replace(", faces", "").replace(', {"scaler": "torch"}', ""), "must have 'faces' where it has"),
        (SCALER.replace('"torch"', '"pytorch"'), "but got 'pytorch': did you mean 'torch'?"),
        (SCALER.replace('"mindspore"', '"mindspor"'), "but got 'mindspor': did you mean 'mindspore'?"),
    ],
)
def test_a_target_that_cannot_be_asked_is_told_in_one_sentence(run, capsys, text, words):
    with pytest.raises(SystemExit, match=r"^2$"):
        run(text)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("python -m minispore.testing: error: argument --target: For '") and words in last


def test_a_python_that_has_no_such_framework_is_told_in_one_sentence(capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        command.main(["--target", "mindspore", "--python", sys.executable])
    assert "the Python of 'mindspore' must have it, but got" in capsys.readouterr().err.splitlines()[-1]


LAWS_OF_ITS_VERBS = ["formula", "drawn_arguments", "rounds_to_nearest", "unscaling", "loss_scale_course"]


def test_the_target_to_begin_with_holds_every_law_whose_verbs_it_has(run, capsys):
    assert command.main(["--init", "own.py"]) == 0
    found = {result.law: result for result in results(load("own.py"), LAWS_OF_ITS_VERBS)}
    assert [result.failures for result in found.values()] == [[]] * len(LAWS_OF_ITS_VERBS)
    assert all(result.cases for result in found.values()) and found["formula"].refused == 0
    with pytest.raises(SystemExit, match=r"^2$"):
        command.main(["--init", "own.py"])
    assert "own.py: File exists" in capsys.readouterr().err


class Numbers:
    """A target that is asked for numbers, and a law of which those from a bound on are bad."""

    name, version, number = "numbers", "1", True

    def __init__(self, bound):
        self.bound, self.seen = bound, []

    def tried(self, drawing):
        numbers = st.integers(0, 10**6).map(Number)
        law = Law("numbers", "They are small", ("number",), lambda target, profile: [("all", numbers)], below)
        return self.seen, tried(law, self, drawing=drawing)


class Number(int):
    label = property(lambda self: f"number {int(self)}")

    def program(self):
        return f"check({int(self)})"


def below(target, number):
    target.seen.append(int(number))
    if number >= target.bound:
        raise Broken(f"{int(number)} is too large")


def test_another_seed_draws_other_cases_and_the_same_seed_the_same():
    one, again, other = (Numbers(10**7).tried(Drawing(seed))[0] for seed in (1, 1, 2))
    assert one == again != other


def test_the_database_tries_first_what_failed(tmp_path):
    seen, result = Numbers(77777).tried(Drawing(0, str(tmp_path)))
    assert result.smallest.words == "77777 is too large" and seen[0] != 77777
    assert Numbers(77777).tried(Drawing(1, str(tmp_path)))[0][0] == 77777


def test_every_law_is_named_on_the_command_line():
    assert list(LAWS) == command.parser()._option_string_actions["--law"].choices
