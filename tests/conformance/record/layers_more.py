"""Record the remaining layers: ``python -m conformance.record.layers_more`` writes ``layers_more.npz``.

The form is that of ``layers.py``. Left out is what MindSpore 2.0.0 does not compute on CPU (instance
normalization), draws at random, or computes wrongly: SeLU's gradient below 0, ClipByNorm along an axis, and for large
numbers LogSigmoid and FastGelu's gradient in float16.
"""

import pathlib

from conformance.record.layers import case, save

ROWS, PLANES, VOLUMES = [[2, 4, 9]], [[2, 4, 5, 6]], [[2, 3, 3, 4, 5]]
PLAIN = ("LeakyReLU", "ELU", "CELU", "SiLU", "HSwish", "HSigmoid", "Mish", "Softsign", "LogSigmoid", "HShrink")
INEXACT_WHEN_WIDE = ("FastGelu", "LogSigmoid")  # there: a float16 gradient that is nan, few digits left
MORE = ("SoftShrink", "Tanhshrink", "Hardtanh", "FastGelu", "Softmin")


def activations():
    """Every activation, and those with arguments once more."""
    for layer in PLAIN + MORE:
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


def main():
    """Write the file."""
    cases = [*activations(), *normalizations(), *padding(), *resizing(), *volumes(), *measures()]
    save(pathlib.Path(__file__).parent.parent / "vectors" / "layers_more.npz", cases)


if __name__ == "__main__":
    main()
