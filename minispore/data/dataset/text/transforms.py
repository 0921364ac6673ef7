"""MindSpore's address ``dataset.text.transforms``."""

from minispore.data.dataset.text.bert import *  # noqa: F403 - its names are listed there
from minispore.data.dataset.text.bert import __all__ as _of_bert
from minispore.data.dataset.text.patterns import *  # noqa: F403 - its names are listed there
from minispore.data.dataset.text.patterns import __all__ as _of_patterns
from minispore.data.dataset.text.pieces import *  # noqa: F403 - its names are listed there
from minispore.data.dataset.text.pieces import __all__ as _of_pieces
from minispore.data.dataset.text.tokenizers import *  # noqa: F403 - its names are listed there
from minispore.data.dataset.text.tokenizers import __all__ as _of_tokenizers

__all__ = [*_of_bert, *_of_patterns, *_of_pieces, *_of_tokenizers]
