"""A shuffled order is the same for the same seed, keeps every test, and keeps what is to stay together."""

import itertools
from types import SimpleNamespace

from support.shuffled import shuffled

ITEMS = [SimpleNamespace(nodeid=f"{module}::{test}", path=module) for module in "abcd" for test in range(6)]


def names(*arguments):
    return [item.nodeid for item in shuffled(*arguments)]


def test_one_seed_gives_one_order_of_all_tests():
    assert names(ITEMS, "7", None) == names(ITEMS[::-1], "7", None) != names(ITEMS, "8", None)
    assert sorted(names(ITEMS, "7", None)) == sorted(item.nodeid for item in ITEMS)


def test_the_tests_of_a_module_stay_together():
    paths = [item.path for item in shuffled(ITEMS, "7", lambda item: item.path)]
    assert len([a for a, b in itertools.pairwise(paths) if a != b]) == 3
