"""ModelCheckpoint: saves the network while it is trained."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.data.serialization import save_checkpoint
from minispore.data.serialization.background_save import finish_last_save
from minispore.ops.object_checks import check_path
from minispore.training.train.callback.callback import Callback
from minispore.training.train.callback.checkpoint_config import CheckpointConfig

__all__ = ["ModelCheckpoint"]


class ModelCheckpoint(Callback):
    """Save checkpoints while training, as ``DIRECTORY/PREFIX-EPOCH_STEP.ckpt``, and one at its end.

    If the folder holds files of the prefix already, the new ones have the prefix ``PREFIX_1``, ``PREFIX_2`` and so on.

    Args:
        prefix (str): The beginning of the files' names, without "/". Default: "CKP".
        directory (str): The folder, made if it is missing; None for the current one. Default: None.
        config (CheckpointConfig): The times, the contents and the files to keep; None for ``CheckpointConfig()``.
            Default: None.

    Raises:
        TypeError: If ``directory`` or ``config`` is of a wrong kind.
        ValueError: If ``prefix`` is not a str, or has a "/".

    Examples:
        >>> from minispore.train import CheckpointConfig, ModelCheckpoint
        >>> callback = ModelCheckpoint("lenet", config=CheckpointConfig(save_checkpoint_steps=100))
        >>> print(callback._config.save_checkpoint_steps)
        100
    """

    def __init__(
        self, prefix: str = "CKP", directory: str | None = None, config: CheckpointConfig | None = None
    ) -> None:
        super().__init__()
        if not isinstance(prefix, str) or "/" in prefix:
            raise value_error("ModelCheckpoint", "the 'prefix' must be a str without '/'", shown(prefix))
        if directory is not None:
            check_path("ModelCheckpoint", "directory", directory)
        if config is not None and not isinstance(config, CheckpointConfig):
            raise type_error("ModelCheckpoint", "the 'config' must be a CheckpointConfig", shown(config))
        self._prefix, self._config = prefix, CheckpointConfig() if config is None else config
        self._directory = Path(os.path.realpath(directory or "."))
        self._directory.mkdir(parents=True, exist_ok=True)
        self._latest_ckpt_file_name, self._last_triggered_step = "", 0
        self._last_time = self._kept_at = time.time()
        self._files, self._pending, self._cb_params = [], False, None
        self._numbered = False  # True once the prefix is one that no file in the folder has

    @property
    def latest_ckpt_file_name(self) -> Any:
        """The path of the newest file, "" before the first."""
        return self._latest_ckpt_file_name

    def begin(self, run_context) -> None:
        """Count steps from 0, as a training run does; an evaluation within it leaves the count."""
        cb_params = run_context.original_args()
        if _trains(cb_params):
            self._cb_params, self._last_triggered_step = cb_params, 0

    def step_end(self, run_context) -> None:
        """Save if it is time."""
        cb_params = run_context.original_args()
        if _trains(cb_params) and self._is_due(cb_params.cur_step_num):
            self._save(cb_params)

    def end(self, run_context) -> None:
        """Save, unless the last step has been saved, and wait for a thread that writes."""
        cb_params = run_context.original_args()
        if _trains(cb_params) and cb_params.cur_step_num > self._last_triggered_step:
            self._save(cb_params)
        self._finish()

    def __exit__(self, *err) -> None:
        """Save after an error or Ctrl-C, if the configuration says so."""
        began = self._cb_params is not None and self._cb_params.cur_step_num > 0
        if err[0] is not None and self._config.exception_save and began:
            self._save(self._cb_params, "_breakpoint")
        self._cb_params = None
        self._finish()

    def _is_due(self, step):
        if self._config.save_checkpoint_steps:
            return step >= self._last_triggered_step + self._config.save_checkpoint_steps
        seconds = self._config.save_checkpoint_seconds
        return bool(seconds) and time.time() - self._last_time > seconds

    def _save(self, cb_params, suffix=""):
        """Save the step that the run is at."""
        self._finish()
        step = (cb_params.cur_step_num - 1) % cb_params.batch_num + 1
        path = self._directory / f"{self._own_prefix()}-{cb_params.get('cur_epoch_num', 0)}_{step}{suffix}.ckpt"
        network = self._config.saved_network or cb_params.train_network
        self._write(network, path, self._appended(cb_params))
        self._latest_ckpt_file_name = str(path)
        self._last_triggered_step, self._last_time = cb_params.cur_step_num, time.time()
        if not suffix:
            self._files = [file for file in self._files if file != path] + [path]
            self._remove_superfluous()

    def _write(self, network, path, append_dict):
        self._pending = self._config.async_save
        save_checkpoint(network, path, async_save=self._config.async_save, append_dict=append_dict)

    def _finish(self):
        """Wait for the thread that writes the last file."""
        pending, self._pending = self._pending, False
        if pending:
            finish_last_save()

    def _appended(self, cb_params):
        """The entries to save beside the Parameters, with the numbers of epoch and step."""
        appended = self._config.append_dict
        if appended is None:
            return None
        now = {"epoch_num": cb_params.get("cur_epoch_num", 0), "step_num": cb_params.cur_step_num}
        return {name: now.get(name, value) for name, value in appended.items()}

    def _own_prefix(self):
        """The prefix, numbered so that files of earlier runs stay."""
        if not self._numbered:
            self._prefix, self._numbered = _unused(self._directory, self._prefix), True
        return self._prefix

    def _remove_superfluous(self):
        """Remove the oldest files above the number to keep, or those between the minutes' files."""
        most = self._config.keep_checkpoint_max
        if most:
            superfluous = self._files[:-most]
        else:
            superfluous = self._files[-2:-1] if len(self._files) > 2 and not self._is_minutes_file() else []
        for path in superfluous:
            path.unlink(missing_ok=True)
            self._files.remove(path)

    def _is_minutes_file(self):
        """True if the newest file but one is kept, as the first after the minutes of the last one kept."""
        if time.time() - self._kept_at < 60 * self._config.keep_checkpoint_per_n_minutes:
            return False
        self._kept_at = time.time()
        return True


def _trains(cb_params):
    """True if training calls the hook, not an evaluation."""
    return cb_params.get("mode") != "eval"


def _unused(directory, prefix):
    """The prefix. If files in the folder have it, a number above theirs is added."""
    form = re.compile(rf"{re.escape(prefix)}(?:_(\d+))?-\d+_\d+\.ckpt")
    found = [form.fullmatch(path.name) for path in directory.iterdir()]
    numbers = [int(match[1] or 0) for match in found if match]
    return f"{prefix}_{max(numbers) + 1}" if numbers else prefix
