"""The page on the white pass is true: its blocks print what it shows, and the functions that it links are there."""

import re

import pytest
from support.executed_page import CLONE, blocks_of, linked, links_of, run, sentences_of

PAGE = CLONE / "docs" / "explain" / "o1.md"
TEXT = PAGE.read_text()
POINTERS = links_of(PAGE)


@pytest.mark.usefixtures("restored")
def test_its_blocks_print_what_it_shows(tmp_path, monkeypatch):
    (source, _), *blocks = blocks_of(TEXT)
    (tmp_path / "net.py").write_text(source)
    found = run(blocks, tmp_path, monkeypatch, files=["net.py"])
    assert found == [shown for _, shown in blocks]
    assert len(blocks) == 6 and all(found)


@pytest.mark.parametrize(("name", "path"), POINTERS, ids=[name for name, _ in POINTERS])
def test_a_function_that_it_links_is_in_that_file(name, path):
    found, module = linked(PAGE, path, name)
    assert found.__module__ == module.__name__


def test_every_paragraph_on_a_step_links_a_function():
    steps = TEXT[TEXT.index("## The way in") : TEXT.index("## What is left out")]
    paragraphs = [text for text in re.sub(r"```.*?```", "", steps, flags=re.DOTALL).split("\n\n") if text.strip()]
    told = [text for text in paragraphs if not text.startswith("#") and len(text.split()) > 15]
    assert [text for text in told if not re.search(r"\]\(\.\./\.\./minispore/", text)] == []


def test_its_sentences_are_short():
    assert [s for s in sentences_of(TEXT) if len(s.split()) > 25] == []
