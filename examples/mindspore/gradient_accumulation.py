"""Gradients of small batches summed in Parameters and applied once, equal to those of the whole batch."""

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.dataset import NumpySlicesDataset
from tiny import blobs, fill


class Accumulator:
    def __init__(self, optimizer, accumulate_step):
        self.optimizer = optimizer
        self.inner_grads = optimizer.parameters.clone(prefix="accumulate_", init="zeros")
        self.zeros = optimizer.parameters.clone(prefix="zeros_", init="zeros")
        self.counter = Parameter(Tensor(1, ms.int32), "counter_")
        self.accumulate_step = accumulate_step
        self.map = ops.HyperMap()

    def __call__(self, grads):
        self.map(ops.partial(ops.assign_add), self.inner_grads, grads)
        if self.counter % self.accumulate_step == 0:
            self.optimizer(self.inner_grads)
            self.map(ops.partial(ops.assign), self.inner_grads, self.zeros)
        ops.assign_add(self.counter, Tensor(1, ms.int32))
        return True


def network():
    return fill(nn.SequentialCell(nn.Dense(5, 7), nn.Sigmoid(), nn.Dense(7, 3)))


points, labels = blobs(24, 5, 3)
loss_fn = nn.CrossEntropyLoss()
net = network()
optimizer = nn.SGD(net.trainable_params(), 0.1)
accumulate_step = 3
accumulator = Accumulator(optimizer, accumulate_step)
print([p.name for p in accumulator.inner_grads])
grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y) / accumulate_step, None, net.trainable_params())
dataset = NumpySlicesDataset((points, labels), ["x", "y"], shuffle=False).batch(4)
for step, (x, y) in enumerate(dataset.create_tuple_iterator()):
    loss, grads = grad_fn(x, y)
    accumulator(grads)
    print(f"step {step}: {float(loss) * accumulate_step:.6f}, counter {int(accumulator.counter)}")

whole = network()
optimizer = nn.SGD(whole.trainable_params(), 0.1)
grad_fn = ms.value_and_grad(lambda x, y: loss_fn(whole(x), y), None, whole.trainable_params())
for x, y in NumpySlicesDataset((points, labels), shuffle=False).batch(12):
    loss, grads = grad_fn(x, y)
    optimizer(grads)
    print(f"whole: {float(loss):.6f}")
gap = max(float(ops.abs(a - b).max()) for a, b in zip(net.trainable_params(), whole.trainable_params()))
print("same weights:", gap < 1e-6, isinstance(accumulator.zeros, ParameterTuple))
