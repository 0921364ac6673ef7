"""An exponential moving average of the weights, kept by a Cell beside training and swapped in for evaluation."""

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from tiny import blobs, fill

_ema_op = ops.MultitypeFuncGraph("ema_op")


@_ema_op.register("Tensor", "Tensor", "Tensor")
def _ema_weights(factor, ema_weight, weight):
    return ops.assign(ema_weight, ema_weight * factor + weight * (1 - factor))


class EMA(nn.Cell):
    def __init__(self, network, decay=0.9):
        super().__init__()
        self.net_weight = ParameterTuple(network.get_parameters())
        self.ema_weight = self.net_weight.clone("ema", init="same")
        self.swapped = self.net_weight.clone("swap", init="zeros")
        self.decay = Tensor(decay, ms.float32)
        self.updates = Parameter(Tensor(0, ms.int32), name="updates")
        self.hyper_map = ops.HyperMap()

    def update(self):
        self.updates += 1
        return self.hyper_map(ops.partial(_ema_op, self.decay), self.ema_weight, self.net_weight)

    def swap(self):
        for weight, ema, kept in zip(self.net_weight, self.ema_weight, self.swapped):
            ops.assign(kept, weight)
            ops.assign(weight, ema)

    def back(self):
        for weight, kept in zip(self.net_weight, self.swapped):
            ops.assign(weight, kept)


points, labels = blobs(18, 5, 3)
x, y = Tensor(points), Tensor(labels)
net = fill(nn.SequentialCell([nn.Dense(5, 8), nn.LayerNorm((8,)), nn.ReLU(), nn.Dense(8, 3)]))
ema = EMA(net)
print([p.name for p in ema.ema_weight][:3], len(ema.ema_weight))
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Momentum(net.trainable_params(), 0.2, 0.9)
grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
for step in range(6):
    net.set_train()
    loss, grads = grad_fn(x, y)
    optimizer(grads)
    ema.update()
    net.set_train(False)
    own = loss_fn(net(x), y)
    ema.swap()
    averaged = loss_fn(net(x), y)
    ema.back()
    print(f"step {step}: loss {float(loss):.5f}, own {float(own):.5f}, averaged {float(averaged):.5f}")
print(int(ema.updates))
