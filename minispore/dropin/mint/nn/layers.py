"""``mint.nn``'s layers: those of ``nn`` with PyTorch's arguments."""

from minispore import nn
from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor
from minispore.dropin.mint.nn import functional
from minispore.ops.number_checks import check_number
from minispore.ops.windows import as_lengths

__all__ = [
    *("BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "Conv2d", "Conv3d", "CrossEntropyLoss"),
    *("Dropout", "GELU", "Identity", "L1Loss", "Linear", "LogSoftmax", "MSELoss", "ReLU", "SELU", "SiLU", "Sigmoid"),
    *("Softmax", "Tanh"),
]

CrossEntropyLoss, L1Loss, MSELoss = nn.CrossEntropyLoss, nn.L1Loss, nn.MSELoss
Identity, LogSoftmax, ReLU, Sigmoid = nn.Identity, nn.LogSoftmax, nn.ReLU, nn.Sigmoid
SELU, Softmax, Tanh = nn.SeLU, nn.Softmax, nn.Tanh


class Linear(nn.Dense):
    """``x @ weight.T + bias``: ``nn.Dense`` with ``bias`` for ``has_bias``."""

    def __init__(self, in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None):
        super().__init__(in_features, out_features, weight_init, bias_init, bias, dtype=dtype)
        self.in_features, self.out_features = in_features, out_features


def _padded(layer, padding, axes, padding_mode):
    """``pad_mode`` and ``padding`` as ``nn`` takes them, of a length for each axis or "same" or "valid"."""
    check_choice(layer, "padding_mode", padding_mode, ("zeros",))
    if isinstance(padding, str):
        return check_choice(layer, "padding", padding, ("same", "valid")), 0
    lengths = as_lengths(layer, "padding", padding, axes)
    return "pad", tuple(n for n in lengths for _ in range(2))


class Conv2d(nn.Conv2d):
    """2-D convolution: ``nn.Conv2d`` with ``padding`` at both ends, ``groups`` and ``bias``."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        dtype=None,
    ):
        pad_mode, pads = _padded("Conv2d", padding, 2, padding_mode)
        sizes = kernel_size, stride, pad_mode, pads, dilation
        super().__init__(in_channels, out_channels, *sizes, groups, bias, dtype=dtype)


class Conv3d(nn.Conv3d):
    """3-D convolution: ``nn.Conv3d`` with ``padding`` at both ends, ``groups`` and ``bias``."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        dtype=None,
    ):
        pad_mode, pads = _padded("Conv3d", padding, 3, padding_mode)
        sizes = kernel_size, stride, pad_mode, pads, dilation
        super().__init__(in_channels, out_channels, *sizes, groups, bias, dtype=dtype)


class _Moving:
    """Mixed into a norm of ``nn``: ``momentum`` is the share of the new statistics, not of the old."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, dtype=None):
        name = type(self).__name__
        use = None if check_bool(name, "track_running_stats", track_running_stats) else False
        momentum = check_number(name, "momentum", momentum)
        dtype = {} if dtype is None else {"dtype": dtype}
        super().__init__(num_features, eps, 1 - momentum, affine, use_batch_statistics=use, **dtype)


class BatchNorm1d(_Moving, nn.BatchNorm1d):
    """``nn.BatchNorm1d`` with PyTorch's ``momentum``."""


class BatchNorm2d(_Moving, nn.BatchNorm2d):
    """``nn.BatchNorm2d`` with PyTorch's ``momentum``."""


class BatchNorm3d(_Moving, nn.BatchNorm3d):
    """``nn.BatchNorm3d`` with PyTorch's ``momentum``."""


class Dropout(nn.Dropout):
    """``nn.Dropout`` of the probability ``p``."""

    def __init__(self, p=0.5, inplace=False):
        functional._not_in_place("Dropout", inplace)
        super().__init__(p=p)


class GELU(nn.GELU):
    """``nn.GELU``, exact unless ``approximate`` is "tanh"."""

    def __init__(self, approximate="none"):
        super().__init__(check_choice("GELU", "approximate", approximate, ("none", "tanh")) == "tanh")


class SiLU(nn.SiLU):
    """``x * sigmoid(x)``: ``nn.SiLU``."""

    def __init__(self, inplace=False):
        functional._not_in_place("SiLU", inplace)
        super().__init__()


class BCEWithLogitsLoss(nn.Cell):
    """The binary cross-entropy of ``sigmoid(input)``, whose weights stand in the constructor."""

    def __init__(self, weight=None, reduction="mean", pos_weight=None):
        super().__init__()
        for argument, value in (("weight", weight), ("pos_weight", pos_weight)):
            if value is not None and not isinstance(value, Tensor):
                raise type_error("BCEWithLogitsLoss", f"the '{argument}' must be a Tensor or None", shown(value))
        self.weight, self.pos_weight = weight, pos_weight
        self.reduction = check_choice("BCEWithLogitsLoss", "reduction", reduction, ("mean", "sum", "none"))

    def construct(self, input, target):
        """The loss."""
        return functional.binary_cross_entropy_with_logits(input, target, self.weight, self.reduction, self.pos_weight)
