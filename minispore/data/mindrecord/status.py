"""The results of the steps of writing."""

import enum

__all__ = ["FAILED", "SUCCESS", "MSRStatus"]


class MSRStatus(enum.IntEnum):
    """SUCCESS, or FAILED; FAILED is never returned, since a failure raises."""

    SUCCESS = 0
    FAILED = 1

    __str__ = enum.Enum.__str__  # by its name on every Python; 3.11 began to print an IntEnum as its number


SUCCESS, FAILED = MSRStatus
