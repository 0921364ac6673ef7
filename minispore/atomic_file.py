"""Replace a file wholly or not at all: it is written beside its place, then renamed.

Whoever looks sees the old file or the new one, never a part, whenever the writer is killed or the disk is full.
"""

import contextlib
import glob
import os
import secrets
import stat
from functools import partial
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where no open file can be removed
    fcntl = None

__all__ = []


def replace_file(path, write, operation=None):
    """Let ``write(file)`` write a binary file, which then takes the place of ``path``.

    A file that was there keeps its mode; where ``path`` is a symbolic link, the file that it points to is replaced.
    What killed writers of the same path left beside it is removed.

    Raises:
        OSError: If the file cannot be written; one that was there is as before. With the name of an ``operation`` the
            message names it, the file and the cause.
    """
    try:
        _replace(Path(os.path.realpath(path)), write)
    except OSError as error:
        if operation is None:
            raise
        expected = f"For '{operation}', the file '{path}' must be writable"
        raise type(error)(error.errno, f"{expected}, but got {error}.") from error


def _replace(path, write):
    _remove_abandoned(path)
    with _new_beside(path) as file:
        try:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            if fcntl is None:
                file.close()  # Windows renames no open file; elsewhere its lock must last until it has its name
            os.replace(file.name, path)
        except BaseException:
            with contextlib.suppress(OSError):  # what the full disk did not take is still to be written
                file.close()
            Path(file.name).unlink(missing_ok=True)
            raise


def _new_beside(path):
    """A new file in the folder of ``path``, open and locked, of the mode of ``path`` where that exists."""
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        opener = partial(os.open, mode=0o666 if mode is None else mode)  # at no moment may others read more than before
        file = open(temporary, "xb", opener=opener)  # noqa: SIM115 - the caller closes it
        if mode is not None:
            os.chmod(temporary, mode)  # the umask took its part away
        _lock(file)
        if temporary.exists():  # else another writer took it for abandoned before it was locked
            return file
        file.close()


def _lock(file, wait=True):
    """Lock an open file until it is closed.

    Raises:
        BlockingIOError: If another writer holds it, unless ``wait``.
    """
    if fcntl is not None:
        with contextlib.suppress(OSError) if wait else contextlib.nullcontext():  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _remove_abandoned(path):
    """Remove the files beside ``path`` whose writers are gone, as nobody holds their locks."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}.tmp"):
        with contextlib.suppress(OSError), open(left, "rb") as file:  # held, another user's, or gone by now: it stays
            _lock(file, wait=False)
            left.unlink()
