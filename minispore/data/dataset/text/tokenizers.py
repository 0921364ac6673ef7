"""Transforms of one string: into tokens, and into another form."""

from __future__ import annotations

import enum
import re
import unicodedata

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import runtime_error, shown, type_error
from minispore.data.dataset.transforms.base import TensorOperation
from minispore.ops.object_checks import check_callable

__all__ = [
    "CaseFold",
    "NormalizeForm",
    "NormalizeUTF8",
    "PythonTokenizer",
    "UnicodeCharTokenizer",
    "WhitespaceTokenizer",
]


class NormalizeForm(enum.IntEnum):
    """Unicode's normal forms.

    Examples:
        >>> from minispore.dataset import text
        >>> print([form.name for form in text.NormalizeForm])
        ['NONE', 'NFC', 'NFKC', 'NFD', 'NFKD']
    """

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


def text_of(operation, x, rank=None):
    """The array, which must hold strings, on ``rank`` axes."""
    if x.dtype.kind != "U":
        raise runtime_error(operation, "the input must be strings", f"{x.dtype}")
    if rank is not None and x.ndim != rank:
        raise runtime_error(operation, f"the input must have {rank} axes", f"shape {x.shape}")
    return x


def in_form(form, text):
    """The text in one of Unicode's normal forms."""
    return text if form is NormalizeForm.NONE else unicodedata.normalize(form.name, text)


class PythonTokenizer(TensorOperation):
    """The tokens that a function makes of a str.

    Shapes: () gives (number of tokens,). Dtypes: strings, kept.

    Raises:
        TypeError: If ``tokenizer`` is not a function.
        RuntimeError: When called, if the input is not one string.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.PythonTokenizer(str.split)("a cat sat"))
        ['a' 'cat' 'sat']
    """

    def __init__(self, tokenizer) -> None:
        self.tokenizer = check_callable("PythonTokenizer", "tokenizer", tokenizer)

    def _array(self, x):
        return np.array(self.tokenizer(text_of("PythonTokenizer", x, 0).item()))


class Tokenizer(TensorOperation):
    """Base of tokenizers of one string; a subclass defines ``_spans(text)``, where each token begins and ends."""

    def __init__(self, with_offsets: bool = False) -> None:
        self.with_offsets = check_bool(type(self).__name__, "with_offsets", with_offsets)

    def _array(self, x):
        text = self._prepared(text_of(type(self).__name__, x, 0).item())
        spans = self._spans(text) or [(0, 0)]
        tokens = np.array([text[low:high] for low, high in spans])
        if not self.with_offsets:
            return tokens
        starts, limits = ([len(text[:place].encode()) for place in places] for places in zip(*spans, strict=True))
        return tokens, np.array(starts, np.uint32), np.array(limits, np.uint32)

    def _prepared(self, text):
        """The text that is taken apart."""
        return text

    def _spans(self, text):
        raise NotImplementedError


class WhitespaceTokenizer(Tokenizer):
    """The words between white space; with offsets also where each begins and ends, in bytes of UTF-8.

    Shapes: () gives (number of tokens,). Dtypes: strings, kept.

    Args:
        with_offsets (bool): True to give ``(tokens, starts, limits)``. Default: False.

    Raises:
        TypeError: If ``with_offsets`` is not a bool.
        RuntimeError: When called, if the input is not one string.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.WhitespaceTokenizer()("a cat sat"))
        ['a' 'cat' 'sat']
    """

    def _spans(self, text):
        return [match.span() for match in re.finditer(r"\S+", text)]


class UnicodeCharTokenizer(Tokenizer):
    """The characters; with offsets also where each begins and ends, in bytes of UTF-8.

    Arguments and errors as in :class:`WhitespaceTokenizer`.

    Shapes: () gives (number of tokens,). Dtypes: strings, kept.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.UnicodeCharTokenizer()("cat"))
        ['c' 'a' 't']
    """

    def _spans(self, text):
        return [(place, place + 1) for place in range(len(text))]


class CaseFold(TensorOperation):
    """The strings without regard to case, as Unicode folds it.

    Shapes: any, kept. Dtypes: strings, kept.

    Raises:
        TypeError: When called, if the input is not an array, a number or a text.
        RuntimeError: When called, if the input does not hold strings.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.CaseFold()("A Cat"))
        a cat
    """

    def _array(self, x):
        x = text_of("CaseFold", x)
        return np.array([text.casefold() for text in x.reshape(-1).tolist()], np.str_).reshape(x.shape)


class NormalizeUTF8(TensorOperation):
    """The strings in one of Unicode's normal forms.

    Shapes: any, kept. Dtypes: strings, kept.

    Raises:
        TypeError: If ``normalize_form`` is not a NormalizeForm.
        RuntimeError: When called, if the input does not hold strings.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.NormalizeUTF8(text.NormalizeForm.NFKC)(chr(0xFF21)))
        A
    """

    def __init__(self, normalize_form=NormalizeForm.NFKC) -> None:
        if not isinstance(normalize_form, NormalizeForm):
            expected = "the 'normalize_form' must be a NormalizeForm"
            raise type_error("NormalizeUTF8", expected, shown(normalize_form))
        self.form = normalize_form

    def _array(self, x):
        x = text_of("NormalizeUTF8", x)
        texts = [in_form(self.form, text) for text in x.reshape(-1).tolist()]
        return np.array(texts, np.str_).reshape(x.shape)
