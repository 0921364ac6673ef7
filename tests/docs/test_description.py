"""The package's description leads somewhere without the repository: by addresses, or by pages that are installed."""

import re
import runpy

import pytest
from support.executed_page import CLONE

MADE = runpy.run_path(str(CLONE / "docs" / "make" / "description.py"))
README = (CLONE / "README.md").read_text()


def links(text):
    return re.findall(r"\]\(([^)\s]+)\)", text)


def test_with_an_address_every_link_is_one():
    text = MADE["described"](README, "https://example.org/blob/v1")
    assert [link for link in links(text) if "://" not in link] == []
    assert "https://example.org/blob/v1/docs/learn/index.md" in links(text)


def test_without_one_no_link_is_left_and_every_page_is_named_and_installed():
    text = MADE["described"](README, None)
    assert [link for link in links(text) if "://" not in link] == []
    assert MADE["PLACE"] in text
    installed = {path for _, paths in MADE["data_files"]() for path in paths} or pytest.skip("there is an address")
    named = {path for path in re.findall(r"`([\w/.-]+\.md)`", text) if not path.startswith("minispore/")}
    assert {"docs/learn/index.md", "CONTRIBUTING.md"} <= named <= installed


def test_the_description_has_the_readmes_code():
    assert "from minispore import amp, nn, ops" in MADE["description"]()
