"""Stochastic gradient descent: Momentum and SGD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.errors import value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.optim.optimizer import Optimizer, check_number
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.nn import apply_update as steps

__all__ = ["SGD", "Momentum"]


class Momentum(Optimizer):
    """``m = momentum * m + g``; ``p -= lr * m``, or with Nesterov ``p -= lr * (g + momentum * m)``.

    Source: Sutskever et al., 2013.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`.
        momentum (float): At least 0.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.
        loss_scale (float): Default: 1.
        use_nesterov (bool): Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.Momentum([w], 0.1, 0.9)((ms.Tensor([2.0]),))
        >>> print(w.asnumpy())
        [0.8]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate,
        momentum: float,
        weight_decay=0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum = check_python_float("Momentum", "momentum", momentum, 0)
        self.use_nesterov = check_bool("Momentum", "use_nesterov", use_nesterov)
        self.momentum = Parameter(momentum, name="momentum")
        self.moments = self.parameters.clone("moments", init="zeros")
        self.opt = steps.ApplyMomentum(use_nesterov=use_nesterov)

    def inputs(self, pick, gradient, rate) -> Any:
        """The inputs of the operation that makes a step."""
        return pick(self.parameters), pick(self.moments), rate, gradient, self.momentum


class SGD(Optimizer):
    """``a = momentum * a + (1 - dampening) * g`` (``a = g`` at first); ``p -= lr * a``.

    With Nesterov ``p -= lr * (g + momentum * a)``.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 0.1.
        momentum (float): At least 0. Default: 0.
        dampening (float): At least 0. Default: 0.
        weight_decay (float): Default: 0.
        nesterov (bool): Needs a momentum above 0 and no dampening. Default: False.
        loss_scale (float): Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or ``nesterov`` is set with no momentum or with dampening.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.SGD([ms.Parameter(ms.Tensor([1.0]), name="w")], 0.5, weight_decay=0.1).parameters[0].name
        'w'
    """

    spares_norms = False
    decays_by_step = False

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum = check_number("SGD", "momentum", momentum)
        dampening = check_number("SGD", "dampening", dampening)
        if check_bool("SGD", "nesterov", nesterov) and (momentum == 0 or dampening != 0):
            got = f"momentum {momentum} and dampening {dampening}"
            raise value_error("SGD", "with 'nesterov' the momentum must be above 0 and the dampening 0", got)
        self.dampening, self.nesterov = dampening, nesterov
        self.momentum = Parameter(Tensor(momentum), name="momentum")
        self.accum = self.parameters.clone("accum", init="zeros")
        self.stat = self.parameters.clone("stat", init="ones")
        self.opt = steps.SGD(dampening, 0.0, nesterov)

    def inputs(self, pick, gradient, rate) -> Any:
        """The inputs of the operation that makes a step."""
        return pick(self.parameters), gradient, rate, pick(self.accum), self.momentum, pick(self.stat)
