"""The arguments of layers: for each a strategy of its expression and its inputs.

A case shrinks to the first option of a choice. ``HELD_ELSEWHERE`` names the layers that have no line here.
"""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

__all__ = ["CLASSES", "HELD_ELSEWHERE", "LAYERS", "Input"]


class Input(NamedTuple):
    """The range of an input: numbers from ``low`` to ``high``, signs, or integers from 0 to below ``whole``."""

    shape: tuple
    low: float = -1.0
    high: float = 1.0
    whole: int = 0
    signs: bool = False

    def drawn(self, rng):
        """An array of float32 or int32."""
        if self.whole:
            return rng.integers(0, self.whole, self.shape).astype(np.int32)
        if self.signs:
            return rng.choice([-1.0, 1.0], self.shape).astype(np.float32)
        return rng.uniform(self.low, self.high, self.shape).astype(np.float32)


# Cells of user code that hand the parts of a tuple in and the first part of one out
CLASSES = {
    "Stepped": '''class Stepped(nn.Cell):
    """A recurrent cell whose state is two inputs, and which hands its first output on."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x, h, c):
        return self.cell(x, (h, c))[0]
''',
    "First": '''class First(nn.Cell):
    """The first output of a layer."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def construct(self, x):
        return self.layer(x)[0]
''',
}

FEW = st.integers(1, 2)
FLAG = st.booleans()


def told(name, *args, **named):
    """The expression that makes a layer."""
    return f"nn.{name}({', '.join([*map(repr, args), *(f'{key}={value!r}' for key, value in named.items())])})"


def _unless(defaults, **named):
    """The arguments that are not the defaults."""
    return {key: value for key, value in named.items() if value != defaults.get(key)}


def _either(*values):
    return st.sampled_from(values)


def _shapes(least=1, most=3):
    return st.lists(FEW, min_size=least, max_size=most).map(tuple)


# Activations


def _activation(name, *choices):
    """A layer of one input of any shape; ``choices`` draw its arguments."""
    return st.builds(lambda shape, *args: (told(name, *args), (Input(shape, -4.0, 4.0),)), _shapes(), *choices)


@st.composite
def _along_an_axis(draw, name, even=False):
    shape = draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    axis = draw(_either(-1, 0, 1))
    if even:
        shape[axis] *= 2
    return told(name, **_unless({"axis": -1}, axis=axis)), (Input(tuple(shape), -3.0, 3.0),)


@st.composite
def _prelu(draw):
    channels = draw(FEW)
    return told("PReLU", **_unless({"channel": 1}, channel=channels)), (Input((2, channels, 3)),)


PLAIN = "FastGelu HSigmoid HSwish LogSigmoid Mish ReLU ReLU6 SeLU Sigmoid SiLU Softplus Softsign Tanh Identity"
POSITIVE = _either(0.5, 1.0, 0.25)
ACTIVATIONS = {
    **{name: _activation(name) for name in PLAIN.split()},
    **{name: _activation(name, POSITIVE) for name in ("CELU", "LeakyReLU", "HShrink", "SoftShrink")},
    # near 0 it is the difference of two numbers that are nearly equal
    "Tanhshrink": st.builds(lambda shape: (told("Tanhshrink"), (Input(shape, 0.5, 4.0),)), _shapes()),
    "ELU": _activation("ELU"),
    "GELU": _activation("GELU", FLAG),
    "Hardtanh": _activation("Hardtanh", _either(-1.0, -0.5), _either(1.0, 2.0)),
    "Threshold": _activation("Threshold", _either(0.0, 0.5), _either(0.0, 3.0)),
    "PReLU": _prelu(),
    "GLU": _along_an_axis("GLU", even=True),
    **{name: _along_an_axis(name) for name in ("Softmax", "LogSoftmax", "Softmin")},
    "Softmax2d": st.builds(lambda n: (told("Softmax2d"), (Input((n, 2, 2, 3)),)), FEW),
}

# Products


@st.composite
def _dense(draw):
    before, outs, rows = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(_shapes(1, 2))
    named = _unless(
        {"has_bias": True, "activation": None}, has_bias=draw(_either(True, False)),
        activation=draw(_either(None, "relu", "tanh")),
    )  # fmt: skip
    return told("Dense", before, outs, **named), (Input((*rows, before)),)


@st.composite
def _bilinear(draw):
    one, other, outs, rows = (draw(st.integers(1, 3)) for _ in range(4))
    named = _unless({"has_bias": True}, has_bias=draw(_either(True, False)))
    return told("BiDense", one, other, outs, **named), (Input((rows, one)), Input((rows, other)))


