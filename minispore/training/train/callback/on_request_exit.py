"""OnRequestExit: ends a run at the end of its step, and saves the network, when the process gets a signal."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

from minispore.core.checks import check_bool, check_int, check_text
from minispore.core.errors import runtime_error, value_error
from minispore.data.serialization import save_checkpoint
from minispore.ops.object_checks import check_path
from minispore.training.train.callback.callback import Callback

__all__ = ["OnRequestExit"]


class OnRequestExit(Callback):
    """On a signal, let the run end after its step, and save the network as ``DIRECTORY/FILE_NAME_train.ckpt``.

    Args:
        save_ckpt (bool): Whether to save a checkpoint: of the training step, or, in an evaluation, of the network for
            evaluations, as ``FILE_NAME_eval.ckpt``. Default: True.
        save_mindir (bool): Accepted; the network's graph is not saved. Default: True.
        file_name (str): The beginning of the file's name. Default: "Net".
        directory (str): The folder. Default: "./".
        sig (int): The signal. Default: ``signal.SIGTERM``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the signal is SIGKILL or another that cannot be caught.
        RuntimeError: If the run is not in the main thread. Only the main thread gets signals.

    Examples:
        >>> import os, tempfile
        >>> import minispore as ms
        >>> callback = ms.train.OnRequestExit(save_ckpt=True, save_mindir=False, directory=tempfile.mkdtemp())
        >>> print(isinstance(callback, ms.train.Callback))
        True
    """

    def __init__(
        self,
        save_ckpt: bool = True,
        save_mindir: bool = True,
        file_name: str = "Net",
        directory: str = "./",
        sig: int = signal.SIGTERM,
    ) -> None:
        super().__init__()
        self.save_ckpt = check_bool("OnRequestExit", "save_ckpt", save_ckpt)
        self.save_mindir = check_bool("OnRequestExit", "save_mindir", save_mindir)
        self.sig = check_int("OnRequestExit", "sig", sig)
        uncaught = [getattr(signal, name) for name in ("SIGKILL", "SIGSTOP") if hasattr(signal, name)]
        if sig in uncaught or sig not in signal.valid_signals():
            raise value_error("OnRequestExit", "the 'sig' must be a signal that can be caught", sig)
        self.file_name = check_text("OnRequestExit", "file_name", file_name)
        self._folder = Path(os.path.realpath(check_path("OnRequestExit", "directory", directory)))
        self.exit, self._earlier = False, None

    def _handle_signal(self, signum, frame):
        """Note the signal: the hook of the next step's end reads it."""
        self.exit = True

    def __enter__(self) -> Any:
        """Take the signal over."""
        if threading.current_thread() is not threading.main_thread():
            raise runtime_error("OnRequestExit", "the run must be in the main thread, which alone gets signals", None)
        self.exit = False
        self._earlier = signal.signal(self.sig, self._handle_signal)
        return self

    def __exit__(self, *err) -> None:
        """Give the signal back."""
        signal.signal(self.sig, signal.SIG_DFL if self._earlier is None else self._earlier)

    def on_train_step_end(self, run_context) -> None:
        """Ask the run to end if the signal has come."""
        if self.exit:
            run_context.request_stop()

    def on_train_end(self, run_context) -> None:
        """Save the training step if the signal has ended the run."""
        self._save(run_context.original_args().train_network, "train")

    def on_eval_step_end(self, run_context) -> None:
        """Ask the evaluation to end if the signal has come."""
        if self.exit:
            run_context.request_stop()

    def on_eval_end(self, run_context) -> None:
        """Save the network for evaluations if the signal has ended the evaluation."""
        if "train_network" not in run_context.original_args():
            self._save(run_context.original_args().eval_network, "eval")

    def _save(self, network, kind):
        if self.exit and self.save_ckpt:
            self._folder.mkdir(parents=True, exist_ok=True)
            save_checkpoint(network, self._folder / f"{self.file_name}_{kind}.ckpt")
