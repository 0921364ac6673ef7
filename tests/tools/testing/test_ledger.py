"""The ledger as data."""

from pathlib import Path

from minispore.tools.testing import ledger

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "quirks.md"


def test_the_page_is_written_from_the_data():
    assert ledger.page() == PAGE.read_text(), "run python docs/make/quirks.py --read after an edit of the page"


def test_a_page_is_read_back_into_what_it_was_written_from():
    assert ledger.parsed(ledger.page()) == ledger.blocks()


def test_every_row_has_a_section_and_says_what_differs():
    rows = ledger.rows()
    assert len(rows) > 150
    assert all(row.section and row.what for row in rows)
