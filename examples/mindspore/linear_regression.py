"""A line fitted by Model.train with a dataset from a generator, and by hand with nn.TrainOneStepCell."""

import mindspore as ms
import numpy as np
from mindspore import dataset as ds
from mindspore import nn
from mindspore.train import Callback, LossMonitor, Model
from tiny import fill


def get_data(num, w=2.0, b=3.0):
    draw = np.random.RandomState(5)
    for _ in range(num):
        x = draw.uniform(-10.0, 10.0)
        noise = draw.normal(0, 1)
        yield np.array([x]).astype(np.float32), np.array([x * w + b + noise]).astype(np.float32)


def create_dataset(num_data, batch_size=16, repeat_size=1):
    input_data = ds.GeneratorDataset(list(get_data(num_data)), column_names=["data", "label"], shuffle=False)
    return input_data.batch(batch_size).repeat(repeat_size)


class LinearNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(1, 1)

    def construct(self, x):
        return self.fc(x)


class Line(Callback):
    def __init__(self, net):
        self.net = net

    def step_end(self, run_context):
        if run_context.original_args().cur_step_num % 4 == 0:
            w, b = [x.asnumpy().item() for x in self.net.trainable_params()]
            print(f"y = {w:.5f} x + {b:.5f}")


net = fill(LinearNet())
print(net)
net_loss = nn.MSELoss()
opt = nn.Momentum(net.trainable_params(), learning_rate=0.005, momentum=0.9)
model = Model(net, net_loss, opt)
ds_train = create_dataset(160, batch_size=16, repeat_size=1)
print(ds_train.get_dataset_size(), ds_train.get_batch_size(), ds_train.get_repeat_count())
model.train(1, ds_train, callbacks=[LossMonitor(5), Line(net)], dataset_sink_mode=False)

net = fill(LinearNet())
train_net = nn.TrainOneStepCell(nn.WithLossCell(net, nn.L1Loss()), nn.SGD(net.trainable_params(), 0.05))
train_net.set_train()
for step, data in enumerate(ds_train.create_dict_iterator()):
    loss = train_net(data["data"], data["label"])
    if step % 3 == 0:
        print(f"step {step}: {float(loss):.6f}", ms.ops.shape(loss))
