"""The five evenings are true: their blocks print what they show, their links lead to what they name."""

import re

import pytest
from support.executed_page import CLONE, blocks_of, is_file, linked, links_of, run, sentences_of

PAGES = sorted((CLONE / "docs" / "learn" / "evenings").glob("*.md"))
LINKS = [(page, name, path) for page in PAGES for name, path in links_of(page)]
titles = pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])


def test_there_are_five():
    assert [page.name[:2] for page in PAGES] == ["1_", "2_", "3_", "4_", "5_"]


@titles
@pytest.mark.usefixtures("restored")
def test_its_blocks_print_what_it_shows(page, tmp_path, monkeypatch):
    blocks = blocks_of(page.read_text())
    assert run(blocks, tmp_path, monkeypatch) == [shown for _, shown in blocks]
    assert sum(not is_file(code) for code, _ in blocks) >= 4


@pytest.mark.parametrize(("page", "name", "path"), LINKS, ids=[f"{page.stem}-{name}" for page, name, _ in LINKS])
def test_a_function_that_it_links_is_in_that_file(page, name, path):
    found, module = linked(page, path, name)
    assert getattr(found, "__module__", module.__name__) == module.__name__


@titles
def test_what_it_links_is_there(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert len(links) >= 5 and [link for link in links if not (page.parent / link).exists()] == []


@titles
def test_it_can_be_read_in_an_evening(page):
    assert 60 <= len(page.read_text().splitlines()) <= 150


@titles
def test_its_sentences_are_short(page):
    assert [s for s in sentences_of(page.read_text()) if len(s.split()) > 25] == []


@titles
def test_it_ends_with_questions_and_an_answer_to_each(page):
    questions, answers = page.read_text().split("\n## Questions\n")[1].split("\n## Answers\n")
    asked, answered = (re.findall(r"^(\d+)\. ", text, re.MULTILINE) for text in (questions, answers))
    assert asked == answered and len(asked) >= 3
    assert blocks_of(answers)
