"""CHANGELOG has a part for each release, the newest first, and a line for each change."""

import configparser
import re

from support.executed_page import CLONE

import minispore

TEXT = (CLONE / "CHANGELOG.md").read_text()
PARTS = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]


def test_its_newest_release_is_the_package():
    releases = re.findall(r"^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$", TEXT, re.MULTILINE)
    setup = configparser.ConfigParser()
    setup.read(CLONE / "setup.cfg")
    assert releases[0] == minispore.__version__ == setup["metadata"]["version"]
    assert releases == sorted(releases, key=lambda name: [*map(int, name.split("."))], reverse=True)


def test_changes_that_are_not_released_come_first():
    assert PARTS[0].startswith("[Unreleased]\n") and len(PARTS) >= 3


def test_a_change_is_a_line():
    changes = [line for part in PARTS for line in part.splitlines()[1:] if line and not line.startswith("###")]
    longer = [line for line in changes if len(line) > 150 or not line.startswith(("- ", "The "))]
    assert len(changes) > 100 and longer == []


def test_the_security_page_supports_the_newest_release():
    minor = minispore.__version__.rpartition(".")[0]
    assert re.search(rf"^\| {re.escape(minor)}\.x \| yes \|$", (CLONE / "SECURITY.md").read_text(), re.MULTILINE)
