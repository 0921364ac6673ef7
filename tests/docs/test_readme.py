"""What README shows is what happens, and it is short."""

import re

import pytest
from support.executed_page import CLONE, printed, sentences_of

TEXT = (CLONE / "README.md").read_text()


@pytest.mark.usefixtures("restored")
def test_the_network_trains_and_its_receipt_reads_as_shown(tmp_path, monkeypatch):
    code, receipt = (re.search(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)[1] for kind in ("python", "text"))
    monkeypatch.chdir(tmp_path)  # the receipt shows places relative to the working directory
    names = {"__name__": "__main__"}
    assert printed(code, names, str(tmp_path / "train.py")) == receipt
    assert 0 < float(names["loss"]) < 10 and float(names["scale"]) == 2.0**24


def test_it_has_120_lines():
    assert len(TEXT.splitlines()) <= 125


def test_its_sentences_are_short():
    assert [s for s in sentences_of(TEXT) if len(s.split()) > 25] == []


def test_its_map_names_the_five_rooms():
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| \[[^]]+\]\(([^)]+)\) \|$", TEXT, re.MULTILINE)
    assert [room for room, _ in rows] == ["core", "ops", "nn", "rewrite", "amp"]


def test_every_evening_is_linked():
    assert sorted(re.findall(r"docs/(learn/evenings/\w+\.md)", TEXT)) == sorted(
        path.relative_to(CLONE / "docs").as_posix() for path in (CLONE / "docs" / "learn" / "evenings").glob("*.md")
    )
