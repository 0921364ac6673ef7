"""The ways into the site: the course comes first, chapters name their exercises, and titles can be told apart."""

import re

import pytest
from support.executed_page import CLONE

from minispore.tools.course.desk import Desk

DOCS = CLONE / "docs"
CHAPTERS = sorted((DOCS / "learn").glob("[0-9]*.md"))


def title(page):
    """The first heading of a page."""
    return re.search(r"^# (.*)$", page.read_text(), re.MULTILINE)[1]


def test_learn_lists_the_course_before_the_evenings_and_says_who_reads_what():
    text = (DOCS / "learn" / "index.md").read_text()
    assert text.index("| you | take | time |") < text.index("## The course") < text.index("## Read the code")


@pytest.mark.parametrize("page", CHAPTERS, ids=[page.stem for page in CHAPTERS])
def test_a_chapter_names_each_of_its_exercises(page, tmp_path):
    number = int(page.stem[:2])
    exercises = re.findall(rf"^ +({number}\.\d) ", Desk(tmp_path).list(), re.MULTILINE)
    named = re.findall(r"^minispore course start ([\d.]+)$", page.read_text(), re.MULTILINE)
    assert exercises and named == (exercises if len(exercises) > 1 else [str(number)])


@pytest.mark.parametrize("folder", ["explain", "how-to", "reference"])
def test_no_title_is_the_beginning_of_another(folder):
    titles = [title(page).lower() for page in sorted((DOCS / folder).glob("*.md"))]
    assert [(a, b) for a in titles for b in titles if a is not b and b.startswith(a)] == []
