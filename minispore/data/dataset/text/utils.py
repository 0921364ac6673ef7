"""MindSpore's address ``dataset.text.utils``."""

import enum

from minispore.data.dataset.text.tokenizers import NormalizeForm
from minispore.data.dataset.text.vocab import Vocab, to_bytes, to_str
from minispore.dropin.refused import SentencePieceVocab as SentencePieceVocab

__all__ = ["NormalizeForm", "SPieceTokenizerOutType", "SentencePieceModel", "Vocab", "to_bytes", "to_str"]


class SPieceTokenizerOutType(enum.IntEnum):
    """Results of a tokenizer of SentencePiece: pieces, or their numbers.

    Examples:
        >>> from minispore.dataset import text
        >>> print([kind.name for kind in text.SPieceTokenizerOutType])
        ['STRING', 'INT']
    """

    STRING = 0
    INT = 1


class SentencePieceModel(enum.IntEnum):
    """SentencePiece's ways to find its pieces.

    Examples:
        >>> from minispore.dataset import text
        >>> print([model.name for model in text.SentencePieceModel])
        ['UNIGRAM', 'BPE', 'CHAR', 'WORD']
    """

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3
