"""MindSpore's address ``dataset.text.transforms``."""

from minispore.dataset.text.pieces import *  # noqa: F403 - its names are listed there
from minispore.dataset.text.pieces import __all__ as _of_pieces
from minispore.dataset.text.tokenizers import *  # noqa: F403 - its names are listed there
from minispore.dataset.text.tokenizers import __all__ as _of_tokenizers

__all__ = [*_of_pieces, *_of_tokenizers]
