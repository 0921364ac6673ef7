"""Model.fit with a validation set, EarlyStopping, LambdaCallback, History, a scheduler of rates."""

import mindspore as ms
from mindspore import Model, nn
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import (
    EarlyStopping,
    History,
    LambdaCallback,
    LearningRateScheduler,
    LossMonitor,
)
from tiny import blobs, fill


def dataset(count, seed):
    points, labels = blobs(count, 4, 3, seed)
    return NumpySlicesDataset((points, labels), ["x", "y"], shuffle=False).batch(6)


def model_of(rate=0.1):
    net = fill(nn.SequentialCell(nn.Dense(4, 6), nn.ReLU(), nn.Dense(6, 3)))
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.9)
    return Model(net, nn.CrossEntropyLoss(), optimizer, {"acc"}), optimizer


def epoch_end(run_context):
    parameters = run_context.original_args()
    print(
        "epoch",
        parameters.cur_epoch_num,
        {k: round(float(v), 4) for k, v in parameters.get("eval_results", {}).items()},
    )


model, optimizer = model_of()
history = History()
stopping = EarlyStopping(monitor="acc", patience=1, mode="max", verbose=True, restore_best_weights=True)
model.fit(
    6,
    dataset(24, 0),
    dataset(12, 5),
    valid_frequency=1,
    callbacks=[stopping, LambdaCallback(on_train_epoch_end=epoch_end), history],
    dataset_sink_mode=False,
    valid_dataset_sink_mode=False,
)
print(
    history.epoch["epoch"],
    sorted(history.history),
    [f"{v.asnumpy():.5f}" if hasattr(v, "asnumpy") else f"{v:.5f}" for v in history.history["net_output"]],
)


def slower(rate, step):
    return rate * 0.5 if step % 4 == 0 else rate


model, optimizer = model_of(0.2)
model.train(2, dataset(24, 0), [LearningRateScheduler(slower), LossMonitor(2)], dataset_sink_mode=False)
print(f"{float(optimizer.learning_rate):.6f}", ms.get_seed())
