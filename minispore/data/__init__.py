"""Data: data sets, record files and checkpoints."""

__all__ = []
FRONT, LISTED = "serialization", ["dataset", "serialization"]
