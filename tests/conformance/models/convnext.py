"""A stack of ConvNeXt blocks (Liu et al., 2022): depthwise 7x7, LayerNorm over channels, an inverted bottleneck."""

import mindspore as ms
import numpy as np
from mindspore import nn, ops


class ChannelNorm(nn.Cell):
    """LayerNorm over axis 1 of an image."""

    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm((dim,), begin_norm_axis=-1, begin_params_axis=-1, epsilon=1e-6)

    def construct(self, x):
        return ops.transpose(self.norm(ops.transpose(x, (0, 2, 3, 1))), (0, 3, 1, 2))


class Block(nn.Cell):
    """x + scale * narrow(gelu(widen(norm(depthwise(x)))))."""

    def __init__(self, dim, scale):
        super().__init__()
        self.dwconv = nn.Conv2d(dim, dim, 7, pad_mode="same", group=dim, has_bias=True)
        self.norm = nn.LayerNorm((dim,), epsilon=1e-6)
        self.widen = nn.Dense(dim, 4 * dim)
        self.act = nn.GELU()
        self.narrow = nn.Dense(4 * dim, dim)
        self.scale = ms.Parameter(ms.Tensor(scale * np.ones(dim), ms.float32), name="scale")

    def construct(self, x):
        y = self.dwconv(x).transpose(0, 2, 3, 1)
        y = self.norm(y)
        y = self.narrow(self.act(self.widen(y)))
        y = (self.scale * y).transpose((0, 3, 1, 2))
        return x + y


class ConvNeXt(nn.Cell):
    """A patch stem, stages of blocks with 2x2 down-sampling between them, the mean of the map, LayerNorm, Dense."""

    def __init__(self, num_classes=10, dims=(96, 192, 384, 768), depths=(3, 3, 9, 3), scale=1e-6):
        super().__init__()
        cells = [nn.Conv2d(3, dims[0], 4, stride=4, pad_mode="valid", has_bias=True), ChannelNorm(dims[0])]
        for i, (dim, depth) in enumerate(zip(dims, depths)):  # noqa: B905 - the Python of MindSpore 2.0.0 has no strict
            if i:
                cells += [ChannelNorm(dims[i - 1]), nn.Conv2d(dims[i - 1], dim, 2, 2, pad_mode="valid", has_bias=True)]
            cells += [Block(dim, scale) for _ in range(depth)]
        self.features = nn.SequentialCell(cells)
        self.norm = nn.LayerNorm([dims[-1]], epsilon=1e-6)
        self.head = nn.Dense(dims[-1], num_classes)

    def construct(self, x):
        x = self.features(x)
        x = ops.mean(x, axis=(-2, -1))
        return self.head(self.norm(x))
