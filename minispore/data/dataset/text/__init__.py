"""Text: vocabularies, and transforms of arrays of strings.

Reading order: ``vocab``, ``tokenizers`` (strings into pieces), ``pieces`` (pieces into pieces or numbers),
``patterns``, ``bert``; further addresses of MindSpore are ``transforms`` and ``utils``.
"""

from minispore.data.dataset.text import transforms, utils
from minispore.data.dataset.text.bert import *
from minispore.data.dataset.text.bert import __all__ as _of_bert
from minispore.data.dataset.text.patterns import *
from minispore.data.dataset.text.patterns import __all__ as _of_patterns
from minispore.data.dataset.text.pieces import *
from minispore.data.dataset.text.pieces import __all__ as _of_pieces
from minispore.data.dataset.text.tokenizers import *
from minispore.data.dataset.text.tokenizers import __all__ as _of_tokenizers
from minispore.data.dataset.text.utils import *
from minispore.data.dataset.text.utils import __all__ as _of_utils
from minispore.dropin.refused import JiebaTokenizer as JiebaTokenizer
from minispore.dropin.refused import SentencePieceTokenizer as SentencePieceTokenizer
from minispore.dropin.refused import SentencePieceVocab as SentencePieceVocab

__all__ = [*_of_bert, *_of_patterns, *_of_pieces, *_of_tokenizers, *_of_utils, "transforms", "utils"]
