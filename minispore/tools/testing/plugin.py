"""The pytest plugin: ``pytest -p minispore.testing.plugin --minispore-target TARGET`` runs each law as a test.

Beside the tests that are collected there is one for each law, ``law[NAME]``; a law that a target does not offer is
skipped with the reason, unless it was asked for by name. A law with a known deviation passes.
"""

import pytest

from minispore.tools.testing import deviations, report, targets
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.runner import PROFILES, Drawing, tried

__all__ = ["pytest_addoption", "pytest_collection_modifyitems"]


def pytest_addoption(parser):
    """The options of the command, for pytest."""
    group = parser.getgroup("minispore", "conformance laws of minispore.testing")
    group.addoption("--minispore-target", help="minispore, mindspore, torch, or FILE.py of an own one")
    group.addoption("--minispore-python", help="the Python that has mindspore or torch")
    group.addoption("--minispore-profile", default="ci", choices=list(PROFILES))
    group.addoption("--minispore-law", action="append", choices=list(LAWS), help="one law; again for more")
    group.addoption("--minispore-seed", type=int, default=0, help="other cases are drawn by another number")
    group.addoption("--minispore-deviations", help="known deviations in TOML")


class LawItem(pytest.Item):
    """One law, as a test."""

    def __init__(self, *, law, target, rows, **rest):
        super().__init__(**rest)
        self.law, self.target, self.rows = law, target, rows

    def runtest(self):
        """Try the law; raise with the smallest counterexample where it does not hold."""
        profile = self.config.getoption("minispore_profile")
        drawing = Drawing(self.config.getoption("minispore_seed") or 0)
        result = tried(self.law, self.target, profile, self.rows, drawing=drawing)
        if result.absent and self.config.getoption("minispore_law"):
            raise LawFailed(*report.untried(self.target, [result], by_name=True))
        if result.absent:
            pytest.skip(result.absent)
        unneeded = [row for row in self.rows if row.law == self.law.name and row.unneeded]
        lines = [*report.details(result), *report.told(unneeded)]
        if lines:
            raise LawFailed("\n".join([result.sentence, *lines]))

    def repr_failure(self, excinfo, style=None):
        """Report a failed law without a traceback."""
        if isinstance(excinfo.value, LawFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        """The place of the test: nowhere but in its name."""
        return self.path, None, f"law[{self.law.name}]"


class LawFailed(Exception):  # noqa: N818 - a finding
    """A law does not hold of the target."""


def pytest_collection_modifyitems(session, config, items):
    """Add a test for each law, where a target is named."""
    name = config.getoption("minispore_target")
    if name is None:
        return
    target = _loaded(name, config.getoption("minispore_python"))
    more = config.getoption("minispore_deviations")
    rows = deviations.of_target(target) + (deviations.read(more) if more else [])
    for law in config.getoption("minispore_law") or LAWS:
        made = {"law": LAWS[law], "target": target, "rows": rows}
        items.append(LawItem.from_parent(session, name=f"law[{law}]", **made))


def _loaded(name, python):
    """The target; one that cannot be loaded, or that no law fits, ends the run with a sentence."""
    try:
        target = targets.load(name, python)
    except ValueError as error:
        raise pytest.UsageError(f"--minispore-target: {error}") from None
    if not any(all(targets.offers(target, verb) for verb in law.needs) for law in LAWS.values()):
        told = [f"{target.name} has the verbs of no law.", *targets.misspelt(target)]
        raise pytest.UsageError(f"--minispore-target: {' '.join(told)}")
    return target
