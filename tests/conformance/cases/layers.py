"""The cases of single layers, for the script that records them; the tests read them from its file.

Left out is what MindSpore 2.0.0 does not compute on CPU (instance normalization), draws at random, or computes wrongly:
SeLU's gradient below 0, ClipByNorm along an axis, and for large numbers LogSigmoid and FastGelu's gradient in float16.
"""

IMAGES = [[3, 4, 7, 8]]
ROWS, PLANES, VOLUMES = [[2, 4, 9]], [[2, 4, 5, 6]], [[2, 3, 3, 4, 5]]
PLAIN = ("LeakyReLU", "ELU", "CELU", "SiLU", "HSwish", "HSigmoid", "Mish", "Softsign", "LogSigmoid", "HShrink")
INEXACT_WHEN_WIDE = ("FastGelu", "LogSigmoid")  # there: a float16 gradient that is nan, few digits left
FURTHER = ("SoftShrink", "Tanhshrink", "Hardtanh", "FastGelu", "Softmin")


def case(layer, inputs, *args, train=False, kind="uniform", **kwargs):
    """A row of the table: how to build the layer, the shapes of its inputs, and what they are filled with."""
    return {"layer": layer, "args": args, "kwargs": kwargs, "inputs": inputs, "train": train, "kind": kind}


def losses():
    """Every loss with every reduction."""
    for reduction in ("mean", "sum", "none"):
        for layer in ("MSELoss", "L1Loss"):
            yield case(layer, [[5, 3], [5, 3]], reduction=reduction)
        yield case("SoftmaxCrossEntropyWithLogits", [[6, 4], [6, 4]], kind="rows", sparse=False, reduction=reduction)
        yield case("SoftmaxCrossEntropyWithLogits", [[6, 4], [6]], kind="classes", sparse=True, reduction=reduction)


def batch_norms():
    """Batch normalization in training, in evaluation, and told which statistics to take."""
    for layer, shape in (("BatchNorm1d", [9, 4]), ("BatchNorm2d", [3, 4, 5, 2]), ("BatchNorm3d", [2, 3, 3, 2, 4])):
        for train in (True, False):
            yield case(layer, [shape], shape[1], train=train)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, eps=0.1, momentum=0.3, train=True)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, affine=False, train=True)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, use_batch_statistics=False, train=True)
    yield case("BatchNorm2d", [[3, 4, 5, 2]], 4, use_batch_statistics=True)


def recurrent():
    """Recurrent cells, with and without biases; an LSTM cell takes the pair (h, c) after x."""
    for has_bias in (True, False):
        yield case("LSTMCell", [[3, 5], [3, 4], [3, 4]], 5, 4, has_bias)
        yield case("GRUCell", [[3, 5], [3, 4]], 5, 4, has_bias)
        yield case("RNNCell", [[3, 5], [3, 4]], 5, 4, has_bias)
    yield case("RNNCell", [[3, 5], [3, 4]], 5, 4, nonlinearity="relu")


def common_activations():
    """Activations, with large and small values."""
    for layer in ("ReLU", "ReLU6", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "GELU"):
        yield case(layer, [[4, 9]], kind="wide")
    yield case("GELU", [[4, 9]], False, kind="wide")
    yield case("Softmax", [[3, 4, 5]], 1, kind="wide")
    yield case("LogSoftmax", [[3, 4, 5]], 0, kind="wide")
    yield case("PReLU", [[3, 4, 5]], 4, kind="wide")
    yield case("PReLU", [[3, 4, 5]], kind="wide")


COMMON = [
    case("Dense", [[5, 3]], 3, 4),
    case("Dense", [[5, 3]], 3, 4, has_bias=False),
    case("Dense", [[2, 5, 3]], 3, 4, activation="relu"),
    case("Dense", [[2, 2, 2, 3]], 3, 2, activation="tanh"),
    case("Dense", [[1, 1]], 1, 1),
    case("Dense", [[32, 200]], 200, 40),
    case("Conv2d", IMAGES, 4, 6, 3),
    case("Conv2d", IMAGES, 4, 6, 3, has_bias=True, stride=2),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="valid"),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="pad", padding=1, has_bias=True),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="pad", padding=(0, 1, 2, 1), stride=2),
    case("Conv2d", IMAGES, 4, 6, (2, 3), stride=(1, 2), pad_mode="valid", has_bias=True),
    case("Conv2d", IMAGES, 4, 6, (4, 2)),
    case("Conv2d", IMAGES, 4, 6, 3, pad_mode="pad", padding=2, dilation=2),
    case("Conv2d", IMAGES, 4, 6, 1, stride=2),
    case("Conv2d", IMAGES, 4, 6, 3, group=2, has_bias=True),
    case("Conv2d", IMAGES, 4, 4, 3, group=4, pad_mode="valid"),
    case("Conv2d", [[2, 16, 9, 9]], 16, 12, 3),
    case("MaxPool2d", IMAGES, 2, 2),
    case("MaxPool2d", IMAGES, 3, 2, "same"),
    case("MaxPool2d", IMAGES, (2, 3), (2, 1)),
    case("MaxPool2d", IMAGES, 3, 1, "same", kind="ties"),
    case("MaxPool2d", [[4, 7, 8]], 2, 2),
    case("AvgPool2d", IMAGES, 2, 2),
    case("AvgPool2d", IMAGES, 3, 2, "same"),
    case("AvgPool2d", IMAGES, (2, 3), (2, 1)),
    *batch_norms(),
    case("LayerNorm", [[4, 6]], [6]),
    case("LayerNorm", [[2, 3, 4, 5]], [3, 4, 5], begin_norm_axis=1, begin_params_axis=1),
    case("LayerNorm", [[2, 3, 4, 5]], [4, 5], begin_norm_axis=2, begin_params_axis=2, epsilon=0.1),
    case("Flatten", [[2, 3, 4, 5]]),
    case("Flatten", [[2, 3, 4, 5]], 0, 2),
    case("Dropout", [[4, 3]], p=0.5),
    *common_activations(),
    *recurrent(),
    *losses(),
]


