"""Vocab.from_dataset numbers words as MindSpore 2.0.0 does: by their frequency, then by their order."""

import pytest

from minispore.dataset import NumpySlicesDataset
from minispore.dataset.text import Vocab

WORDS = {"t": ["b", "a", "b", "c", "c", "c"], "u": ["z", "z", "y", "b", "z", "x"]}


def words(*options):
    return list(Vocab.from_dataset(NumpySlicesDataset(WORDS, shuffle=False), *options).vocab())


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("t",), "cba"),
        ((), "bczaxy"),
        (("t", (2, None)), "cb"),
        (("t", (2, 2)), "b"),
        (("u", None, 2), "zb"),
        (("t", None, None, ["!"], False), "cba!"),
        (("t", None, 1, ["!"]), "!c"),
    ],
)
def test_words_are_numbered_by_their_frequency(options, expected):
    assert words(*options) == list(expected)


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (ValueError, ("q",)),
        (ValueError, ("t", (5, 2))),
        (TypeError, ("t", (2,))),
        (ValueError, ("t", None, 0)),
        (ValueError, ("t", None, None, ["a"])),
    ],
)
def test_a_wrong_argument_ends_in_a_sentence(error, options):
    with pytest.raises(error, match=r"^For '"):
        words(*options)


def test_a_column_of_numbers_has_no_words():
    with pytest.raises(TypeError, match="the column 'n' must hold strings, but got int64"):
        Vocab.from_dataset(NumpySlicesDataset({"n": [1, 2]}, shuffle=False))
