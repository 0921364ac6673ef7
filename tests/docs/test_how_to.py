"""The pages on how to do one thing are true: their blocks print what they show, and their sentences are short."""

import pytest
from support.executed_page import CLONE, blocks_of, run, sentences_of

HOW_TO = CLONE / "docs" / "how-to"
EXECUTED = ["debug_overflow", "own_images", "clip_gradients", "checkpoints", "from_pytorch", "extend"]
PAGES = sorted(HOW_TO.glob("*.md"))


@pytest.mark.parametrize("name", EXECUTED)
@pytest.mark.usefixtures("restored")
def test_its_blocks_print_what_it_shows(name, tmp_path, monkeypatch):
    if name == "own_images":
        pytest.importorskip("PIL")
    blocks = blocks_of((HOW_TO / f"{name}.md").read_text())
    assert run(blocks, tmp_path, monkeypatch) == [shown for _, shown in blocks]
    assert sum(bool(shown) for _, shown in blocks) >= 2


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_its_sentences_are_short(page):
    assert [s for s in sentences_of(page.read_text()) if len(s.split()) > 25] == []


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_the_index_leads_to_it(page):
    assert page.stem == "index" or f"]({page.name})" in (HOW_TO / "index.md").read_text()
