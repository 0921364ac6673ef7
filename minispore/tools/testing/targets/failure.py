"""Errors of a target in another process, and those by which a target refuses a case."""

__all__ = ["Refused", "TargetError"]


class TargetError(Exception):
    """An exception of the target: its class's name, and what it says."""

    def __init__(self, kind, told):
        super().__init__(told)
        self.kind = kind


class Refused(TargetError):  # noqa: N818 - what a verb says, no fault
    """Error that a verb raises where the target lacks what a case asks for: ``raise Refused("no float16")``.

    Such a case is counted as refused, not as a failure.
    """

    def __init__(self, told):
        super().__init__("Refused", told)