@st.composite
def _conv(draw, name, axes):
    group, kernel, mode = draw(FEW), draw(st.integers(1, 3)), draw(_either("same", "valid", "pad"))
    before, outs = group * draw(FEW), group * draw(FEW)
    named = _unless(
        {"stride": 1, "pad_mode": "same", "padding": 0, "dilation": 1, "group": 1, "has_bias": False},
        stride=draw(FEW), pad_mode=mode, padding=draw(st.integers(0, 1)) if mode == "pad" else 0, dilation=draw(FEW),
        group=group, has_bias=draw(FLAG),
    )  # fmt: skip
    lengths = [draw(st.integers(5, 6)) for _ in range(axes)]
    if "dilation" in named:  # in MindSpore a stride and a dilation exclude one another in some forms
        named.pop("stride", None)
    return told(name, before, outs, kernel, **named), (Input((draw(FEW), before, *lengths)),)


@st.composite
def _embedding(draw):
    rows, width = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    return told("Embedding", rows, width), (Input(draw(_shapes(1, 2)), whole=rows),)


PRODUCTS = {
    "Dense": _dense(),
    "BiDense": _bilinear(),
    "Embedding": _embedding(),
    **{f"Conv{n}d": _conv(f"Conv{n}d", n) for n in (1, 2, 3)},
    **{f"Conv{n}dTranspose": _conv(f"Conv{n}dTranspose", n) for n in (1, 2, 3)},
}

# Normalization


@st.composite
def _batch_norm(draw, name, axes):
    channels = draw(st.integers(1, 3))
    named = _unless({"eps": 1e-5, "affine": True}, eps=draw(_either(1e-5, 0.1)), affine=draw(_either(True, False)))
    lengths = [draw(FEW) for _ in range(axes)]
    return told(name, channels, **named), (Input((draw(st.integers(2, 3)), channels, *lengths)),)


@st.composite
def _layer_norm(draw):
    shape = tuple(draw(st.lists(st.integers(2, 3), min_size=2, max_size=3)))
    begin = draw(st.integers(1, len(shape) - 1))
    return told("LayerNorm", shape[begin:], begin_norm_axis=begin, begin_params_axis=begin), (Input(shape),)


@st.composite
def _group_norm(draw):
    groups = draw(FEW)
    channels = groups * draw(FEW)
    named = _unless({"affine": True}, affine=draw(_either(True, False)))
    return told("GroupNorm", groups, channels, **named), (Input((draw(FEW), channels, 2, 3)),)


@st.composite
def _instance_norm(draw, name, axes):
    channels = draw(FEW)
    named = _unless({"affine": True}, affine=draw(_either(True, False)))
    return told(name, channels, **named), (Input((draw(FEW), channels, *[3] * axes)),)


NORMALIZATION = {
    "BatchNorm1d": _batch_norm("BatchNorm1d", 0),
    "BatchNorm2d": _batch_norm("BatchNorm2d", 2),
    "BatchNorm3d": _batch_norm("BatchNorm3d", 3),
    "LayerNorm": _layer_norm(),
    "GroupNorm": _group_norm(),
    **{f"InstanceNorm{n}d": _instance_norm(f"InstanceNorm{n}d", n) for n in (1, 2, 3)},
    "LRN": st.builds(lambda n: (told("LRN", depth_radius=n), (Input((1, 3, 2, 2)),)), FEW),
}

# Windows


@st.composite
def _pool(draw, name, axes):
    kernel, mode = draw(st.integers(1, 3)), draw(_either("valid", "same"))
    named = _unless({"stride": 1, "pad_mode": "valid"}, stride=draw(FEW), pad_mode=mode)
    lengths = [draw(st.integers(3, 5)) for _ in range(axes)]
    return told(name, kernel, **named), (Input((draw(FEW), draw(FEW), *lengths)),)


@st.composite
def _adaptive(draw, name, axes):
    size = draw(FEW)
    lengths = [size * draw(FEW) for _ in range(axes)]  # rows take only lengths that the size divides
    return told(name, size), (Input((draw(FEW), draw(FEW), *lengths)),)


@st.composite
def _lp_pool(draw, name, axes):
    kernel = draw(FEW)
    lengths = [draw(st.integers(2, 4)) for _ in range(axes)]
    return told(name, draw(_either(1, 2)), kernel), (Input((draw(FEW), draw(FEW), *lengths), 0.1, 1.0),)


