"""SummaryRecord: writes scalars, Tensors, histograms and pictures by step into an event file."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int, check_text
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.object_checks import check_path
from minispore.ops.object_text import of_arguments
from minispore.ops.operations.summary import check_picture, listening, noted
from minispore.training.train.summary import event_file

__all__ = ["SummaryRecord"]

_log = logging.getLogger("minispore.log")

_PLUGINS = ("tensor", "scalar", "image", "histogram")
_OF_MINDINSIGHT = ("train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data", "graph", "landscape")


class SummaryRecord:
    """Writes values by step into an event file in ``log_dir``, for ``tensorboard --logdir LOG_DIR`` to show.

    Values come from :meth:`add_value`, and from ``ops.ScalarSummary``, ``TensorSummary``, ``HistogramSummary`` and
    ``ImageSummary`` in networks; :meth:`record` writes them. One record is open at a time; ``with`` closes it.

    Args:
        log_dir (str): The folder, made if need be.
        file_prefix (str): How the file's name begins. Default: "events".
        file_suffix (str): How it ends. Default: "_MS".
        network (Cell): Accepted; its graph is not written. Default: None.
        max_file_size (int): The size in bytes above which nothing more is written. Default: None, no limit.
        raise_exception (bool): Whether an error in writing is raised, rather than logged. Default: False.
        export_options (dict): ``{"tensor_format": "npy"}`` writes Tensors as ``.npy`` files too. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``max_file_size`` is below 1, or ``export_options`` has something else.
        RuntimeError: If another record is open.
        ImportError: If TensorBoardX is not installed (the extra ``tensorboard``).

    Examples:
        >>> import minispore as ms
        >>> with ms.SummaryRecord("./summary") as record:  # doctest: +SKIP
        ...     record.add_value("scalar", "loss", ms.Tensor(0.5))
        ...     record.record(step=1)
        >>> import os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> with ms.SummaryRecord(folder) as record:
        ...     record.add_value("scalar", "loss", ms.Tensor(0.5))
        ...     _ = record.record(step=1)
        >>> print(len(os.listdir(folder)))
        1
    """

    __repr__ = of_arguments

    def __init__(
        self,
        log_dir: str,
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        network: Cell | None = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: dict[str, Any] | None = None,
    ) -> None:
        for name, text in (("log_dir", log_dir), ("file_prefix", file_prefix), ("file_suffix", file_suffix)):
            check_path("SummaryRecord", name, check_text("SummaryRecord", name, text))
        if network is not None and not isinstance(network, Cell):
            raise type_error("SummaryRecord", "the 'network' must be a Cell or None", shown(network))
        self._most = (
            max_file_size if max_file_size is None else check_int("SummaryRecord", "max_file_size", max_file_size, 1)
        )
        self._raises = check_bool("SummaryRecord", "raise_exception", raise_exception)
        exports = check_export_options("SummaryRecord", export_options)
        event_file.check_installed()
        if listening:
            raise runtime_error("SummaryRecord", "one record can be open at a time", "another that is open")
        self._values, self._mode, now = {}, "train", int(time.time())
        folder = Path(os.path.realpath(log_dir))
        folder.mkdir(parents=True, exist_ok=True)
        self._exports = folder / f"export_{now}" / "tensor" if exports else None
        self._path = _unused(folder, f"{file_prefix}.out.tfevents.{now}.{os.getpid()}", file_suffix)
        self._file = event_file.EventFile(self._path)
        noted.clear()
        listening.append(self)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error) -> None:
        self.close()

    @property
    def log_dir(self) -> Any:
        """The whole path of the event file."""
        return str(self._path)

    def set_mode(self, mode) -> None:
        """Say whether what follows belongs to the training ("train") or to an evaluation ("eval"), as its name will.

        Raises:
            ValueError: If the mode is another.
        """
        if mode not in ("train", "eval"):
            raise value_error("SummaryRecord.set_mode", "the 'mode' must be 'train' or 'eval'", shown(mode))
        self._mode = mode

    def add_value(self, plugin: str, name: str, value: Tensor) -> None:
        """Keep a value for the next :meth:`record`.

        Args:
            plugin (str): "scalar", "tensor", "image" or "histogram".
            name (str): The name, not empty.
            value (Tensor): One element for a scalar; (N, C, H, W) for an image.

        Raises:
            TypeError: If the value is not a Tensor.
            ValueError: If the plugin is unknown, the name empty or no str, or the shape another.
        """
        if plugin not in _PLUGINS:
            expected = f"the 'plugin' must be one of {list(_PLUGINS)}"
            what = f"{shown(plugin)}, which only MindInsight shows" if plugin in _OF_MINDINSIGHT else shown(plugin)
            raise value_error("SummaryRecord.add_value", expected, what)
        if not isinstance(name, str) or not name:
            raise value_error("SummaryRecord.add_value", "the 'name' must be a str that is not empty", shown(name))
        if not isinstance(value, Tensor):
            raise type_error("SummaryRecord.add_value", "the 'value' must be a Tensor", type(value).__name__)
        if plugin == "scalar" and value.shape not in ((), (1,)):
            raise value_error("SummaryRecord.add_value", "a scalar must have the shape () or (1,)", value.shape)
        if plugin == "image":
            check_picture("SummaryRecord.add_value", value)
        self._values[plugin, name] = Tensor(value)

    def record(
        self, step: int, train_network: Cell | None = None, plugin_filter: Callable[..., Any] | None = None
    ) -> Any:
        """Write the values kept since the last call; True unless the record is closed.

        Args:
            step (int): The step that they belong to.
            train_network (Cell): Accepted; its graph is not written. Default: None.
            plugin_filter (Callable): A function of a plugin's name: True to write its values. Default: None, all are.

        Raises:
            TypeError: If the step is not an int, or the filter is not callable.
            OSError: If the file cannot be written and ``raise_exception`` is set.
        """
        check_int("SummaryRecord.record", "step", step, 0)
        if plugin_filter is not None and not callable(plugin_filter):
            raise type_error("SummaryRecord.record", "the 'plugin_filter' must be callable", shown(plugin_filter))
        if self not in listening:
            _log.error("For 'SummaryRecord', the record must be open, but it is closed.")
            return False
        values = {**noted, **self._values}
        noted.clear()
        self._values.clear()
        chosen = {k: v for k, v in values.items() if plugin_filter is None or plugin_filter(k[0])}
        if chosen:
            self._guarded(self._write, step, chosen)
        return True

    def _write(self, step, values):
        if self._most is not None and self._file.size > self._most:
            _log.warning("the event file has its largest size: values of step %d are not written", step)
            return
        self._file.write(step, [self._message(step, *key, value.asnumpy()) for key, value in values.items()])

    def _message(self, step, plugin, name, array):
        tag = name if self._mode == "train" else f"{self._mode}/{name}"
        if plugin == "scalar":
            return event_file.scalar(tag, float(array.reshape(())))
        if plugin == "image":
            return event_file.image(tag, _pixels(array[0]))
        if plugin == "tensor" and self._exports is not None:
            self._exports.mkdir(parents=True, exist_ok=True)
            np.save(self._exports / f"{tag.replace('/', '_')}_{step}.npy", array)
        return getattr(event_file, plugin)(tag, array)

    def _guarded(self, function, *arguments):
        """Call; log an error of the file system, or raise it, as the user has asked."""
        try:
            function(*arguments)
        except OSError as error:
            if self._raises:
                raise
            _log.error("For 'SummaryRecord', the file '%s' must be writable, but got %s.", self._path, error)

    def flush(self) -> None:
        """Hand everything written to the operating system."""
        if self in listening:
            self._guarded(self._file.flush)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self in listening:
            listening.remove(self)
            noted.clear()
            self._guarded(self._file.close)


def check_export_options(operation, options):
    """True if Tensors are exported, from ``{"tensor_format": "npy"}`` or None."""
    if options is None:
        return False
    if not isinstance(options, dict):
        raise type_error(operation, "the 'export_options' must be a dict or None", shown(options))
    if options != {"tensor_format": "npy"}:
        raise value_error(operation, "the 'export_options' must be {'tensor_format': 'npy'}", shown(options))
    return True


def _unused(folder, start, end):
    """The path, with a number if a file of that name is there."""
    number, path = 0, folder / f"{start}{end}"
    while path.exists():
        number, path = number + 1, folder / f"{start}.{number + 1}{end}"
    return path


def _pixels(picture):
    """A picture (C, H, W) as uint8 (H, W, C): stretched from its smallest to its largest number unless it is uint8."""
    turned = picture.transpose(1, 2, 0)
    if turned.dtype == np.uint8:
        return turned
    wide = np.nan_to_num(turned.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    low, high = wide.min(), wide.max()
    return ((wide - low) * (255 / (high - low) if high > low else 0)).round().astype(np.uint8)
