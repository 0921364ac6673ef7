"""The page of a newcomer's questions: twelve, each with two sentences and a link to the whole."""

import re

import pytest
from support.executed_page import CLONE, sentences_of

TEXT = (CLONE / "docs" / "explain" / "twelve_questions.md").read_text()
QUESTIONS = re.split(r"^## \d+\. ", TEXT, flags=re.MULTILINE)[1:]


def test_there_are_twelve():
    assert len(QUESTIONS) == 12


@pytest.mark.parametrize("question", QUESTIONS, ids=[text.splitlines()[0] for text in QUESTIONS])
def test_it_has_an_answer_of_two_sentences_and_a_link(question):
    heading, text = question.split("\n\n", 1)
    answer, _, links = text.partition("\nRead on: ")
    sentences = list(sentences_of(answer))
    assert heading.endswith("?") and len(sentences) == 2 and links.startswith("[")
    assert [sentence for sentence in sentences if len(sentence.split()) > 25] == []
