"""What ``benchmarks/counted.py`` and ``imports.py`` count, on small files whose figures are known."""

import importlib
import subprocess

import pytest
from support.benchmark import BENCHMARKS, load

counted, imports, reading, programs = map(load, ("counted", "imports", "reading", "programs"))

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


def test_this_package_has_no_circle():
    graph = imports.graph_of(BENCHMARKS.parent)
    assert not graph.modules_in_circles and not graph.rooms_in_circles
