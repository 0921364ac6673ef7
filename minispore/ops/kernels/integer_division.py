"""The quotient of integers, rounded toward zero, as C divides."""

__all__ = ["truncated"]


def truncated(xp, x, y):
    """The quotient of integers, rounded toward zero; 0 where y is 0."""
    floor = xp.floor_divide(x, y)
    inexact_negative = (floor * y != x) & ((x < 0) != (y < 0)) & (y != 0)
    return floor + inexact_negative.astype(x.dtype)
