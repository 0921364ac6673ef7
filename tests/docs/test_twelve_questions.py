"""The page of a newcomer's questions: each is answered in full, by a program that prints the number, and has a link."""

import re

import pytest
from support.executed_page import CLONE, blocks_of, run, sentences_of

TEXT = (CLONE / "docs" / "explain" / "twelve_questions.md").read_text()
QUESTIONS = re.split(r"^## \d+\. ", TEXT, flags=re.MULTILINE)[1:]


def test_there_are_twelve():
    assert len(QUESTIONS) == 12


@pytest.mark.parametrize("question", QUESTIONS, ids=[text.splitlines()[0] for text in QUESTIONS])
def test_it_has_an_answer_a_number_that_shows_it_and_a_link(question):
    heading, text = question.split("\n\n", 1)
    answer, _, links = text.partition("\nRead on: ")
    sentences = list(sentences_of(answer))
    assert heading.endswith("?") and 3 <= len(sentences) <= 8 and links.startswith("[")
    assert [sentence for sentence in sentences if len(sentence.split()) > 25] == []
    assert [shown for _, shown in blocks_of(text) if re.search(r"\d|float|True", shown)]


@pytest.mark.usefixtures("restored")
def test_its_programs_print_what_it_shows(tmp_path, monkeypatch):
    blocks = blocks_of(TEXT)
    assert run(blocks, tmp_path, monkeypatch) == [shown for _, shown in blocks]
