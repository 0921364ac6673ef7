"""The package's form of error message: operation, argument, what was expected, what was given."""

__all__ = ["shown", "type_error", "value_error"]


def shown(value, text=repr, most=80):
    """``text(value)`` for an error message, cut at ``most`` characters; never fails."""
    try:
        written = text(value)
    except Exception:  # a broken or endlessly nested object must not hide the error about it
        return f"an object of type '{type(value).__name__}'"
    return written if len(written) <= most else f"{written[: most - 3]}..."


def _sentence(operation, expected, got):
    if got is None:
        return f"For '{operation}', {expected}."
    return f"For '{operation}', {expected}, but got {got if isinstance(got, str) else shown(got, str, 400)}."


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
    return MemoryError(f"For '{operation}', the output must fit into memory, but got: {error}.")


class Sentence:
    """A text that is built when it is read: ``hasattr`` asks for many names and discards the errors."""

    def __init__(self, write):
        self._write = write

    def __str__(self):
        return self._write()

    def __repr__(self):
        return repr(str(self))

    def __reduce__(self):
        return str, (str(self),)


def is_own_sentence(error):
    """Whether an error is one of the package's own, whose message names the operation or the object."""
    first = error.args[0] if error.args else None
    return isinstance(first, Sentence) or (isinstance(first, str) and first.startswith("For '"))
