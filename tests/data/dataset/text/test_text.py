"""Text transforms give what MindSpore 2.0.0 gives on the same strings."""

import numpy as np
import pytest

import minispore as ms
from minispore.dataset import text

VOCAB = text.Vocab.from_list(["a", "b", "c"], special_tokens=["<pad>", "<unk>"])
FORM = text.NormalizeForm
A = np.array


def test_a_vocab_numbers_tokens_in_their_order(tmp_path):
    assert VOCAB.vocab() == {"<pad>": 0, "<unk>": 1, "a": 2, "b": 3, "c": 4}
    assert (VOCAB.tokens_to_ids(["a", "zz"]), VOCAB.tokens_to_ids("b")) == ([2, -1], 3)
    assert (VOCAB.ids_to_tokens([2, 9]), VOCAB.ids_to_tokens(3)) == (["a", ""], "b")
    assert text.Vocab.from_list(["a"], ["<unk>"], False).vocab() == {"a": 0, "<unk>": 1}
    assert text.Vocab.from_dict({"a": 3}).vocab() == {"a": 3}
    path = tmp_path / "words.txt"
    path.write_text("x,1\ny,2\n z ,3\n\nw")
    assert text.Vocab.from_file(str(path), ",").vocab() == {"x": 0, "y": 1, " z ": 2, "": 3, "w": 4}
    assert text.Vocab.from_file(str(path), "", 2).vocab() == {"x,1": 0, "y,2": 1}


@pytest.mark.parametrize(
    ("transform", "x", "y"),
    [
        (text.Lookup(VOCAB, "<unk>"), A(["a", "zz"]), A([2, 1], np.int32)),
        (text.Lookup(VOCAB, data_type=ms.int64), "c", A(4)),
        (text.PythonTokenizer(str.split), "a b c", A(["a", "b", "c"])),
        (text.WhitespaceTokenizer(), " ", A([""])),
        (text.WhitespaceTokenizer(), "  lead 中文\tx\n", A(["lead", "中文", "x"])),
        (text.UnicodeCharTokenizer(), "a 中", A(["a", " ", "中"])),
        (text.UnicodeCharTokenizer(), "", A([""])),
        (text.CaseFold(), A(["ABC ß", "İ"]), A(["abc ss", "i̇"])),
        (text.NormalizeUTF8(), "ﬁ①é", A("fi1é")),
        (text.NormalizeUTF8(FORM.NFD), "é", A("e\u0301")),
        (text.NormalizeUTF8(FORM.NONE), "é", A("é")),
        (text.SlidingWindow(2), A([1, 2, 3, 4]), A([[1, 2], [2, 3], [3, 4]])),
        (text.SlidingWindow(5), A([1, 2]), A([], int)),
        (text.SlidingWindow(2), A(["a", "b", "c"]), A([["a", "b"], ["b", "c"]])),
        (text.Truncate(2), A(["a", "b", "c"]), A(["a", "b"])),
        (text.AddToken("[CLS]"), A(["a"]), A(["[CLS]", "a"])),
        (text.AddToken("[SEP]", False), A(["a"]), A(["a", "[SEP]"])),
    ],
)
def test_a_transform_gives_what_mindspores_gives(transform, x, y):
    out = transform(x)
    assert out.dtype.kind == y.dtype.kind
    np.testing.assert_array_equal(out, y)


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: text.Vocab.from_list(["a", "a"])),
        (ValueError, lambda: text.Vocab.from_dict({"a": -1})),
        (ValueError, lambda: text.Lookup(VOCAB, "q")),
        (RuntimeError, lambda: text.Lookup(VOCAB)("zz")),
        (RuntimeError, lambda: text.WhitespaceTokenizer()(A(["a"]))),
        (RuntimeError, lambda: text.CaseFold()(A([1]))),
        (TypeError, lambda: text.NormalizeUTF8(2)),
        (ValueError, lambda: text.SlidingWindow(0)),
        (TypeError, lambda: text.to_str(["a"])),
        (RuntimeError, lambda: text.to_str(A([b"\xff"]))),
    ],
)
def test_a_wrong_argument_or_input_ends_in_a_sentence(error, make):
    with pytest.raises(error, match=r"^For '"):
        make()


def test_strings_and_bytes_turn_into_one_another():
    assert text.to_str(A([b"a", b"bc"])).tolist() == ["a", "bc"]
    assert text.to_bytes(A(["é"]), "latin-1").tolist() == [b"\xe9"]
