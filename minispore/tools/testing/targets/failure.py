"""Errors of a target in another process, and those by which a target refuses a case."""

__all__ = ["Refused", "TargetError"]


class TargetError(Exception):
    """An exception of the target: its class's name, and its message."""

    def __init__(self, kind, told):
        super().__init__(told)
        self.kind = kind


class Refused(TargetError):  # noqa: N818 - what a verb says, no fault
    """Error of a verb for a case beyond the target: ``raise Refused("no float16")``.

    Such a case is counted as refused, not as a failure.
    """

    def __init__(self, told):
        super().__init__("Refused", told)
