"""Tracebacks: fold the package's own frames out of the tracebacks of errors that leave it.

The last frame stays if it is the package's and the error is not one of the package's own sentences.
``MINISPORE_FULL_TRACEBACK=1`` in the environment leaves all frames in; so does Python 3.10, whose bare ``raise`` goes
on with the traceback that it caught.
"""

import os
import sys
from functools import reduce
from types import TracebackType

from minispore.core.errors import is_own_sentence

__all__ = []

# The package's folder, written as the code of its files has it
_PACKAGE = reduce(lambda path, _: os.path.dirname(path), __name__.split(".")[1:], sys._getframe().f_code.co_filename)
_PACKAGE += os.sep
_HIDDEN = (_PACKAGE, "<minispore replay>")


def is_hidden(code):
    """True if ``code`` is the package's own."""
    return code.co_filename.startswith(_HIDDEN)


def is_users_file(filename):
    """True if ``filename`` is neither of the package nor one that it generated."""
    return not filename.startswith((_PACKAGE, "<minispore"))


def entries(traceback):
    """The entries of a traceback, the outermost first."""
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def fold(error):
    """Take the package's frames, the caller's included, out of the traceback of ``error``.

    A bare ``raise`` after it does not restore the caller's frame.
    """
    found = list(entries(error.__traceback__))
    if os.environ.get("MINISPORE_FULL_TRACEBACK") == "1" or sys.version_info < (3, 11) or not found:
        return
    kept = [entry for entry in found[:-1] if not is_hidden(entry.tb_frame.f_code)]
    if not (is_hidden(found[-1].tb_frame.f_code) and is_own_sentence(error)):
        kept.append(found[-1])
    traceback = None
    for entry in reversed(kept):
        traceback = TracebackType(traceback, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    error.with_traceback(traceback)
