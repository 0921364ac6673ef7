"""What a target in another process raised."""

__all__ = ["TargetError"]


class TargetError(Exception):
    """An exception of the target: its class's name, and what it says."""

    def __init__(self, kind, told):
        super().__init__(told)
        self.kind = kind
