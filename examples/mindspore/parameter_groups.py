"""Parameter groups: weight decay, learning rates and schedules of their own, frozen layers, the group's order."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill, images


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 3, 3, has_bias=True)
        self.bn = nn.BatchNorm2d(3)
        self.conv2 = nn.Conv2d(3, 2, 3, pad_mode="valid")
        self.flatten = nn.Flatten()
        self.head = nn.Dense(72, 4)

    def construct(self, x):
        return self.head(self.flatten(self.conv2(nn.ReLU()(self.bn(self.conv1(x))))))


net = fill(Net())
for name, param in net.parameters_and_names():
    print(name, param.shape, param.requires_grad, param.layerwise_parallel)
conv_params = list(filter(lambda x: "conv" in x.name, net.trainable_params()))
no_conv_params = list(filter(lambda x: "conv" not in x.name, net.trainable_params()))
fix_lr = 0.01
polynomial = nn.PolynomialDecayLR(learning_rate=0.1, end_learning_rate=0.01, decay_steps=4, power=0.5)
dynamic = nn.piecewise_constant_lr([2, 4], [0.05, 0.01])
group_params = [
    {"params": conv_params, "weight_decay": 0.01, "lr": fix_lr},
    {"params": no_conv_params, "lr": polynomial},
    {"order_params": net.trainable_params()},
]
optim = nn.Momentum(group_params, learning_rate=0.1, momentum=0.9, weight_decay=0.0)
print(optim.is_group_lr, [p.name for p in optim.parameters])

pictures, labels = images(8)
loss_fn = nn.CrossEntropyLoss()
grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optim.parameters)
net.set_train()
for step in range(4):
    loss, grads = grad_fn(Tensor(pictures), Tensor(labels))
    optim(grads)
    print(f"step {step}: {float(loss):.6f}", [f"{float(ops.abs(p).sum()):.5f}" for p in net.trainable_params()])

for param in net.get_parameters():
    if "conv1" in param.name:
        param.requires_grad = False
print([p.name for p in net.trainable_params()], [p.name for p in net.untrainable_params()])
before = net.conv1.weight.asnumpy().copy()
adam = nn.Adam(
    [{"params": [net.conv2.weight], "weight_decay": 0.1}, {"params": net.head.trainable_params(), "lr": dynamic}],
    learning_rate=1e-2,
)
train = nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), adam)
print([f"{train(Tensor(pictures), Tensor(labels)).asnumpy():.6f}" for _ in range(4)])
print(np.array_equal(before, net.conv1.weight.asnumpy()))
