"""Errors of the array module, in the house's words."""

from minispore.core.errors import memory_error, value_error

__all__ = []


def raise_in_words(primitive, error):
    """Raise the array module's error, in the house's words for an index outside or too much memory."""
    if not primitive.ours or str(error).startswith("For '"):
        raise error
    if isinstance(error, IndexError):
        inside = f"For '{primitive.name}', the indices must lie within the input, but got: {error}."
        raise IndexError(inside) from error
    if isinstance(error, MemoryError):
        raise memory_error(primitive.name, error) from error
    if isinstance(error, OverflowError) or str(error).startswith(("Maximum allowed", "array is too big")):
        raise value_error(primitive.name, "the arguments must be numbers that an array can hold", str(error)) from error
    raise error
