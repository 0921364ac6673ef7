"""Functional wrappers of pooling by norms: the root of the sum of powers of each window."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.math_binary import select
from minispore.ops.functional.nn_conv_pool import avg_pool2d, check_axes
from minispore.ops.number_checks import check_no_complex, check_real
from minispore.ops.windows import as_sizes

__all__ = ["lp_pool1d", "lp_pool2d"]


def check_norm_type(operation, norm_type):
    """``norm_type``, a finite number other than 0."""
    check_real(operation, "norm_type", norm_type)
    if norm_type == 0:
        raise value_error(operation, "the 'norm_type' must not be 0", norm_type)
    return norm_type


def _norms(x, norm_type, kernel, stride, ceil_mode):
    """``sum(x ** p) ** (1 / p)`` of each window; a sum of 0 stays 0 and passes no gradient, whatever the root's is.

    The sum is the mean times the kernel's size, so that a partial window counts as if it were whole.
    """
    x = x if x.dtype.is_float else cast(x, float32.np)
    total = avg_pool2d(x**norm_type, kernel, stride, 0, ceil_mode) * (kernel[0] * kernel[1])
    empty = total == 0
    return select(empty, total, select(empty, total + 1, total) ** (1.0 / norm_type))


def lp_pool1d(
    x: Tensor, norm_type: int | float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False
) -> Tensor:
    """Norm of each window of rows.

    ``sum(x ** norm_type) ** (1 / norm_type)`` of each window of ``(N, C, L)`` or ``(C, L)``.

    The powers keep their signs, as in MindSpore: an odd ``norm_type`` with a negative sum gives NaN above 1.

    Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Args:
        x (Tensor): The rows; ints are taken as float32.
        norm_type (Union[int, float]): The power, finite and not 0.
        kernel_size (int): The length of a window.
        stride (int): The distance of windows. Default: None, the kernel_size.
        ceil_mode (bool): If True, a last, partial window counts, as if it were a whole one with its mean power.
            Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or x has not 2 or 3 axes, or is shorter than a window.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.lp_pool1d(ms.Tensor([[[3.0, 4.0, 6.0, 8.0]]]), 2.0, 2))
        [[[ 5. 10.]]]
    """
    check_tensors("lp_pool1d", x=x)
    check_no_complex("lp_pool1d", "x", x)
    if x.ndim not in (2, 3):
        raise value_error("lp_pool1d", "the 'x' must have 2 or 3 axes", f"shape {x.shape}")
    check_norm_type("lp_pool1d", norm_type)
    kernel = check_positive_int("lp_pool1d", "kernel_size", kernel_size)
    stride = kernel if stride is None else check_positive_int("lp_pool1d", "stride", stride)
    check_bool("lp_pool1d", "ceil_mode", ceil_mode)
    planes = x.expand_dims(-2) if x.ndim == 3 else x.expand_dims(0).expand_dims(-2)
    out = _norms(planes, norm_type, (1, kernel), (1, stride), ceil_mode)
    return out.reshape((*x.shape[:-1], out.shape[-1]))


def lp_pool2d(x: Tensor, norm_type, kernel_size, stride=None, ceil_mode: bool = False) -> Tensor:
    """Norm of each window of planes.

    ``sum(x ** norm_type) ** (1 / norm_type)`` of each window of ``(N, C, H, W)``: :func:`lp_pool1d` of planes.

    ``kernel_size`` and ``stride`` are an int or two.

    Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or x has not 4 axes, or is smaller than a window.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.lp_pool2d(ms.Tensor([[[[3.0, 4.0], [0.0, 0.0]]]]), 2.0, 2))
        [[[[5.]]]]
    """
    check_tensors("lp_pool2d", x=x)
    check_no_complex("lp_pool2d", "x", x)
    check_axes("lp_pool2d", x, 4, "x")
    check_norm_type("lp_pool2d", norm_type)
    kernel = as_sizes("lp_pool2d", "kernel_size", kernel_size)
    stride = kernel if stride is None else as_sizes("lp_pool2d", "stride", stride)
    return _norms(x, norm_type, kernel, stride, check_bool("lp_pool2d", "ceil_mode", ceil_mode))
