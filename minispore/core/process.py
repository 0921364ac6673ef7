"""This process among those of its job: alone, until the communication between processes says more."""

__all__ = []

_answers = {}  # question -> the function that answers it


def rank():
    """The number of this process among all; 0 for one that is alone."""
    return _answers.get("rank", int)()


def parts_before():
    """The number of parts of a batch before this process's own; 0 for a process that has whole batches."""
    return _answers.get("parts_before", int)()


def answered_by(**functions):
    """Have ``rank`` and ``parts_before`` ask these functions."""
    _answers.update(functions)
