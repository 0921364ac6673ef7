"""Operations of one's own by ops.Custom: NumPy functions with shapes, types and gradients, alone and in a network."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import blobs, fill


def sine(x):
    return np.sin(x)


def sine_bprop(x, out, dout):
    return (ops.cos(x) * dout,)


my_sin = ops.Custom(sine, lambda x: x, lambda x: x, func_type="pyfunc", bprop=sine_bprop)
x = Tensor(np.linspace(-1, 1, 5).astype(np.float32))
print([f"{y:.5f}" for y in my_sin(x).asnumpy()], my_sin(x).dtype, type(my_sin(x)).__name__)
print(ops.grad(lambda x: my_sin(x).sum())(x))


def halves(x):
    return x[: len(x) // 2], x[len(x) // 2 :]


parts = ops.Custom(
    halves, lambda x: ([x[0] // 2, x[1]], [x[0] - x[0] // 2, x[1]]), lambda x: (x, x), func_type="pyfunc"
)
for part in parts(Tensor(np.arange(10).reshape(5, 2).astype(np.float32))):
    print(part.shape, part.asnumpy().tolist())

count = ops.Custom(lambda x, y: np.array([(x > y).sum()], np.int32), (1,), ms.int32, func_type="pyfunc")
print(count(x, Tensor(np.zeros(5, np.float32))))


class Swish(nn.Cell):
    def __init__(self):
        super().__init__()
        self.function = ops.Custom(self.forward, lambda x: x, lambda x: x, func_type="pyfunc", bprop=self.backward)

    @staticmethod
    def forward(x):
        return (x / (1 + np.exp(-x))).astype(x.dtype)

    @staticmethod
    def backward(x, out, dout):
        s = ops.sigmoid(x)
        return (dout * (s + x * s * (1 - s)),)

    def construct(self, x):
        return self.function(x)


points, labels = blobs(32, 6, 4)
for activation in (Swish(), nn.SiLU()):
    net = fill(nn.SequentialCell([nn.Dense(6, 8), activation, nn.Dense(8, 4)]))
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9)
    ).set_train()
    print([f"{float(step(Tensor(points), Tensor(labels)).asnumpy()):.5f}" for _ in range(4)])

for wrong in ({"func_type": "cobol"}, {"func_type": ""}):
    try:
        ops.Custom(sine, **{"out_shape": lambda x: x, "out_dtype": lambda x: x, **wrong})
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
