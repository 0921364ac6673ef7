"""The runner's findings: lines of a table, JSON, a page of HTML."""

import subprocess
import sys

import pytest
from tools.testing.test_main import SCALER

pytestmark = pytest.mark.usefixtures("restored")


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


def test_without_hypothesis_the_command_says_what_to_install():
    code = "import sys; sys.modules['hypothesis'] = None; import minispore.testing.__main__"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    told = "For 'testing', cases need hypothesis: pip install \"hypothesis>=6.100\".\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_warnings_of_the_targets_code_are_one_line(run):
    noisy = SCALER.replace("        return", "        import warnings; warnings.warn('odd')\n        return")
    told = run(noisy, "--law", "loss_scale_course")[1]
    assert "The target's code warned " in told and told.count("odd") == 1
