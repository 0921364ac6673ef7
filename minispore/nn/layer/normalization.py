"""Normalization layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.dtype import DTypeLike, float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer._inputs import check_input, check_length
from minispore.nn.layer._parameters import new_parameter
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_python_float, check_real
from minispore.ops.operations.nn.normalization import BatchNorm as BatchNormOperation
from minispore.ops.operations.nn.normalization import LayerNorm as LayerNormOperation

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm", "SyncBatchNorm"]


_PARAMETERS = {"moving_mean": "mean", "moving_variance": "variance", "gamma": "gamma", "beta": "beta"}


class _BatchNorm(Cell):
    """Base of batch normalization; subclasses give ``ranks``, the numbers of axes that x may have."""

    ranks = ()

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.9,
        affine: bool = True,
        gamma_init="ones",
        beta_init="zeros",
        moving_mean_init="zeros",
        moving_var_init="ones",
        use_batch_statistics=None,
        data_format="NCHW",
        dtype=None,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        self.num_features = check_positive_int(name, "num_features", num_features)
        check_python_float(name, "eps", eps, 0, 1, above=True)
        check_real(name, "momentum", momentum, 0, 1)
        if use_batch_statistics is not None:
            check_bool(name, "use_batch_statistics", use_batch_statistics)
        if not isinstance(data_format, str) or data_format != "NCHW":
            raise value_error(name, "the 'data_format' must be 'NCHW'", shown(data_format))
        check_bool(name, "affine", affine)
        self.eps, self.use_batch_statistics, self.format = eps, use_batch_statistics, data_format
        self.momentum = 1.0 - momentum  # the new statistics' weight, as MindSpore's layer holds it
        self.gamma_init, self.beta_init = gamma_init, beta_init
        self.moving_mean_init, self.moving_var_init = moving_mean_init, moving_var_init
        inits = {"moving_mean_init": moving_mean_init, "moving_var_init": moving_var_init}
        self._take_parameters(
            {**inits, "gamma_init": gamma_init, "beta_init": beta_init}, affine, float32 if dtype is None else dtype
        )
        self.bn_train = BatchNormOperation(is_training=True, epsilon=eps, momentum=self.momentum)
        self.bn_infer = BatchNormOperation(is_training=False, epsilon=eps)

    def _take_parameters(self, inits, affine, dtype):
        """Draw the four Parameters, in MindSpore's order and by its names."""
        for (attribute, name), (argument, init) in zip(_PARAMETERS.items(), inits.items(), strict=True):
            parameter = new_parameter(type(self).__name__, argument, init, (self.num_features,), dtype)
            parameter.name, parameter.requires_grad = name, affine and attribute == name
            setattr(self, attribute, parameter)

    def construct(self, x) -> Tensor:
        """Normalize by the batch or by the moving statistics."""
        self._check_rank(x)
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        norm = self.bn_train if by_batch else self.bn_infer
        return norm(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]

    def _check_rank(self, x):
        if x.ndim not in self.ranks:
            ranks = " or ".join(map(str, self.ranks))
            raise value_error(type(self).__name__, f"the 'x' must have {ranks} axes", f"shape {x.shape}")

    def _check_fit(self, x):
        check_input(type(self).__name__, x)
        self._check_rank(x)
        check_length(type(self).__name__, x, 1, "num_features", self.num_features)

    def extend_repr(self) -> Any:
        """The arguments."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={1.0 - self.momentum}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalization of ``(N, C)`` or ``(N, C, L)``: ``y = (x - mean) / sqrt(var + eps) * gamma + beta``.

    Arguments, statistics and errors as :class:`BatchNorm2d`.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.BatchNorm1d(3)(ms.ops.ones((2, 3))).shape
        (2, 3)
        >>> print(ms.nn.BatchNorm1d(1).set_train()(ms.Tensor([[1.0], [3.0]])).asnumpy().round(3))
        [[-1.]
         [ 1.]]
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalization of ``(N, C, H, W)``: ``y = (x - mean) / sqrt(var + eps) * gamma + beta``.

    In training mean and variance are the batch's, and ``moving = momentum * moving + (1 - momentum) * batch``. The
    moving variance follows the unbiased one. In evaluation mean and variance are the moving ones.

    Args:
        num_features (int): Channels, the length of axis 1.
        eps (float): Added to the variance, above 0 and at most 1. Default: 1e-5.
        momentum (float): Weight of the moving statistics' past, in [0, 1]. Default: 0.9.
        affine (bool): If True, gamma and beta are trained. Default: True.
        gamma_init, beta_init, moving_mean_init, moving_var_init: Initializers. Default: ones, zeros, zeros, ones.
        use_batch_statistics (bool): True: always the batch's statistics; False: always the moving ones; None: the
            batch's in training. Default: None.
        data_format (str): The only choice: axis 1 is the channels' axis.
        dtype (mindspore.dtype): The Parameters' dtype. Default: None, which is float32.

    Raises:
        TypeError: If ``num_features`` is not an int, ``eps`` not a float, ``momentum`` not a number, or a flag not a
            bool.
        ValueError: If ``num_features`` is below 1, ``eps`` or ``momentum`` out of its range, or x has other axes or
            channels.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.BatchNorm2d(3)(ms.ops.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
        >>> print(ms.nn.BatchNorm2d(1).set_train()(ms.Tensor([[[[1.0, 3.0]]]])).asnumpy().round(3))
        [[[[-1.  1.]]]]
    """

    ranks = (4,)


