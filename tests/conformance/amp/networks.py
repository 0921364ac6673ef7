"""Small networks for the conformance of mixed precision, written once in the MindSpore API: NETWORKS names each.

The recorder runs this file under MindSpore, the tests with ``mindspore`` resolved to minispore. A network is a factory
and its inputs, each ``("normal", shape)`` or ``("class", shape)``; it has one output. Beside the forms that MindSpore
2.0.0's rewrite can parse stand some that it cannot; those differences are in the ledger.
"""

from collections import OrderedDict

import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore import dtype as mstype


def weight(name, *shape):
    """A Parameter, whose value is set later by its name."""
    return Parameter(Tensor(np.zeros(shape, np.float32)), name=name)


class One(nn.Cell):
    """One cell."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x):
        return self.cell(x)


class Two(nn.Cell):
    """Two cells, one after the other."""

    def __init__(self, first, second):
        super().__init__()
        self.first = first
        self.second = second

    def construct(self, x):
        x = self.first(x)
        return self.second(x)


class Three(nn.Cell):
    """Three cells, called in one expression."""

    def __init__(self, first, second, third):
        super().__init__()
        self.first = first
        self.second = second
        self.third = third

    def construct(self, x):
        return self.third(self.second(self.first(x)))


class Residual(nn.Cell):
    """``x + inner(x)``, with the operator."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        y = self.inner(x)
        return x + y


class ResidualAdd(nn.Cell):
    """``relu(x + inner(x))``, with primitives."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.add = ops.Add()
        self.relu = ops.ReLU()

    def construct(self, x):
        y = self.inner(x)
        y = self.add(x, y)
        return self.relu(y)


class Twice(nn.Cell):
    """One cell that is called twice."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        x = self.inner(x)
        x = self.inner(x)
        return x


class TwoNames(nn.Cell):
    """One cell under two names."""

    def __init__(self, inner):
        super().__init__()
        self.first = inner
        self.second = inner

    def construct(self, x):
        x = self.first(x)
        return self.second(x)


class Branches(nn.Cell):
    """Two cells on one input, whose outputs are multiplied."""

    def __init__(self, left, right):
        super().__init__()
        self.left = left
        self.right = right

    def construct(self, x):
        a = self.left(x)
        b = self.right(x)
        return a * b


class Joined(nn.Cell):
    """Two cells on two inputs, whose outputs are joined."""

    def __init__(self, left, right):
        super().__init__()
        self.left = left
        self.right = right
        self.concat = ops.Concat(1)

    def construct(self, x, y):
        a = self.left(x)
        b = self.right(y)
        return self.concat((a, b))


class ListLoop(nn.Cell):
    """A loop over a CellList."""

    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 3), nn.Dense(3, 3)])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Branching(nn.Cell):
    """An ``if`` on an attribute."""

    def __init__(self, deep):
        super().__init__()
        self.deep = deep
        self.dense = nn.Dense(3, 3)
        self.head = nn.Dense(3, 2)

    def construct(self, x):
        if self.deep:
            x = self.dense(x)
        return self.head(x)


