"""Strategies: shapes, arrays, calls of primitives, networks, constructs, training runs; all shrink and print."""

try:
    import hypothesis  # noqa: F401 - every file of this folder needs it
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("For 'testing', cases need hypothesis: pip install \"hypothesis>=6.100\".") from error
