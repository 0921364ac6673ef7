"""What is taken as a difference for a reason: which row, kind of case and part of the answer, and why."""

import fnmatch

# A reason is a sentence; those that say what minispore does otherwise on purpose have a row in docs/quirks.md.
REASONS = {}
DIFFERENCES = []


def reason_for(key, kind, part):
    """Why a finding is no surprise, or None."""
    for rows, kinds, parts, reason in DIFFERENCES:
        if any(fnmatch.fnmatchcase(key, row) for row in rows.split()) and _named(kind, kinds) and _named(part, parts):
            return reason
    return None


def _named(word, patterns):
    return any(fnmatch.fnmatchcase(word, pattern) for pattern in patterns.split("|"))


def reasons_of(key):
    """The reasons that are given for a row, in order, each once."""
    found = (reason for rows, *_, reason in DIFFERENCES if any(fnmatch.fnmatchcase(key, r) for r in rows.split()))
    return list(dict.fromkeys(found))
