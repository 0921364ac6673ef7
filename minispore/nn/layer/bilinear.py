"""BiDense: a linear layer of the products of two inputs' elements."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.dtype import DTypeLike, float32
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initial_values.distributions import Uniform
from minispore.nn.layer._inputs import check_input
from minispore.nn.layer._parameters import new_parameter
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.operations.linalg.matmul import BiasAdd, MatMul

__all__ = ["BiDense"]


class BiDense(Cell):
    """Bilinear layer: ``out[..., o] = input1 @ weight[o] @ input2 + bias[o]``, with sums over the last axes.

    Args:
        in1_channels (int): Length of the first input's last axis.
        in2_channels (int): Length of the second input's last axis.
        out_channels (int): Length of the output's last axis.
        weight_init (Union[Tensor, str, Initializer, number]): Default: ``U(-b, b)``, ``b = 1 / sqrt(in1_channels)``.
        bias_init (Union[Tensor, str, Initializer, number]): Default: the same distribution.
        has_bias (bool): If True, a bias is added. Default: True.
        dtype (mindspore.dtype): The Parameters' dtype. Default: float32.

    Inputs:
        - **input1** (Tensor) - Shape ``(*, in1_channels)``.
        - **input2** (Tensor) - Shape ``(*, in2_channels)``, with the same other axes.

    Outputs:
        Tensor of shape ``(*, out_channels)``.

    Raises:
        TypeError: If the channels are not ints, ``has_bias`` not a bool, or the dtypes differ.
        ValueError: If the channels are not above 0, or shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.BiDense(3, 4, 2)(ms.ops.ones((5, 3)), ms.ops.ones((5, 4))).shape
        (5, 2)
        >>> print(
        ...     ms.nn.BiDense(2, 1, 1, weight_init="ones", bias_init="zeros")(
        ...         ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0]])
        ...     )
        ... )
        [[9.]]
    """

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init=None,
        bias_init=None,
        has_bias: bool = True,
        dtype: DTypeLike = float32,
    ) -> None:
        super().__init__()
        self.in1_channels = self.in_channels = check_positive_int("BiDense", "in1_channels", in1_channels)
        self.in2_channels = check_positive_int("BiDense", "in2_channels", in2_channels)
        self.out_channels = check_positive_int("BiDense", "out_channels", out_channels)
        self.has_bias = check_bool("BiDense", "has_bias", has_bias)
        init, shape = Uniform(1 / math.sqrt(in1_channels)), (out_channels, in1_channels, in2_channels)
        self.weight = new_parameter(
            "BiDense", "weight_init", init if weight_init is None else weight_init, shape, dtype
        )
        self.bias = None
        if has_bias:
            bias_init = init if bias_init is None else bias_init
            self.bias = new_parameter("BiDense", "bias_init", bias_init, (out_channels,), dtype)
            self.bias_add = BiasAdd()
        self.matmul = MatMul()

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        """Multiply by the first input, then by the second, and add the bias."""
        self._check_shapes(input1, input2)
        lead = input1.shape[:-1]
        x, y = F.reshape(input1, (-1, self.in1_channels)), F.reshape(input2, (-1, self.in2_channels))
        weight = F.reshape(F.transpose(self.weight, (1, 0, 2)), (self.in1_channels, -1))
        rows = F.reshape(self.matmul(x, weight), (-1, self.out_channels, self.in2_channels))
        out = F.squeeze(F.bmm(rows, F.expand_dims(y, 2)), 2)
        return F.reshape(self.bias_add(out, self.bias) if self.has_bias else out, (*lead, self.out_channels))

    def _check_shapes(self, input1, input2):
        check_input("BiDense", input1), check_input("BiDense", input2)
        for argument, x, width in (("input1", input1, self.in1_channels), ("input2", input2, self.in2_channels)):
            if x.shape[-1:] != (width,):
                expected = f"the last axis of '{argument}' must have the length {width}"
                raise value_error("BiDense", expected, f"shape {x.shape}")
        if input1.shape[:-1] != input2.shape[:-1]:
            expected = "the 'input1' and 'input2' must have the same shape but for the last axis"
            raise value_error("BiDense", expected, f"{input1.shape} and {input2.shape}")

    def extend_repr(self) -> Any:
        """The arguments."""
        text = (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, output_channels={self.out_channels}"
        )
        return text + (f", has_bias={self.has_bias}" if self.has_bias else "")
