"""Running combinations along the first axis, in log2(n) passes: as NumPy's ``accumulate``, for CuPy as well."""

__all__ = ["scanned"]


def scanned(xp, x, combine):
    """``out[i] = combine(... combine(x[0], x[1]) ..., x[i])`` for an associative ``combine``."""
    step = 1
    while step < len(x):
        x = xp.concatenate((x[:step], combine(x[:-step], x[step:])))
        step *= 2
    return x
