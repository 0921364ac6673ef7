"""Networks whose MINDIR files the real MindSpore has run: ``python -m conformance.cases.mindir FOLDER`` writes them."""

import sys
from pathlib import Path

import numpy as np

import minispore as ms
from minispore import amp, nn, ops
from minispore.core import nest


class Function(nn.Cell):
    """A network of one function, and the cells that it calls."""

    def __init__(self, function, *cells):
        super().__init__()
        self.function, self.cells_of_it = function, nn.CellList(cells)

    def construct(self, *xs):
        return self.function(*self.cells_of_it, *xs)


class LeNet(nn.Cell):
    """A small LeNet-5."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 2, 5, pad_mode="valid"), nn.Conv2d(2, 3, 5, pad_mode="valid")
        self.pool, self.flatten = nn.MaxPool2d(2, 2), nn.Flatten()
        self.fc1, self.fc2 = nn.Dense(3 * 4 * 4, 8), nn.Dense(8, 5)

    def construct(self, x):
        x = self.pool(ops.relu(self.conv1(x)))
        x = self.pool(ops.relu(self.conv2(x)))
        return self.fc2(ops.relu(self.fc1(self.flatten(x))))


class Residual(nn.Cell):
    """The beginning of a ResNet and a block."""

    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 4, 3, 2, "pad", 1), nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(3, 2, "pad", 1)
        self.conv2, self.bn2, self.fc = nn.Conv2d(4, 4, 3), nn.BatchNorm2d(4), nn.Dense(4, 3)

    def construct(self, x):
        x = self.pool(ops.relu(self.bn1(self.conv1(x))))
        return self.fc(ops.relu(self.bn2(self.conv2(x)) + x).mean((2, 3)))


class Shared(nn.Cell):
    """Two layers with one weight."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(3, 3, has_bias=False), nn.Dense(3, 3, has_bias=False)
        self.b.weight = self.a.weight

    def construct(self, x):
        return self.a(self.b(x))


