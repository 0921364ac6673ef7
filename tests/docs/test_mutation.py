"""benchmarks/mutation.py: which mutants a text has."""

import ast
import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "mutation.py"
spec = importlib.util.spec_from_file_location("mutation", FILE)
mutation = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mutation)

TEXT = '''def f(x, y):
    """A docstring."""
    if x < 1 and (y is None):
        return (x + 2) * y
    return None if y else f"{x}"
'''


def test_each_mutant_is_one_change_that_parses(tmp_path):
    path = tmp_path / "text.py"
    path.write_text(TEXT)
    found = mutation.mutants(path)
    assert [mutant.told().partition(": ")[2] for mutant in found] == [
        "'x < 1 and (y is None)' -> '(not (x < 1 and (y is None)))'",
        "' < ' -> ' <= '",
        "'1' -> '2'",
        "' and (' -> ' or ('",
        "' is ' -> ' is not '",
        "'(x + 2) * y' -> 'None'",
        "' + ' -> ' - '",
        "'2' -> '3'",
        "') * ' -> ') / '",
        "'None if y else f\"{x}\"' -> 'None'",
        "'y' -> '(not (y))'",
    ]
    for mutant in found:
        assert ast.dump(ast.parse(mutant.text())) != ast.dump(ast.parse(TEXT))


@pytest.mark.parametrize("room", mutation.ROOMS)
def test_a_seed_chooses_the_same_mutants_again(room):
    taken, every = mutation.sample(room, 5, seed=1)
    assert (taken, every) == mutation.sample(room, 5, seed=1)
    assert every > 50
    assert all(ast.parse(mutant.text()) for mutant in taken)


def test_the_tests_of_every_room_are_there():
    root = mutation.ROOT
    assert all((root / test).exists() for _, tests in mutation.ROOMS.values() for test in tests)


def test_every_mutant_that_is_said_to_compute_the_same_is_one():
    """A line of the source that has changed takes its row out."""
    found = {path: mutation.mutants(mutation.ROOT / path) for path, _ in mutation.EQUIVALENT}
    reached = {mutant.reason() for mutants in found.values() for mutant in mutants}
    assert reached - {None} == set(mutation.EQUIVALENT.values())
