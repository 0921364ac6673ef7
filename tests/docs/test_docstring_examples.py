"""Every example in the package's docstrings runs and prints what it says."""

import doctest
import importlib
import pkgutil

import pytest

import minispore

MODULES = [module.name for module in pkgutil.walk_packages(minispore.__path__, "minispore.")]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", [name for name in ["minispore", *MODULES] if not name.endswith("__main__")])
def test_the_examples_of_a_module_hold(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert result.failed == 0, f"{result.failed} of {result.attempted} examples in {name} failed; see the output"


def test_examples_are_found():
    assert len(MODULES) > 5
