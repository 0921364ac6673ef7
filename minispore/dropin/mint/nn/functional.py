"""``mint.nn.functional``: what layers compute, by PyTorch's arguments; a pool's step is its window unless given."""

from minispore.core.checks import check_bool, check_int
from minispore.core.errors import value_error
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import check_number

_SAME = """
    adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d cross_entropy dropout2d fold group_norm hardsigmoid
    hardswish interpolate l1_loss layer_norm logsigmoid mish mse_loss pad selu sigmoid softplus softshrink tanh unfold
"""
globals().update({name: getattr(F, name) for name in _SAME.split()})
__all__ = [
    *_SAME.split(),
    *("avg_pool2d", "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits", "dropout", "elu", "gelu"),
    *("leaky_relu", "linear", "log_softmax", "max_pool2d", "one_hot", "relu", "relu6", "silu", "softmax"),
]


def _not_in_place(function, inplace):
    if check_bool(function, "inplace", inplace):
        raise value_error(function, "the 'inplace' must be False: a Tensor's values do not change", "True")


def relu(input, inplace=False):
    """``max(x, 0)``."""
    _not_in_place("relu", inplace)
    return F.relu(input)


def relu6(input, inplace=False):
    """``min(max(x, 0), 6)``."""
    _not_in_place("relu6", inplace)
    return F.relu6(input)


def silu(input, inplace=False):
    """``x * sigmoid(x)``."""
    _not_in_place("silu", inplace)
    return F.silu(input)


def elu(input, alpha=1.0, inplace=False):
    """``x`` above 0, else ``alpha * (exp(x) - 1)``."""
    _not_in_place("elu", inplace)
    check_tensors("elu", input=input)
    return (
        F.elu(input)
        if check_number("elu", "alpha", alpha) == 1
        else F.maximum(input, 0.0) + alpha * F.expm1(F.minimum(input, 0.0))
    )


def gelu(input, *, approximate="none"):
    """``x`` times the probability of a standard normal number below x, or the form with tanh: ``ops.gelu``."""
    return F.gelu(input, approximate)


def leaky_relu(input, negative_slope=0.01):
    """``x`` above 0, else ``negative_slope * x``."""
    return F.leaky_relu(input, negative_slope)


def _last(x, dim):
    """The axis of a softmax: without one, the second of 2 or 4 axes and the first of others."""
    return dim if dim is not None else int(x.ndim in (2, 4)) if x.ndim != 3 else 0


def softmax(input, dim=None, dtype=None):
    """``exp(x) / sum of exp(x)`` along ``dim``; without it, along axis 0 of 0, 1 or 3 axes, else along axis 1."""
    check_tensors("softmax", input=input)
    return F.softmax(input, _last(input, dim), dtype=dtype)


def log_softmax(input, dim=None, *, dtype=None):
    """The logarithm of :func:`softmax`."""
    check_tensors("log_softmax", input=input)
    return F.log_softmax(input if dtype is None else F.cast(input, dtype), _last(input, dim))


def linear(input, weight, bias=None):
    """``input @ weight.T + bias``: ``ops.dense``."""
    return F.dense(input, weight, bias)


def dropout(input, p=0.5, training=True, inplace=False):
    """Each element 0 with probability ``p``, else divided by ``1 - p``; without ``training``, the input."""
    _not_in_place("dropout", inplace)
    return F.dropout(input, p, training)


def one_hot(tensor, num_classes=-1):
    """Rows of int64 zeros with a 1 at each class number; -1 stands for one more class than the largest number."""
    check_tensors("one_hot", tensor=tensor)
    check_int("one_hot", "num_classes", num_classes, low=-1)
    count = int(tensor.max()) + 1 if num_classes == -1 else num_classes
    return F.cast(F.equal(F.expand_dims(tensor, -1), F.arange(count).astype(tensor.dtype)), tensor.dtype)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest of each window: ``ops.max_pool2d``."""
    return F.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean of each window: ``ops.avg_pool2d``."""
    step = kernel_size if stride is None else stride
    divisor = 0 if divisor_override is None else divisor_override
    return F.avg_pool2d(input, kernel_size, step, padding, ceil_mode, count_include_pad, divisor)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    """Each channel with mean 0 and deviation 1, times ``weight`` plus ``bias``: ``ops.batch_norm``."""
    weight = F.ones_like(running_mean) if weight is None else weight
    bias = F.zeros_like(running_mean) if bias is None else bias
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """``-(y * log(x) + (1 - y) * log(1 - x))``, by elements, its mean or its sum: ``ops.binary_cross_entropy``."""
    return F.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """The same of ``sigmoid(input)``: ``ops.binary_cross_entropy_with_logits``."""
    weight = F.ones_like(input) if weight is None else weight
    pos_weight = F.ones_like(input) if pos_weight is None else pos_weight
    return F.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)
