"""Training of whole networks: Model with its callbacks, and steps that compute less."""

__all__ = []
FRONT, LISTED = "boost", ["train"]
