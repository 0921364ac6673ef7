"""Names of modules: in a room no two differ by one letter, so that a reader does not take one for another."""

from itertools import combinations

import pytest
from test_rooms import ABOVE, BELOW, ROOT

# Room -> pairs of names that differ by one letter -> why
ALIKE = {
    "amp": {("scalers", "scales"): "those of a loss, an address of MindSpore; those of a format"},
    "data": {("dataset", "datasets"): "addresses of MindSpore"},
    "devices": {("cpu", "gpu"): "two devices; addresses of MindSpore"},
    "dropin": {("optimize", "optimizer"): "addresses of SciPy and of MindSpore"},
    "nn": {("metric", "metrics"): "addresses of MindSpore: the base class, and the room of the metrics"},
    "ops": {("conv2d", "conv3d"): "the number of axes"},
    "tools": {
        ("array", "arrays"): "a family of primitives; an address that docstrings show",
        ("course", "courses"): "the course of exercises; the strategy of the courses of training",
        ("law", "laws"): "the record of a law, and the room of the laws",
        ("mindspore", "minispore"): "the names of two frameworks",
    },
}


def are_alike(a, b):
    """True if one letter that is changed, added or left out makes one name of the other."""
    if len(a) > len(b):
        a, b = b, a
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    return a != b and b[same + 1 :] in (a[same:], a[same + 1 :])


def names_in(room):
    """The names of a room's modules and folders, at any depth."""
    files = {path.stem for path in room.rglob("*.py")} - {"__init__", "__main__"}
    return sorted(files | {path.parent.name for path in room.rglob("*/__init__.py")})


@pytest.mark.parametrize("room", [*ABOVE, *BELOW])
def test_no_two_names_of_a_room_differ_by_one_letter(room):
    found = {pair for pair in combinations(names_in(ROOT / room), 2) if are_alike(*pair)}
    assert found == set(ALIKE.get(room, {})), "rename one, or give the pair a line with its reason in this file"


@pytest.mark.parametrize("pair", [("late", "later"), ("homes", "home"), ("cpu", "gpu"), ("ab", "b")])
def test_one_letter_is_seen(pair):
    assert are_alike(*pair) and are_alike(*reversed(pair))


@pytest.mark.parametrize("pair", [("tape", "tape"), ("site", "sites_of"), ("form", "from_"), ("abc", "acb")])
def test_other_names_are_not_alike(pair):
    assert not are_alike(*pair) and not are_alike(*reversed(pair))
