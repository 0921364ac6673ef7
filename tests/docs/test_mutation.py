"""benchmarks/mutation.py: which mutants a text has, which tests they are run against, and what is known of them."""

import ast
import importlib
import json
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def mutation():
    """The module; what it imports beside it is forgotten afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("mutation")
    sys.path.remove(str(BENCHMARKS))
    for name in set(sys.modules) - before:
        if str(BENCHMARKS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


TEXT = '''LIMIT = 3


def f(x, y):
    """A docstring."""
    if x < 1 and (y is None):
        return (x + 2) * y
    print(not x)
    return None if y else f"{x}"
'''


def mutants_of(mutation, folder, text=TEXT):
    (folder / "text.py").write_text(text)
    return sys.modules["mutants"].mutants(folder, "text.py")


def test_each_mutant_is_one_change_that_parses(mutation, tmp_path):
    found = mutants_of(mutation, tmp_path)
    assert [mutant.told().partition(": ")[2] for mutant in found] == [
        "'3' -> '4'",
        "'x < 1 and (y is None)' -> '(not (x < 1 and (y is None)))'",
        "'x < 1' -> 'True'",
        "' < ' -> ' <= '",
        "'1' -> '2'",
        "' and (' -> ' or ('",
        "'y is None' -> 'True'",
        "' is ' -> ' is not '",
        "'(x + 2) * y' -> 'None'",
        "' + ' -> ' - '",
        "'2' -> '3'",
        "') * ' -> ') / '",
        "'print(not x)' -> 'pass'",
        "'not x' -> '(True and  x)'",
        "'None if y else f\"{x}\"' -> 'None'",
        "'y' -> '(not (y))'",
    ]
    assert [mutant.runs for mutant in found] == [False] + [True] * 15
    for mutant in found:
        assert ast.dump(ast.parse(mutant.text())) != ast.dump(ast.parse(TEXT))


def test_a_seed_chooses_the_same_mutants_again_in_every_room(mutation):
    for pattern, tests in mutation.ROOMS.values():
        taken, every = mutation.sample(mutation.ROOT, pattern, 5, seed=1)
        assert (taken, every) == mutation.sample(mutation.ROOT, pattern, 5, seed=1)
        assert every > 50 and all(ast.parse(mutant.text()) for mutant in taken)
        assert all((mutation.ROOT / test).exists() for test in tests)


REACHED = {
    "tests/a.py::cheap": {"seconds": 1.0, "lines": {"text.py": [1, 6]}},
    "tests/a.py::dear": {"seconds": 5.0, "lines": {"text.py": [6, 7]}},
    "tests/b.py::middle": {"seconds": 2.0, "lines": {"text.py": [6]}},
    "tests/b.py::elsewhere": {"seconds": 0.1, "lines": {"other.py": [6]}},
}


@pytest.mark.parametrize(
    ("line", "seconds", "chosen", "reaching"),
    [
        (6, 60, ["tests/a.py::cheap", "tests/b.py::middle", "tests/a.py::dear"], 3),
        (6, 3, ["tests/a.py::cheap", "tests/b.py::middle"], 3),
        (7, 1, ["tests/a.py::dear"], 1),
        (8, 60, [], 0),
        (1, 60, ["tests/a.py::cheap", "tests/b.py::middle", "tests/a.py::dear"], 3),  # at the import: all of the file
    ],
)
def test_a_mutant_is_run_against_the_tests_that_reach_it_the_cheapest_of_each_file_first(
    mutation, tmp_path, line, seconds, chosen, reaching
):
    mutant = next(m for m in mutants_of(mutation, tmp_path) if m.line == line)
    assert mutation.choose(mutant, REACHED, seconds) == (chosen, reaching)


def test_what_is_known_holds_as_long_as_the_file_is_the_same(mutation, tmp_path):
    first = [mutation.identity(m) for m in mutants_of(mutation, tmp_path)]
    assert len(set(first)) == len(first)
    assert first == [mutation.identity(m) for m in mutants_of(mutation, tmp_path)]
    assert not set(first) & {mutation.identity(m) for m in mutants_of(mutation, tmp_path, TEXT + "\n")}


PROJECT = {
    "room/code.py": "def small(x):\n    return x < 3\n\n\ndef unseen(x):\n    return x + 1\n",
    "tests/test_code.py": "from room.code import small\n\n\ndef test_three():\n    assert small(2)\n",
}


@pytest.fixture
def project(mutation, tmp_path, monkeypatch):
    """A project of one room, of whose six mutants the one test kills one."""
    pytest.importorskip("coverage")
    for name, text in PROJECT.items():
        (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "copy" / name).write_text(text)
    (tmp_path / "copy" / "benchmarks").mkdir()
    (tmp_path / "copy" / "benchmarks" / "mutation_tests.py").write_bytes(
        (BENCHMARKS / "mutation_tests.py").read_bytes()
    )
    (tmp_path / "copy" / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setattr(mutation, "copied", lambda folder: folder)
    monkeypatch.setitem(mutation.ROOMS, "room", ("room/*.py", ["tests"]))
    return tmp_path


def words_of(mutation, capsys, folder):
    code = mutation.main(["room", "--count", "9", "--folder", str(folder)])
    lines = capsys.readouterr().out.splitlines()
    return code, sorted(line.split(" ")[0] for line in lines if "room/code.py:" in line), lines


def test_a_run_finds_the_survivors_and_a_later_one_tries_them_alone_again(mutation, capsys, project):
    code, words, lines = words_of(mutation, capsys, project)
    assert (code, words) == (1, ["SURVIVED"] * 5 + ["dead"]) and lines[-1] == "0 compute the same: 17%."
    assert (project / "copy" / "room" / "code.py").read_text() == PROJECT["room/code.py"]
    test = project / "copy" / "tests" / "test_code.py"
    test.write_text(test.read_text() + "    assert not small(3)\n")
    rows = (project / "room.jsonl").read_text().splitlines()
    assert words_of(mutation, capsys, project)[:2] == (1, ["SURVIVED"] * 3 + ["dead"] * 3)
    again = [json.loads(row)["told"] for row in (project / "room.jsonl").read_text().splitlines()[len(rows) :]]
    assert len(again) == 5, "the dead one is not tried again"


def test_every_mutant_that_is_said_to_compute_the_same_is_one(mutation):
    """A line of the source that has changed takes its row out."""
    mutants = sys.modules["mutants"].mutants
    found = {m.changed() for name in {name for name, _ in mutation.EQUIVALENT} for m in mutants(mutation.ROOT, name)}
    assert set(mutation.EQUIVALENT) <= found
