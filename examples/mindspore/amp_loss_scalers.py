"""Mixed precision, the fourth way: a dynamic loss scaler that halves on overflow, checked by a test of one's own."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.amp import DynamicLossScaler, LossScaler, StaticLossScaler
from tiny import blobs, fill

points, labels = blobs(12, 4, 3)
net = fill(nn.SequentialCell([nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 3)]))
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.SGD(net.trainable_params(), learning_rate=0.05)
scaler = DynamicLossScaler(scale_value=2.0**124, scale_factor=4, scale_window=3)
print(isinstance(scaler, LossScaler), float(scaler.scale_value))


def all_finite(grads):
    return ops.stack([ops.isfinite(grad).all() for grad in grads]).all()


def forward_fn(x, y):
    loss = loss_fn(net(x), y)
    return scaler.scale(loss)


grad_fn = ops.value_and_grad(forward_fn, None, net.trainable_params())
for step in range(8):
    loss, grads = grad_fn(Tensor(points * (64 if step == 4 else 1)), Tensor(labels))
    finite = all_finite(grads)
    if finite:
        optimizer(scaler.unscale(grads))
    scaler.adjust(finite)
    print(
        f"step {step}: finite {bool(finite)}, scale 2^{np.log2(float(scaler.scale_value)):.1f}, {int(scaler.counter)}"
    )
print(f"{float(loss_fn(net(Tensor(points)), Tensor(labels))):.6f}")
static = StaticLossScaler(2**4)
print(static.scale(Tensor(1.5)), static.unscale((Tensor(32.0), Tensor([16.0, 8.0]))), static.adjust(Tensor(True)))


class Grads(nn.Cell):
    def __init__(self, net, optimizer, scale):
        super().__init__()
        self.net, self.optimizer = net, optimizer
        self.step = nn.TrainOneStepCell(net, optimizer, sens=scale)

    def construct(self, *inputs):
        return self.step(*inputs)


net = fill(nn.SequentialCell([nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 3)]))
optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, loss_scale=1024.0)
step_cell = Grads(nn.WithLossCell(net, loss_fn), optimizer, 1024.0)
print([f"{step_cell(Tensor(points), Tensor(labels)).asnumpy():.6f}" for _ in range(3)])
cell = nn.FixedLossScaleUpdateCell(64)
print(cell.get_loss_scale(), nn.DynamicLossScaleUpdateCell(2**8, 2, 10).get_loss_scale())
print(ms.amp.auto_mixed_precision(net, "O0") is not None)
