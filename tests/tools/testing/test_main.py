"""The command: how it ends, what it says of a target that it cannot ask, and the target that it writes."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from minispore.tools.testing import __main__ as command
from minispore.tools.testing import plugin
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


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Run the command on a target's text; gives how it ends and what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(text, *arguments):
        Path("mine.py").write_text(text)
        return command.main(["--target", "mine.py", *arguments]), capsys.readouterr().out

    return run


@pytest.mark.parametrize("arguments", [(), ("--law", "loss_scale_course")])
def test_a_misspelt_verb_is_no_success_and_the_closest_one_is_told(run, arguments):
    ended, told = run(SCALER.replace("scale_course", "scale_cours"), *arguments)
    assert ended == 2
    assert "'scale_cours' is no verb: did you mean 'scale_course'?\n" in told


def test_where_no_law_was_tried_it_ends_with_2(run):
    ended, told = run(SCALER.replace("scale_course", "other"))
    assert (ended, told.splitlines()[-1]) == (2, "No law was tried: mine has the verbs of none.")


def test_a_law_that_is_asked_for_by_name_and_absent_ends_with_2(run):
    ended, told = run(SCALER.replace("[start] * len(word)", "[]"), "--law", "formula")
    reason = "not supported by the target: mine offers no 'compute'"
    assert (ended, told.splitlines()[-1]) == (2, f"The law formula was asked for, and not tried: {reason}")


def test_a_text_that_no_label_holds_ends_with_2(run):
    ended, told = run(SCALER, "--law", "loss_scale_course", "--only", "nothing")
    assert ended == 2 and "not tried: no label of its groups holds 'nothing'" in told


def test_a_law_that_fails_ends_with_1_though_another_is_absent(run):
    assert run(SCALER, "--law", "loss_scale_course", "--law", "formula")[0] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "For 'load', the file 'mine.py' must have a function 'target' that makes the target"),
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


def test_without_hypothesis_the_command_says_what_to_install():
    code = "import sys; sys.modules['hypothesis'] = None; import minispore.testing.__main__"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    told = "For 'testing', cases need hypothesis: pip install \"hypothesis>=6.100\".\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_warnings_of_the_targets_code_are_one_line(run):
    noisy = SCALER.replace("        return", "        import warnings; warnings.warn('odd')\n        return")
    told = run(noisy, "--law", "loss_scale_course")[1]
    assert "The target's code warned " in told and told.count("odd") == 1


def test_the_target_to_begin_with_holds_every_law_whose_verbs_it_has(run, capsys):
    assert command.main(["--init", "own.py"]) == 0
    found = {result.law: result for result in results(load("own.py"), ["formula", "unscaling", "loss_scale_course"])}
    assert [result.failures for result in found.values()] == [[], [], []]
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


@pytest.mark.parametrize(
    ("law", "ends"), [(None, "offers no 'compute'"), (["formula"], "was asked for, and not tried")]
)
def test_the_plugin_skips_what_is_absent_unless_it_is_asked_for(tmp_path, request, monkeypatch, law, ends):
    (tmp_path / "mine.py").write_text(SCALER)
    options = {"minispore_target": str(tmp_path / "mine.py"), "minispore_profile": "ci", "minispore_law": law}
    config = type("Config", (), {"getoption": lambda self, name: options.get(name)})()
    items = []
    plugin.pytest_collection_modifyitems(request.session, config, items)
    item = next(item for item in items if item.name == "law[formula]")
    monkeypatch.setattr(item, "config", config)
    with pytest.raises((pytest.skip.Exception, plugin.LawFailed), match=ends) as found:
        item.runtest()
    assert (found.type is plugin.LawFailed) == (law is not None)


def test_the_plugin_refuses_a_target_that_has_the_verbs_of_no_law(tmp_path, request):
    (tmp_path / "mine.py").write_text(SCALER.replace("scale_course", "scale_cours"))
    options = {"minispore_target": str(tmp_path / "mine.py")}
    config = type("Config", (), {"getoption": lambda self, name: options.get(name)})()
    with pytest.raises(pytest.UsageError, match=r"has the verbs of no law\. 'scale_cours' is no verb: did you mean"):
        plugin.pytest_collection_modifyitems(request.session, config, [])


def test_every_law_is_named_on_the_command_line():
    assert list(LAWS) == command.parser()._option_string_actions["--law"].choices
