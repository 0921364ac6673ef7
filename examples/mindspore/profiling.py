"""The profiler around a training and an evaluation: a folder of results, and the training prints what it would."""

import os

import mindspore as ms
from mindspore import Profiler, nn
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import Callback, Model
from tiny import blobs, fill

ms.set_context(mode=ms.GRAPH_MODE)  # the only mode that MindSpore profiles on a CPU


class LastLoss(Callback):
    def on_train_epoch_end(self, run_context):
        cb_params = run_context.original_args()
        print(f"epoch {cb_params.cur_epoch_num}: {float(cb_params.net_outputs.asnumpy()):.5f}")


profiler = Profiler(output_path="profile", start_profile=True)
net = fill(nn.SequentialCell(nn.Dense(6, 8), nn.ReLU(), nn.Dense(8, 4)))
model = Model(net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"accuracy"})
data = NumpySlicesDataset(blobs(32, 6, 4), ["points", "labels"], shuffle=False).batch(8)
model.train(3, data, callbacks=[LastLoss()], dataset_sink_mode=False)
print(model.eval(data, dataset_sink_mode=False))
profiler.analyse()
print(os.path.isdir("profile"), len(os.listdir("profile")) > 0)
