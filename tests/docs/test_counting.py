"""What the benchmarks ``reading.py``, ``imports.py`` and ``paired.py`` count and time, where the figures are known."""

import contextlib
import importlib
import subprocess

import pytest
from support.benchmark import BENCHMARKS, load

counted, imports, reading, programs, paired = map(load, ("counted", "imports", "reading", "programs", "paired"))

TEXT = '''"""A docstring
of two lines."""

# a comment
import functools


@functools.cache
def first(x):
    """A docstring."""

    # a comment
    return [
        x,  # a comment behind code
    ]


def second(x): return """
a text, which is code
"""
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file.py"
    path.write_text(TEXT)
    return str(path)


def test_lines_of_code_are_no_blank_lines_comments_or_docstrings(file):
    assert counted.lines_of_code(file) == {5, 8, 9, 13, 14, 15, 18, 19, 20}


def test_the_lines_of_a_function_begin_below_its_decorators(file):
    assert counted.functions_of(file) == {(8, "first"): {9, 13, 14, 15}, (18, "second"): {18, 19, 20}}


def code(file, name="first", line=8):
    return compile("x", file, "eval").replace(co_name=name, co_firstlineno=line)


def test_each_call_into_another_file_than_the_call_before_is_a_change(file):
    walk = counted.Walk([code("a"), code("b"), code("b"), code("a")])
    assert walk.changes() == 3 and walk.files() == {"a", "b"}


def test_a_file_and_a_line_are_read_once(file):
    walk = counted.Walk([code(file), code(file), code(file, "second", 18)])
    assert (walk.lines_to_read(), walk.body_lines()) == (9, 7)


def test_functions_that_run_while_a_module_is_imported_do_not_count(monkeypatch, tmp_path):
    (tmp_path / "imported_late.py").write_text("def run(): pass\n\nrun()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(counted, "ROOT", str(tmp_path))
    walk = counted.walked(lambda: importlib.import_module("imported_late").run())
    assert [each.co_name for each in walk.calls] == ["run"]


@pytest.mark.usefixtures("restored")
def test_the_step_that_is_read_overflows():
    assert bool(programs.overflowing_o2_step()()[1])


def test_every_program_has_a_law():
    assert programs.READ.keys() == reading.READ.keys() and programs.CALLED.keys() == reading.CALLS.keys()


def test_the_report_puts_figures_from_before_beside_those_of_now_and_what_is_allowed():
    text = reading.report({("calls", "an empty Cell"): 8}, {("calls", "an empty Cell"): 16})
    assert text.splitlines()[2].replace(" ", "") == "|calls,anemptyCell|16|8|0.50|9|"


# The import graph


@pytest.fixture
def checkout(tmp_path):
    """A function that writes a checkout with these files of the package, and returns its graph."""

    def graph(**files):
        package = tmp_path / "minispore"
        for name, text in {"__init__": "", **files}.items():
            path = package / f"{name.replace('_in_', '/')}.py"
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_text(text)
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        return imports.graph_of(tmp_path)

    return graph


def test_an_import_in_a_function_and_a_name_in_a_string_are_arrows(checkout):
    late = "def f():\n    from . import low\n"
    graph = checkout(low="", late=late, named="NAME = 'minispore.low'\n", apart="import numpy\n")
    assert graph.rooms == {"low", "late", "named", "apart"}
    assert graph.arrows == {("late", "low"), ("named", "low")}
    assert not graph.modules_in_circles


def test_a_folder_is_one_room(checkout):
    graph = checkout(room_in___init__="", room_in_a="from .b import x\n", room_in_b="from ..low import x\n", low="")
    assert graph.rooms == {"room", "low"} and graph.arrows == {("room", "low")}


def test_modules_and_rooms_in_a_circle_are_found(checkout):
    graph = checkout(
        a="import minispore.b\n", b="def f():\n    from minispore import c\n", c="from .a import x\n", d=""
    )
    assert graph.modules_in_circles == {"minispore.a", "minispore.b", "minispore.c"}
    assert graph.rooms_in_circles == {"a", "b", "c"}


# Two checkouts in pairs


class Side:
    """Stands where a checkout's process stands: a step takes the next of these milliseconds."""

    def __init__(self, name, milliseconds, told):
        self.name, self.milliseconds, self.told = name, list(milliseconds), told

    def steps(self, case, count):
        self.told.append((self.name, count))
        return [self.milliseconds.pop(0) for _ in range(count)]


CASE = paired.Case("dense", None, {})


def test_two_sides_are_asked_in_turn_and_the_first_of_a_round_changes():
    told, warm = [], [100.0] * 3
    sides = [Side("old", [*warm, *[100.0] * 6], told), Side("new", [*warm, *[50.0] * 6], told)]
    assert paired.asked(CASE, sides, 2) == [([100.0] * 3, [50.0] * 3)] * 2
    assert [name for name, _ in told] == ["old", "new", "old", "new", "new", "old"]


def test_short_steps_are_many_in_a_round():
    told = []
    assert paired.asking(CASE, Side("old", [1.0] * 3, told)).args == (CASE, 300)


def test_the_figures_are_the_best_steps_and_the_median_of_the_rounds_ratios():
    rounds = [([2.0, 4.0, 9.0], [1.0, 2.0, 3.0]), ([4.0], [4.0]), ([5.0], [10.0])]
    assert paired.figures(rounds) == (2.0, 1.0, 1.0)


def test_every_case_of_the_law_is_timed():
    labels = {case.label for case in paired.cases(paired.LEVELS, paired.MODES)}
    networks = {f"{name}, {level}" for name in paired.WORKLOADS if name != "dispatch" for level in ("O0", "O2")}
    assert networks | {f"{name}, graph" for name in networks} < labels
    assert {"import", "conversion", "empty cell", "dense", "dense, graph", "dispatch"} < labels


def test_a_process_times_the_steps_and_the_import_of_a_checkout():
    with contextlib.ExitStack() as stack:
        side = paired.Side(BENCHMARKS.parent, stack)
        for case in (CASE, paired.Case("mlp", "mlp", {"level": "O2"}, graph=True)):
            assert all(time > 0 for time in side.steps(case, 2))
        assert all(time > 0 for time in side.imports())