class Various(nn.Cell):
    """Several inputs and types; a Parameter, a constant; tuples of outputs inside one another."""

    def __init__(self):
        super().__init__()
        self.w, self.k = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="w"), ms.Tensor([0.5, -1.0, 2.0])

    def construct(self, x, y):
        return self.w, x * self.w + self.k, (y, [x - 1, y // 2])


def floats(*shape):
    return ms.Tensor(np.random.RandomState(sum(shape)).randn(*shape).astype(np.float32))


def ints(limit, *shape):
    return ms.Tensor(np.random.RandomState(sum(shape)).randint(0, limit, shape).astype(np.int32))


def _encoder():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2)


def _slices(x):
    return x[:, 1:, ::2], x[..., -1], x[:, None, 0], x[:, [2, 0]], x[1], x[::-1]


def _parts(x):
    joined = ops.cat((x, x), 1), ops.stack((x, x)), ops.tile(x, (2, 1, 1, 2))
    moved = x.swapaxes(0, 2), x.reshape(-1, 4), x.expand_dims(0).squeeze(0), ops.flip(x, (1,))
    return ops.split(x, 2, -1), ops.unstack(x, 1), joined, moved


def _reductions(x):
    sums = x.mean(), x.sum((0, -1)), x.std(1), ops.cumsum(x, 1), ops.norm(x, dim=-1)
    return *sums, x.max(axis=1), x.argmax(-1), (x > 0).all(1), ops.topk(x, 2), ops.sort(x)


def _numbers(x):
    return x**2 + 2**x + (x / 3) // 1, x % 0.7, ops.clamp(x, -1, 1), x.astype(ms.int32) // 3, ops.where(x > 0, x, 0.5)


def _types(x):
    return x + 1, x > 3, x.astype(ms.float16), x.astype(ms.int64), x.astype(ms.uint8), x.astype(ms.bool_)


def _chosen(x, i):
    return x[:, i], ops.gather(x, i, 0), ops.gather_elements(x, 1, i.reshape(1, 2)), ops.one_hot(i, 3, *_ON_OFF)


def _resized(x):
    sizes = ops.interpolate(x, size=(6, 9), mode="bilinear"), ops.interpolate(x, size=(6, 8), mode="nearest")
    return *sizes, ops.interpolate(x, size=(6, 9), mode="bilinear", align_corners=True)


def _padded(*cells_and_x):
    *cells, x = cells_and_x
    return tuple(cell(x) for cell in cells)


_ON_OFF = ms.Tensor(1.0), ms.Tensor(0.0)
_PADS = nn.ReflectionPad2d, nn.ZeroPad2d
_ACTIVATIONS = (
    nn.GELU,
    nn.ELU,
    nn.LeakyReLU,
    nn.Mish,
    nn.HSwish,
    nn.HSigmoid,
    nn.SiLU,
    nn.Softmax,
    nn.LogSoftmax,
    nn.Tanh,
)

NETWORKS = {
    "dense": lambda: (nn.Dense(3, 2), floats(4, 3)),
    "dense_3d": lambda: (nn.Dense(3, 2, activation="relu"), floats(2, 4, 3)),
    "lenet": lambda: (LeNet(), floats(1, 1, 28, 28)),
    "residual": lambda: (Residual(), floats(1, 3, 16, 16)),
    "batch_norm": lambda: (nn.BatchNorm1d(3), floats(4, 3)),
    "layer_norm": lambda: (nn.LayerNorm((4,)), floats(3, 4)),
    "group_norm": lambda: (nn.GroupNorm(2, 4), floats(2, 4, 3, 3)),
    "encoder": lambda: (_encoder(), floats(2, 3, 4)),
    "lstm": lambda: (nn.LSTM(3, 2, 2, bidirectional=True, batch_first=True), floats(2, 3, 3)),
    "gru": lambda: (nn.GRU(3, 2), floats(3, 2, 3)),
    "rnn": lambda: (nn.RNN(3, 2), floats(3, 2, 3)),
    "lstm_cell": lambda: (nn.LSTMCell(3, 2), floats(2, 3), (floats(2, 2), floats(2, 2))),
    "pooling": lambda: (nn.SequentialCell(nn.AvgPool2d(3, 2, "same"), nn.MaxPool2d(2, 1)), floats(1, 2, 7, 7)),
    "padded_means": lambda: (nn.AvgPool2d(3, 2, "pad", 1, True, True), floats(1, 2, 8, 8)),
    "shares": lambda: (nn.AdaptiveAvgPool2d((3, 2)), floats(1, 2, 5, 5)),
    "embedding": lambda: (nn.Embedding(5, 4), ints(5, 2, 3)),
    "transposed": lambda: (nn.Conv2dTranspose(2, 3, 4, 2, "pad", 1), floats(1, 2, 5, 5)),
    "depthwise": lambda: (nn.Conv2d(4, 4, 3, group=4, dilation=2), floats(1, 4, 6, 6)),
    "conv_3d": lambda: (nn.Conv3d(2, 3, 3), floats(1, 2, 4, 5, 5)),
    "activations": lambda: (nn.SequentialCell(*[kind() for kind in _ACTIVATIONS], nn.PReLU(3)), floats(2, 3)),
    "shared": lambda: (Shared(), floats(2, 3)),
    "various": lambda: (Various(), floats(2, 3), ints(9, 3)),
    "dropout": lambda: (nn.SequentialCell(nn.Dropout(p=0.5), nn.Dense(3, 2)), floats(2, 3)),
    "half_o1": lambda: (amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(3, 4), nn.Softmax()), "O1"), floats(2, 3)),
    "half_o2": lambda: (amp.auto_mixed_precision(Residual(), "O2"), floats(1, 3, 16, 16)),
    "half_o3": lambda: (amp.auto_mixed_precision(Residual(), "O3"), floats(1, 3, 16, 16)),
    "slices": lambda: (Function(_slices), floats(2, 3, 4)),
    "parts": lambda: (Function(_parts), floats(2, 3, 4)),
    "reductions": lambda: (Function(_reductions), floats(2, 3, 4)),
    "numbers": lambda: (Function(_numbers), floats(2, 3)),
    "types": lambda: (Function(_types), ints(9, 3)),
    "chosen": lambda: (Function(_chosen), floats(2, 3), ints(2, 2)),
    "products": lambda: (Function(lambda x: (ops.bmm(x, x.swapaxes(1, 2)), x[0] @ x[1].T)), floats(2, 3, 4)),
    "resized": lambda: (Function(_resized), floats(1, 2, 3, 4)),
    "padded": lambda: (Function(_padded, *[kind(1) for kind in _PADS], nn.ConstantPad2d(1, 2.5)), floats(1, 2, 4, 4)),
    "loss": lambda: (Function(lambda x, y: ops.cross_entropy(x, y)), floats(3, 4), ints(4, 3)),
}


def made(name):
    """The network and the inputs of a case; the Parameters have values of their own."""
    network, *inputs = NETWORKS[name]()
    numbers = np.random.RandomState(7)
    for parameter in network.get_parameters():
        drawn = (
            numbers.rand(*parameter.shape) + 0.5 if "variance" in parameter.name else numbers.randn(*parameter.shape)
        )
        parameter.set_data(ms.Tensor(drawn.astype(parameter.asnumpy().dtype)))
    return network, inputs


def main(folder):
    for name in NETWORKS:
        network, inputs = made(name)
        ms.export(network, *inputs, file_name=str(Path(folder, name)), file_format="MINDIR")
        arrays = [x.asnumpy() for x in nest.select(ms.Tensor, inputs)]
        np.savez(Path(folder, f"{name}.npz"), **{f"x{i}": x for i, x in enumerate(arrays)})


if __name__ == "__main__":
    main(*sys.argv[1:])
