"""CheckpointConfig: the times at which ModelCheckpoint saves, the contents, and the files to keep."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_int, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.object_text import of_arguments

__all__ = ["CheckpointConfig"]

_NUMBERS = ("epoch_num", "step_num")


class CheckpointConfig:
    """Rules of checkpoints: when to save, the contents, and which files are kept.

    Args:
        save_checkpoint_steps (int): Save after every so many steps. Default: 1.
        save_checkpoint_seconds (int): Seconds between two saves, if ``save_checkpoint_steps`` is None or 0. Default: 0.
        keep_checkpoint_max (int): Keep at most so many of the newest files. Default: 5.
        keep_checkpoint_per_n_minutes (int): Keep, beside the newest file, one for every so many minutes, if
            ``keep_checkpoint_max`` is None or 0. Default: 0. If both are, only the newest file is kept.
        integrated_save (bool): Accepted; Parameters are never split on this device. Default: True.
        async_save (bool): Whether a thread writes the file while training goes on. Default: False.
        saved_network (Cell): What to save, by default the training step: network and optimizer. Default: None.
        append_info (list): What else to save: "epoch_num", "step_num", and dicts of numbers and bools by name.
            Default: None.
        enc_key (bytes): Not supported; None.
        enc_mode (str): Accepted, without effect.
        exception_save (bool): Whether a run that an error or Ctrl-C ends saves
            ``PREFIX-EPOCH_STEP_breakpoint.ckpt``. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is negative, the first four are all None or 0, ``append_info`` holds an unknown name, or
            ``enc_key`` is given.
    """

    __repr__ = of_arguments

    def __init__(
        self,
        save_checkpoint_steps: int = 1,
        save_checkpoint_seconds: int = 0,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_per_n_minutes: int = 0,
        integrated_save: bool = True,
        async_save: bool = False,
        saved_network: Cell | None = None,
        append_info: list[Any] | None = None,
        enc_key=None,
        enc_mode: str = "AES-GCM",
        exception_save: bool = False,
    ) -> None:
        steps = _count("save_checkpoint_steps", save_checkpoint_steps)
        seconds = _count("save_checkpoint_seconds", save_checkpoint_seconds)
        most = _count("keep_checkpoint_max", keep_checkpoint_max)
        minutes = _count("keep_checkpoint_per_n_minutes", keep_checkpoint_per_n_minutes)
        if not (steps or seconds or most or minutes):
            expected = "one of 'save_checkpoint_steps', 'save_checkpoint_seconds', 'keep_checkpoint_max' and "
            raise value_error("CheckpointConfig", f"{expected}'keep_checkpoint_per_n_minutes' must be above 0", "none")
        self._save_checkpoint_steps, self._save_checkpoint_seconds = steps, None if steps else seconds
        self._keep_checkpoint_max = most or (None if minutes else 1)
        self._keep_checkpoint_per_n_minutes = None if most else minutes
        self._integrated_save = check_bool("CheckpointConfig", "integrated_save", integrated_save)
        self._async_save = check_bool("CheckpointConfig", "async_save", async_save)
        if saved_network is not None and not isinstance(saved_network, Cell):
            raise type_error("CheckpointConfig", "the 'saved_network' must be None or a Cell", shown(saved_network))
        self._saved_network = saved_network
        self._append_dict = _appended(append_info)
        if enc_key is not None:
            expected = "the 'enc_key' must be None, as encryption is not supported"
            raise value_error("CheckpointConfig", expected, "a key")
        self._enc_key, self._enc_mode = enc_key, check_text("CheckpointConfig", "enc_mode", enc_mode)
        self.exception_save = check_bool("CheckpointConfig", "exception_save", exception_save)

    @property
    def save_checkpoint_steps(self) -> Any:
        """Steps between two files, None for a rule by seconds."""
        return self._save_checkpoint_steps

    @property
    def save_checkpoint_seconds(self) -> Any:
        """Seconds between two files, None for a rule by steps."""
        return self._save_checkpoint_seconds

    @property
    def keep_checkpoint_max(self) -> Any:
        """The number of newest files that are kept, None for a rule by minutes."""
        return self._keep_checkpoint_max

    @property
    def keep_checkpoint_per_n_minutes(self) -> Any:
        """Length in minutes of the periods. One file of each is kept. None if the rule is by number."""
        return self._keep_checkpoint_per_n_minutes

    @property
    def integrated_save(self) -> Any:
        """The argument, without effect."""
        return self._integrated_save

    @property
    def async_save(self) -> Any:
        """True if a thread writes the file."""
        return self._async_save

    @property
    def saved_network(self) -> Any:
        """The network to save, None for the training step."""
        return self._saved_network

    @property
    def append_dict(self) -> Any:
        """Further values to save, by name; "epoch_num" and "step_num" get their values at that time."""
        return self._append_dict

    @property
    def enc_key(self) -> Any:
        """None."""
        return self._enc_key

    @property
    def enc_mode(self) -> Any:
        """The argument, without effect."""
        return self._enc_mode

    def get_checkpoint_policy(self) -> Any:
        """The rules as a dict: when to save, the contents, and which files are kept."""
        return {
            "save_checkpoint_steps": self._save_checkpoint_steps,
            "save_checkpoint_seconds": self._save_checkpoint_seconds,
            "keep_checkpoint_max": self._keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": self._keep_checkpoint_per_n_minutes,
            "saved_network": self._saved_network,
        }


def _count(name, value):
    """``value``, None or an int of at least 0."""
    return None if value is None else check_int("CheckpointConfig", name, value, low=0)


def _appended(info):
    """The entries of ``append_info``, by name, or None."""
    if info is None:
        return None
    if not isinstance(info, list):
        raise type_error("CheckpointConfig", "the 'append_info' must be a list", shown(info))
    if not info:
        return None
    appended = {}
    for entry in info:
        if isinstance(entry, dict):
            appended.update({name: _number(name, value) for name, value in entry.items()})
        elif isinstance(entry, str):
            if entry not in _NUMBERS:
                expected = f"the names in 'append_info' must be among {_NUMBERS}"
                raise value_error("CheckpointConfig", expected, shown(entry))
            appended[entry] = 0
        else:
            raise type_error("CheckpointConfig", "the 'append_info' must hold names and dicts", shown(entry))
    return appended


def _number(name, value):
    """A value of a dict of ``append_info``."""
    if not isinstance(name, str) or not isinstance(value, (bool, int, float, str, Tensor)):
        expected = "a dict in 'append_info' must hold ints, floats, bools, strs and Tensors by name"
        raise type_error("CheckpointConfig", expected, f"{shown(name)}: {shown(value)}")
    return value
