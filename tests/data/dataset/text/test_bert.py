"""The tokenizers of BERT give what MindSpore 2.0.0 gives on the same strings."""

import numpy as np
import pytest

from minispore.dataset import text

PIECES = text.Vocab.from_list(["my", "fav", "##or", "##ite", "book", "[UNK]", "hello", "[CLS]", "中", "!"])
NFKC = text.NormalizeForm.NFKC


@pytest.mark.parametrize(
    ("x", "options", "tokens"),
    [
        ("Héllo, [CLS] wörld!中文x", {}, ["Héllo", ",", "[CLS]", "wörld", "!", "中", "文", "x"]),
        ("Hé [CLS]x", {"keep_whitespace": True}, ["Hé", " ", "[CLS]", "x"]),
        ("Hé [CLS]", {"lower_case": True, "preserve_unused_token": False}, ["he", "[", "cls", "]"]),
        ("[SEP][PAD]A", {}, ["[SEP]", "[PAD]", "A"]),
        ("a[cls]B[MASK]", {"lower_case": True}, ["a", "[", "cls", "]", "b", "[MASK]"]),
        ("a\t \nb\x00 c", {"keep_whitespace": True}, ["a", "   ", "b", "  ", "c"]),
        ("İ ẞ don't ^① é", {"lower_case": True}, ["i", "ss", "don", "'", "t", "^", "1", "e"]),
        ("€x \uff0c。[unused12][unused]", {}, ["€x", "\uff0c", "。", "[unused12]", "[", "unused", "]"]),
        ("\uff0c① é", {"normalization_form": NFKC}, [",", "1", "é"]),
        ("\u00a0x\u3000y", {"keep_whitespace": True}, ["\u00a0", "x", "\u3000", "y"]),
        ("  ", {}, [""]),
        ("", {}, [""]),
    ],
)
def test_words_and_marks_are_tokens(x, options, tokens):
    assert text.BasicTokenizer(**options)(x).tolist() == tokens


def test_text_after_a_preserved_token_comes_once_in_lower_case():
    assert text.BasicTokenizer(lower_case=True)("A [CLS] B").tolist() == ["a", "[CLS]", "b"]


@pytest.mark.parametrize(
    ("words", "options", "tokens"),
    [
        (["my", "favorite", "zzz"], {}, ["my", "fav", "##or", "##ite", "[UNK]"]),
        (["favorzz", "中"], {"unknown_token": ""}, ["favorzz", "中"]),
        (["my", "book", "中"], {"max_bytes_per_token": 3}, ["my", "[UNK]", "中"]),
        (["", "my"], {}, ["my"]),
        ("favorite", {}, ["fav", "##or", "##ite"]),
    ],
)
def test_words_fall_into_their_longest_pieces(words, options, tokens):
    assert text.WordpieceTokenizer(PIECES, **options)(np.array(words)).tolist() == tokens


def test_offsets_of_pieces_count_bytes_from_the_beginning_of_the_string():
    tokens, starts, limits = text.BertTokenizer(PIECES, with_offsets=True)("my favorite zz book!")
    assert tokens.tolist() == ["my", "fav", "##or", "##ite", "[UNK]", "book", "!"]
    assert (starts.tolist(), limits.tolist()) == ([0, 3, 6, 8, 12, 15, 19], [2, 6, 8, 11, 14, 19, 20])
    assert starts.dtype == limits.dtype == np.uint32


def test_a_string_is_folded_before_it_falls_into_pieces():
    out = text.BertTokenizer(PIECES, lower_case=True)("My favorite BOOK!")
    assert out.tolist() == ["my", "fav", "##or", "##ite", "book", "!"]


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (TypeError, lambda: text.BertTokenizer({"a": 1})),
        (TypeError, lambda: text.BasicTokenizer(1)),
        (TypeError, lambda: text.BasicTokenizer(normalization_form=1)),
        (ValueError, lambda: text.WordpieceTokenizer(PIECES, max_bytes_per_token=0)),
        (RuntimeError, lambda: text.BertTokenizer(PIECES)(np.array(["a", "b"]))),
        (RuntimeError, lambda: text.WordpieceTokenizer(PIECES)(np.array([["a"]]))),
    ],
)
def test_a_wrong_argument_or_input_ends_in_a_sentence(error, make):
    with pytest.raises(error, match=r"^For '"):
        make()
