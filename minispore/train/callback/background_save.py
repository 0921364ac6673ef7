"""Checkpoints that a thread writes while training goes on: one at a time."""

import threading

from minispore.serialization import save_checkpoint

__all__ = ["async_ckpt_thread_status"]

_RUNNING = set()


class BackgroundSave:
    """A file being written by a thread; :meth:`finish` waits for it and raises what it raised."""

    def __init__(self, entries, path, append_dict):
        self._error = None
        self._thread = threading.Thread(target=self._write, args=(entries, path, append_dict), name="save_checkpoint")
        _RUNNING.add(self)
        self._thread.start()

    def _write(self, entries, path, append_dict):
        try:
            save_checkpoint(entries, path, append_dict=append_dict)
        except BaseException as error:
            self._error = error  # raised by `finish`, in the thread that trains
        finally:
            _RUNNING.discard(self)

    def finish(self):
        """Wait for the file.

        Raises:
            OSError: If it could not be written.
        """
        self._thread.join()
        if self._error is not None:
            error, self._error = self._error, None
            raise error


def async_ckpt_thread_status():
    """Whether a thread is writing a checkpoint."""
    return bool(_RUNNING)
