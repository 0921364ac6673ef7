"""Transforms of strings by regular expressions, into numbers, and into runs of neighbours."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int, check_positive_int, check_text
from minispore.core.dtype import DTypeLike
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.text.tokenizers import Tokenizer, text_of
from minispore.data.dataset.transforms.arrays import numpy_type
from minispore.data.dataset.transforms.base import TensorOperation

__all__ = ["Ngram", "RegexReplace", "RegexTokenizer", "ToNumber"]


def _compiled(operation, argument, pattern):
    try:
        return re.compile(check_text(operation, argument, pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise value_error(operation, f"the '{argument}' must be a regular expression", str(error)) from error


class RegexReplace(TensorOperation):
    """The strings with what matches a pattern replaced.

    Shapes: any, kept. Dtypes: strings, kept.

    Args:
        pattern (str): The regular expression.
        replace (str): What stands instead; ``$1`` is the first group of the match.
        replace_all (bool): If True, all matches are replaced, otherwise the first one only. Default: True.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``pattern`` is no regular expression, or ``replace`` names a group that it has not.
        RuntimeError: When called, if the input is not strings.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.RegexReplace("[0-9]", "#")("room 101"))
        room ###
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True) -> None:
        self.pattern = _compiled("RegexReplace", "pattern", pattern)
        self.count = 0 if check_bool("RegexReplace", "replace_all", replace_all) else 1
        parts = re.split(r"\$(\d)|\\(.)", check_text("RegexReplace", "replace", replace), flags=re.DOTALL)
        self.parts = [int(part) if i % 3 == 1 else part for i, part in enumerate(parts) if part]
        for part in self.parts:
            if isinstance(part, int) and part > self.pattern.groups:
                raise value_error("RegexReplace", "the 'replace' must name groups of the 'pattern'", f"${part}")
        if any("$" in part for part in parts[::3]):
            raise value_error("RegexReplace", r"a '$' of the 'replace' must name a group, or be '\$'", shown(replace))

    def _array(self, x):
        x = text_of("RegexReplace", x)
        texts = [self.pattern.sub(self._written, text, self.count) for text in x.reshape(-1).tolist()]
        return np.array(texts, np.str_).reshape(x.shape)

    def _written(self, match):
        return "".join((match[part] or "") if isinstance(part, int) else part for part in self.parts)


class RegexTokenizer(Tokenizer):
    """The parts of a string between matches of a pattern.

    Shapes: () gives (number of tokens,). Dtypes: strings, kept.

    Args:
        delim_pattern (str): The regular expression of the text between tokens.
        keep_delim_pattern (str): Matches that match this too are tokens; "" means none. Default: "".
        with_offsets (bool): True to give ``(tokens, starts, limits)``, in bytes of UTF-8. Default: False.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a pattern is no regular expression.
        RuntimeError: When called, if the input is not one string.

    Examples:
        >>> from minispore.dataset import text
        >>> print(text.RegexTokenizer(" ")("a cat sat"))
        ['a' 'cat' 'sat']
    """

    def __init__(self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False) -> None:
        super().__init__(with_offsets)
        self.delimiter = _compiled("RegexTokenizer", "delim_pattern", delim_pattern)
        self.kept = _compiled("RegexTokenizer", "keep_delim_pattern", keep_delim_pattern)

    def _spans(self, text):
        spans, start = [], 0
        for match in self.delimiter.finditer(text):
            spans.append((start, match.start()))
            if self.kept.pattern and self.kept.fullmatch(match[0]):
                spans.append(match.span())
            start = match.end()
        return [(low, high) for low, high in [*spans, (start, len(text))] if low < high]


class ToNumber(TensorOperation):
    """The numbers with which strings begin: of ``"1.5"`` 1.5, or as an int 1.

    Shapes: any, kept. Dtypes: strings; the answer is ``data_type``.

    Args:
        data_type (mindspore.dtype): The type of the numbers.

    Raises:
        TypeError: If ``data_type`` is not a type of numbers.
        RuntimeError: When called, if the input is not strings, or one begins with no number of this type.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore.dataset import text
        >>> print(text.ToNumber(ms.int32)(np.array(["1", "20"])))
        [ 1 20]
    """

    def __init__(self, data_type: DTypeLike) -> None:
        self.kind = numpy_type("ToNumber", "data_type", data_type)
        if self.kind.kind not in "iuf":
            raise type_error("ToNumber", "the 'data_type' must be a type of ints or floats", shown(data_type))
        fraction = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?" if self.kind.kind == "f" else r"\d{1,40}"
        self.form = re.compile(rf"\s*([+-]?{fraction})", re.ASCII)

    def _array(self, x):
        x = text_of("ToNumber", x)
        return np.array([self._number(text) for text in x.reshape(-1).tolist()], self.kind).reshape(x.shape)

    def _number(self, text):
        match = self.form.match(text)
        if match:
            number = float(match[1]) if self.kind.kind == "f" else int(match[1])
            limits = np.finfo(self.kind) if self.kind.kind == "f" else np.iinfo(self.kind)
            if limits.min <= number <= limits.max:
                return number
        raise runtime_error("ToNumber", f"each string must begin with a number of type {self.kind.name}", shown(text))


class Ngram(TensorOperation):
    """All runs of ``n`` neighbours in a vector of strings, each joined to one string; "" where there are too few.

    Shapes: (N,) gives (number of n-grams,). Dtypes: strings.

    Args:
        n (int, list[int]): How many neighbours; of several lengths the runs come one length after the other.
        left_pad (tuple): A string, and how often it stands before the vector, at most ``n - 1`` times.
            Default: ``("", 0)``.
        right_pad (tuple): The like after the vector. Default: ``("", 0)``.
        separator (str): What stands between neighbours. Default: ``" "``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a length is below 1, or no length is given.
        RuntimeError: When called, if the input is not a vector of strings.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> print(text.Ngram(2, separator=" ")(np.array(["a", "cat", "sat"])))
        ['a cat' 'cat sat']
    """

    def __init__(
        self, n, left_pad: tuple[Any, ...] = ("", 0), right_pad: tuple[Any, ...] = ("", 0), separator: str = " "
    ) -> None:
        lengths = n if isinstance(n, list) else [n]
        if not lengths:
            raise value_error("Ngram", "the 'n' must not be empty")
        self.lengths = [check_positive_int("Ngram", "n", length) for length in lengths]
        self.left, self.right = self._pad("left_pad", left_pad), self._pad("right_pad", right_pad)
        self.separator = check_text("Ngram", "separator", separator)

    @staticmethod
    def _pad(argument, pad):
        if not isinstance(pad, tuple) or len(pad) != 2:
            raise type_error("Ngram", f"the '{argument}' must be a tuple of a str and an int", shown(pad))
        return check_text("Ngram", argument, pad[0]), check_int("Ngram", argument, pad[1], 0)

    def _array(self, x):
        words = text_of("Ngram", x, 1).tolist()
        return np.array([run for n in self.lengths for run in self._runs(words, n) or [""]], np.str_)

    def _runs(self, words, n):
        (left, before), (right, after) = self.left, self.right
        words = [left] * min(before, n - 1) + words + [right] * min(after, n - 1)
        return [self.separator.join(words[i : i + n]) for i in range(len(words) - n + 1)]
