"""A target in a process of its own, run by its own Python: cases are drawn here and computed there."""

import contextlib
import os
import pickle
import subprocess
from pathlib import Path

from minispore.tools.testing.targets.failure import TargetError
from minispore.tools.testing.targets.worker import packed, unpacked

__all__ = ["OverPipe"]

HERE = Path(__file__).parent
DEFAULTS = {"speaks": "mindspore", "faces": {}, "says": {}, "lacks": {}, "scales_losses": False, "keeps_streams": False}


class OverPipe:
    """Every verb of a target, called over a pipe to ``python worker.py ADAPTER``.

    Args:
        name (str): The target's name.
        adapter (str): The file whose ``target()`` makes it there; it needs that Python and NumPy alone.
        python (str): The Python that has the implementation.
    """

    def __init__(self, name, adapter, python):
        self.name, self.adapter, self.python = name, str(adapter), python
        self._process = None
        self.offers = set(self._ask("__dir__"))
        self.version = self._ask("version")
        vars(self).update({key: self._ask(key) if key in self.offers else other for key, other in DEFAULTS.items()})

    def __getattr__(self, verb):
        if verb.startswith("_") or verb not in self.__dict__.get("offers", ()):
            raise AttributeError(f"the target {self.__dict__.get('name')} has no '{verb}'")
        return lambda *args, **named: self._ask(verb, *args, **named)

    def _started(self):
        if self._process is None or self._process.poll() is not None:
            files = [str(HERE / "worker.py"), self.adapter, str(HERE.parent / "ran_in.py")]
            log = None if os.environ.get("MINISPORE_TESTING_LOG") else subprocess.DEVNULL
            self._process = subprocess.Popen(
                [self.python, *files],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env={"GLOG_v": "4", **os.environ, "PYTHONPATH": ""},
            )
        return self._process

    def _ask(self, verb, *args, **named):
        process = self._started()
        args = ["the probe" if callable(each) else each for each in args]
        try:
            pickle.dump(packed((verb, args, named)), process.stdin, protocol=4)
            process.stdin.flush()
            found = pickle.load(process.stdout)
        except (BrokenPipeError, EOFError):
            self.close()
            told = (
                f"the process of '{self.name}' ended with {process.wait()}; MINISPORE_TESTING_LOG=1 shows what it said"
            )
            raise TargetError("Crash", told) from None
        if found[0] == "error":
            raise TargetError(*found[1:])
        return unpacked(found[1])

    def close(self):
        """End the process."""
        if self._process is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()
            self._process = None
