"""LessBN: a network whose cells may leave BatchNorm out, with a normalized last layer if ``fn_flag`` says so."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.dtype import float32
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initializer import initializer
from minispore.nn.layer import Dense
from minispore.nn.wrap import check_cell
from minispore.ops.operations import L2Normalize, MatMul

__all__ = ["CommonHeadLastFN", "LessBN"]


class CommonHeadLastFN(Cell):
    """A linear layer of cosines: ``out = multiplier * (x / |x| @ (weight / |weight|).T + bias)``, norms along axis 1.

    With it the scale of the features that BatchNorm would set does not matter. Source: Wang, Xiang, Cheng and Yuille,
    NormFace, 2017; the place of the bias is MindSpore 2.0.0's.

    Args:
        in_channels (int): Length of x's last axis.
        out_channels (int): Length of the output's last axis.
        weight_init (Union[Tensor, str, Initializer, number]): Default: "normal".
        bias_init (Union[Tensor, str, Initializer, number]): Default: "zeros".
        has_bias (bool): Whether a bias is added. Default: True.

    Inputs:
        - **x** (Tensor) - Shape ``(n, in_channels)``.

    Outputs:
        Tensor of shape ``(n, out_channels)``.

    Raises:
        TypeError: If the channels are not ints, or ``has_bias`` not a bool.
        ValueError: If the channels are not above 0.
    """

    def __init__(self, in_channels, out_channels, weight_init="normal", bias_init="zeros", has_bias=True):
        super().__init__()
        name = "CommonHeadLastFN"
        check_positive_int(name, "in_channels", in_channels)
        check_positive_int(name, "out_channels", out_channels)
        self.weight = Parameter(initializer(weight_init, (out_channels, in_channels), float32))
        self.multiplier = Parameter(Tensor([1.0], float32))
        self.has_bias = check_bool(name, "has_bias", has_bias)
        if has_bias:
            self.bias = Parameter(initializer(bias_init, (out_channels,), float32))
        self.normalize, self.matmul = L2Normalize(axis=1), MatMul(transpose_b=True)

    def construct(self, x):
        """Cosines, plus the bias, times the multiplier."""
        out = self.matmul(self.normalize(x), self.normalize(self.weight))
        return self.multiplier * (out + self.bias if self.has_bias else out)


def _head_of(dense):
    """The layer of cosines with a Dense's weight and without its bias."""
    head = CommonHeadLastFN(dense.in_channels, dense.out_channels, dense.weight, has_bias=False)
    owner = dense.weight.name.rpartition("weight")[0]
    head.weight.name, head.multiplier.name = dense.weight.name, f"{owner}multiplier"
    return head


def _convert_heads(cell):
    """Replace the last Dense among a cell's own cells by a layer of cosines. Do the same inside each of these cells."""
    last = None
    for name, inner in cell.name_cells().items():
        if type(inner) is Dense and not inner.activation_flag:
            last = name
        else:
            _convert_heads(inner)
    if last is not None:
        cell._replace_child(last, _head_of(cell.name_cells()[last]))


class LessBN(Cell):
    """A network with the flag "less_bn" in all its cells; with ``fn_flag`` its last Dense compares directions only.

    The flag lets MindSpore leave BatchNorm out on Ascend; here each BatchNorm computes as ever, so without ``fn_flag``
    the network's numbers are the same. With it the last Dense without an activation becomes a
    :class:`CommonHeadLastFN`, in the network and in each cell of it. It has that layer's weight and no bias, as in
    MindSpore.

    Args:
        network (Cell): The network, which is changed.
        fn_flag (bool): Whether to normalize the last Dense. Default: False.

    Inputs:
        The network's inputs.

    Outputs:
        The network's output.

    Raises:
        TypeError: If an argument is of a wrong kind.

    Examples:
        >>> import minispore as ms
        >>> net = ms.boost.LessBN(
        ...     ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.ReLU(), ms.nn.Dense(3, 2)), fn_flag=True
        ... )
        >>> [type(cell).__name__ for cell in net.network]
        ['Dense', 'ReLU', 'CommonHeadLastFN']
    """

    def __init__(self, network: Cell, fn_flag: bool = False) -> None:
        super().__init__()
        check_bool("LessBN", "fn_flag", fn_flag)
        check_cell("LessBN", "network", network).set_boost("less_bn")
        if fn_flag:
            _convert_heads(network)
        self.network = network

    def construct(self, *inputs) -> Any:
        """The network's output."""
        return self.network(*inputs)
