"""Known deviations: what their files must say."""

import pytest

from minispore.tools.testing import deviations, ledger
from minispore.tools.testing.laws import LAWS

FILES = sorted(deviations.KNOWN.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_row_that_comes_with_the_kit_names_a_law_once_for_each_pattern(path):
    rows = deviations.read(path)
    assert rows and all(row.law in LAWS for row in rows)
    assert len({(row.law, row.pattern) for row in rows}) == len(rows)


@pytest.mark.parametrize(
    "row", ['law = "a"', 'law = "a"\npattern = "*"\nreason = ""', 'law = "a"\npattern = "*"\nwhy = "b"']
)
def test_a_row_without_a_law_a_pattern_and_a_reason_is_refused(row, tmp_path):
    (tmp_path / "known.toml").write_text(f"[[deviation]]\n{row}\n")
    with pytest.raises(ValueError, match="each row must have a law, a pattern and a reason"):
        deviations.read(tmp_path / "known.toml")


def test_a_row_fits_its_law_and_the_labels_of_its_pattern():
    row = deviations.Deviation("formula", "Soft* float16", "it rounds twice")
    assert row.fits("formula", "Softmax float16")
    assert not row.fits("formula", "Softmax float32") and not row.fits("gradient", "Softmax float16")


def test_minispore_has_none():
    assert not [path for path in FILES if path.stem.startswith("minispore")]


@pytest.mark.parametrize("path", [path for path in FILES if "mindspore" in path.stem], ids=lambda path: path.stem)
def test_each_deviation_of_mindspore_names_its_row_of_the_ledger(path):
    told = {row.what for row in ledger.rows()}
    assert [row for row in deviations.read(path) if row.ledger not in told] == []


def test_a_row_that_is_rare_may_be_missed():
    often, rare = (deviations.Deviation("formula", "*", "it rounds twice", rare=rare) for rare in (False, True))
    assert (often.unneeded, rare.unneeded) == (True, False)
    often.reached = 1
    assert not often.unneeded
