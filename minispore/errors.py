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
