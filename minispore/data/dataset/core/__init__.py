"""MindSpore's address ``dataset.core``: the limits of numbers, in ``validator_helpers``."""

__all__ = []
