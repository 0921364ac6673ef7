"""The cases of convolutions and pooling, in the form of ``layers.py``.

``LATER`` is what 2.7.0 computes and 2.0.0 does not, or wrongly: transposed 3-D convolutions in groups, and the output
padding of transposed 2-D ones with a bias.
"""

import numpy as np
from conformance.cases.layers import case

ROWS, PLANES, VOLUMES = [[2, 4, 9]], [[2, 4, 5, 6]], [[2, 4, 3, 5, 4]]
CONVOLUTIONS = [
    ("Conv1d", ROWS, 1),
    ("Conv3d", VOLUMES, 3),
    ("Conv1dTranspose", ROWS, 1),
    ("Conv2dTranspose", PLANES, 2),
    ("Conv3dTranspose", VOLUMES, 3),
]


def grid(layer, inputs, axes):
    """Every argument of a convolution by itself, and some together."""
    yield case(layer, inputs, 4, 6, 3)
    yield case(layer, inputs, 4, 6, 3, has_bias=True, stride=2)
    yield case(layer, inputs, 4, 6, 2, pad_mode="valid")
    yield case(layer, inputs, 4, 6, 2, pad_mode="valid", stride=3, has_bias=True)
    yield case(layer, inputs, 4, 6, 3, pad_mode="pad", padding=1, stride=2)
    if axes > 1:
        pads, sizes = (0, 1, 2, 1, 1, 0)[: 2 * axes], (2, 3, 1)[:axes]
        yield case(layer, inputs, 4, 6, 3, pad_mode="pad", padding=pads, has_bias=True)
        yield case(layer, inputs, 4, 6, sizes, stride=(1, 2, 2)[:axes])
    if layer != "Conv3dTranspose":  # which MindSpore has neither dilated along the depth nor, in 2.0.0, in groups
        yield case(layer, inputs, 4, 6, 3, group=2, has_bias=True)
        yield case(layer, inputs, 4, 4, 3, group=4, stride=2)
        yield case(layer, inputs, 4, 6, 2, dilation=2)
        yield case(layer, inputs, 4, 6, 2, dilation=2, pad_mode="pad", padding=2, group=2)


def drawn(layer, axes, count):
    """Random sizes and arguments."""
    rng = np.random.default_rng(len(layer))
    for _ in range(count):
        group, stride, kernel = (int(n) for n in rng.integers(1, 4, 3))
        if layer == "Conv3dTranspose":
            group = 1
        taken, made = (group * int(n) for n in rng.integers(1, 4, 2))
        inputs = [[int(rng.integers(1, 3)), taken, *(int(n) for n in rng.integers(kernel, 7, axes))]]
        mode = str(rng.choice(["same", "valid", "pad"]))
        padding = int(rng.integers(0, (kernel + 1) // 2)) if mode == "pad" else 0
        rest = {"stride": stride, "pad_mode": mode, "padding": padding, "group": group}
        yield case(layer, inputs, taken, made, kernel, has_bias=bool(rng.integers(2)), **rest)


def pooling():
    """Pooling of rows and planes."""
    for layer, inputs in (("MaxPool1d", ROWS), ("AvgPool1d", ROWS), ("MaxPool2d", PLANES), ("AvgPool2d", PLANES)):
        yield case(layer, inputs, 3, 2)
        yield case(layer, inputs, 3, 2, "same")
        yield case(layer, [inputs[0][1:]], 2, 1)
        yield case(layer, inputs, 3, 2, "pad", 1)
        yield case(layer, inputs, 2, 2, "pad", ceil_mode=True)
        yield case(layer, inputs, 3, 2, "pad", 1, ceil_mode=True)
        yield case(layer, inputs, 2, 3, "pad", 1, ceil_mode=True)
    for layer in ("MaxPool2d", "AvgPool2d"):
        yield case(layer, PLANES, (3, 2), (2, 1), "pad", (1, 0))
    for dilation in (2, (1, 2)):
        yield case("MaxPool2d", PLANES, 2, 1, "pad", dilation=dilation)
    yield case("MaxPool2d", PLANES, 3, 2, "pad", 1, kind="ties")
    yield case("MaxPool1d", ROWS, 2, 3, "pad", dilation=3)
    yield case("AvgPool1d", ROWS, 3, 2, "pad", 1, count_include_pad=False)
    yield case("AvgPool2d", PLANES, 3, 2, "pad", 1, count_include_pad=False)
    yield case("AvgPool2d", PLANES, 3, 2, "pad", 1, ceil_mode=True, count_include_pad=False)
    for mode in ("valid", "same", "pad"):
        yield case("AvgPool2d", PLANES, 2, 2, mode, divisor_override=3)
    for size in (1, 2, (3, 4), (None, 2), (7, 4)):
        yield case("AdaptiveAvgPool2d", PLANES, size)
        yield case("AdaptiveMaxPool2d", PLANES, size)
    yield case("AdaptiveAvgPool2d", [[3, 5, 6]], 2)
    yield case("AdaptiveMaxPool2d", [[3, 5, 6]], 2, kind="ties")
    for size in (1, 3, 9):
        yield case("AdaptiveAvgPool1d", ROWS, size)
        yield case("AdaptiveMaxPool1d", ROWS, size)


def with_indices():
    """The layers that tell where the largest stand."""
    yield case("MaxPool2d", PLANES, 3, 2, "pad", 1, return_indices=True)
    yield case("MaxPool1d", ROWS, 2, 2, "pad", return_indices=True)
    yield case("AdaptiveMaxPool2d", PLANES, (2, 4), return_indices=True)


def of_later_releases():
    """What 2.7.0 computes and 2.0.0 does not."""
    for group in (2, 4):
        yield case("Conv3dTranspose", VOLUMES, 4, 4, (2, 1, 3), stride=2, group=group, has_bias=True)
    for has_bias in (False, True):
        yield case("Conv2dTranspose", PLANES, 4, 6, 3, 2, "pad", 1, 1, has_bias=has_bias)
        yield case("Conv2dTranspose", PLANES, 4, 6, 2, 3, "pad", 0, (2, 0), has_bias=has_bias)
        rest = {"pad_mode": "pad", "padding": 1, "output_padding": (1, 0, 1), "has_bias": has_bias}
        yield case("Conv3dTranspose", VOLUMES, 4, 6, 3, stride=2, **rest)


CASES = [
    *(row for layer, inputs, axes in CONVOLUTIONS for row in grid(layer, inputs, axes)),
    *(row for layer, _, axes in CONVOLUTIONS for row in drawn(layer, axes, 6)),
    *pooling(),
    *with_indices(),
]
LATER = list(of_later_releases())
