"""Patterns, numbers and n-grams of strings as MindSpore 2.0.0 has them."""

import numpy as np
import pytest

import minispore as ms
from minispore.dataset import text


@pytest.mark.parametrize(
    ("transform", "x", "y"),
    [
        (text.RegexReplace("a+", "X"), "baac aa", "bXc X"),
        (text.RegexReplace("a", "X", False), "baac aa", "bXac aa"),
        (text.RegexReplace(r"(\w)\s", "$1-"), ["a b", "c d"], ["a-b", "c-d"]),
        (text.RegexReplace(r"(\w)\s", r"\1-"), "baac aa", "baa1-aa"),
        (text.RegexTokenizer(r"\s+"), " a b  c", ["a", "b", "c"]),
        (text.RegexTokenizer(r"\s+", r"\s+"), "a b  c", ["a", " ", "b", "  ", "c"]),
        (text.RegexTokenizer("[,!]", "!"), "a, b!!c", ["a", " b", "!", "!", "c"]),
        (text.RegexTokenizer(","), "", [""]),
        (text.Ngram([1, 2]), ["a", "b", "c"], ["a", "b", "c", "a b", "b c"]),
        (text.Ngram(3, ("_", 2), ("_", 2), "-"), ["a", "b"], ["_-_-a", "_-a-b", "a-b-_", "b-_-_"]),
        (text.Ngram(2, ("_", 5)), ["a"], ["_ a"]),
        (text.Ngram(3), ["a", "b"], [""]),
        (text.ToNumber(ms.int32), ["1.5", " 2", "1e3", "-4"], [1, 2, 1, -4]),
        (text.ToNumber(ms.float16), ["1.5", " 2", "1e3"], [1.5, 2, 1000]),
        (text.ToNumber(ms.int64), "12", 12),
    ],
)
def test_a_transform_gives_what_mindspores_gives(transform, x, y):
    np.testing.assert_array_equal(transform(np.array(x)), np.array(y))


def test_offsets_of_tokens_count_bytes():
    tokens, starts, limits = text.RegexTokenizer("[,!]", "!", True)("é, b!")
    assert (tokens.tolist(), starts.tolist(), limits.tolist()) == (["é", " b", "!"], [0, 3, 5], [2, 5, 6])


@pytest.mark.parametrize("wrong", ["x", "", "300", "-129"])
def test_a_string_without_a_number_of_the_type_ends_in_a_sentence(wrong):
    with pytest.raises(RuntimeError, match="each string must begin with a number of type int8"):
        text.ToNumber(ms.int8)(wrong)


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: text.RegexReplace("(", "x")),
        (ValueError, lambda: text.RegexReplace("a", "$1")),
        (ValueError, lambda: text.RegexReplace("a", "$")),
        (TypeError, lambda: text.RegexTokenizer(1)),
        (TypeError, lambda: text.ToNumber(ms.bool_)),
        (ValueError, lambda: text.Ngram([])),
        (ValueError, lambda: text.Ngram(0)),
        (TypeError, lambda: text.Ngram(2, ("a",))),
        (ValueError, lambda: text.Ngram(2, ("a", -1))),
        (RuntimeError, lambda: text.Ngram(1)("a")),
    ],
)
def test_a_wrong_argument_or_input_ends_in_a_sentence(error, make):
    with pytest.raises(error, match=r"^For '"):
        make()