class BatchNorm3d(Cell):
    """Batch normalization of ``(N, C, D, H, W)``: ``y = (x - mean) / sqrt(var + eps) * gamma + beta``.

    The work is done by a child cell, ``bn2d``, on ``(N, C, D * H, W)``; so the Parameters are named ``bn2d.gamma`` and
    so on, as in MindSpore.

    Arguments, statistics and errors as :class:`BatchNorm2d`, but the ``data_format`` is "NCDHW".

    Examples:
        >>> import minispore as ms
        >>> ms.nn.BatchNorm3d(3)(ms.ops.ones((2, 3, 2, 4, 4))).shape
        (2, 3, 2, 4, 4)
        >>> print(ms.nn.BatchNorm3d(1).set_train()(ms.Tensor([[[[[1.0, 3.0]]]]])).asnumpy().round(3))
        [[[[[-1.  1.]]]]]
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init="ones",
        beta_init="zeros",
        moving_mean_init="zeros",
        moving_var_init="ones",
        use_batch_statistics: bool | None = None,
        data_format: str = "NCDHW",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(data_format, str) or data_format != "NCDHW":
            raise value_error("BatchNorm3d", "the 'data_format' must be 'NCDHW'", shown(data_format))
        inits = gamma_init, beta_init, moving_mean_init, moving_var_init
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)

    def construct(self, x) -> Tensor:
        """Normalize."""
        shape = x.shape
        if len(shape) != 5:
            raise value_error("BatchNorm3d", "the 'x' must have 5 axes", f"shape {shape}")
        return F.reshape(self.bn2d(F.reshape(x, (*shape[:2], shape[2] * shape[3], shape[4]))), shape)


class SyncBatchNorm(_BatchNorm):
    """Batch normalization of ``(N, C)`` or ``(N, C, H, W)`` over the batches of all processes, of any sizes.

    Arguments, statistics and errors as :class:`BatchNorm2d`, but for ``process_groups``. In training all processes call
    it together, forward and backward.

    Raises:
        ValueError: If ``process_groups`` is given: the statistics always cover all processes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.SyncBatchNorm(3)(ms.ops.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
        >>> print(ms.nn.SyncBatchNorm(1).set_train()(ms.Tensor([[[[1.0, 3.0]]]])).asnumpy().round(3))
        [[[[-1.  1.]]]]
    """

    ranks = (2, 4)

    _total = None  # the sum over all processes: ``parallel`` puts it here

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init="ones",
        beta_init="zeros",
        moving_mean_init="zeros",
        moving_var_init="ones",
        use_batch_statistics: bool | None = None,
        process_groups=None,
        dtype: DTypeLike | None = None,
    ) -> None:
        if process_groups is not None:
            expected = "the 'process_groups' must be None: the statistics are those of all processes"
            raise value_error("SyncBatchNorm", expected, process_groups)
        inits = gamma_init, beta_init, moving_mean_init, moving_var_init
        super().__init__(num_features, eps, momentum, affine, *inits, use_batch_statistics, dtype=dtype)

    def construct(self, x) -> Tensor:
        """Normalize by the batches of all processes or by the moving statistics."""
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if not by_batch or self._total is None or not self._total.communicates:
            return super().construct(x)
        self._check_fit(x)
        axes, across = tuple(i for i in range(x.ndim) if i != 1), (1, -1) + (1,) * (x.ndim - 2)
        wide = x.astype(float32)
        count = self._total(Tensor(float(x.size // x.shape[1])))
        # Each sum goes over all processes with its gradient: through the statistics each sample moves every other one.
        # The variance needs the common mean first, so there are two rounds.
        mean = self._total(wide.sum(axes)) / count
        centred = wide - mean.reshape(across)
        variance = self._total((centred * centred).sum(axes)) / count
        self._move(self.moving_mean, mean)
        self._move(self.moving_variance, variance * (count / (count - 1)))
        scale = self.gamma.astype(float32) * F.rsqrt(variance + self.eps)
        return (centred * scale.reshape(across) + self.beta.astype(float32).reshape(across)).astype(x.dtype)

    def _move(self, moving, batch):
        """Move the moving statistics towards the batch's."""
        # Without a gradient: the statistics only follow the batches, and no loss depends on them in training.
        new = moving * (1.0 - self.momentum) + F.stop_gradient(batch) * self.momentum
        F.assign(moving, new.astype(moving.dtype))


class LayerNorm(Cell):
    """``y = (x - mean) / sqrt(var + epsilon) * gamma + beta`` over the axes from ``begin_norm_axis`` on.

    Args:
        normalized_shape (Union[tuple[int], list[int]]): The shape of gamma and beta: x's axes from begin_params_axis
            on.
        begin_norm_axis (int): The first axis to normalize over. Default: -1.
        begin_params_axis (int): The first axis of gamma and beta. Default: -1.
        gamma_init, beta_init: Initializers. Default: ones, zeros.
        epsilon (float): Added to the variance, at least 0. Default: 1e-7.
        dtype (mindspore.dtype): The Parameters' dtype. Default: None, which is float32.

    Raises:
        TypeError: If ``normalized_shape`` is not a tuple or list, or ``epsilon`` not a float.
        ValueError: If the shapes do not fit, or ``epsilon`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LayerNorm((2,))(ms.Tensor([[1.0, 3.0], [5.0, 5.0]])))
        [[-1.  1.]
         [ 0.  0.]]
    """

    def __init__(
        self,
        normalized_shape: tuple[int, ...] | Sequence[int],
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init="ones",
        beta_init="zeros",
        epsilon: float = 1e-7,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            got = type(normalized_shape).__name__
            raise type_error("LayerNorm", "the 'normalized_shape' must be a tuple or a list", got)
        self.normalized_shape = normalized_shape
        self.begin_norm_axis, self.begin_params_axis, self.epsilon = begin_norm_axis, begin_params_axis, epsilon
        check_python_float("LayerNorm", "epsilon", epsilon, 0)
        shape, dtype = tuple(normalized_shape), float32 if dtype is None else dtype
        self.gamma = new_parameter("LayerNorm", "gamma_init", gamma_init, shape, dtype)
        self.beta = new_parameter("LayerNorm", "beta_init", beta_init, shape, dtype)
        self.layer_norm = LayerNormOperation(begin_norm_axis, begin_params_axis, epsilon)

    def construct(self, input_x) -> Tensor:
        """Normalize."""
        return self.layer_norm(input_x, self.gamma, self.beta)[0]

    def _check_fit(self, input_x):
        check_input("LayerNorm", input_x)
        begin, shape = self.begin_params_axis, tuple(self.normalized_shape)
        if not -input_x.ndim <= begin < input_x.ndim or input_x.shape[begin:] != shape:
            expected = f"the axes of 'x' from {begin} on must have the lengths of 'normalized_shape', {shape}"
            raise value_error("LayerNorm", expected, f"shape {input_x.shape}")

    def extend_repr(self) -> Any:
        """The arguments."""
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma={self.gamma}, beta={self.beta}"
        )
