"""What the steps of writing return."""

import enum

__all__ = ["FAILED", "SUCCESS", "MSRStatus"]


class MSRStatus(enum.IntEnum):
    """SUCCESS, or FAILED, which is never returned: what fails here raises."""

    SUCCESS = 0
    FAILED = 1


SUCCESS, FAILED = MSRStatus
