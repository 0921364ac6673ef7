"""EarlyStopping: ends a training that no longer improves."""

from training.train.callback.test_backup_and_restore import model_of

from minispore import train


def test_early_stopping_has_to_improve_on_its_baseline(data, net):
    callback = train.EarlyStopping("mae", patience=2, baseline=-1.0, mode="min")
    ends = []
    told = train.LambdaCallback(on_train_epoch_end=ends.append)
    model_of(net, metrics={"mae"}).fit(5, data(), data(), callbacks=[callback, told])
    assert len(ends) == callback.stopped_epoch == 2