class Helper(nn.Cell):
    """A cell that is called in a method."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 3)
        self.head = nn.Dense(3, 2)

    def helper(self, x):
        return self.dense(x)

    def construct(self, x):
        x = self.helper(x)
        return self.head(x)


class MatMulOf(nn.Cell):
    """A primitive with a Parameter."""

    def __init__(self, primitive, *shape):
        super().__init__()
        self.primitive = primitive
        self.w = weight("w", *shape)

    def construct(self, x):
        return self.primitive(x, self.w)


class PrimitiveOf(nn.Cell):
    """A primitive of one input."""

    def __init__(self, primitive):
        super().__init__()
        self.primitive = primitive

    def construct(self, x):
        return self.primitive(x)


class PrimitiveChain(nn.Cell):
    """Listed and unlisted primitives in turn."""

    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul()
        self.relu = ops.ReLU()
        self.tanh = ops.Tanh()
        self.w = weight("w", 3, 4)
        self.v = weight("v", 4, 2)

    def construct(self, x):
        x = self.matmul(x, self.w)
        x = self.relu(x)
        x = self.matmul(x, self.v)
        x = self.tanh(x)
        return self.relu(x)


class Functions(nn.Cell):
    """Functional forms of listed primitives."""

    def __init__(self):
        super().__init__()
        self.w = weight("w", 3, 3)
        self.dense = nn.Dense(3, 3)

    def construct(self, x):
        x = ops.matmul(x, self.w)
        x = self.dense(x)
        return ops.relu(x)


class Constant(nn.Cell):
    """A constant Tensor, a Parameter and numbers."""

    def __init__(self):
        super().__init__()
        self.scale = Tensor(np.array([0.5, 1.0, 2.0], np.float32))
        self.shift = weight("shift", 3)
        self.dense = nn.Dense(3, 3)

    def construct(self, x):
        x = x * self.scale + self.shift
        x = self.dense(x)
        return x * 0.5 - 1.0


class Casting(nn.Cell):
    """A cast of the network's own."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 3)
        self.cast = ops.Cast()
        self.softmax = ops.Softmax()

    def construct(self, x):
        x = self.dense(x)
        x = self.cast(x, mstype.float32)
        return self.softmax(x)


class Shaping(nn.Cell):
    """Operations that only move elements."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 4)
        self.reshape = ops.Reshape()
        self.transpose = ops.Transpose()

    def construct(self, x):
        x = self.dense(x)
        x = self.reshape(x, (-1, 2, 2))
        return self.transpose(x, (0, 2, 1))


class Block(nn.Cell):
    """A user's block: a Dense, a norm of the black list, a residual."""

    def __init__(self, width):
        super().__init__()
        self.dense = nn.Dense(width, width)
        self.norm = nn.LayerNorm((width,))

    def construct(self, x):
        y = self.dense(x)
        y = self.norm(y)
        return x + y


class ConvBlock(nn.Cell):
    """A user's block: convolution, BatchNorm, ReLU."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, stride)
        self.bn = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.conv(x)
        x = self.bn(x)
        return self.relu(x)


class ResNetBlock(nn.Cell):
    """The basic block of a ResNet, with a projection."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(2, 3, 3)
        self.bn1 = nn.BatchNorm2d(3)
        self.conv2 = nn.Conv2d(3, 3, 3)
        self.bn2 = nn.BatchNorm2d(3)
        self.down = nn.Conv2d(2, 3, 1)
        self.relu = nn.ReLU()

    def construct(self, x):
        y = self.conv1(x)
        y = self.bn1(y)
        y = self.relu(y)
        y = self.conv2(y)
        y = self.bn2(y)
        z = self.down(x)
        y = y + z
        return self.relu(y)


class Attention(nn.Cell):
    """Self-attention of one head, of primitives and Dense cells."""

    def __init__(self, width):
        super().__init__()
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width)
        self.value = nn.Dense(width, width)
        self.scores = ops.BatchMatMul(transpose_b=True)
        self.mix = ops.BatchMatMul()
        self.softmax = ops.Softmax()
        self.out = nn.Dense(width, width)

    def construct(self, x):
        q = self.query(x)
        k = self.key(x)
        v = self.value(x)
        s = self.scores(q, k)
        s = s * 0.5
        p = self.softmax(s)
        y = self.mix(p, v)
        return self.out(y)


class TransformerBlock(nn.Cell):
    """Attention and a feed-forward part, each with a LayerNorm before and a residual."""

    def __init__(self, width):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,))
        self.attention = Attention(width)
        self.norm2 = nn.LayerNorm((width,))
        self.up = nn.Dense(width, 2 * width)
        self.gelu = nn.GELU()
        self.down = nn.Dense(2 * width, width)

    def construct(self, x):
        y = self.norm1(x)
        y = self.attention(y)
        x = x + y
        y = self.norm2(x)
        y = self.up(y)
        y = self.gelu(y)
        y = self.down(y)
        return x + y


