"""SummaryCollector: writes a training's loss, metrics, inputs and Parameters into an event file."""

from __future__ import annotations

import re
from typing import Any

from minispore.core.checks import check_bool, check_int, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.training.train.callback.callback import Callback
from minispore.training.train.callback.loss import loss_of
from minispore.training.train.summary import SummaryRecord
from minispore.training.train.summary.event_file import check_installed
from minispore.training.train.summary.summary_record import check_export_options

__all__ = ["SummaryCollector"]

_SWITCHES = ("collect_metric", "collect_input_data")
_OF_MINDINSIGHT = ("collect_graph", "collect_train_lineage", "collect_eval_lineage", "collect_dataset_graph")
_KEYS = (*_SWITCHES, *_OF_MINDINSIGHT, "histogram_regular", "collect_landscape")
_FEW = 5  # Parameters whose histograms are written unless a pattern chooses others


class SummaryCollector(Callback):
    """Write, every ``collect_freq`` steps, "loss/auto", "input_data/auto" and histograms of Parameters for TensorBoard.

    Metrics of an evaluation are written after it, under their names, as "accuracy/auto".

    Args:
        summary_dir (str): The folder of the event file.
        collect_freq (int): Every how many steps values are written; the first step's are too. Default: 10.
        collect_specified_data (dict): What is collected: the bools "collect_metric" (loss and metrics) and
            "collect_input_data" (the first picture of the batch), "histogram_regular", a regular expression that
            chooses Parameters by name (default None: the first five that are trained). MindInsight's "collect_graph",
            "collect_train_lineage", "collect_eval_lineage", "collect_dataset_graph" (bools) and "collect_landscape" (a
            dict) are accepted without effect. Default: None.
        keep_default_action (bool): True to collect the data that the dict does not mention. Default: True.
        custom_lineage_data (dict): Texts and numbers for MindInsight, without effect. Default: None.
        collect_tensor_freq (int): Accepted: there is no graph whose Tensors could be collected. Default: None.
        max_file_size (int): As of SummaryRecord. Default: None.
        export_options (dict): As of SummaryRecord. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is below 1, a key is unknown, or the pattern is not a regular expression.
        ImportError: If TensorBoardX is not installed (the extra ``tensorboard``).

    Examples:
        >>> import minispore as ms
        >>> print(ms.train.SummaryCollector("./summary", collect_freq=5))
        SummaryCollector()
    """

    def __init__(
        self,
        summary_dir: str,
        collect_freq: int = 10,
        collect_specified_data: dict[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: dict[str, Any] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._directory = check_text("SummaryCollector", "summary_dir", summary_dir)
        self._every = check_int("SummaryCollector", "collect_freq", collect_freq, 1)
        keeps = check_bool("SummaryCollector", "keep_default_action", keep_default_action)
        data = _checked_data(collect_specified_data)
        _check_lineage(custom_lineage_data)
        for name, value in (("collect_tensor_freq", collect_tensor_freq), ("max_file_size", max_file_size)):
            if value is not None:
                check_int("SummaryCollector", name, value, 1)
        check_export_options("SummaryCollector", export_options)
        check_installed()
        self._switches = {name: data.get(name, keeps) for name in _SWITCHES}
        self._pattern = data.get("histogram_regular")
        self._histograms = self._pattern is not None or keeps
        self._options = {"max_file_size": max_file_size, "export_options": export_options}
        self._record, self._step = None, 0  # the open record, the last step of training

    def __enter__(self) -> Any:
        self._record = SummaryRecord(self._directory, **self._options)
        return self

    def __exit__(self, *err) -> None:
        record, self._record = self._record, None
        if record is not None:
            record.close()

    def step_end(self, run_context) -> None:
        """Write the step's values if it is time."""
        cb_params = run_context.original_args()
        if cb_params.get("mode") == "eval":
            return
        step = self._step = cb_params.cur_step_num
        if step != 1 and step % self._every:
            return
        loss = loss_of(cb_params.get("net_outputs"))
        if self._switches["collect_metric"] and loss is not None:
            self._record.add_value("scalar", "loss/auto", Tensor(float(loss)))
        if self._switches["collect_input_data"]:
            self._add_picture(cb_params.get("train_dataset_element"))
        if self._histograms:
            for parameter in self._chosen(cb_params.train_network):
                self._record.add_value("histogram", f"{parameter.name}/auto", parameter)
        self._record.record(step)

    def _add_picture(self, element):
        first = element[0] if isinstance(element, (tuple, list)) and element else element
        if isinstance(first, Tensor) and len(first.shape) == 4 and first.shape[1] <= 4 and 0 not in first.shape:
            self._record.add_value("image", "input_data/auto", first)

    def _chosen(self, network):
        if self._pattern is None:
            return network.trainable_params()[:_FEW]
        return [p for p in network.get_parameters() if re.match(self._pattern, p.name)]

    def on_eval_end(self, run_context) -> None:
        """Write the metrics."""
        cb_params = run_context.original_args()
        if not self._switches["collect_metric"]:
            return
        for name, value in (cb_params.get("metrics") or {}).items():
            if isinstance(value, (int, float)):
                self._record.add_value("scalar", f"{name}/auto", Tensor(float(value)))
        self._record.record(self._step)


def _checked_data(data):
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise type_error("SummaryCollector", "the 'collect_specified_data' must be a dict or None", shown(data))
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        expected = f"the keys of 'collect_specified_data' must be among {list(_KEYS)}"
        raise value_error("SummaryCollector", expected, shown(unknown[0]))
    for key in {*_SWITCHES, *_OF_MINDINSIGHT} & data.keys():
        check_bool("SummaryCollector", key, data[key])
    if data.get("histogram_regular") is not None:
        _check_pattern(data["histogram_regular"])
    if not isinstance(data.get("collect_landscape", {}), dict):
        raise type_error("SummaryCollector", "the 'collect_landscape' must be a dict", shown(data["collect_landscape"]))
    return data


def _check_pattern(pattern):
    check_text("SummaryCollector", "histogram_regular", pattern)
    try:
        re.compile(pattern)
    except re.error as error:
        expected = "the 'histogram_regular' must be a regular expression"
        raise value_error("SummaryCollector", expected, f"{pattern!r}: {error}") from error


def _check_lineage(data):
    if data is None:
        return
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise type_error("SummaryCollector", "the 'custom_lineage_data' must be a dict by names", shown(data))
    for key, value in data.items():
        if not isinstance(value, (int, str, float)):
            expected = f"the '{key}' of 'custom_lineage_data' must be an int, a str or a float"
            raise type_error("SummaryCollector", expected, shown(value))
