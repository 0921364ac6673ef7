"""Facts about bfloat16, and about "auto" as a conversion, each a small experiment: FACTS names them.

Runs under MindSpore and minispore. On the CPU MindSpore 2.7.0 casts to bfloat16, adds and marks cells, and has few
operations more.
"""

import struct

import mindspore as ms
import numpy as np
from conformance.amp import networks
from mindspore import Tensor, amp, nn, ops

# float32 by its bits: halfway cases of both parities, the largest that stays finite, the least that does not,
# subnormals of bfloat16 and below, zeros, infinities
BITS = [0x3F808000, 0x3F818000, 0x3F808001, 0x3F807FFF, 0xBF808000, 0x7F7F0000, 0x7F7F7FFF, 0x7F7F8000, 0x7F7FFFFF]
BITS += [0x00010000, 0x00008000, 0x00018000, 0x00008001, 0x00000001, 0x007FFFFF, 0x00000000, 0x80000000]
BITS += [0x7F800000, 0xFF800000]
NANS = [0x7FC00000, 0xFFC00000, 0x7F800001, 0x7FABCDEF]
X = np.random.RandomState(0).randn(3, 4).astype(np.float32)


def floats(bits):
    """float32 numbers by their bits."""
    return np.array(bits, np.uint32).view(np.float32)


def rounded(numbers):
    """The bits of float32 numbers that have been cast to bfloat16 and back."""
    back = Tensor(numbers).astype(ms.bfloat16).astype(ms.float32).asnumpy()
    return [struct.unpack("<I", struct.pack("<f", x))[0] for x in back.tolist()]


def sums():
    """The bits of sums in bfloat16: with rounding, with cancellation, with overflow, of subnormals."""
    x, y = (
        floats([0x3F800000, 0x43800000, 0x7F7F0000, 0x00010000]),
        floats([0x3B800000, 0x3F800000, 0x7F7F0000, 0x00010000]),
    )
    out = Tensor(x).astype(ms.bfloat16) + Tensor(y).astype(ms.bfloat16)
    return [int(bits) for bits in out.astype(ms.float32).asnumpy().view(np.uint32)]


class Sum(nn.Cell):
    """An operation that MindSpore has in bfloat16."""

    def construct(self, x):
        return x + x


class Exp(nn.Cell):
    """An operation on the black list."""

    def construct(self, x):
        return ops.exp(x)


class Product(nn.Cell):
    """An operation on the white list, and a method with it."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4, has_bias=False)
        self.seen = ""

    def construct(self, x):
        out = self.fc(x)
        self.seen = str(out.dtype)
        return out


class Pair(nn.Cell):
    """Two cells of the user's."""

    def __init__(self):
        super().__init__()
        self.a, self.b = Product(), Product()

    def construct(self, x):
        return self.b(self.a(x))


def classes(network):
    """The path and class of each cell."""
    return [[path, type(cell).__name__] for path, cell in network.cells_and_names()]


def marks(name, mode):
    """The type that each cell of a network computes in after a conversion to bfloat16, by path; "" for no mark."""
    network = networks.NETWORKS[name][0]()
    keywords = {"black_list": [nn.Dense, nn.Conv2d, nn.LayerNorm]} if mode == "black" else {}
    convert = amp.custom_mixed_precision if keywords else amp.auto_mixed_precision
    level = () if keywords else (mode,)
    converted = convert(network, *level, **keywords, dtype=ms.bfloat16)
    return {path: mark(cell) for path, cell in converted.cells_and_names()}


def mark(cell):
    """The type that a cell is marked with."""
    if hasattr(cell, "_compute_dtype"):  # minispore
        return "" if cell._compute_dtype is None else str(cell._compute_dtype)
    flags = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32"}
    return next((name for flag, name in flags.items() if getattr(cell, flag, False)), "")