class Lstm(nn.Cell):
    """One step of an LSTMCell: its two outputs added."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 2)

    def construct(self, x, h, c):
        h, c = self.cell(x, (h, c))
        return h + c


class Recurrent(nn.Cell):
    """One step of a cell with one state."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x, h):
        h = self.cell(x, h)
        return h


class WithLoss(nn.Cell):
    """A network and a loss."""

    def __init__(self, network, loss):
        super().__init__()
        self.network = network
        self.loss = loss

    def construct(self, x, label):
        out = self.network(x)
        return self.loss(out, label)


class SpecialDense(nn.Dense):
    """A user's subclass of a listed class, which is not listed itself."""


class SpecialNorm(nn.LayerNorm):
    """A user's subclass of a black-listed class, which counts as one."""


def marked(cell, dtype):
    """A cell that the user has called ``to_float`` on."""
    return cell.to_float(dtype)


def deep():
    """Containers in containers, blocks in them."""
    return nn.SequentialCell([ConvBlock(1, 2), nn.SequentialCell([ConvBlock(2, 2), nn.Flatten()]), nn.Dense(32, 2)])


def named():
    """A SequentialCell of named cells."""
    return nn.SequentialCell(OrderedDict([("dense", nn.Dense(3, 4)), ("relu", nn.ReLU()), ("head", nn.Dense(4, 2))]))


ROWS, IMAGE, VOLUME, SIGNAL = (
    ("normal", [4, 3]),
    ("normal", [2, 1, 4, 4]),
    ("normal", [1, 2, 3, 3, 3]),
    ("normal", [2, 2, 6]),
)
PAIR, WORDS, IMAGES = ("normal", [2, 2, 5, 5]), ("normal", [2, 3, 4]), ("normal", [2, 3, 4, 4])
CLASSES, TARGET = ("class", [4]), ("normal", [4, 2])
F16, F32 = mstype.float16, mstype.float32

