"""Callbacks: their fields, files, signals and errors, beside the runs that are recorded from MindSpore."""

import os
import signal
import sys

import numpy as np
import pytest

import minispore as ms
from minispore import nn, train
from minispore.train.callback import _InternalCallbackParam


def model_of(net, **kwargs):
    made = net()
    return train.Model(made, nn.MSELoss(), nn.Momentum(made.trainable_params(), 0.1, 0.9), **kwargs)


def test_a_field_that_a_run_does_not_have_is_an_attribute_error_and_a_key_error():
    fields = _InternalCallbackParam(mode="train")
    assert fields.mode == fields["mode"] == "train" and not hasattr(fields, "metrics")
    fields.mine = 3
    assert fields["mine"] == 3
    for kind in (AttributeError, KeyError):
        with pytest.raises(kind, match=r"there must be a field 'metrics', but got \['mine', 'mode'\]"):
            _ = fields.metrics


def test_a_callback_is_left_in_reverse_order_also_where_entering_another_one_fails(data, net):
    events = []

    class Told(train.Callback):
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            events.append(f"enter {self.name}")
            return self

        def __exit__(self, *err):
            events.append(f"exit {self.name} {err[0] and err[0].__name__}")

    class Fails(train.Callback):
        def __enter__(self):
            raise OSError("no")

    with pytest.raises(OSError, match="no"):
        model_of(net).train(1, data(), [Told("a"), Told("b"), Fails()])
    assert events == ["enter a", "enter b", "exit b OSError", "exit a OSError"]


def test_a_fit_refuses_hooks_for_both_but_those_of_the_package(data, net):
    class Old(train.Callback):
        def step_end(self, run_context):
            pass

    class Mine(train.LossMonitor):
        pass

    model = model_of(net, metrics={"mae"})
    with pytest.raises(ValueError, match=r"must define hooks 'on_train_...' and 'on_eval_...', but got \['step_end'\]"):
        model.fit(1, data(), data(), callbacks=Old())
    model.fit(1, data(), data(), callbacks=Mine(0))


def test_a_hook_that_is_set_on_one_callback_is_called(data, net):
    seen, callback = [], train.Callback()
    callback.step_end = seen.append
    model_of(net).train(1, data(), callback)
    assert len(seen) == 3


def test_a_checkpoint_that_a_thread_could_not_write_is_an_error_of_the_run(data, net, tmp_path):
    folder = tmp_path / "gone"
    callback = train.ModelCheckpoint("n", folder, train.CheckpointConfig(2, async_save=True))
    callback._own_prefix()
    folder.rmdir()
    with pytest.raises(FileNotFoundError, match="save_checkpoint"):
        model_of(net).train(1, data(), callback)
    assert not train.async_ckpt_thread_status()


def test_a_checkpoint_of_a_thread_holds_the_values_of_its_step(data, net, tmp_path):
    kept = []

    class Keep(train.Callback):
        def on_train_step_end(self, run_context):
            kept.append(run_context.original_args().network.fc1.weight.asnumpy().copy())

    config = train.CheckpointConfig(1, async_save=True)
    model_of(net).train(1, data(), [train.ModelCheckpoint("n", str(tmp_path), config), Keep()])
    for i, value in enumerate(kept):
        assert np.array_equal(ms.load_checkpoint(f"{tmp_path}/n-1_{i + 1}.ckpt")["fc1.weight"].asnumpy(), value)


def test_a_training_goes_on_from_its_checkpoint_bit_for_bit(data, net, tmp_path):
    ms_model = model_of(net)
    ms_model.train(2, data(), train.ModelCheckpoint("n", tmp_path, train.CheckpointConfig(3)))
    again = model_of(net)
    ms.load_checkpoint(str(tmp_path / "n-1_3.ckpt"), again.train_network)
    again.train(2, data(), initial_epoch=1)
    for x, y in zip(again.train_network.get_parameters(), ms_model.train_network.get_parameters(), strict=True):
        assert x.asnumpy().tobytes() == y.asnumpy().tobytes()


def test_a_run_that_fails_before_its_first_step_saves_nothing(data, net, tmp_path):
    def fail(run_context):
        raise OSError("no")

    callback = train.ModelCheckpoint("n", tmp_path, train.CheckpointConfig(9, exception_save=True))
    with pytest.raises(OSError, match="no"):
        model_of(net).train(1, data(), [callback, train.LambdaCallback(on_train_epoch_begin=fail)])
    assert os.listdir(tmp_path) == []


