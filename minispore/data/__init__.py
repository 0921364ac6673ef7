"""Data: data sets, record files and checkpoints."""

from minispore.data.atomic_file import replace_file
from minispore.rewrite.api import tree_text

__all__ = []
FRONT, LISTED = "serialization", ["dataset", "serialization"]

tree_text.replace_file = replace_file
