"""BackupAndRestore: saves the run at the ends of epochs, and lets a run that was cut off go on from there."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, train


def model_of(net, **kwargs):
    made = net()
    return train.Model(made, nn.MSELoss(), nn.Momentum(made.trainable_params(), 0.1, 0.9), **kwargs)


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
