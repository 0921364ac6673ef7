"""SummaryRecord and the summaries of ops: what is in the file, and what is refused."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops

_SPEC = importlib.util.spec_from_file_location("event_reader", Path(__file__).with_name("test_event_file.py"))
reader = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(reader)


def only_file(folder):
    (path,) = [path for path in Path(folder).iterdir() if path.is_file()]
    return path


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scalar, self.histogram = ops.ScalarSummary(), ops.HistogramSummary()

    def construct(self, x):
        self.scalar("total", x.sum())
        self.histogram("spread", x)
        return x * 2


def test_added_values_are_written_with_their_steps(tmp_path):
    with ms.SummaryRecord(str(tmp_path)) as record:
        for step in (1, 2):
            record.add_value("scalar", "loss", ms.Tensor([step / 2]))
            assert record.record(step)
        record.set_mode("eval")
        record.add_value("image", "picture", ms.ops.ones((1, 3, 2, 2)))
        record.record(2)
        assert record.log_dir == str(only_file(tmp_path)) and "tfevents" in record.log_dir
    found = reader.values_of(only_file(tmp_path))
    assert {key: fields.get(2) for key, fields in found.items()} == {
        (1, "loss"): 0.5,
        (2, "loss"): 1.0,
        (2, "eval/picture"): None,
    }


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_summaries_inside_a_network_are_written_at_every_step(tmp_path, mode, restored):
    ms.set_context(mode=mode)
    net = Net()
    net(ms.Tensor([5.0]))  # while no record is open
    with ms.SummaryRecord(str(tmp_path)) as record:
        for step in range(5):
            net(ms.Tensor([float(step), 1.0]))
            record.record(step)
    found = reader.values_of(only_file(tmp_path))
    assert [found[step, "total"][2] for step in range(5)] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert (4, "spread") in found


def test_a_filter_chooses_plugins_and_exports_are_arrays(tmp_path):
    with ms.SummaryRecord(str(tmp_path), export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "t", ms.Tensor([1.0, 2.0]))
        record.add_value("scalar", "s", ms.Tensor(1.0))
        record.record(3, plugin_filter=lambda plugin: plugin == "tensor")
    assert list(reader.values_of(only_file(tmp_path))) == [(3, "t")]
    (exported,) = tmp_path.glob("export_*/tensor/t_3.npy")
    np.testing.assert_array_equal(np.load(exported), [1.0, 2.0])


def test_a_closed_record_writes_nothing(tmp_path):
    record = ms.SummaryRecord(str(tmp_path))
    with pytest.raises(RuntimeError, match="one record"):
        ms.SummaryRecord(str(tmp_path))
    record.close()
    record.close()
    record.add_value("scalar", "s", ms.Tensor(1.0))
    assert not record.record(1)


WRONG_VALUES = [
    (("other", "a", ms.Tensor(1.0)), ValueError),
    (("graph", "a", ms.Tensor(1.0)), ValueError),
    (("scalar", 3, ms.Tensor(1.0)), ValueError),
    (("scalar", "", ms.Tensor(1.0)), ValueError),
    (("scalar", "a", 1.0), TypeError),
    (("scalar", "a", ms.Tensor([1.0, 2.0])), ValueError),
    (("image", "a", ms.Tensor([1.0, 2.0])), ValueError),
]


@pytest.mark.parametrize(("arguments", "kind"), WRONG_VALUES, ids=range(len(WRONG_VALUES)))
def test_wrong_values_are_refused(tmp_path, arguments, kind):
    with ms.SummaryRecord(str(tmp_path)) as record, pytest.raises(kind):
        record.add_value(*arguments)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"log_dir": 3}, TypeError),
        ({"file_prefix": 3}, TypeError),
        ({"file_prefix": "\ud800"}, ValueError),
        ({"file_suffix": "\0"}, ValueError),
        ({"max_file_size": 0}, ValueError),
        ({"raise_exception": 1}, TypeError),
        ({"network": 3}, TypeError),
        ({"export_options": {"x": "npy"}}, ValueError),
    ],
)
def test_wrong_options_are_refused_before_a_file_is_made(tmp_path, options, kind):
    with pytest.raises(kind):
        ms.SummaryRecord(**{"log_dir": str(tmp_path / "new"), **options})
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("summary", "arguments", "kind"),
    [
        (ops.ScalarSummary, (3, ms.Tensor(1.0)), TypeError),
        (ops.ScalarSummary, ("", ms.Tensor(1.0)), ValueError),
        (ops.ScalarSummary, ("a", 1.0), TypeError),
        (ops.ScalarSummary, ("a", ms.Tensor([1.0, 2.0])), ValueError),
        (ops.ImageSummary, ("a", ms.Tensor(1.0)), ValueError),
    ],
)
def test_a_summary_refuses_wrong_values(summary, arguments, kind):
    with pytest.raises(kind):
        summary()(*arguments)
