"""The runner counts, shrinks, knows deviations and says what is not offered; the command prints and writes it."""

import json
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import strategies as st

from minispore.tools.testing import __main__ as command
from minispore.tools.testing import plugin, report
from minispore.tools.testing.deviations import Deviation
from minispore.tools.testing.laws import LAWS, Broken, Law
from minispore.tools.testing.runner import tried
from minispore.tools.testing.strategies.layers import layer_calls
from minispore.tools.testing.targets import TargetError
from minispore.tools.testing.targets.minispore import Minispore

pytestmark = pytest.mark.usefixtures("restored")


class Number(int):
    label = property(lambda self: f"number {int(self)}")

    def program(self):
        return f"check({int(self)})"


class Target:
    name, version, number = "a target", "1", True


def law(check, cases=None, **more):
    cases = st.integers(0, 1000).map(Number) if cases is None else cases
    return Law("numbers", "All numbers are good", ("number",), lambda t, profile: [("all", cases)], check, **more)


def below_ten(target, number):
    if number >= 10:
        raise Broken(f"{int(number)} is 10 or more")


def test_a_case_that_fails_shrinks_to_the_smallest():
    result = tried(law(below_ten), Target())
    assert result.smallest.words == "10 is 10 or more"
    assert (result.smallest.program, result.smallest.label) == ("check(10)", "number 10")


def test_the_first_of_an_ordered_list_that_fails_is_shown():
    result = tried(law(below_ten, [Number(n) for n in (3, 12, 11)]), Target())
    assert (result.cases, result.smallest.words) == (2, "12 is 10 or more")


def test_a_known_deviation_is_counted_and_not_a_failure():
    row = Deviation("numbers", "number 1?", "teens are known")
    result = tried(law(below_ten, [Number(n) for n in (3, 12, 30)]), Target(), deviations=[row])
    assert (row.reached, result.reached) == (1, 1)
    assert result.smallest.label == "number 30"


def test_what_a_target_elsewhere_refuses_is_counted_where_a_law_lets_it():
    def refuses(target, number):
        raise TargetError("TypeError", "no such dtype")

    assert tried(law(refuses, drawn=3), Target()).failures
    result = tried(law(refuses, drawn=3, refusable=True), Target())
    assert (result.failures, result.refused) == ([], result.cases)
    told = "it refuses every case, the first with TypeError: no such dtype"
    assert result.absent == f"not supported by the target: {told}"


def test_a_law_whose_verb_is_not_offered_is_told_as_such():
    assert tried(LAWS["formula"], Target()).absent == "not supported by the target: a target offers no 'compute'"


def test_a_target_says_why_a_law_is_not_supported():
    class Silent(Target):
        lacks = MappingProxyType({"letter": "it has numbers alone", "scales_losses": "it has no losses"})
        scales_losses = False

    for verb, reason in Silent.lacks.items():
        said = tried(replace(law(below_ten), needs=(verb,)), Silent()).absent
        assert said == f"not supported by the target: {reason}"


def test_more_cases_are_drawn_in_the_deep_profile():
    good = law(lambda target, number: None, drawn=1)
    assert tried(good, Target()).cases < tried(good, Target(), "deep").cases


SCALER = """
class Target:
    name, version, speaks, faces = "mine", "1", "mindspore", {"scaler": "torch"}

    def scale_course(self, face, start, factor, window, word):
        return [start] * len(word)


def target():
    return Target()
"""
WRONG = '[[deviation]]\nlaw = "loss_scale_course"\npattern = "%s"\nreason = "it does not move"\n'


@pytest.fixture
def scaler(tmp_path):
    (tmp_path / "mine.py").write_text(SCALER)
    return ["--target", str(tmp_path / "mine.py"), "--law", "loss_scale_course"]


