"""The release of this package, ``__version__``, and the release of MindSpore whose API it follows, ``MINDSPORE``."""

__version__ = "0.2.0"
MINDSPORE = "2.0.0"

__all__ = ["MINDSPORE", "__version__"]