def activations():
    """The further activations, and those with arguments once more."""
    for layer in PLAIN + FURTHER:
        yield case(layer, [[4, 9]], kind="uniform" if layer in INEXACT_WHEN_WIDE else "wide")
    yield case("LeakyReLU", [[4, 9]], 1.5, kind="wide")
    yield case("CELU", [[4, 9]], 0.4, kind="wide")
    yield case("HShrink", [[4, 9]], 2.0, kind="wide")
    yield case("SoftShrink", [[4, 9]], 1.25, kind="wide")
    yield case("Hardtanh", [[4, 9]], -2.5, 0.5, kind="wide")
    yield case("Threshold", [[4, 9]], 0.5, 3.0, kind="wide")
    yield case("GLU", [[4, 6]])
    yield case("GLU", [[4, 6]], 0)
    yield case("RReLU", [[4, 6]], 0.25, 0.25)
    yield case("Softmin", [[3, 4, 5]], 1)
    for shape in ([2, 3, 4, 5], [3, 4, 5]):
        yield case("Softmax2d", [shape], kind="wide")


def normalizations():
    """Groups of channels, parameters over other axes than the statistics, and batch statistics in every mode."""
    for groups in (1, 2, 4):
        yield case("GroupNorm", PLANES, groups, 4)
    yield case("GroupNorm", PLANES, 2, 4, eps=0.1, affine=False)
    for begin, params, shape in ((1, 2, [5, 6]), (1, 3, [6]), (2, 1, [4, 5, 6]), (1, 0, [2, 4, 5, 6])):
        yield case("LayerNorm", PLANES, shape, begin_norm_axis=begin, begin_params_axis=params)
    for by_batch in (None, True, False):
        for train in (True, False):
            yield case("BatchNorm2d", PLANES, 4, use_batch_statistics=by_batch, train=train)
            yield case("BatchNorm1d", [[9, 4]], 4, momentum=0.7, use_batch_statistics=by_batch, train=train)


def padding():
    """Every layer, with one length and with several."""
    for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        yield case("Pad", [[3, 4]], ((1, 2), (0, 3)), mode)
    for axes, shape in ((1, [2, 3, 5]), (2, [2, 3, 4, 5])):
        pads = (2, 1, 0, 3)[: 2 * axes]
        for layer, rest in (("ConstantPad", (1.5,)), ("ReflectionPad", ()), ("ReplicationPad", ())):
            yield case(f"{layer}{axes}d", [shape], 1, *rest)
            yield case(f"{layer}{axes}d", [shape], pads, *rest)
    yield case("ConstantPad2d", [[2, 4, 5]], (-1, 2, 0, -2), 0.5)
    yield case("ConstantPad3d", VOLUMES, (1, 0, 2, 1, 0, 1), -1.0)
    yield case("ReplicationPad3d", VOLUMES, (1, 0, 2, 1, 0, 1))
    yield case("ZeroPad2d", [[2, 4, 5]], (1, 0, 2, 1))


def resizing():
    """Every mode up, down and aligned."""
    for size in ((7, 9), (3, 4), (5, 6), (1, 11)):
        yield case("Upsample", PLANES, size)
        yield case("Upsample", PLANES, size, mode="area")
        for align in (False, True):
            yield case("Upsample", PLANES, size, mode="bilinear", align_corners=align)
    for size in ((14,), (4,)):
        yield case("Upsample", ROWS, size)
        for align in (False, True):
            yield case("Upsample", ROWS, size, mode="linear", align_corners=align)
    yield case("Upsample", PLANES, scale_factor=1.6, recompute_scale_factor=True)
    yield case("PixelShuffle", PLANES, 2)
    yield case("PixelUnshuffle", [[3, 6, 4]], 2)


def volumes():
    """Pooling of volumes."""
    for layer in ("MaxPool3d", "AvgPool3d"):
        yield case(layer, VOLUMES, 2)
        yield case(layer, VOLUMES, (1, 2, 3), (2, 1, 2))
        yield case(layer, VOLUMES, 2, 2, "same")
        yield case(layer, VOLUMES, 3, 2, "pad", 1)
        yield case(layer, VOLUMES, 2, 2, "pad", (1, 0, 1), ceil_mode=True)
        yield case(layer, [VOLUMES[0][1:]], 2, 1)
    yield case("AvgPool3d", VOLUMES, 3, 2, "pad", 1, count_include_pad=False)
    yield case("AvgPool3d", VOLUMES, 2, divisor_override=5)
    for size in (2, (1, None, 3), (3, 4, 5)):
        yield case("AdaptiveAvgPool3d", VOLUMES, size)


def measures():
    """Layers that measure all of x, or an axis."""
    yield case("L1Regularizer", [[4, 5]], 0.25)
    yield case("Norm", [[4, 5]])
    yield case("Norm", [[4, 5]], 1, True)


MORE = [*activations(), *normalizations(), *padding(), *resizing(), *volumes(), *measures()]
