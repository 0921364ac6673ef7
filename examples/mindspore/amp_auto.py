# tolerance 3e-3: float16 products are rounded at other places
"""Mixed precision, the first way: auto_mixed_precision at each level, with a static loss scaler."""

import mindspore as ms
from mindspore import Tensor, amp, nn
from tiny import fill, images


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, weight_init="normal")
        self.bn = nn.BatchNorm2d(4)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(256, 4)

    def construct(self, x):
        return self.fc(self.flatten(self.relu(self.bn(self.conv(x)))))


pictures, labels = images(8)
x, y = Tensor(pictures), Tensor(labels)
loss_fn = nn.CrossEntropyLoss()
for level in ("O0", "O1", "O2", "O3"):
    net = amp.auto_mixed_precision(fill(Net()), level)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    scaler = amp.StaticLossScaler(128.0)

    def forward_fn(data, label):
        logits = net(data)  # noqa: B023
        return scaler.scale(loss_fn(logits.astype(ms.float32), label)), logits  # noqa: B023

    grad_fn = ms.value_and_grad(forward_fn, None, net.trainable_params(), has_aux=True)
    losses = []
    for _ in range(3):
        (loss, logits), grads = grad_fn(x, y)
        optimizer(
            tuple(grad.astype(ms.float32) for grad in scaler.unscale(grads)) if level == "O0" else scaler.unscale(grads)
        )
        losses.append(f"{scaler.unscale(loss).asnumpy():.3f}")
    print(level, losses, logits.dtype, {str(p.dtype) for p in net.get_parameters()})
