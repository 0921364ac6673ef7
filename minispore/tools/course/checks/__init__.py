"""Comparisons with the right answer, one module for an exercise: its cases, the smallest first, and a check of one.

The right answer is minispore's own, NumPy's, or a definition that is written down directly.
"""

__all__ = []
