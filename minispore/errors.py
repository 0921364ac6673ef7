"""The house's sentence for a user's mistake: operation, argument, what was expected, what came."""

__all__ = ["shown", "type_error", "value_error"]


def shown(value, text=repr, most=80):
    """How an error shows a value: ``text(value)``, cut at ``most`` letters, which cannot fail."""
    try:
        written = text(value)
    except Exception:  # a broken or an endlessly nested object must not hide the error that names it
        return f"an object of type '{type(value).__name__}'"
    return written if len(written) <= most else f"{written[: most - 3]}..."


def _sentence(operation, expected, got):
    if got is None:
        return f"For '{operation}', {expected}."
    return f"For '{operation}', {expected}, but got {got if isinstance(got, str) else shown(got, str, 400)}."


def type_error(operation, expected, got=None):
    """A ``TypeError`` (a wrong kind of thing) that names the operation, what it expects, and what came."""
    return TypeError(_sentence(operation, expected, got))


def value_error(operation, expected, got=None):
    """A ``ValueError`` (a right kind, a wrong value) that names the operation, what it expects, and what came."""
    return ValueError(_sentence(operation, expected, got))


def runtime_error(operation, expected, got=None):
    """A ``RuntimeError`` (the surroundings do not allow it) in the same form."""
    return RuntimeError(_sentence(operation, expected, got))


def memory_error(operation, error):
    """A ``MemoryError`` that names the operation, from that of the array module."""
    return MemoryError(f"For '{operation}', the output must fit into memory, but got: {error}.")


class Sentence:
    """A text that is written when it is read: ``hasattr`` asks for many names, and throws the errors away."""

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
