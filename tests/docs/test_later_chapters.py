"""Chapters 8 to 14 of the course: of one form, with short sentences, true links, and the exercise at their end."""

import re

import pytest
from support.executed_page import CLONE, sentences_of

PAGES = [page for page in sorted((CLONE / "docs" / "learn").glob("[01]*.md")) if int(page.name[:2]) >= 8]
titles = pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])


def prose(text):
    """A page without its front matter, its directives' lines, and the code of its cells."""
    text = text.split("---\n", 2)[2]
    return re.sub(r"^:.*\n", "\n", text, flags=re.MULTILINE)


def test_there_are_seven():
    assert [int(page.name[:2]) for page in PAGES] == list(range(8, 15))


@titles
def test_it_is_a_notebook_with_a_title_of_its_number(page):
    text = page.read_text()
    assert text.startswith("---\njupytext:\n") and "\nkernelspec:\n  name: python3\n" in text
    assert f"\n# {int(page.name[:2])}. " in text
    assert text.count("```{code-cell}") >= 8 and len(re.findall(r"^```", text, re.MULTILINE)) % 2 == 0


@titles
def test_it_is_read_in_fifteen_minutes(page):
    assert 600 <= len(prose(page.read_text()).split()) <= 2500


@titles
def test_its_sentences_are_short(page):
    assert [s for s in sentences_of(prose(page.read_text())) if len(s.split()) > 25] == []


@titles
def test_what_it_links_is_there(page):
    links = re.findall(r"\]\(([^)#:]+)\)|^```\{image\} (\S+)", page.read_text(), re.MULTILINE)
    found = [page.parent / link for pair in links for link in pair if link]
    assert len(found) >= 3 and [path for path in found if not path.exists()] == []


@titles
def test_it_asks_three_questions_answers_them_and_ends_with_the_exercise(page):
    text = page.read_text()
    questions, answers = text.split("\n## Questions\n")[1].split(":::{dropdown} Answers\n")
    asked, answered = (re.findall(r"^(\d+)\. ", part, re.MULTILINE) for part in (questions, answers))
    assert asked == answered == ["1", "2", "3"]
    assert re.search(rf"\n## Exercises?\n\n```bash\nminispore course start {int(page.name[:2])}\b", answers)