NETWORKS = {
    "dense": (lambda: One(nn.Dense(3, 2)), [ROWS]),
    "dense_without_bias": (lambda: One(nn.Dense(3, 2, has_bias=False)), [ROWS]),
    "dense_with_activation": (lambda: One(nn.Dense(3, 2, activation="relu")), [ROWS]),
    "dense_of_three_axes": (lambda: One(nn.Dense(4, 2)), [WORDS]),
    "conv1d": (lambda: One(nn.Conv1d(2, 3, 3)), [SIGNAL]),
    "conv2d": (lambda: One(nn.Conv2d(2, 3, 3)), [PAIR]),
    "conv2d_valid_with_bias": (lambda: One(nn.Conv2d(2, 3, 3, pad_mode="valid", has_bias=True)), [PAIR]),
    "conv2d_strided": (lambda: One(nn.Conv2d(2, 3, 3, stride=2, pad_mode="pad", padding=1)), [PAIR]),
    "conv2d_dilated": (lambda: One(nn.Conv2d(2, 2, 2, dilation=2, pad_mode="valid")), [PAIR]),
    "conv2d_depthwise": (lambda: One(nn.Conv2d(2, 2, 3, group=2)), [PAIR]),
    "conv3d": (lambda: One(nn.Conv3d(2, 2, 2)), [VOLUME]),
    "conv1d_transpose": (lambda: One(nn.Conv1dTranspose(2, 2, 3)), [SIGNAL]),
    "conv2d_transpose": (lambda: One(nn.Conv2dTranspose(2, 2, 3)), [PAIR]),
    "conv3d_transpose": (lambda: One(nn.Conv3dTranspose(2, 2, 2)), [VOLUME]),
    "relu_cell": (lambda: Two(nn.Dense(3, 3), nn.ReLU()), [ROWS]),
    "gelu_cell": (lambda: Two(nn.Dense(3, 3), nn.GELU()), [ROWS]),
    "sigmoid_cell": (lambda: Two(nn.Dense(3, 3), nn.Sigmoid()), [ROWS]),
    "softmax_cell": (lambda: Two(nn.Dense(3, 3), nn.Softmax()), [ROWS]),
    "leaky_relu_cell": (lambda: Two(nn.Dense(3, 3), nn.LeakyReLU()), [ROWS]),
    "prelu_cell": (lambda: Two(nn.Conv2d(2, 3, 3), nn.PReLU(3)), [PAIR]),
    "dense_dense": (lambda: Two(nn.Dense(3, 4), nn.Dense(4, 2)), [ROWS]),
    "dense_tanh_dense": (lambda: Three(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 2)), [ROWS]),
    "conv_batch_norm": (lambda: Two(nn.Conv2d(2, 2, 3), nn.BatchNorm2d(2)), [PAIR]),
    "conv_batch_norm_relu": (lambda: Three(nn.Conv2d(2, 2, 3), nn.BatchNorm2d(2), nn.ReLU()), [PAIR]),
    "dense_batch_norm": (lambda: Two(nn.Dense(3, 3), nn.BatchNorm1d(3)), [ROWS]),
    "conv3d_batch_norm": (lambda: Two(nn.Conv3d(2, 2, 2), nn.BatchNorm3d(2)), [VOLUME]),
    "dense_layer_norm": (lambda: Two(nn.Dense(3, 3), nn.LayerNorm((3,))), [ROWS]),
    "conv_max_pool": (lambda: Two(nn.Conv2d(2, 2, 3), nn.MaxPool2d(2, 2)), [PAIR]),
    "conv_avg_pool": (lambda: Two(nn.Conv2d(2, 2, 3), nn.AvgPool2d(2, 2)), [PAIR]),
    "conv_flatten_dense": (lambda: Three(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Dense(32, 2)), [IMAGE]),
    "residual_dense": (lambda: Residual(nn.Dense(3, 3)), [ROWS]),
    "residual_conv": (lambda: Residual(nn.Conv2d(2, 2, 3)), [PAIR]),
    "residual_primitives": (lambda: ResidualAdd(nn.Dense(3, 3)), [ROWS]),
    "residual_of_blocks": (lambda: Residual(Block(3)), [ROWS]),
    "called_twice": (lambda: Twice(nn.Dense(3, 3)), [ROWS]),
    "norm_called_twice": (lambda: Twice(nn.LayerNorm((3,))), [ROWS]),
    "block_called_twice": (lambda: Twice(Block(3)), [ROWS]),
    "two_names": (lambda: TwoNames(nn.Dense(3, 3)), [ROWS]),
    "norm_under_two_names": (lambda: TwoNames(nn.LayerNorm((3,))), [ROWS]),
    "branches": (lambda: Branches(nn.Dense(3, 3), nn.LayerNorm((3,))), [ROWS]),
    "two_inputs": (lambda: Joined(nn.Dense(3, 2), nn.Dense(3, 2)), [ROWS, ROWS]),
    "sequential": (lambda: nn.SequentialCell([nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2)]), [ROWS]),
    "sequential_with_norm": (lambda: nn.SequentialCell([nn.Dense(3, 4), nn.LayerNorm((4,)), nn.Dense(4, 2)]), [ROWS]),
    "sequential_of_names": (named, [ROWS]),
    "sequential_inside": (lambda: One(nn.SequentialCell([nn.Dense(3, 3), nn.ReLU()])), [ROWS]),
    "sequential_of_blocks": (lambda: One(nn.SequentialCell([Block(3), Block(3)])), [ROWS]),
    "sequential_of_conv_blocks": (lambda: One(nn.SequentialCell([ConvBlock(2, 2), ConvBlock(2, 3, 2)])), [PAIR]),
    "containers_in_containers": (lambda: One(deep()), [IMAGE]),
    "list_in_a_loop": (ListLoop, [ROWS]),
    "nested_twice": (lambda: One(One(Block(3))), [ROWS]),
    "conv_block": (lambda: ConvBlock(2, 2), [PAIR]),
    "resnet_block": (ResNetBlock, [PAIR]),
    "if_taken": (lambda: Branching(True), [ROWS]),
    "if_not_taken": (lambda: Branching(False), [ROWS]),
    "in_a_method": (Helper, [ROWS]),
    "matmul": (lambda: MatMulOf(ops.MatMul(), 3, 2), [ROWS]),
    "matmul_transposed": (lambda: MatMulOf(ops.MatMul(transpose_b=True), 2, 3), [ROWS]),
    "batch_matmul": (lambda: MatMulOf(ops.BatchMatMul(), 2, 4, 2), [WORDS]),
    "conv2d_primitive": (lambda: MatMulOf(ops.Conv2D(3, 2), 3, 2, 2, 2), [PAIR]),
    "bias_add_primitive": (lambda: MatMulOf(ops.BiasAdd(), 3), [ROWS]),
    "ger_primitive": (lambda: MatMulOf(ops.Ger(), 3), [("normal", [4])]),
    "prelu_primitive": (lambda: MatMulOf(ops.PReLU(), 2), [PAIR]),
    "relu_primitive": (lambda: PrimitiveOf(ops.ReLU()), [ROWS]),
    "softmax_primitive": (lambda: PrimitiveOf(ops.Softmax()), [ROWS]),
    "primitive_chain": (PrimitiveChain, [ROWS]),
    "functions": (Functions, [ROWS]),
    "constants": (Constant, [ROWS]),
    "own_cast": (Casting, [ROWS]),
    "shaping": (Shaping, [ROWS]),
    "attention": (lambda: Attention(4), [WORDS]),
    "transformer_block": (lambda: TransformerBlock(4), [WORDS]),
    "transformer_in_a_container": (lambda: One(nn.SequentialCell([TransformerBlock(4)])), [WORDS]),
    "lstm_cell": (Lstm, [ROWS, ("normal", [4, 2]), ("normal", [4, 2])]),
    "gru_cell": (lambda: Recurrent(nn.GRUCell(3, 2)), [ROWS, ("normal", [4, 2])]),
    "rnn_cell": (lambda: Recurrent(nn.RNNCell(3, 2)), [ROWS, ("normal", [4, 2])]),
    "user_float16_child": (lambda: Two(marked(nn.Dense(3, 3), F16), nn.Tanh()), [ROWS]),
    "user_float32_child": (lambda: Two(marked(nn.Dense(3, 3), F32), nn.Dense(3, 2)), [ROWS]),
    "user_float16_norm": (lambda: Two(nn.Dense(3, 3), marked(nn.LayerNorm((3,)), F16)), [ROWS]),
    "user_float32_block": (lambda: Two(marked(Block(3), F32), nn.Dense(3, 2)), [ROWS]),
    "user_float16_block": (lambda: Two(marked(Block(3), F16), nn.Dense(3, 2)), [ROWS]),
    "user_float16_root": (lambda: marked(Two(nn.Dense(3, 3), nn.Tanh()), F16), [ROWS]),
    "listed_root": (lambda: nn.Dense(3, 2), [ROWS]),
    "black_listed_root": (lambda: nn.LayerNorm((3,)), [ROWS]),
    "unlisted_root": (lambda: nn.Tanh(), [ROWS]),
    "special_dense": (lambda: One(SpecialDense(3, 2)), [ROWS]),
    "special_norm": (lambda: Two(nn.Dense(3, 3), SpecialNorm((3,))), [ROWS]),
    "softmax_loss": (
        lambda: WithLoss(nn.Dense(3, 2), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")),
        [ROWS, CLASSES],
    ),
    "mse_loss": (lambda: WithLoss(nn.Dense(3, 2), nn.MSELoss()), [ROWS, TARGET]),
    "l1_loss": (lambda: WithLoss(Block(3), nn.L1Loss()), [ROWS, ROWS]),
    "smooth_l1_loss": (lambda: WithLoss(nn.Dense(3, 2), nn.SmoothL1Loss()), [ROWS, TARGET]),
}
