"""BackupAndRestore: saves the run at the ends of epochs, and lets a run that was cut off go on from there."""

from __future__ import annotations

import os
from pathlib import Path

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.errors import value_error
from minispore.data.serialization import load_checkpoint, load_param_into_net, save_checkpoint
from minispore.ops.object_checks import check_path
from minispore.training.train.callback.callback import Callback

__all__ = ["BackupAndRestore"]


class BackupAndRestore(Callback):
    """Save the training step as ``BACKUP_DIR/backup.ckpt`` after epochs, and load it where a run begins.

    Parameters and the optimizer's state are restored, but not the number of the epoch. The run has as many epochs as
    ``Model.train`` is asked for. The files of a run that ended well are removed.

    Args:
        backup_dir (str): The folder.
        save_freq (Union[str, int]): After how many epochs the step is saved; "epoch" for 1. Default: "epoch".
        delete_checkpoint (bool): Whether the end of the run removes the file. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``save_freq`` is not above 0, or in a run, if the backup is of another training step.

    Examples:
        >>> import minispore as ms
        >>> backup = ms.train.BackupAndRestore("backups", save_freq=2)
        >>> print(backup)
        BackupAndRestore(save_freq=2, delete_checkpoint=True)
    """

    def __init__(self, backup_dir: str, save_freq: str | int = "epoch", delete_checkpoint: bool = True) -> None:
        super().__init__()
        name = "BackupAndRestore"
        self.backup_file = str(Path(os.path.realpath(check_path(name, "backup_dir", backup_dir))) / "backup.ckpt")
        self.save_freq = (
            1
            if isinstance(save_freq, str) and save_freq == "epoch"
            else check_positive_int(name, "save_freq", save_freq)
        )
        self.delete_checkpoint = check_bool(name, "delete_checkpoint", delete_checkpoint)

    def on_train_begin(self, run_context) -> None:
        """Load the backup, if there is one."""
        if not os.path.exists(self.backup_file):
            return
        step = run_context.original_args().train_network
        missed, unused = load_param_into_net(step, load_checkpoint(self.backup_file))
        if missed or unused:
            expected = f"the backup '{self.backup_file}' must be one of this training step"
            raise value_error("BackupAndRestore", expected, f"{len(missed)} missing and {len(unused)} other Parameters")

    def on_train_epoch_end(self, run_context) -> None:
        """Save the step after every ``save_freq``-th epoch."""
        run = run_context.original_args()
        if run.cur_epoch_num % self.save_freq == 0:
            Path(self.backup_file).parent.mkdir(parents=True, exist_ok=True)
            save_checkpoint(run.train_network, self.backup_file)

    def on_train_end(self, run_context) -> None:
        """Remove the backup."""
        if self.delete_checkpoint:
            Path(self.backup_file).unlink(missing_ok=True)
