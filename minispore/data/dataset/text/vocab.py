"""Vocab: tokens and their numbers."""

from __future__ import annotations

import math
import os
from collections import Counter
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int, check_positive_int, check_text, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.engine.dataset import check_columns, check_dataset
from minispore.ops.object_text import of_arguments

__all__ = ["Vocab", "to_bytes", "to_str"]


class Vocab:
    """Tokens and their numbers; made by ``from_list``, ``from_dict``, ``from_dataset`` or ``from_file``.

    Examples:
        >>> from minispore.dataset.text import Vocab
        >>> vocab = Vocab.from_list(["a", "b"], special_tokens=["<unk>"])
        >>> vocab.tokens_to_ids(["b", "c"])
        [2, -1]
    """

    __repr__ = of_arguments

    def __init__(self) -> None:
        self._ids, self._tokens = {}, {}

    @classmethod
    def _of(cls, ids):
        vocab = cls()
        vocab._ids, vocab._tokens = ids, {number: token for token, number in ids.items()}
        return vocab

    @classmethod
    def from_list(cls, word_list, special_tokens=None, special_first: bool = True) -> Any:
        """The words, numbered in their order from 0; special tokens come before or after them.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If a word comes twice.
        """
        words = _check_tokens("from_list", "word_list", word_list)
        special = [] if special_tokens is None else _check_tokens("from_list", "special_tokens", special_tokens)
        tokens = [*special, *words] if check_bool("from_list", "special_first", special_first) else [*words, *special]
        if len(set(tokens)) < len(tokens):
            raise value_error("from_list", "the words and special tokens must differ from one another", shown(tokens))
        return cls._of({token: number for number, token in enumerate(tokens)})

    @classmethod
    def from_dict(cls, word_dict) -> Any:
        """The words with the numbers that a dict gives them.

        Raises:
            TypeError: If it is not a dict from str to int.
            ValueError: If a number is not in [0, 2 ** 31).
        """
        fits = isinstance(word_dict, dict) and all(isinstance(k, str) and is_int(v) for k, v in word_dict.items())
        if not fits:
            raise type_error("from_dict", "the 'word_dict' must be a dict from str to int", shown(word_dict))
        return cls._of({k: check_int("from_dict", "word_dict", v, 0, 2**31) for k, v in word_dict.items()})

    @classmethod
    def from_dataset(
        cls, dataset, columns=None, freq_range=None, top_k=None, special_tokens=None, special_first=True
    ) -> Any:
        """The words of a dataset's columns of strings, the most frequent first, then by their order.

        Args:
            dataset (Dataset): The dataset.
            columns (str, list[str]): The columns; None means all. Default: None.
            freq_range (tuple): How often a word must come, at least and at most; None in it means any. Default: None.
            top_k (int): How many words to keep; None means all. Default: None.
            special_tokens (list[str]): Further tokens. Default: None.
            special_first (bool): If True, they come before the words, otherwise after them. Default: True.

        Raises:
            TypeError: If an argument is of another kind, or a column does not hold strings.
            ValueError: If there is no such column, a number is out of its range, or a special token is a word.
        """
        name = "from_dataset"
        known = check_dataset(name, "dataset", dataset).get_col_names()
        names = known if columns is None else check_columns(name, "columns", columns, known)
        low, high = _check_range(freq_range)
        most = None if top_k is None else check_positive_int(name, "top_k", top_k)
        counts = Counter()
        for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
            for column in names:
                if row[column].dtype.kind != "U":
                    raise type_error(name, f"the column '{column}' must hold strings", row[column].dtype.name)
                counts.update(row[column].reshape(-1).tolist())
        kept = [word for word, count in counts.items() if low <= count <= high]
        return cls.from_list(sorted(kept, key=lambda word: (-counts[word], word))[:most], special_tokens, special_first)

    @classmethod
    def from_file(
        cls, file_path, delimiter="", vocab_size=None, special_tokens=None, special_first: bool = True
    ) -> Any:
        """The words of the lines of a file: what stands before ``delimiter``, or the line.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If a word comes twice, or the file is not UTF-8.
            FileNotFoundError: If there is no such file.
        """
        check_text("from_file", "file_path", file_path)
        check_text("from_file", "delimiter", delimiter)
        if vocab_size is not None:
            check_int("from_file", "vocab_size", vocab_size, 1)
        if "\0" in file_path or not os.path.isfile(file_path):
            raise FileNotFoundError(f"For 'from_file', the file {shown(file_path)} must exist, but there is none.")
        try:
            with open(file_path, encoding="utf-8", newline="\n") as file:
                lines = file.read().removesuffix("\n").split("\n")
        except UnicodeDecodeError as error:
            raise value_error("from_file", f"the file '{file_path}' must be UTF-8", str(error)) from error
        words = [line.split(delimiter)[0] if delimiter else line for line in lines]
        return cls.from_list(words[:vocab_size], special_tokens, special_first)

    def vocab(self) -> Any:
        """A dict from the tokens to their numbers."""
        return dict(self._ids)

    def tokens_to_ids(self, tokens) -> Any:
        """The number of a token, or a list of numbers for several; -1 for an unknown one.

        Raises:
            TypeError: If it is neither a str nor a list of str.
        """
        if isinstance(tokens, str):
            return self._ids.get(tokens, -1)
        return [self._ids.get(token, -1) for token in _check_tokens("tokens_to_ids", "tokens", tokens)]

    def ids_to_tokens(self, ids) -> Any:
        """The token of a number, or a list of tokens for several; empty for an unknown one.

        Raises:
            TypeError: If it is neither an int nor a list of ints.
            ValueError: If a number is below 0.
        """
        if is_int(ids):
            return self._tokens.get(check_int("ids_to_tokens", "ids", ids, 0), "")
        if not isinstance(ids, list | np.ndarray):
            raise type_error("ids_to_tokens", "the 'ids' must be an int or a list of ints", shown(ids))
        return [self._tokens.get(check_int("ids_to_tokens", "ids", number, 0), "") for number in ids]


