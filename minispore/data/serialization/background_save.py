"""Checkpoints that a thread writes while the program goes on, one at a time; what goes wrong in it is raised later."""

from __future__ import annotations

import logging
import threading
from typing import Any

__all__ = ["async_ckpt_thread_status"]

_log = logging.getLogger("minispore.log")

_last = []  # the save that has begun last, until someone has waited for it


class BackgroundSave:
    """``write()`` in a thread; :meth:`finish` waits for it and raises its error, once.

    Args:
        write (Callable): Writes the file, from values that nothing changes any more.
    """

    def __init__(self, write):
        self._write, self._error = write, None
        self._thread = threading.Thread(target=self._run, name="save_checkpoint")
        self._thread.start()

    def _run(self):
        try:
            self._write()
        except BaseException as error:
            self._error = error
            _log.error("a checkpoint could not be written in the background: %s", error)

    @property
    def running(self):
        """True if the thread still writes."""
        return self._thread.is_alive()

    def finish(self):
        """Wait for the file.

        Raises:
            OSError: If it could not be written.
        """
        self._thread.join()
        error, self._error = self._error, None
        if error is not None:
            raise error


def begin_save(write):
    """Have a thread call ``write``, after the one before has finished; raise its error."""
    finish_last_save()
    _last.append(BackgroundSave(write))
    return _last[0]


def finish_last_save():
    """Wait for a file that a thread writes, if any, and raise the thread's error."""
    while _last:
        _last.pop().finish()


def async_ckpt_thread_status() -> Any:
    """True if a thread is writing a checkpoint.

    Raises:
        OSError: If the last one could not be written, and this was not reported yet.

    Examples:
        >>> import minispore as ms
        >>> print(ms.async_ckpt_thread_status())
        False
    """
    if _last and not _last[0].running:
        finish_last_save()
    return bool(_last)
