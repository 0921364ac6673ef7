"""ProgressBar: a bar on a terminal that shows the epoch, the step and the loss."""

import sys
import types

from training.train.callback.test_backup_and_restore import model_of

from minispore import train
from minispore.training.train.callback import progress_bar


def test_a_progress_bar_counts_each_epochs_steps_on_a_terminal(data, net, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    model_of(net, metrics={"mae"}).fit(2, data(), data(8), callbacks=train.ProgressBar(1))
    shown = capsys.readouterr().err
    assert all(part in shown for part in ("epoch 1: 100%", "epoch 2: 100%", "eval: 100%", "3/3", "2/2", "loss "))


def test_a_progress_bar_is_silent_elsewhere(data, net, capsys):
    model_of(net).train(1, data(), train.ProgressBar())
    assert capsys.readouterr() == ("", "")


class Shell:
    """A shell of IPython with a kernel, as a notebook's is."""

    kernel = "a kernel"


def test_a_notebook_has_a_bar_although_its_error_stream_is_no_terminal(monkeypatch):
    assert progress_bar.bar(total=2).disable
    module = types.ModuleType("IPython")
    module.get_ipython = Shell
    monkeypatch.setitem(sys.modules, "IPython", module)
    with progress_bar.bar(total=2) as shown, progress_bar.bar(total=2, disable=True) as hidden:
        assert (shown.disable, hidden.disable) == (False, True)