def _check_range(freq_range):
    """The least and the greatest number of a ``freq_range``."""
    if freq_range is None:
        return 0, math.inf
    if not isinstance(freq_range, tuple) or len(freq_range) != 2:
        expected = "the 'freq_range' must be a tuple of two ints or None"
        raise type_error("from_dataset", expected, shown(freq_range))
    given = [None if end is None else check_int("from_dataset", "freq_range", end, 0) for end in freq_range]
    low, high = given[0] or 0, math.inf if given[1] is None else given[1]
    if low > high:
        raise value_error("from_dataset", "the 'freq_range' must not end below its beginning", shown(freq_range))
    return low, high


def _check_tokens(operation, argument, values):
    if not isinstance(values, list | tuple | np.ndarray) or not all(isinstance(value, str) for value in values):
        raise type_error(operation, f"the '{argument}' must be a list of str", shown(values))
    return [str(value) for value in values]


def to_bytes(array, encoding="utf8") -> Any:
    """The bytes of an array of strings.

    Shapes: any, kept. Dtypes: strings; the answer is of bytes.

    Raises:
        TypeError: If it is not an array of strings.
        RuntimeError: If a string has no such bytes.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> print(text.to_bytes(np.array(["cat", "dog"])))
        [b'cat' b'dog']
    """
    return _coded("to_bytes", array, encoding, "U", np.char.encode)


def to_str(array, encoding="utf8") -> Any:
    """The strings of an array of bytes.

    Shapes: any, kept. Dtypes: bytes; the answer is of strings.

    Raises:
        TypeError: If it is not an array of bytes.
        RuntimeError: If bytes are not of this encoding.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import text
        >>> print(text.to_str(np.array([b"cat", b"dog"])))
        ['cat' 'dog']
    """
    return _coded("to_str", array, encoding, "S", np.char.decode)


def _coded(operation, array, encoding, kind, code):
    check_text(operation, "encoding", encoding)
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "US":
        raise type_error(operation, "the 'array' must be an array of strings or bytes", shown(array))
    try:
        return code(array, encoding) if array.dtype.kind == kind else array
    except (LookupError, ValueError) as error:
        raise runtime_error(operation, f"the array must be of the encoding {shown(encoding)}", str(error)) from error
