"""Model with metrics, LossMonitor, a callback of one's own, ModelCheckpoint, eval and predict."""

import os

import mindspore as ms
from mindspore import Model, nn
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import Callback, CheckpointConfig, LossMonitor, ModelCheckpoint
from tiny import blobs, fill


class StopAtLoss(Callback):
    """Ask the run to stop as soon as the loss is small."""

    def __init__(self, threshold):
        super().__init__()
        self.threshold = threshold

    def on_train_begin(self, run_context):
        cb_params = run_context.original_args()
        print("begin", cb_params.epoch_num, cb_params.batch_num, cb_params.mode, cb_params.list_callback is not None)

    def on_train_step_end(self, run_context):
        cb_params = run_context.original_args()
        loss = float(cb_params.net_outputs)
        if loss < self.threshold:
            print(f"stop in epoch {cb_params.cur_epoch_num}, step {cb_params.cur_step_num}")
            run_context.request_stop()

    def on_train_end(self, run_context):
        print("end after step", run_context.original_args().cur_step_num)


def create_dataset(count):
    points, labels = blobs(count, 6, 3)
    return NumpySlicesDataset((points, labels), ["data", "label"], shuffle=False).batch(8)


net = fill(nn.SequentialCell(nn.Dense(6, 12), nn.Tanh(), nn.Dense(12, 3)))
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
model = Model(net, loss_fn=loss, optimizer=optimizer, metrics={"Accuracy": nn.Accuracy(), "Loss": nn.Loss()})

config = CheckpointConfig(save_checkpoint_steps=6, keep_checkpoint_max=2)
saver = ModelCheckpoint(prefix="points", directory="checkpoints", config=config)
model.train(3, create_dataset(48), callbacks=[LossMonitor(4), saver, StopAtLoss(0.02)], dataset_sink_mode=False)
print(sorted(os.listdir("checkpoints")))
result = model.eval(create_dataset(24), dataset_sink_mode=False)
print({name: round(float(value), 5) for name, value in sorted(result.items())})
data, label = next(create_dataset(24).create_tuple_iterator())
print(model.predict(data).argmax(1), label)

again = nn.SequentialCell(nn.Dense(6, 12), nn.Tanh(), nn.Dense(12, 3))
ms.load_checkpoint(os.path.join("checkpoints", "points-2_6.ckpt"), net=again)
print(f"{float(loss(again(data), label)):.6f}", saver.latest_ckpt_file_name.split(os.sep)[-1])
