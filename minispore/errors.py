"""The house's sentence for a user's mistake: operation, argument, what was expected, what came."""

__all__ = ["type_error", "value_error"]


def _sentence(operation, expected, got):
    return f"For '{operation}', {expected}" + ("." if got is None else f", but got {got}.")


def type_error(operation, expected, got=None):
    """A ``TypeError`` (a wrong kind of thing) that names the operation, what it expects, and what came."""
    return TypeError(_sentence(operation, expected, got))


def value_error(operation, expected, got=None):
    """A ``ValueError`` (a right kind, a wrong value) that names the operation, what it expects, and what came."""
    return ValueError(_sentence(operation, expected, got))


def runtime_error(operation, expected, got=None):
    """A ``RuntimeError`` (the surroundings do not allow it) in the same form."""
    return RuntimeError(_sentence(operation, expected, got))
