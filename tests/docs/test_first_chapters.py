"""Chapters 1 to 7 of the course: of one form, with short sentences, true links, and cells that are Python."""

import ast
import re

import pytest
from support.executed_page import CLONE, sentences_of

PAGES = sorted((CLONE / "docs" / "learn").glob("0[1-7]_*.md"))
titles = pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])


def prose(text):
    """A page without its front matter and the lines of its directives."""
    return re.sub(r"^:.*\n", "\n", text.split("---\n", 2)[2], flags=re.MULTILINE)


def test_there_are_seven():
    assert [int(page.name[:2]) for page in PAGES] == list(range(1, 8))


@titles
def test_it_is_a_notebook_with_a_title_of_its_number(page):
    text = page.read_text()
    assert text.startswith("---\njupytext:\n") and "\nkernelspec:\n  name: python3\n" in text
    assert f"\n# {int(page.name[:2])}. " in text


@titles
def test_its_cells_are_python_that_fits_a_page(page):
    cells = re.findall(r"^```\{code-cell\}\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    assert len(cells) >= 8
    for cell in cells:
        ast.parse(cell)
        assert [line for line in cell.splitlines() if len(line) > 92] == []


@titles
def test_it_is_read_in_fifteen_minutes_by_short_sentences(page):
    text = prose(page.read_text())
    assert 600 <= len(text.split()) <= 2500
    assert [sentence for sentence in sentences_of(text) if len(sentence.split()) > 25] == []


@titles
def test_what_it_links_is_there(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@titles
def test_it_asks_three_questions_and_answers_them(page):
    questions, answers = page.read_text().split("\n## Questions\n")[1].split(":::{dropdown} Answers\n")
    asked, answered = (re.findall(r"^(\d+)\. ", part, re.MULTILINE) for part in (questions, answers))
    assert asked == answered == ["1", "2", "3"]
