"""Dense, the linear layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.dtype import DTypeLike, float32
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initial_values.base import Initializer
from minispore.nn.layer._inputs import check_input, check_length
from minispore.nn.layer._parameters import default_bias, default_weight, new_parameter
from minispore.nn.layer.activation import get_activation
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.operations.array.reshaping import Reshape
from minispore.ops.operations.array.tensor_info import Shape
from minispore.ops.operations.linalg.matmul import BiasAdd, MatMul

__all__ = ["Dense"]


def check_dense_input_shape(x, prim_name=None):
    """Raise ValueError unless ``x``, a shape, has two axes at least."""
    if len(x) < 2:
        raise value_error(prim_name or "Dense", "the 'x' must have at least 2 axes", f"shape {tuple(x)}")


def _checked_activation(activation):
    """The activation: a Cell or Primitive by its name, or the given callable; TypeError for anything else."""
    found = get_activation(activation) if isinstance(activation, str) else activation
    if found is not None and not callable(found):
        raise type_error("Dense", "the 'activation' must be a str, a Cell or a Primitive", type(found).__name__)
    return found


class Dense(Cell):
    """Linear layer on the last axis: ``out = activation(x @ weight.T + bias)``.

    Args:
        in_channels (int): Length of x's last axis.
        out_channels (int): Length of the output's last axis.
        weight_init (Union[Tensor, str, Initializer, number]): Default: ``U(-b, b)``, ``b = 1 / sqrt(in_channels)``.
        bias_init (Union[Tensor, str, Initializer, number]): Default: the same distribution.
        has_bias (bool): If True, a bias is added. Default: True.
        activation (Union[str, Cell, Primitive]): Applied to the output. Default: None.
        dtype (mindspore.dtype): The Parameters' dtype. Default: float32.

    Inputs:
        x (Tensor): Shape ``(*, in_channels)``, of the weight's dtype.

    Outputs:
        Tensor of shape ``(*, out_channels)``.

    Raises:
        TypeError: If the channels are not ints, ``has_bias`` not a bool, or the dtypes differ.
        ValueError: If the channels are not above 0, or shapes do not fit.
        KeyError: If ``activation`` is an unknown name.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Dense(3, 4)(ms.ops.ones((2, 3))).shape
        (2, 4)
        >>> print(ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")(ms.Tensor([[1.0, 2.0]])))
        [[3.]]
    """

    reshape, shape_op = Reshape(), Shape()  # for subclasses, which find them in MindSpore's layer

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Tensor | str | Initializer | float | None = None,
        bias_init: Tensor | str | Initializer | float | None = None,
        has_bias: bool = True,
        activation: str | Callable[..., Any] | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__()
        dtype = float32 if dtype is None else dtype
        self.in_channels = check_positive_int("Dense", "in_channels", in_channels)
        self.out_channels = check_positive_int("Dense", "out_channels", out_channels)
        self.has_bias = check_bool("Dense", "has_bias", has_bias)
        shape = (out_channels, in_channels)
        self.weight = new_parameter("Dense", "weight_init", default_weight(weight_init), shape, dtype)
        self.bias = None
        if has_bias:
            self.bias = new_parameter(
                "Dense", "bias_init", default_bias(bias_init, in_channels), (out_channels,), dtype
            )
            self.bias_add = BiasAdd()
        self.matmul = MatMul(transpose_b=True)
        self.activation = _checked_activation(activation)
        self.activation_flag = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        """Multiply, add the bias, activate."""
        shape = x.shape
        if len(shape) != 2:
            # One matrix product for all leading axes.
            x = F.reshape(x, (-1, shape[-1]))
        x = self.matmul(x, self.weight)
        if self.has_bias:
            x = self.bias_add(x, self.bias)
        if self.activation_flag:
            x = self.activation(x)
        return x if len(shape) == 2 else F.reshape(x, (*shape[:-1], self.out_channels))

    def _check_fit(self, x):
        check_input("Dense", x, None if self._compute_dtype else self.weight.dtype)
        check_length("Dense", x, -1, "in_channels", self.weight.shape[1])

    def extend_repr(self) -> Any:
        """The arguments."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        return text + (f", activation={self.activation}" if self.activation_flag else "")
