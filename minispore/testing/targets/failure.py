"""What a target in another process raised, and by what a target refuses a case."""

__all__ = ["Refused", "TargetError"]


class TargetError(Exception):
    """An exception of the target: its class's name, and what it says."""

    def __init__(self, kind, told):
        super().__init__(told)
        self.kind = kind


class Refused(TargetError):  # noqa: N818 - what a verb says, no fault
    """What a verb raises where the target does not have what a case asks for: ``raise Refused("no float16")``.

    Such a case is counted as refused, not as a failure.
    """

    def __init__(self, told):
        super().__init__("Refused", told)
