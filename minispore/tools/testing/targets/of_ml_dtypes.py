"""The adapter of ml_dtypes: its formats of few bits. It imports NumPy and ml_dtypes alone."""

import numpy as np

LACKS = {"rounded_by": "it rounds to nearest alone", "quantized": "it has formats, and no scales"}


class MlDtypes:
    """The protocol of ``targets/__init__.py`` over ml_dtypes."""

    name = "ml_dtypes"
    lacks = LACKS

    def __init__(self, ml_dtypes):
        self.kinds, self.version = ml_dtypes, ml_dtypes.__version__

    def decoded(self, format, codes):
        """The values of codes of a format."""
        return codes.view(getattr(self.kinds, format)).astype(np.float32)

    def encoded(self, format, numbers):
        """The codes of numbers within a format's range."""
        with np.errstate(all="ignore"):
            return numbers.astype(getattr(self.kinds, format)).view(np.uint8)

    def rounded(self, format, numbers):
        """The numbers of a format of few bits that numbers become."""
        return self.decoded(format, self.encoded(format, numbers))


def target():
    """The module, in the process of its own Python."""
    import ml_dtypes

    return MlDtypes(ml_dtypes)
