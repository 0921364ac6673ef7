"""The package's form of error message: operation, argument, what was expected, what was given."""

import re

__all__ = ["escaped", "shown", "type_error", "value_error"]

# C0 and C1 but tab and line end, marks that turn the direction of writing, and halves of characters
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def escaped(text):
    r"""``text`` with what a terminal obeys instead of showing it written out, as in Python's source.

    Names come from files and checkpoints of others: a control character in one clears a screen or sets a title.

    Examples:
        >>> escaped("a\x1b[2Jb")
        'a\\x1b[2Jb'
    """
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def shown(value, text=repr, most=80):
    """``text(value)`` for an error message, escaped, and cut at ``most`` characters; never fails."""
    try:
        written = escaped(text(value))
    except Exception:  # a broken or endlessly nested object must not hide the error about it
        return f"an object of type '{type(value).__name__}'"
    return written if len(written) <= most else f"{written[: most - 3]}..."


def _sentence(operation, expected, got):
    if got is None:
        return escaped(f"For '{operation}', {expected}.")
    return escaped(f"For '{operation}', {expected}, but got {got if isinstance(got, str) else shown(got, str, 400)}.")


def type_error(operation, expected, got=None):
    """A ``TypeError`` (wrong kind) that names the operation, what it expects, and what it got."""
    return TypeError(_sentence(operation, expected, got))


def value_error(operation, expected, got=None):
    """A ``ValueError`` (right kind, wrong value) that names the operation, what it expects, and what it got."""
    return ValueError(_sentence(operation, expected, got))


def runtime_error(operation, expected, got=None):
    """A ``RuntimeError`` (the environment does not allow it) in the same form."""
    return RuntimeError(_sentence(operation, expected, got))


def memory_error(operation, error):
    """A ``MemoryError`` that names the operation, from that of the array module."""
    return MemoryError(escaped(f"For '{operation}', the output must fit into memory, but got: {error}."))


class Sentence:
    """A text that is built when it is read: ``hasattr`` asks for many names and discards the errors."""

    def __init__(self, write):
        self._write = write

    def __str__(self):
        return escaped(self._write())

    def __repr__(self):
        return repr(str(self))

    def __reduce__(self):
        return str, (str(self),)


def is_own_sentence(error):
    """True for an error of the package's own, whose message names the operation or the object."""
    first = error.args[0] if error.args else None
    return isinstance(first, Sentence) or (isinstance(first, str) and first.startswith("For '"))


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
