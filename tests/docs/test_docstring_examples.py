"""Every example in the package's docstrings runs and prints what it says."""

import doctest
import importlib
import pkgutil
import re

import pytest

import minispore

MODULES = [module.name for module in pkgutil.walk_packages(minispore.__path__, "minispore.")]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NUMBER = re.compile(r"[-+]?\b\d+\.\d*(?:e[-+]?\d+)?", re.ASCII)


class Nearly(doctest.OutputChecker):
    """A checker for which numbers with a point agree to five digits: another processor rounds the last ones."""

    def check_output(self, want, got, optionflags):
        if super().check_output(want, got, optionflags):
            return True
        pairs = list(zip(NUMBER.findall(want), NUMBER.findall(got), strict=False))
        is_same = [NUMBER.sub("#", text).replace("[ ", "[").split() for text in (want, got)]
        near = all(abs(float(a) - float(b)) <= 1e-5 * max(abs(float(a)), 0.01) for a, b in pairs)
        return is_same[0] == is_same[1] and bool(pairs) and near


def failures(module):
    """``(failed, attempted)`` of the examples in a module."""
    runner = doctest.DocTestRunner(checker=Nearly(), optionflags=OPTIONS)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, module.__name__):
        runner.run(test)
    return runner.summarize(verbose=False)


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("name", [name for name in ["minispore", *MODULES] if not name.endswith("__main__")])
def test_the_examples_of_a_module_hold(name):
    result = failures(importlib.import_module(name))
    assert result.failed == 0, f"{result.failed} of {result.attempted} examples in {name} failed; see the output"


def test_examples_are_found():
    assert len(MODULES) > 5


CHECKED = [
    ("[1.0000001 2.]", "[1.0000002 2.]", True),
    ("[1. 2.]", "[1. 3.]", False),
    ("[1. 2.]", "[1.    2.]", True),
    ("[ 0.5 -1.25]", "[0.5 -1.25]", True),
    ("[1 2]", "[1 3]", False),
    ("[1. 2.]", "[1. nan]", False),
    ("1.0", "1.0 2.0", False),
]


@pytest.mark.parametrize(("want", "got", "agree"), CHECKED)
def test_numbers_agree_to_five_digits(want, got, agree):
    assert Nearly().check_output(want, got, OPTIONS) is agree
