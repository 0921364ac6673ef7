"""SummaryCollector: what of a run of Model is in the event file."""

import importlib

import numpy as np
import pytest

import minispore as ms
from minispore import dataset, nn, train
from minispore.training.train.summary import event_file


def trained(folder, **options):
    data = dataset.NumpySlicesDataset((np.ones((8, 3), np.float32), np.zeros((8, 2), np.float32)), shuffle=False)
    net = nn.Dense(3, 2)
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), metrics={"mae"})
    collector = ms.SummaryCollector(str(folder), collect_freq=2, **options)
    model.fit(2, data.batch(2), data.batch(4), callbacks=collector)


def test_loss_metrics_and_histograms_are_written(tmp_path, monkeypatch):
    kinds = []
    for name in ("scalar", "histogram"):
        made = getattr(event_file, name)
        monkeypatch.setattr(
            event_file, name, lambda tag, x, name=name, made=made: kinds.append((name, tag)) or made(tag, x)
        )
    trained(tmp_path)
    steps = 5  # the steps 1, 2, 4, 6 and 8
    assert kinds.count(("scalar", "loss/auto")) == steps
    assert kinds.count(("histogram", "weight/auto")) == kinds.count(("histogram", "bias/auto")) == steps
    assert kinds.count(("scalar", "mae/auto")) == 2
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_chosen_alone_is_written(tmp_path, monkeypatch):
    kinds, made = [], event_file.histogram
    monkeypatch.setattr(event_file, "histogram", lambda tag, x: kinds.append(tag) or made(tag, x))
    monkeypatch.setattr(event_file, "scalar", lambda tag, x: pytest.fail("a scalar is written"))
    trained(tmp_path, collect_specified_data={"histogram_regular": "^wei"}, keep_default_action=False)
    assert set(kinds) == {"weight/auto"}


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"summary_dir": 3}, TypeError),
        ({"collect_freq": 0}, ValueError),
        ({"collect_specified_data": {"x": 1}}, ValueError),
        ({"collect_specified_data": {"collect_metric": 1}}, TypeError),
        ({"collect_specified_data": {"histogram_regular": "("}}, ValueError),
        ({"keep_default_action": 1}, TypeError),
        ({"custom_lineage_data": {"a": [1]}}, TypeError),
        ({"max_file_size": 0}, ValueError),
    ],
)
def test_wrong_options_are_refused(options, kind):
    with pytest.raises(kind):
        ms.SummaryCollector(**{"summary_dir": "summary", **options})


@pytest.mark.parametrize(
    "module", ["callback", "checkpoint", "early_stop", "loss_monitor", "summary_collector", "time_monitor"]
)
def test_mindspores_private_addresses_have_the_callbacks(module):
    found = importlib.import_module(f"minispore.train.callback._{module}")
    names = [name for name in found.__all__ if hasattr(train, name)]
    assert names and all(getattr(found, name) is getattr(train, name) for name in names)
