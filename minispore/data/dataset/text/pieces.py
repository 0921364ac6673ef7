"""Transforms of tokens: into numbers, into fewer, more or longer ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_positive_int, check_text
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.text.tokenizers import text_of
from minispore.data.dataset.text.vocab import Vocab
from minispore.data.dataset.transforms.arrays import numpy_type
from minispore.data.dataset.transforms.base import TensorOperation, as_array

__all__ = ["AddToken", "Lookup", "SlidingWindow", "Truncate", "TruncateSequencePair"]


class Lookup(TensorOperation):
    """The tokens' numbers in a vocabulary.

    Shapes: any, kept. Dtypes: strings; the answer is ``data_type``.

    Args:
        vocab (Vocab): The vocabulary.
        unknown_token (str): The token whose number unknown ones have; None refuses them. Default: None.
        data_type (mindspore.dtype): The type of the numbers. Default: int32.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``unknown_token`` is not in the vocabulary.
        RuntimeError: When called, if the input is not strings, or a token is unknown.

    Examples:
        >>> from minispore.dataset import text
        >>> vocab = text.Vocab.from_list(["cat", "dog"], special_tokens=["<unk>"])
        >>> print(text.Lookup(vocab, "<unk>")(["dog", "emu"]))
        [2 0]
    """

    def __init__(self, vocab, unknown_token: str | None = None, data_type="int32") -> None:
        if not isinstance(vocab, Vocab):
            raise type_error("Lookup", "the 'vocab' must be a Vocab", shown(vocab))
        self.ids, self.unknown = vocab.vocab(), None
        if unknown_token is not None:
            if check_text("Lookup", "unknown_token", unknown_token) not in self.ids:
                raise value_error("Lookup", "the 'unknown_token' must be in the 'vocab'", shown(unknown_token))
            self.unknown = self.ids[unknown_token]
        self.data_type = numpy_type("Lookup", "data_type", data_type)

    def _array(self, x):
        x = text_of("Lookup", x)
        numbers = [self.ids.get(token, self.unknown) for token in x.reshape(-1).tolist()]
        if None in numbers:
            token = x.reshape(-1)[numbers.index(None)]
            raise runtime_error("Lookup", "each token must be in the 'vocab' unless there is an 'unknown_token'", token)
        return np.array(numbers, self.data_type).reshape(x.shape)


class AddToken(TensorOperation):
    """The tokens with one more at the beginning or the end.

    Shapes: (N,) gives (N + 1,). Dtypes: strings.

    Raises:
        TypeError: If ``token`` is not a str or ``begin`` not a bool.
        RuntimeError: When called, if the input is not a vector of strings.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> print(text.AddToken("<s>")(np.array(["a", "cat"])))
        ['<s>' 'a' 'cat']
    """

    def __init__(self, token, begin: bool = True) -> None:
        self.token, self.begin = check_text("AddToken", "token", token), check_bool("AddToken", "begin", begin)

    def _array(self, x):
        x = text_of("AddToken", x, 1)
        return np.concatenate([[self.token], x] if self.begin else [x, [self.token]])


class Truncate(TensorOperation):
    """The first ``max_seq_len`` elements.

    Shapes: (N,) gives (``max_seq_len``,), or (N,) where that is shorter. Dtypes: any, kept.

    Raises:
        TypeError: If ``max_seq_len`` is not an int.
        ValueError: If it is below 1.
        RuntimeError: When called, if the input is not a vector.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> print(text.Truncate(2)(np.array(["a", "b", "c"])))
        ['a' 'b']
    """

    def __init__(self, max_seq_len) -> None:
        self.max_seq_len = check_positive_int("Truncate", "max_seq_len", max_seq_len)

    def _array(self, x):
        return _vector("Truncate", x)[: self.max_seq_len]


def _vector(operation, x):
    if x.ndim != 1:
        raise runtime_error(operation, "the input must be a vector", f"shape {x.shape}")
    return x


class TruncateSequencePair(TensorOperation):
    """Two vectors, the longer of them cut until both have at most ``max_length`` elements in sum.

    Shapes: (N,) and (M,), whose lengths then add up to ``max_length`` at most. Dtypes: any, kept.

    Raises:
        TypeError: If ``max_length`` is not an int.
        ValueError: If it is below 1.
        RuntimeError: When called, if the inputs are not two vectors.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> print(text.TruncateSequencePair(4)(np.array([1, 2, 3]), np.array([4, 5, 6])))
        (array([1, 2]), array([4, 5]))
    """

    def __init__(self, max_length) -> None:
        self.max_length = check_positive_int("TruncateSequencePair", "max_length", max_length)

    def __call__(self, *columns) -> Any:
        name = "TruncateSequencePair"
        if len(columns) != 2:
            raise runtime_error(name, "the inputs must be two vectors", len(columns))
        a, b = (_vector(name, as_array(name, column)) for column in columns)
        short = min(len(a), len(b), self.max_length // 2)
        if len(a) + len(b) <= self.max_length:
            return a, b
        rest = self.max_length - short
        if short == min(len(a), len(b)):
            return (a, b[:rest]) if len(a) < len(b) else (a[:rest], b)
        return a[:rest], b[:short]


class SlidingWindow(TensorOperation):
    """All runs of ``width`` neighbours in a vector, as rows; none of a shorter one.

    Shapes: (N,) gives (N - ``width`` + 1, ``width``). Dtypes: any, kept.

    Raises:
        TypeError: If an argument is not an int.
        ValueError: If ``width`` is below 1, or ``axis`` neither 0 nor -1.
        RuntimeError: When called, if the input is not a vector.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> print(text.SlidingWindow(2)(np.array([1, 2, 3])))
        [[1 2]
         [2 3]]
    """

    def __init__(self, width, axis=0) -> None:
        self.width = check_positive_int("SlidingWindow", "width", width)
        self.axis = check_choice("SlidingWindow", "axis", axis, (0, -1))

    def _array(self, x):
        x = _vector("SlidingWindow", x)
        if len(x) < self.width:
            return x[:0]
        return np.lib.stride_tricks.sliding_window_view(x, self.width).copy()
