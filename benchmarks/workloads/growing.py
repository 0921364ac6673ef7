"""Networks of one layer or of one kind, of any size: what the table of growth is made of.

Each function has the same network for cells and for PyTorch: ``name(framework, size)`` returns the step that is timed.
"""

from itertools import pairwise

import numpy as np

from workloads.training import (
    labels,
    momentum_of_cells,
    momentum_of_torch,
    normal,
    random,
    step_of_cells,
    step_of_torch,
)

WIDE, BATCH = 128, 16


def _squares_of_cells(ms, net, x):
    class Loss(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = net

        def construct(self, x):
            out = self.net(x)
            out = out[0] if isinstance(out, tuple) else out
            return (out * out).mean()

    step, x = ms.nn.TrainOneStepCell(Loss(), momentum_of_cells(ms, net)).set_train(), ms.Tensor(x)
    return lambda: step(x).asnumpy()


def _squares_of_torch(torch, net, x):
    optimizer, x = momentum_of_torch(torch, net), torch.from_numpy(x)

    def step():
        optimizer.zero_grad(set_to_none=True)
        out = net(x)
        out = out[0] if isinstance(out, tuple) else out
        value = (out * out).mean()
        value.backward()
        optimizer.step()
        return value.item()

    return step


def _is_torch(framework):
    return framework.__name__ == "torch"


def _step(framework, of_cells, of_torch, x):
    """The step of the network that one of the two functions makes of ``framework.nn``."""
    if _is_torch(framework):
        return _squares_of_torch(framework, of_torch(framework.nn), x)
    return _squares_of_cells(framework, of_cells(framework.nn), x)


def embedding(framework, words):
    """A table of so many words, 64 wide; 64 sentences of 32 words."""
    index = random.randint(0, words, (64, 32)).astype(np.int64 if _is_torch(framework) else np.int32)
    return _step(framework, lambda nn: nn.Embedding(words, 64), lambda nn: nn.Embedding(words, 64), index)


def lstm(framework, steps):
    """An LSTM of 128 over so many steps, batch 16."""
    return _step(framework, lambda nn: nn.LSTM(WIDE, WIDE), lambda nn: nn.LSTM(WIDE, WIDE), normal(steps, BATCH, WIDE))


def convolution(framework, sizes):
    """A convolution: ``(channels, pixels, kernel)``, as many channels made, batch 16."""
    channels, pixels, kernel = sizes
    return _step(
        framework,
        lambda nn: nn.Conv2d(channels, channels, kernel, pad_mode="pad", padding=kernel // 2),
        lambda nn: nn.Conv2d(channels, channels, kernel, padding=kernel // 2, bias=False),
        normal(BATCH, channels, pixels, pixels),
    )


def _classifier(framework, widths):
    """Dense layers of these widths with ReLU between them, 64 rows, under Momentum."""
    nn, layers = framework.nn, []
    for pair in pairwise(widths):
        layers += [(nn.Linear if _is_torch(framework) else nn.Dense)(*pair), nn.ReLU()]
    x, y = normal(64, widths[0]), labels(64)
    if _is_torch(framework):
        net = nn.Sequential(*layers[:-1])
        return step_of_torch(framework, net, momentum_of_torch(framework, net), x, y)
    net = nn.SequentialCell(*layers[:-1])
    return step_of_cells(framework, net, momentum_of_cells(framework, net), x, y)


def depth(framework, layers):
    """So many Dense layers of 256, batch 64."""
    return _classifier(framework, [256] * layers + [10])


def width(framework, wide):
    """Three Dense layers of that width, batch 64."""
    return _classifier(framework, [wide] * 3 + [10])


def mobilenet(ms, level):
    """The inverted residuals of MobileNetV2 on images of 32 x 32, batch 16, at a level of mixed precision."""
    nn, cells, channels = ms.nn, [_normalized(ms.nn, 3, 16, 3)], 16
    for made, stride in ((24, 2), (24, 1), (32, 2), (32, 1), (64, 2), (64, 1), (96, 1)):
        cells.append(_inverted_residual(nn, channels, made, stride))
        channels = made
    cells += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dense(channels, 10)]
    net = nn.SequentialCell(cells)
    x, y = normal(BATCH, 3, 32, 32), labels(BATCH)
    return step_of_cells(ms, net, momentum_of_cells(ms, net), x, y, level)


def _normalized(nn, channels, made, kernel, stride=1, group=1, relu=True):
    convolution = nn.Conv2d(channels, made, kernel, stride, pad_mode="pad", padding=kernel // 2, group=group)
    return nn.SequentialCell([convolution, nn.BatchNorm2d(made), *([nn.ReLU6()] if relu else [])])


def _inverted_residual(nn, channels, made, stride):
    """Six times as wide inside, filtered there channel by channel."""

    class InvertedResidual(nn.Cell):
        def __init__(self):
            super().__init__()
            wide = 6 * channels
            widen, narrow = _normalized(nn, channels, wide, 1), _normalized(nn, wide, made, 1, relu=False)
            self.body = nn.SequentialCell([widen, _normalized(nn, wide, wide, 3, stride, wide), narrow])
            self.residual = stride == 1 and channels == made

        def construct(self, x):
            return x + self.body(x) if self.residual else self.body(x)

    return InvertedResidual()
