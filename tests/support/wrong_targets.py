"""Wrong implementations as targets: a register of them, and how one is seen to be caught."""

from unittest import mock

import numpy as np
import pytest

from minispore.tools.testing import targets
from minispore.tools.testing.laws import LAWS, Broken
from minispore.tools.testing.runner import tried

__all__ = ["assert_caught", "registered"]

SMALL = 5  # calls of a counterexample


def registered(rows):
    """A decorator that registers a wrong implementation, whose docstring says what is wrong, with what catches it.

    A row is the sentence, the law, the groups that it is looked for in, and a part of what the law says.
    """

    def wrong(law, only="*", says=""):
        return lambda kind: rows.append((kind.__doc__.rstrip(".").lower(), law, only, says, kind)) or kind

    return wrong


def assert_caught(law, only, says, kind):
    """Raise unless a law fails by a small counterexample that says why, and its program shows the same when pasted."""
    with np.errstate(all="ignore"):
        result = tried(LAWS[law], kind(), "ci", only=only)
        assert result.failures, "it was not caught"
        assert result.smallest.size <= SMALL
        assert result.smallest.words and says in result.smallest.words, result.smallest.words
        assert_shown(result.smallest, kind)


def assert_shown(failure, kind):
    """Raise unless a failure's program, pasted, ends in what the law said."""
    with mock.patch.object(targets, "load", lambda *how: kind()), pytest.raises(Exception) as found:
        exec(failure.program, {})
    told = str(found.value)
    assert failure.words in (told, f"{type(found.value).__name__}: {told}")
    assert isinstance(found.value, Broken) or failure.words.startswith(type(found.value).__name__)
