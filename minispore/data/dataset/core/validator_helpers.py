"""MindSpore's address of the largest number that arguments of datasets may be."""

__all__ = ["INT32_MAX"]

INT32_MAX = 2**31 - 1
