"""MindSpore's address ``dataset.text.utils``."""

from minispore.dataset.text.tokenizers import NormalizeForm
from minispore.dataset.text.vocab import Vocab, to_bytes, to_str

__all__ = ["NormalizeForm", "Vocab", "to_bytes", "to_str"]
