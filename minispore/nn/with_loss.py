"""Cells that wrap a network: with its loss, for evaluation, and with its gradient."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.nn.wrap import check_cell
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.composite import GradOperation
from minispore.ops.object_checks import check_callable

__all__ = ["ForwardValueAndGrad", "WithEvalCell", "WithGradCell", "WithLossCell"]


class WithLossCell(Cell):
    """A network and its loss: ``out = loss_fn(backbone(data), label)``.

    Shapes and dtypes are those that the network takes.

    Args:
        backbone (Cell): The network.
        loss_fn (Cell): The loss.

    Raises:
        TypeError: If ``backbone`` is not a Cell or ``loss_fn`` cannot be called.
        ValueError: If the network or the loss raises it.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> net_with_loss = ms.nn.WithLossCell(net, ms.nn.MSELoss())
        >>> print(net_with_loss(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[5.0]])))
        4.0
    """

    def __init__(self, backbone: Cell, loss_fn: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = check_cell("WithLossCell", "backbone", backbone)
        if not callable(loss_fn):
            raise type_error("WithLossCell", "the 'loss_fn' must be a Cell", type(loss_fn).__name__)
        self._loss_fn = loss_fn

    def construct(self, data, label) -> Any:
        """The loss."""
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self) -> Any:
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """A network and its loss, for evaluation: ``(loss, output, label)``.

    Args:
        network (Cell): The network.
        loss_fn (Cell): The loss.
        add_cast_fp32 (bool): If True, output and label are cast to float32 for the loss. Default: False.

    Raises:
        TypeError: If ``network`` is not a Cell, or ``add_cast_fp32`` is not a bool. Also what the network and the loss
            raise.
        ValueError: If the network or the loss raises it.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> loss, output, label = ms.nn.WithEvalCell(net, ms.nn.MSELoss())(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[5.0]]))
        >>> print(loss, output, label)
        4.0 [[3.]] [[5.]]
    """

    def __init__(self, network: Cell, loss_fn: Cell, add_cast_fp32: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self._network = check_cell("WithEvalCell", "network", network)
        self._loss_fn = loss_fn
        self.add_cast_fp32 = check_bool("WithEvalCell", "add_cast_fp32", add_cast_fp32)

    def construct(self, data, label) -> Any:
        """Loss, output and label."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            label, outputs = (F.mixed_precision_cast(float32, x) for x in (label, outputs))
        return self._loss_fn(outputs, label), outputs, label


class WithGradCell(Cell):
    """The gradients of a network's loss by its trainable Parameters, as a tuple.

    Shapes and dtypes are those that the network takes.

    Args:
        network (Cell): The network.
        loss_fn (Cell): The loss; None if the network's output is the loss. Default: None.
        sens (Union[None, Tensor, number]): The gradient of the output; None for ones. Default: None.

    Raises:
        TypeError: If ``network`` or ``loss_fn`` is not a Cell. Also what the network and the loss raise.
        ValueError: If the network or the loss raises it.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> by_weight, by_bias = ms.nn.WithGradCell(net, ms.nn.MSELoss())(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[5.0]]))
        >>> print(by_weight, by_bias)
        [[-4. -8.]] [-4.]
    """

    def __init__(self, network: Cell, loss_fn: Cell | None = None, sens: Tensor | float | None = None) -> None:
        super().__init__(auto_prefix=False)
        self.network = check_cell("WithGradCell", "network", network)
        self.loss_fn, self.sens = loss_fn, sens
        self.weights = ParameterTuple(network.trainable_params())
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        network.set_train()

    def construct(self, *inputs) -> Any:
        """The gradients."""
        sens = () if self.sens is None else (self.sens,)
        return self.grad(self.network_with_loss, self.weights)(*inputs, *sens)


class ForwardValueAndGrad(Cell):
    """A network's output and its gradients: ``(out, gradients)``, in one run.

    Args:
        network (Cell): The network.
        weights (ParameterTuple): The Parameters, with ``get_by_list``. Default: None.
        get_all (bool): The gradients of all inputs. Default: False.
        get_by_list (bool): The gradients of ``weights``. Default: False.
        sens_param (bool): If True, the last input is the gradient of the output. Default: False.

    Raises:
        TypeError: If ``network`` is not a function, or ``get_all``, ``get_by_list`` or ``sens_param`` is not a bool.
            Also what the network raises.
        ValueError: If the network raises it.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> step = ms.nn.ForwardValueAndGrad(net, get_all=True)
        >>> output, (by_input,) = step(ms.Tensor([[1.0, 2.0]]))
        >>> print(output, by_input)
        [[3.]] [[1. 1.]]
    """

    def __init__(self, network: Cell, weights=None, get_all=False, get_by_list=False, sens_param=False) -> None:
        super().__init__(auto_prefix=False)
        self.network = check_callable("ForwardValueAndGrad", "network", network)
        if isinstance(network, Cell):
            network.set_grad()
        self.weights, self.get_all, self.get_by_list, self.sens_param = weights, get_all, get_by_list, sens_param
        self.grad = GradOperation(get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)

    def construct(self, *inputs) -> Any:
        """Output and gradients."""
        kept = {}

        def network(*args):
            kept["out"] = self.network(*args)
            return kept["out"]

        weights = self.weights if self.get_by_list else None
        gradients = self.grad(network, weights)(*inputs)
        return kept["out"], gradients
