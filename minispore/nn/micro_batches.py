"""Cells that run a network on the parts of a batch and return the sum of its losses: so gradients add up, too."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_positive_int
from minispore.core.errors import value_error
from minispore.nn.cell import Cell
from minispore.nn.wrap import check_cell

__all__ = ["GradAccumulationCell", "MicroBatchInterleaved", "PipelineCell"]


class _MicroBatches(Cell):
    """Base: ``out = network(part 0) + network(part 1) + ...`` for parts of equal length along axis 0."""

    count_name = "micro_size"

    def __init__(self, network, count) -> None:
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        self.network = check_cell(name, "network", network)
        self.count = check_positive_int(name, self.count_name, count)

    def construct(self, *inputs) -> Any:
        """The sum of the network's outputs over the parts."""
        total = None
        for part in range(self.count):
            out = self.network(*[self._part(x, part) for x in inputs])
            total = out if total is None else total + out
        return total

    def _part(self, x, part):
        if not x.shape:
            raise value_error(type(self).__name__, "each input must have an axis to be cut along", "a 0-d Tensor")
        length, rest = divmod(x.shape[0], self.count)
        if rest:
            expected = f"the length of each input's axis 0 must be divisible by '{self.count_name}', {self.count}"
            raise value_error(type(self).__name__, expected, x.shape[0])
        return x[part * length : (part + 1) * length]


class GradAccumulationCell(_MicroBatches):
    """A network whose loss is the sum over ``micro_size`` parts of the batch; one optimizer step per call.

    Shapes and dtypes are those that the network takes.

    Args:
        network (Cell): The network, whose output is the loss.
        micro_size (int): How many parts, above 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``micro_size`` is below 1, or does not divide the batch.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.GradAccumulationCell(ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss()), 2)
        >>> net(ms.ops.ones((4, 2)), ms.ops.ones((4, 1))).shape
        ()
        >>> inner = ms.nn.WithLossCell(ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros"), ms.nn.MSELoss())
        >>> print(ms.nn.GradAccumulationCell(inner, 2)(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[3.0], [5.0]])))
        4.0
    """

    def __init__(self, network: Cell, micro_size: int) -> None:
        super().__init__(network, micro_size)
        self.micro_size = micro_size


class PipelineCell(GradAccumulationCell):
    """A network whose loss is the sum over ``micro_size`` parts of the batch: the accumulating form of a pipeline.

    Shapes and dtypes are those that the network takes.

    Raises:
        TypeError: If ``network`` is not a Cell, ``micro_size`` is not an int, or an input is not a Tensor.
        ValueError: If ``micro_size`` is not above 0, or does not divide the length of each input's first axis.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros"), ms.nn.MSELoss())
        >>> x, y = ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[3.0], [5.0]])
        >>> print(net(x, y), ms.nn.PipelineCell(net, 2)(x, y))
        2.0 4.0
    """


class MicroBatchInterleaved(_MicroBatches):
    """A network whose loss is the sum over ``interleave_num`` parts of the batch.

    Shapes and dtypes are those that the network takes.

    Args:
        network (Cell): The network, whose output is the loss.
        interleave_num (int): How many parts, above 0. Default: 2.

    Raises:
        TypeError: If ``network`` is not a Cell, ``interleave_num`` is not an int, or an input is not a Tensor.
        ValueError: If ``interleave_num`` is not above 0, or does not divide the length of each input's first axis.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros"), ms.nn.MSELoss())
        >>> x, y = ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[3.0], [5.0]])
        >>> print(ms.nn.MicroBatchInterleaved(net, 2)(x, y))
        4.0
    """

    count_name = "interleave_num"

    def __init__(self, network: Cell, interleave_num: int = 2) -> None:
        super().__init__(network, interleave_num)
        self.interleave_num = interleave_num
