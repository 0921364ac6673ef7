"""The tokenizers of BERT: a string into words and marks, and words into pieces that are in a vocabulary."""

from __future__ import annotations

import itertools
import re
import unicodedata

import numpy as np

from minispore.core.checks import check_bool, check_positive_int, check_text
from minispore.core.errors import runtime_error, shown, type_error
from minispore.data.dataset.text.tokenizers import NormalizeForm, Tokenizer, in_form, text_of
from minispore.data.dataset.text.vocab import Vocab
from minispore.data.dataset.transforms.base import TensorOperation

__all__ = ["BasicTokenizer", "BertTokenizer", "WordpieceTokenizer"]

_PRESERVED = re.compile(r"(\[(?:CLS|SEP|UNK|PAD|MASK|unused\d+)\])")
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _stands_alone(char):
    """True if a character is a token of its own: a mark of ASCII or of Unicode's punctuation, or an ideograph."""
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char)[0] == "P" or any(low <= ord(char) <= high for low, high in _IDEOGRAPHS)


def _is_control(char):
    return unicodedata.category(char) in ("Cc", "Cf")


def _folded(text):
    """The text without regard to case, width and accents."""
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return "".join(char for char in unicodedata.normalize("NFD", folded) if unicodedata.category(char) != "Mn")


