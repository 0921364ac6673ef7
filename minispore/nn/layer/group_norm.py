"""Normalization of each sample by itself: GroupNorm over groups of channels, InstanceNorm over each channel."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.errors import type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initializer import initializer
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_python_float
from minispore.ops.type_checks import named

__all__ = ["GroupNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"]


def _check_planes(layer, x, ranks):
    if x.ndim not in ranks:
        expected = " or ".join(map(str, ranks))
        raise value_error(layer, f"the 'x' must have {expected} axes", f"shape {x.shape}")
    if not x.dtype.is_float:
        raise type_error(layer, "the 'x' must be a floating Tensor", named(x.dtype.np))


class GroupNorm(Cell):
    """``y = (x - mean) / sqrt(var + eps) * gamma + beta``, mean and variance over each group of channels of a sample.

    Args:
        num_groups (int): How many groups the channels are cut into.
        num_channels (int): Channels, the length of axis 1.
        eps (float): Added to the variance. Default: 1e-5.
        affine (bool): If True, gamma and beta are trained. Default: True.
        gamma_init, beta_init: Initializers. Default: ones, zeros.

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)``, floating; the output of float16 is float32 unless gamma is lowered too.

    Raises:
        TypeError: If a count is not an int, ``eps`` not a float, ``affine`` not a bool, or x is not floating.
        ValueError: If ``num_groups`` does not divide ``num_channels``, ``eps`` is negative or not finite, or x has
            other axes or channels.

    Source: Wu and He, Group normalization, 2018.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.GroupNorm(2, 2)(ms.Tensor([[[[1.0, 3.0]], [[5.0, 5.0]]]])))
        [[[[-0.999995  0.999995]]
        <BLANKLINE>
          [[ 0.        0.      ]]]]
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps=1e-5, affine=True, gamma_init="ones", beta_init="zeros"
    ) -> None:
        super().__init__()
        self.num_groups = check_positive_int("GroupNorm", "num_groups", num_groups)
        self.num_channels = check_positive_int("GroupNorm", "num_channels", num_channels)
        if num_channels % num_groups:
            raise value_error(
                "GroupNorm", f"the 'num_groups' must divide the 'num_channels', {num_channels}", num_groups
            )
        self.eps = check_python_float("GroupNorm", "eps", eps, 0)
        self.affine = check_bool("GroupNorm", "affine", affine)
        self.gamma = Parameter(initializer(gamma_init, (num_channels,)), requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_channels,)), requires_grad=affine)

    def construct(self, x: Tensor) -> Tensor:
        """Normalize."""
        _check_planes("GroupNorm", x, (4,))
        if x.shape[1] != self.num_channels:
            raise value_error("GroupNorm", f"the 'x' must have {self.num_channels} channels", f"shape {x.shape}")
        return F.group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> Any:
        """The arguments."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class _InstanceNorm(Cell):
    """Base of instance normalization; subclasses give ``ranks``, the numbers of axes that x may have."""

    ranks = ()

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine: bool = True, gamma_init="ones", beta_init="zeros"
    ) -> None:
        super().__init__()
        name = type(self).__name__
        self.num_features = check_positive_int(name, "num_features", num_features)
        self.eps = check_python_float(name, "eps", eps, 0, 1, above=True)
        self.momentum = check_python_float(name, "momentum", momentum, 0, 1)
        self.affine = check_bool(name, "affine", affine)
        shape = (num_features,)
        self.moving_mean = Parameter(initializer("zeros", shape), name="mean", requires_grad=False)
        self.moving_variance = Parameter(initializer("ones", shape), name="variance", requires_grad=False)
        self.gamma = Parameter(initializer(gamma_init, shape), requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape), requires_grad=affine)

    def construct(self, x) -> Tensor:
        """Normalize."""
        name = type(self).__name__
        _check_planes(name, x, self.ranks)
        if x.shape[1] != self.num_features:
            raise value_error(name, f"the 'x' must have {self.num_features} channels", f"shape {x.shape}")
        return F.group_norm(x, self.num_features, self.gamma, self.beta, self.eps).astype(x.dtype)

    def extend_repr(self) -> Any:
        """The arguments."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


class InstanceNorm1d(_InstanceNorm):
    """Instance normalization of ``(N, C, L)``: ``y = (x - mean) / sqrt(var + eps) * gamma + beta``.

    Arguments and errors as :class:`InstanceNorm2d`.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.InstanceNorm1d(3)(ms.ops.ones((2, 3, 4))).shape
        (2, 3, 4)
        >>> print(ms.nn.InstanceNorm1d(1)(ms.Tensor([[[1.0, 3.0]]])).asnumpy().round(3))
        [[[-1.  1.]]]
    """

    ranks = (3,)


class InstanceNorm2d(_InstanceNorm):
    """Instance normalization of ``(N, C, H, W)``: ``y = (x - mean) / sqrt(var + eps) * gamma + beta``.

    Mean and variance are the sample's in training and in evaluation. The Parameters ``moving_mean`` and
    ``moving_variance`` exist only so that MindSpore's checkpoints load. No computation reads or writes them.

    Args:
        num_features (int): Channels, the length of axis 1.
        eps (float): Added to the variance. Default: 1e-5.
        momentum (float): In [0, 1]; without effect. Default: 0.1.
        affine (bool): If True, gamma and beta are trained. Default: True.
        gamma_init, beta_init: Initializers. Default: ones, zeros.

    Raises:
        TypeError: If ``num_features`` is not an int, ``eps`` or ``momentum`` not a float, ``affine`` not a bool, or x
            is not floating.
        ValueError: If ``num_features`` is below 1, ``eps`` out of (0, 1], ``momentum`` out of [0, 1], or x has other
            axes or channels.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.InstanceNorm2d(3)(ms.ops.ones((2, 3, 4, 5))).shape
        (2, 3, 4, 5)
        >>> print(ms.nn.InstanceNorm2d(1)(ms.Tensor([[[[1.0, 3.0]]]])).asnumpy().round(3))
        [[[[-1.  1.]]]]
    """

    ranks = (4,)


class InstanceNorm3d(_InstanceNorm):
    """Instance normalization of ``(N, C, D, H, W)``: ``y = (x - mean) / sqrt(var + eps) * gamma + beta``.

    Arguments and errors as :class:`InstanceNorm2d`.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.InstanceNorm3d(3)(ms.ops.ones((2, 3, 2, 4, 5))).shape
        (2, 3, 2, 4, 5)
        >>> print(ms.nn.InstanceNorm3d(1)(ms.Tensor([[[[[1.0, 3.0]]]]])).asnumpy().round(3))
        [[[[[-1.  1.]]]]]
    """

    ranks = (5,)