WINDOWS = {
    **{f"{kind}Pool{n}d": _pool(f"{kind}Pool{n}d", n) for kind in ("Max", "Avg") for n in (1, 2, 3)},
    **{
        f"Adaptive{kind}Pool{n}d": _adaptive(f"Adaptive{kind}Pool{n}d", n) for kind in ("Max", "Avg") for n in (1, 2, 3)
    },
    "LPPool1d": _lp_pool("LPPool1d", 1),
    "LPPool2d": _lp_pool("LPPool2d", 2),
}

# Padding, resizing, forms


@st.composite
def _padding(draw, name, axes, *args):
    pads = tuple(draw(st.lists(st.integers(0, 2), min_size=2 * axes, max_size=2 * axes)))
    return told(name, pads, *args), (Input((1, draw(FEW), *[3] * axes)),)


@st.composite
def _pad(draw):
    pairs = tuple(draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=2, max_size=2)))
    named = _unless({"mode": "CONSTANT"}, mode=draw(_either("CONSTANT", "REFLECT", "SYMMETRIC")))
    return told("Pad", pairs, **named), (Input((3, 3)),)


@st.composite
def _upsample(draw):
    mode = draw(_either("nearest", "bilinear", "area"))
    size = (draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    lengths = [n * draw(FEW) if mode == "area" else draw(st.integers(2, 4)) for n in size]
    return told("Upsample", size, **_unless({"mode": "nearest"}, mode=mode)), (Input((1, draw(FEW), *lengths)),)


@st.composite
def _shuffled(draw, name, channels, lengths):
    factor = draw(FEW)
    return told(name, factor), (Input((1, channels(factor), *[lengths(factor)] * 2)),)


FORMS = {
    "ConstantPad1d": _padding("ConstantPad1d", 1, 1.5),
    "ConstantPad2d": _padding("ConstantPad2d", 2, 1.5),
    "ConstantPad3d": _padding("ConstantPad3d", 3, 1.5),
    "ZeroPad2d": _padding("ZeroPad2d", 2),
    **{f"{kind}Pad{n}d": _padding(f"{kind}Pad{n}d", n) for kind in ("Reflection", "Replication") for n in (1, 2, 3)},
    "Pad": _pad(),
    "Upsample": _upsample(),
    "PixelShuffle": _shuffled("PixelShuffle", lambda n: 2 * n * n, lambda n: 2),
    "PixelUnshuffle": _shuffled("PixelUnshuffle", lambda n: 2, lambda n: 2 * n),
    "ChannelShuffle": _shuffled("ChannelShuffle", lambda n: 2 * n, lambda n: 2),
    "Flatten": st.builds(lambda shape: (told("Flatten"), (Input(shape),)), _shapes(2)),
    "Dropout": st.builds(lambda shape, p: (told("Dropout", p=p), (Input(shape),)), _shapes(), _either(0.5, 0.1)),
    "ReduceLogSumExp": st.builds(
        lambda axis, kept: (told("ReduceLogSumExp", axis, kept), (Input((2, 3)),)), _either(0, 1), FLAG
    ),
    "Norm": st.builds(lambda axis, kept: (told("Norm", axis, kept), (Input((2, 3)),)), _either((), 0, 1), FLAG),
}

# Recurrent layers and attention


@st.composite
def _recurrent_cell(draw, name, two_states=False):
    before, width, rows = draw(FEW), draw(FEW), draw(FEW)
    made = told(name, before, width, **_unless({"has_bias": True}, has_bias=draw(_either(True, False))))
    states = (Input((rows, width)),) * (2 if two_states else 1)
    return f"Stepped({made})" if two_states else made, (Input((rows, before)), *states)


@st.composite
def _sequence(draw, name):
    before, width = draw(FEW), draw(FEW)
    named = _unless(
        {"num_layers": 1, "has_bias": True, "batch_first": False, "bidirectional": False}, num_layers=draw(FEW),
        has_bias=draw(_either(True, False)), batch_first=draw(FLAG), bidirectional=draw(FLAG),
    )  # fmt: skip
    return f"First({told(name, before, width, **named)})", (Input((draw(FEW), draw(FEW), before)),)


@st.composite
def _encoder_layer(draw):
    heads = draw(FEW)
    named = _unless(
        {"norm_first": False, "activation": "relu"}, norm_first=draw(FLAG), activation=draw(_either("relu", "gelu"))
    )
    made = told("TransformerEncoderLayer", 2 * heads, heads, 3, 0.0, **named)
    return made, (Input((draw(FEW), draw(FEW), 2 * heads)),)


SEQUENCES = {
    "RNNCell": _recurrent_cell("RNNCell"),
    "GRUCell": _recurrent_cell("GRUCell"),
    "LSTMCell": _recurrent_cell("LSTMCell", two_states=True),
    **{name: _sequence(name) for name in ("RNN", "GRU", "LSTM")},
    "TransformerEncoderLayer": _encoder_layer(),
}

# Losses


@st.composite
def _loss(draw, name, other, **choices):
    """A loss of logits and of an input of the same shape."""
    named = {key: draw(values) for key, values in choices.items()}
    named["reduction"] = draw(_either("mean", "sum", "none"))
    shape = draw(_shapes(2, 2))
    return told(name, **named), (Input(shape, *((0.1, 0.9) if name == "BCELoss" else (-2.0, 2.0))), other(shape))


@st.composite
def _loss_of_classes(draw, name, **fixed):
    rows, classes = draw(FEW), draw(st.integers(2, 3))
    made = told(name, **fixed, reduction=draw(_either("mean", "sum", "none")))
    return made, (Input((rows, classes), -2.0, 2.0), Input((rows,), whole=classes))


def _shares(shape):
    return Input(shape, 0.1, 0.9)


def _signs(shape):
    return Input(shape, signs=True)


LOSSES = {
    "MSELoss": _loss("MSELoss", Input),
    "L1Loss": _loss("L1Loss", Input),
    "SmoothL1Loss": _loss("SmoothL1Loss", Input, beta=_either(1.0, 0.5)),
    "HuberLoss": _loss("HuberLoss", Input, delta=_either(1.0, 0.5)),
    "BCELoss": _loss("BCELoss", _shares),
    "BCEWithLogitsLoss": _loss("BCEWithLogitsLoss", _shares),
    "KLDivLoss": _loss("KLDivLoss", _shares),
    "SoftMarginLoss": _loss("SoftMarginLoss", _signs),
    "HingeEmbeddingLoss": _loss("HingeEmbeddingLoss", _signs),
    "CrossEntropyLoss": _loss_of_classes("CrossEntropyLoss"),
    "NLLLoss": _loss_of_classes("NLLLoss"),
    "SoftmaxCrossEntropyWithLogits": _loss_of_classes("SoftmaxCrossEntropyWithLogits", sparse=True),
}

LAYERS = {**ACTIVATIONS, **PRODUCTS, **NORMALIZATION, **WINDOWS, **FORMS, **SEQUENCES, **LOSSES}

_OF_PARTS = "it is put together of layers that stand here"
HELD_ELSEWHERE = {
    **dict.fromkeys(("CellDict", "CellList", "SequentialCell"), "drawn networks hold their parts in them"),
    **dict.fromkeys(
        ("Conv2dBnAct", "DenseBnAct", "MultiheadAttention", "Transformer", "TransformerDecoder"), _OF_PARTS
    ),
    **dict.fromkeys(("TransformerDecoderLayer", "TransformerEncoder"), _OF_PARTS),
    **dict.fromkeys(("Dropout1d", "Dropout2d", "Dropout3d"), "in evaluation they hand their input on"),
    **dict.fromkeys(("FractionalMaxPool2d", "FractionalMaxPool3d", "RReLU"), "they draw at random"),
    **dict.fromkeys(("MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"), "their positions are a pooling's"),
    **dict.fromkeys(("ImageGradients", "Moments"), "they have two outputs"),
    **dict.fromkeys(("MSSSIM", "PSNR", "SSIM"), "they measure images: test_image_similarity.py"),
    **dict.fromkeys(("CentralCrop", "Roll", "Tril", "Triu", "OneHot", "Unfold"), "they move elements, exactly"),
    **dict.fromkeys(("L1Regularizer", "ClipByNorm"), "they take a bound or a sum of sizes: test_layer_laws.py"),
    **dict.fromkeys(("MatMul", "ResizeBilinear"), "each is the call of one operation, with its line there"),
    **dict.fromkeys(
        ("DiGamma", "IGamma", "LBeta", "LGamma"), "each is the call of one function, with vectors of its own"
    ),
    **dict.fromkeys(("SparseTensorDenseMatmul", "SparseToDense"), "they take the parts of sparse matrices"),
    **dict.fromkeys(("TimeDistributed", "Unflatten"), "they move elements, or call another layer: test_time_axis.py"),
    "EmbeddingLookup": "it is Embedding on one device or another: test_embedding_lookup.py",
    "Range": "it has no input",
    "SyncBatchNorm": "it is BatchNorm in a group of processes",
}