def auto(prepare=lambda network: None):
    """The dtypes that the cells of a Pair give at "auto", and its output's."""
    network = Pair()
    prepare(network)
    out = amp.auto_mixed_precision(network, "auto")(Tensor(X))
    return [network.a.seen, network.b.seen, str(out.dtype)]


def alone():
    """What a cell of a network at "auto" gives when it is called by itself."""
    network = amp.auto_mixed_precision(Pair(), "auto")
    return str(network.a(Tensor(X)).dtype)


def of_marked():
    """What "auto" makes of a black-listed operation in a network that is marked float16."""
    return str(amp.auto_mixed_precision(Exp().to_float(ms.float16), "auto")(Tensor(X)).dtype)


def gradients(level):
    """The dtypes of the gradients of input and Parameters."""
    network = Pair()
    converted = amp.auto_mixed_precision(network, level)
    _, (dx, dw) = ms.value_and_grad(converted, 0, network.trainable_params())(Tensor(X))
    return [str(dx.dtype), *[str(g.dtype) for g in dw]]


def same_object():
    """Whether "auto" returns the network itself."""
    network = Pair()
    return amp.auto_mixed_precision(network, "auto") is network


NETS = [
    "dense",
    "conv2d",
    "conv_batch_norm",
    "dense_layer_norm",
    "norm_under_two_names",
    "nested_twice",
    "resnet_block",
    "user_float32_child",
    "user_float16_block",
    "user_float16_norm",
    "black_listed_root",
    "sequential_with_norm",
]
FACTS = {
    "casts": lambda: rounded(floats(BITS)),
    "casts of nan are nan": lambda: bool(np.isnan(floats(rounded(floats(NANS)))).all()),
    "sums": sums,
    "a sum in a cell marked bfloat16": lambda: str(Sum().to_float(ms.bfloat16)(Tensor(X)).dtype),
    "a sum at O3": lambda: str(amp.auto_mixed_precision(Sum(), "O3", ms.bfloat16)(Tensor(X)).dtype),
    "a flag": lambda: str(Sum().add_flags(bf16=True)(Tensor(X)).dtype),
    "to_float(float64)": lambda: Sum().to_float(ms.float64),
    "float32 as a dtype": lambda: amp.auto_mixed_precision(Pair(), "O0", ms.float32),
    "a str as a dtype": lambda: amp.auto_mixed_precision(Pair(), "O2", "bfloat16"),
    "cast_model_type": lambda: amp.build_train_network(
        (net := Pair()), nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), cast_model_type=ms.bfloat16
    ),
    "dtype of build_train_network": lambda: amp.build_train_network(
        (net := Pair()), nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), dtype=ms.bfloat16
    ),
    "auto returns the network": same_object,
    "classes at auto": lambda: classes(amp.auto_mixed_precision(Pair(), "auto", ms.bfloat16)),
    "classes at O2": lambda: classes(amp.auto_mixed_precision(Pair(), "O2", ms.bfloat16)),
    "dtypes at auto": auto,
    "a cell of a network at auto, alone": alone,
    "auto with a child marked float32": lambda: auto(lambda net: net.b.to_float(ms.float32)),
    "auto with a child marked float16": lambda: auto(lambda net: net.a.to_float(ms.float16)),
    "auto with the network marked float32": lambda: auto(lambda net: net.to_float(ms.float32)),
    "auto with the network marked float16": of_marked,
    "gradients at auto": lambda: gradients("auto"),
    "gradients at O2": lambda: gradients("O2"),
    "auto of a network at auto": lambda: classes(
        amp.auto_mixed_precision(amp.auto_mixed_precision(Pair(), "auto"), "auto")
    ),
}
FACTS |= {
    f"marks of {net} at {mode}": lambda net=net, mode=mode: marks(net, mode)
    for net in NETS
    for mode in ("O2", "O3", "black")
}


def fact(name):
    """The value of a fact, or the kind of error, as "raises ...": str."""
    try:
        return FACTS[name]()
    except Exception as error:  # that it dies is the fact
        return f"raises {type(error).__name__}"
