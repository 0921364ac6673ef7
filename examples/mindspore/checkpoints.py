"""Checkpoints: save with extra entries, load in part, fine-tune with a new head, lists of parameters, resume."""

import os

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint
from tiny import blobs, fill


class Net(nn.Cell):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.SequentialCell([nn.Dense(5, 8), nn.BatchNorm1d(8), nn.ReLU()])
        self.head = nn.Dense(8, classes)

    def construct(self, x):
        return self.head(self.body(x))


def train(net, optimizer, steps, classes):
    points, labels = blobs(20, 5, classes)
    cell = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    return [f"{cell(Tensor(points), Tensor(labels)).asnumpy():.5f}" for _ in range(steps)]


net = fill(Net(4))
optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
print(train(net, optimizer, 3, 4))
save_checkpoint(net, "net.ckpt", append_dict={"epoch": 3, "lr": 0.1})
save_checkpoint([{"name": "extra", "data": Tensor([1.0, 2.0])}], "list.ckpt")
save_checkpoint(optimizer, "optimizer")
print(sorted(os.listdir(".")))

param_dict = load_checkpoint("net.ckpt")
print({name: tuple(p.shape) for name, p in param_dict.items() if p.ndim})
print(int(param_dict["epoch"]), f"{float(param_dict['lr']):.4f}", type(param_dict["head.bias"]).__name__)
print(load_checkpoint("list.ckpt"))

resumed = fill(Net(4), seed=9)
optimizer2 = nn.Momentum(resumed.trainable_params(), 0.1, 0.9)
print(load_param_into_net(resumed, param_dict))
print(load_param_into_net(optimizer2, load_checkpoint("optimizer.ckpt")))
print(train(resumed, optimizer2, 2, 4) == train(net, optimizer, 2, 4))

param_dict = load_checkpoint("net.ckpt", filter_prefix="head")
tuned = fill(Net(3), seed=1)
not_loaded, _ = load_param_into_net(tuned, param_dict)
print(not_loaded)
for param in tuned.body.get_parameters():
    param.requires_grad = False
print([p.name for p in tuned.trainable_params()])
print(train(tuned, nn.Adam(tuned.trainable_params(), 0.05), 3, 3))
for key in list(param_dict):
    param_dict["backbone." + key] = Parameter(param_dict.pop(key), name="backbone." + key)
save_checkpoint([{"name": key, "data": value} for key, value in param_dict.items()], "renamed.ckpt")
print(next(iter(ms.load_checkpoint("renamed.ckpt"))))
try:
    load_param_into_net(Net(3), load_checkpoint("net.ckpt"))
except RuntimeError as error:
    print(type(error).__name__)
try:
    load_checkpoint("absent.ckpt")
except ValueError as error:
    print(type(error).__name__)
print(np.array_equal(ms.load_checkpoint("net.ckpt")["head.weight"].asnumpy(), net.head.weight.asnumpy()))
