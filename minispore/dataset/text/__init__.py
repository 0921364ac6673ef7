"""Text: vocabularies, and transforms of arrays of strings.

Reading order: ``vocab``, ``tokenizers`` (strings into pieces), ``pieces`` (pieces into pieces or numbers), and
MindSpore's further addresses: ``transforms``, ``utils``.
"""

from minispore.dataset.text import transforms, utils
from minispore.dataset.text.pieces import *
from minispore.dataset.text.pieces import __all__ as _of_pieces
from minispore.dataset.text.tokenizers import *
from minispore.dataset.text.tokenizers import __all__ as _of_tokenizers
from minispore.dataset.text.vocab import Vocab, to_bytes, to_str

__all__ = [*_of_pieces, *_of_tokenizers, "Vocab", "to_bytes", "to_str", "transforms", "utils"]
