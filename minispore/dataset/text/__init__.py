"""Text: vocabularies, and transforms of arrays of strings.

Reading order: ``vocab``, ``tokenizers`` (strings into pieces), ``pieces`` (pieces into pieces or numbers),
``patterns``, ``bert``; further addresses of MindSpore are ``transforms`` and ``utils``.
"""

from minispore.dataset.text import transforms, utils
from minispore.dataset.text.bert import *
from minispore.dataset.text.bert import __all__ as _of_bert
from minispore.dataset.text.patterns import *
from minispore.dataset.text.patterns import __all__ as _of_patterns
from minispore.dataset.text.pieces import *
from minispore.dataset.text.pieces import __all__ as _of_pieces
from minispore.dataset.text.tokenizers import *
from minispore.dataset.text.tokenizers import __all__ as _of_tokenizers
from minispore.dataset.text.utils import *
from minispore.dataset.text.utils import __all__ as _of_utils
from minispore.refused import JiebaTokenizer as JiebaTokenizer
from minispore.refused import SentencePieceTokenizer as SentencePieceTokenizer
from minispore.refused import SentencePieceVocab as SentencePieceVocab

__all__ = [*_of_bert, *_of_patterns, *_of_pieces, *_of_tokenizers, *_of_utils, "transforms", "utils"]