def test_an_evaluation_saves_no_checkpoint(data, net, tmp_path):
    model_of(net, metrics={"mae"}).eval(data(), train.ModelCheckpoint("n", tmp_path))
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("restored")
def test_graph_mode_saves_checkpoints_only(data, net, tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    model_of(net).train(1, data(), train.ModelCheckpoint("n", tmp_path, train.CheckpointConfig(3)))
    assert os.listdir(tmp_path) == ["n-1_3.ckpt"]


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send signals")
def test_a_signal_ends_the_run_after_its_step_and_saves_and_is_given_back(data, net, tmp_path):
    before = signal.getsignal(signal.SIGUSR1)

    def kill(run_context):
        if run_context.original_args().cur_step_num == 2:
            os.kill(os.getpid(), signal.SIGUSR1)

    steps = []
    told = train.LambdaCallback(on_train_step_begin=kill, on_train_step_end=steps.append)
    leave = train.OnRequestExit(directory=str(tmp_path), file_name="net", sig=signal.SIGUSR1)
    model_of(net).train(3, data(), [leave, told])
    assert len(steps) == 2 and os.listdir(tmp_path) == ["net_train.ckpt"]
    assert signal.getsignal(signal.SIGUSR1) == before
    leave = train.OnRequestExit(directory=str(tmp_path), file_name="all", sig=signal.SIGUSR1)
    model_of(net).train(1, data(), leave)
    assert os.listdir(tmp_path) == ["net_train.ckpt"]  # no signal, no file


def test_early_stopping_has_to_improve_on_its_baseline(data, net):
    callback = train.EarlyStopping("mae", patience=2, baseline=-1.0, mode="min")
    ends = []
    told = train.LambdaCallback(on_train_epoch_end=ends.append)
    model_of(net, metrics={"mae"}).fit(5, data(), data(), callbacks=[callback, told])
    assert len(ends) == callback.stopped_epoch == 2


def test_a_progress_bar_counts_each_epochs_steps_on_a_terminal(data, net, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    model_of(net, metrics={"mae"}).fit(2, data(), data(8), callbacks=train.ProgressBar(1))
    shown = capsys.readouterr().err
    assert all(part in shown for part in ("epoch 1: 100%", "epoch 2: 100%", "eval: 100%", "3/3", "2/2", "loss "))


def test_a_progress_bar_is_silent_elsewhere(data, net, capsys):
    model_of(net).train(1, data(), train.ProgressBar())
    assert capsys.readouterr() == ("", "")


def test_a_rate_that_is_no_constant_is_refused(data, net):
    made = net()
    model = train.Model(made, nn.MSELoss(), nn.Momentum(made.trainable_params(), [0.1, 0.2], 0.9), metrics={"mae"})
    for callback in (train.LearningRateScheduler(lambda lr, step: lr), train.ReduceLROnPlateau()):
        with pytest.raises(ValueError, match="one constant learning rate, but got a schedule"):
            model.fit(1, data(), data(), callbacks=callback)


REFUSALS = [
    (TypeError, "'per_print_times' must be an int", lambda: train.LossMonitor(1.5)),
    (ValueError, "'per_print_times' must be at least 0", lambda: train.LossMonitor(-1)),
    (ValueError, "'save_checkpoint_steps' must be at least 0", lambda: train.CheckpointConfig(-1)),
    (ValueError, "must be above 0, but got none", lambda: train.CheckpointConfig(0, 0, 0, 0)),
    (TypeError, "'async_save' must be a bool", lambda: train.CheckpointConfig(async_save=1)),
    (TypeError, "'saved_network' must be None or a Cell", lambda: train.CheckpointConfig(saved_network=1)),
    (TypeError, "'append_info' must be a list", lambda: train.CheckpointConfig(append_info=1)),
    (ValueError, "the names in 'append_info'", lambda: train.CheckpointConfig(append_info=["x"])),
    (TypeError, "must hold names and dicts", lambda: train.CheckpointConfig(append_info=[1])),
    (TypeError, "a dict in 'append_info' must hold", lambda: train.CheckpointConfig(append_info=[{"a": [1]}])),
    (ValueError, "encryption is not supported", lambda: train.CheckpointConfig(enc_key=b"0")),
    (TypeError, "'enc_mode' must be a str", lambda: train.CheckpointConfig(enc_mode=1)),
    (ValueError, "'prefix' must be a str without '/'", lambda: train.ModelCheckpoint("a/b")),
    (TypeError, "'directory' must be a str or a path", lambda: train.ModelCheckpoint("a", 1)),
    (TypeError, "'config' must be a CheckpointConfig", lambda: train.ModelCheckpoint("a", None, 1)),
    (TypeError, "'monitor' must be a str", lambda: train.EarlyStopping(1)),
    (ValueError, "'mode' must be one of", lambda: train.EarlyStopping(mode="x")),
    (ValueError, "'factor' must be below 1", lambda: train.ReduceLROnPlateau(factor=1.0)),
    (TypeError, "'factor' must be a float", lambda: train.ReduceLROnPlateau(factor=1)),
    (ValueError, "'cooldown' must be at least 0", lambda: train.ReduceLROnPlateau(cooldown=-1)),
    (TypeError, "'learning_rate_function' must be a function", lambda: train.LearningRateScheduler(1)),
    (TypeError, "'on_train_begin' must be a function", lambda: train.LambdaCallback(on_train_begin=1)),
    (ValueError, "'sig' must be a signal that can be caught", lambda: train.OnRequestExit(sig=9)),
    (TypeError, "'original_args' must be a dict", lambda: train.RunContext(1)),
    (ValueError, "'refresh_steps' must be above 0", lambda: train.ProgressBar(0)),
]


@pytest.mark.parametrize("kind, words, make", REFUSALS, ids=[row[1][:40] for row in REFUSALS])
def test_wrong_arguments_are_refused_by_one_sentence(kind, words, make):
    with pytest.raises(kind, match=f"^For '.*{words}"):
        make()


def test_a_loss_that_is_no_number_ends_the_run(data, net):
    class Spoil(train.Callback):
        def on_train_step_begin(self, run_context):
            run_context.original_args().network.fc2.bias.set_data(ms.Tensor([np.nan], ms.float32))

    with pytest.raises(ValueError, match="the loss in epoch 1, step 1 must be finite, but got nan"):
        model_of(net).train(1, data(), [Spoil(), train.LossMonitor()])


class CutOff(train.Callback):
    """Ends the process's run, as an interrupt does, in an epoch."""

    def __init__(self, epoch):
        super().__init__()
        self.epoch = epoch

    def on_train_epoch_begin(self, run_context):
        if run_context.original_args().cur_epoch_num == self.epoch:
            raise KeyboardInterrupt


def test_a_run_that_was_cut_off_goes_on_from_its_backup(tmp_path, data, net):
    """Two epochs, an interrupt, and two more are four, momentum included; a run that ends well leaves no backup."""
    backup, file = train.BackupAndRestore(str(tmp_path / "kept")), tmp_path / "kept" / "backup.ckpt"
    whole, cut, rest = (model_of(net) for _ in range(3))
    start = [p.asnumpy() for p in whole.train_network.network.trainable_params()]
    for model in (cut, rest):
        for p, value in zip(model.train_network.network.trainable_params(), start, strict=True):
            p.set_data(ms.Tensor(value))
    whole.train(4, data())
    with pytest.raises(KeyboardInterrupt):
        cut.train(4, data(), callbacks=[backup, CutOff(3)])
    assert file.exists()
    rest.train(2, data(), callbacks=[train.BackupAndRestore(str(tmp_path / "kept"))])
    assert not file.exists()
    for one, other in zip(*(m.train_network.get_parameters() for m in (whole, rest)), strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_a_backup_is_saved_every_so_many_epochs_and_may_stay(tmp_path, data, net):
    found = []

    class Look(train.Callback):
        def on_train_epoch_end(self, run_context):
            found.append((tmp_path / "backup.ckpt").exists())

    model_of(net).train(4, data(), callbacks=[train.BackupAndRestore(str(tmp_path), 3, False), Look()])
    assert found == [False, False, True, True] and (tmp_path / "backup.ckpt").exists()
    with pytest.raises(ValueError, match=r"must be one of this training step, but got \d+ missing and \d+ other"):
        model_of(lambda: nn.SequentialCell(net())).train(1, data(), callbacks=[train.BackupAndRestore(str(tmp_path))])


@pytest.mark.parametrize(
    ("error", "arguments"),
    [(ValueError, ("b", 0)), (TypeError, ("b", "step")), (TypeError, (3,)), (TypeError, ("b", 1, 3))],
)
def test_a_wrong_argument_of_a_backup_is_refused(error, arguments):
    with pytest.raises(error, match="For 'BackupAndRestore', the '"):
        train.BackupAndRestore(*arguments)