class BasicTokenizer(Tokenizer):
    """The words of a string; marks and ideographs are tokens of their own.

    Shapes: () gives (number of tokens,). Dtypes: strings, kept.

    Args:
        lower_case (bool): True to fold case and drop accents. Default: False.
        keep_whitespace (bool): If True, runs of white space are tokens. Default: False.
        normalization_form (NormalizeForm): Unicode's normal form of the tokens without ``lower_case``. Default: NONE.
        preserve_unused_token (bool): If True, ``[CLS]``, ``[SEP]``, ``[UNK]``, ``[PAD]``, ``[MASK]`` and ``[unused1]``
            and so on stay as they are. Default: True.
        with_offsets (bool): True to give ``(tokens, starts, limits)``, in bytes of the folded or normal form. Default:
            False.

    Raises:
        TypeError: If an argument is of another kind.
        RuntimeError: When called, if the input is not one string.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.BasicTokenizer(lower_case=True)("A cat, sat!"))
        ['a' 'cat' ',' 'sat' '!']
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form=NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        name = type(self).__name__
        super().__init__(with_offsets)
        self.lower_case = check_bool(name, "lower_case", lower_case)
        self.keep_whitespace = check_bool(name, "keep_whitespace", keep_whitespace)
        if not isinstance(normalization_form, NormalizeForm):
            raise type_error(name, "the 'normalization_form' must be a NormalizeForm", shown(normalization_form))
        self.form = normalization_form
        self.preserved = check_bool(name, "preserve_unused_token", preserve_unused_token)

    def _prepared(self, text):
        parts = _PRESERVED.split(text) if self.preserved else [text]
        return "".join(part if i % 2 else self._plain(part) for i, part in enumerate(parts))

    def _plain(self, part):
        part = _folded(part) if self.lower_case else in_form(self.form, part)
        return "".join(" " if _is_control(char) else char for char in part)

    def _spans(self, text):
        places, start = [], 0
        for i, part in enumerate(_PRESERVED.split(text) if self.preserved else [text]):
            spans = [(0, len(part))] if i % 2 else self._words(part)
            places += [(start + low, start + high) for low, high in spans]
            start += len(part)
        return places

    def _words(self, part):
        kinds = ["alone" if _stands_alone(char) else char.isspace() for char in part]
        starts = [i for i, kind in enumerate(kinds) if i == 0 or kind == "alone" or kind != kinds[i - 1]]
        spans = itertools.pairwise([*starts, len(part)])
        return [(low, high) for low, high in spans if self.keep_whitespace or kinds[low] is not True]


class WordpieceTokenizer(TensorOperation):
    """The pieces of words: each the longest that is in the vocabulary, all but a word's first with a mark before it.

    Shapes: () and (N,) give (number of pieces,). Dtypes: strings, kept.

    Args:
        vocab (Vocab): The pieces.
        suffix_indicator (str): The mark of pieces within a word. Default: ``"##"``.
        max_bytes_per_token (int): The longest word that is taken apart. Default: 100.
        unknown_token (str): The token for a word without such pieces; "" leaves the word. Default: ``"[UNK]"``.
        with_offsets (bool): True to give ``(tokens, starts, limits)``, in bytes from each word's beginning. Default:
            False.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``max_bytes_per_token`` is below 1.
        RuntimeError: When called, if the input is not one string or a vector of them.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> vocab = text.Vocab.from_list(["play", "##ing", "[UNK]"])
        >>> print(text.WordpieceTokenizer(vocab)(np.array(["playing", "dog"])))
        ['play' '##ing' '[UNK]']
    """

    def __init__(
        self,
        vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ) -> None:
        name = type(self).__name__
        if not isinstance(vocab, Vocab):
            raise type_error(name, "the 'vocab' must be a Vocab", shown(vocab))
        self.pieces = vocab.vocab()
        self.mark = check_text(name, "suffix_indicator", suffix_indicator)
        self.most = check_positive_int(name, "max_bytes_per_token", max_bytes_per_token)
        self.unknown = check_text(name, "unknown_token", unknown_token)
        self.with_offsets = check_bool(name, "with_offsets", with_offsets)

    def _array(self, x):
        x = text_of(type(self).__name__, x)
        if x.ndim > 1:
            raise runtime_error(type(self).__name__, "the input must have at most 1 axis", f"shape {x.shape}")
        return self._of_words([(word, 0) for word in x.reshape(-1).tolist()])

    def _of_words(self, words):
        """The pieces of words, each given with the position of its first byte."""
        found = [(piece, start + low, start + high) for word, start in words for piece, low, high in self._taken(word)]
        tokens, starts, limits = zip(*(found or [("", 0, 0)]), strict=True)
        if not self.with_offsets:
            return np.array(tokens)
        return np.array(tokens), np.array(starts, np.uint32), np.array(limits, np.uint32)

    def _taken(self, word):
        """The pieces of one word with where each begins and ends in it, in bytes."""
        length = len(word.encode())
        found, start = [], 0
        while start < len(word):
            mark = self.mark if start else ""
            end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in self.pieces), None)
            if end is None or length > self.most:
                return [(self.unknown or word, 0, length)]
            found.append((mark + word[start:end], len(word[:start].encode()), len(word[:end].encode())))
            start = end
        return found


class BertTokenizer(TensorOperation):
    """The pieces of a string's words: :class:`WordpieceTokenizer` after :class:`BasicTokenizer`.

    Arguments and errors are the same as for the two.

    Shapes: () gives (number of tokens,). Dtypes: strings, kept.

    Raises:
        TypeError: If ``vocab`` is not a Vocab, an argument is not a bool, or ``suffix_indicator`` or ``unknown_token``
            is not a str. Also if ``max_bytes_per_token`` is not an int. When called, if the input is not an array, a
            number or a text.
        ValueError: If ``max_bytes_per_token`` is not above 0.
        RuntimeError: When called, if the input does not hold strings.

    Examples:
        >>> from minispore.dataset import text
        >>> vocab = text.Vocab.from_list(["play", "##ing", "cat", "[UNK]"])
        >>> print(text.BertTokenizer(vocab, lower_case=True)("Cat playing"))
        ['cat' 'play' '##ing']
    """

    def __init__(
        self,
        vocab,
        suffix_indicator="##",
        max_bytes_per_token=100,
        unknown_token="[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form=NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        self.into_pieces = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)
        self.into_words = BasicTokenizer(lower_case, keep_whitespace, normalization_form, preserve_unused_token, True)

    def _array(self, x):
        words, starts, _ = self.into_words(x)
        return self.into_pieces._of_words(list(zip(words.tolist(), starts.tolist(), strict=True)))
