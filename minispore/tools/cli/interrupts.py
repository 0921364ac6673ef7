"""Holds back Ctrl-C: the running step is finished and saved before training ends."""

import signal
import sys
import threading

__all__ = ["HeldInterrupt"]


class HeldInterrupt:
    """Within its ``with`` block the first Ctrl-C sets ``came``, and the next one raises KeyboardInterrupt at once.

    Outside the main thread, and if Ctrl-C is already handled or ignored, nothing changes.
    """

    def __init__(self):
        self.came = False
        self._holds = False

    def __enter__(self):
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
            self._holds = True
        return self

    def _note(self, number, frame):
        if self.came:
            raise KeyboardInterrupt
        self.came = True
        print("\nCtrl-C: finishing the step and saving; once more ends at once.", file=sys.stderr, flush=True)

    def __exit__(self, *_):
        if self._holds:
            signal.signal(signal.SIGINT, signal.default_int_handler)
