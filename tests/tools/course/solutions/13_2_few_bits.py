"""Exercise 13.2: eight, six and four bits."""

import numpy as np

FORMATS = {  # mantissa bits, exponent of the smallest normal number
    "float8_e4m3fn": (3, -6),
    "float8_e5m2": (2, -14),
    "float8_e4m3fnuz": (3, -7),
    "float8_e5m2fnuz": (2, -15),
    "float6_e2m3fn": (3, 0),
    "float6_e3m2fn": (2, -2),
    "float4_e2m1fn": (1, 0),
}


def nearest(mantissa, lowest, numbers):
    """The nearest numbers of a format to an array of float32, ties to even."""
    exponent = np.maximum(np.frexp(numbers)[1] - 1, lowest)
    step = np.ldexp(np.float64(1), exponent - mantissa)
    return np.rint(numbers / step) * step


# The adapter by which the conformance kit asks: leave it as it is.
class Target:
    name, version = "my formats", "1"

    def rounded(self, format, numbers):
        return nearest(*FORMATS[format], numbers)


def target():
    return Target()