def test_the_command_ends_with_1_and_writes_the_counterexample(scaler, tmp_path, capsys):
    out = [str(tmp_path / "out.json"), str(tmp_path / "out.html")]
    assert command.main([*scaler, "--json", out[0], "--html", out[1]]) == 1
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["target"] == "mine" and "after 'v'" in found["laws"][0]["failures"][0]["words"]
    assert "&#x27;v&#x27;" in (tmp_path / "out.html").read_text()
    assert "Smallest counterexample: from 8, after 'v'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("pattern", "ends", "words"), [("*", 0, "known deviations"), ("other *", 1, "no longer needed")]
)
def test_deviations_come_from_a_file_and_an_unneeded_one_is_an_error(scaler, tmp_path, capsys, pattern, ends, words):
    path = tmp_path / "known.toml"
    path.write_text(WRONG % "*" + (WRONG % pattern if ends else ""))
    assert command.main([*scaler, "--deviations", str(path)]) == ends
    assert words in capsys.readouterr().out


def test_deviations_that_cannot_be_read_are_told_in_one_line(scaler, tmp_path, capsys):
    (tmp_path / "no.toml").write_text("[[deviation]\n")
    for path in (tmp_path / "nowhere.toml", tmp_path / "no.toml"):
        with pytest.raises(SystemExit, match=r"^2$"):
            command.main([*scaler, "--deviations", str(path)])
        assert f"error: argument --deviations: {path}: " in capsys.readouterr().err


class Config:
    """What the plugin asks of pytest's configuration."""

    def __init__(self, **options):
        self.options = {"minispore_profile": "ci", **options}

    def getoption(self, name):
        return self.options.get(name)


def test_the_plugin_adds_a_test_for_each_law(scaler, request, monkeypatch):
    items = []
    config = Config(minispore_target=scaler[1])
    plugin.pytest_collection_modifyitems(request.session, config, items)
    assert [item.name for item in items] == [f"law[{name}]" for name in LAWS]
    byname = {item.name: item for item in items}
    for item in items:
        monkeypatch.setattr(item, "config", config)
    with pytest.raises(plugin.LawFailed, match="Smallest counterexample: from 8"):
        byname["law[loss_scale_course]"].runtest()
    with pytest.raises(pytest.skip.Exception, match="offers no 'compute'"):
        byname["law[formula]"].runtest()


def test_without_a_target_the_plugin_adds_nothing(request):
    items = []
    plugin.pytest_collection_modifyitems(request.session, Config(), items)
    assert items == []


LIGHT = ("network_formula", "network_gradient", "optimizer_formula", "loss_formula", "long_sums", "unscaling")
LIGHT += ("training_formula", "batch_norm_statistics", "black_cells", "listed_cells", "edited_network")
LIGHT += ("drawn_arguments", "drawn_gradient", "rounds_to_nearest", "jvp", "vjp", "vmap", "group_formula")
LIGHT += ("unlisted_calls", "accumulated_gradient", "vanishing_gradients")
OF_LAYERS = ("layer_formula", "layer_in_float16", "layer_gradient", "layer_in_graph", "marked_layer")


def of_any_layer(target, profile):
    return [("layers", layer_calls())]


@pytest.mark.parametrize("name", LIGHT + OF_LAYERS)
def test_minispore_keeps_the_law(name):
    """Those that no other test holds by the kit."""
    chosen = LAWS[name]
    groups, drawn = (of_any_layer, 25) if name in OF_LAYERS else (chosen.groups, 3)
    light = replace(chosen, groups=groups, drawn=drawn)
    result = tried(light, Minispore())
    assert result.cases and ([failure.words for failure in result.failures], result.refused) == ([], 0)


def test_runs_are_told_as_a_table_with_a_column_for_each(scaler, tmp_path):
    out = tmp_path / "out.json"
    command.main([*scaler, "--json", str(out)])
    run = json.loads(out.read_text())
    run["laws"][0]["seconds"] = 2.4
    other = {**run, "version": "2", "laws": [{**run["laws"][0], "absent": "not supported by the target: it is new"}]}
    assert report.table([run, other]).splitlines() == [
        "| law | mine 1, `ci` | mine 2, `ci` |",
        "|---|---|---|",
        "| `loss_scale_course` | 1 cases, 2 s, 1 failures | [1] |",
        "",
        "- [1] not supported by the target: it is new",
    ]


def test_a_process_that_ends_is_not_started_anew_for_each_smaller_case():
    tries = []

    def dies(target, number):
        tries.append(number)
        raise TargetError("Crash", "the process ended")

    result = tried(law(dies, refusable=True), Target())
    assert (len(tries), result.cases, result.smallest.words) == (1, 1, "Crash: the process ended")
