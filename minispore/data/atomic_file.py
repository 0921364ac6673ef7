"""Replace a file entirely or not at all: write a temporary file beside it, then rename.

A reader sees the old file or the new one, never a part, even if the writer is killed or the disk is full.
"""

import contextlib
import glob
import os
import stat
from functools import partial

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed
    fcntl = None

__all__ = []


def replace_file(path, write, operation=None):
    """Write ``path`` atomically: ``write(file)`` fills a binary file, which then replaces ``path``.

    An existing file keeps its mode; if ``path`` is a symbolic link, its target is replaced. Temporary files that killed
    writers of the same path left behind are removed.

    Raises:
        OSError: If the file cannot be written; an existing one is then unchanged. With the name of an ``operation`` the
            message names it, the file and the cause.
    """
    try:
        from pathlib import Path  # not at the top: it brings urllib and ipaddress into the import of minispore

        _replace(Path(os.path.realpath(path)), write)
    except OSError as error:
        if operation is None:
            raise
        expected = f"For '{operation}', the file '{path}' must be writable"
        raise type(error)(error.errno, f"{expected}, but got {error}.") from error


def _replace(path, write):
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    _remove_abandoned(path)
    with _new_beside(path, 0o666 if mode is None else mode) as file:
        try:
            if mode is not None:
                os.chmod(file.name, mode)  # the umask has cleared some of its bits
            write(file)
            file.flush()
            os.fsync(file.fileno())
            if fcntl is None:
                file.close()  # Windows cannot rename an open file; elsewhere the lock must last until the rename
            os.replace(file.name, path)
        except BaseException:
            with contextlib.suppress(OSError):  # closing flushes what the full disk did not take, and fails again
                file.close()
            with contextlib.suppress(FileNotFoundError):
                os.unlink(file.name)
            raise


def _new_beside(path, mode):
    """A new file in the folder of ``path``, open and locked, its mode ``mode`` less the umask."""
    while True:
        temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
        file = open(temporary, "xb", opener=partial(os.open, mode=mode))  # noqa: SIM115 - the caller closes it
        _lock(file)
        if temporary.exists():  # else another writer removed it as abandoned before it was locked
            return file
        file.close()


def _lock(file, wait=True):
    """Lock an open file until it is closed.

    Raises:
        BlockingIOError: If another writer holds the lock and ``wait`` is False.
    """
    if fcntl is not None:
        with contextlib.suppress(OSError) if wait else contextlib.nullcontext():  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _remove_abandoned(path):
    """Remove the temporary files beside ``path`` that no living writer has locked."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}.tmp"):
        with contextlib.suppress(OSError), open(left, "rb") as file:  # locked, another user's, or gone by now
            _lock(file, wait=False)
            left.unlink()
