"""Optimizers with a rate adapted to each element: Adagrad, RMSProp, Adadelta; AdamWeightDecay is in ``adamw_lamb``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.parameter import Parameter
from minispore.nn.optim.optimizer import Optimizer
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.nn import apply_adaptive as steps

__all__ = ["Adadelta", "Adagrad", "RMSProp"]


class Adagrad(Optimizer):
    """``accum += g * g``; ``p -= lr * g / sqrt(accum)``.

    Source: Duchi, Hazan and Singer, 2011.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        accum (float): The initial accum, at least 0. Default: 0.1.
        learning_rate: As in :class:`Optimizer`. Default: 0.001.
        update_slots (bool): If True, accum is updated. Default: True.
        loss_scale (float): Default: 1.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.Adagrad([w], accum=0.0, learning_rate=0.5)((ms.Tensor([2.0]),))
        >>> print(w.asnumpy())
        [0.5]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        accum: float = 0.1,
        learning_rate=0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay=0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        accum = check_python_float("Adagrad", "accum", accum, 0)
        self.opt = steps.ApplyAdagrad(check_bool("Adagrad", "update_slots", update_slots))
        self.accum = self.parameters.clone("accum", init=accum)

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        self.opt(parameter, self.accum[index], rate, gradient)


class RMSProp(Optimizer):
    """``s = decay * s + (1 - decay) * g * g``; ``m = momentum * m + lr * g / sqrt(s + epsilon)``; ``p -= m``.

    If centered, ``s - a * a`` replaces ``s`` in the root, with ``a = decay * a + (1 - decay) * g``; ``s`` starts at 1.
    Source: Hinton's lecture 6e, 2012.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 0.1.
        decay (float): At least 0. Default: 0.9.
        momentum (float): At least 0. Default: 0.
        epsilon (float): Above 0. Default: 1e-10.
        use_locking (bool): Accepted as in MindSpore. Default: False.
        centered (bool): Default: False.
        loss_scale (float): Default: 1.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.RMSProp([w], learning_rate=0.1, decay=0.5)((ms.Tensor([1.0]),))
        >>> print(w.asnumpy())
        [0.9]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay=0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = check_python_float("RMSProp", "decay", decay, 0)
        self.momentum = check_python_float("RMSProp", "momentum", momentum, 0)
        self.epsilon = check_python_float("RMSProp", "epsilon", epsilon, 0, above=True)
        check_bool("RMSProp", "use_locking", use_locking)
        self.centered = check_bool("RMSProp", "centered", centered)
        if centered:
            self.mg = self.parameters.clone("mean_grad", init="zeros")
        self.ms = self.parameters.clone("mean_square", init="ones")
        self.moment = self.parameters.clone("moment", init="zeros")
        self.opt = steps.ApplyCenteredRMSProp() if centered else steps.ApplyRMSProp()

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        square, moment = self.ms[index], self.moment[index]
        numbers = self.decay, self.momentum, self.epsilon
        if self.centered:
            self.opt(parameter, self.mg[index], square, moment, gradient, rate, *numbers)
        else:
            self.opt(parameter, square, moment, rate, gradient, *numbers)


class Adadelta(Optimizer):
    """``a = rho * a + (1 - rho) * g * g``; ``u = g * sqrt((b + epsilon) / (a + epsilon))``; ``p -= lr * u``.

    Then ``b = rho * b + (1 - rho) * u * u``. Source: Zeiler, 2012.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 1.
        rho (float): In [0, 1]. Default: 0.9.
        epsilon (float): At least 0. Default: 1e-6.
        loss_scale (float): Default: 1.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.Adadelta([w], rho=0.0, epsilon=1.0)((ms.Tensor([0.0]),))
        >>> print(w.asnumpy())
        [1.]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        loss_scale: float = 1.0,
        weight_decay=0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = check_python_float("Adadelta", "rho", rho, 0, 1)
        self.epsilon = check_python_float("Adadelta", "epsilon", epsilon, 0)
        self.accum = self.parameters.clone("accum", init="zeros")
        self.accum_update = self.parameters.clone("accum_update", init="zeros")
        self.opt = steps.ApplyAdadelta()

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        state = self.accum[index], self.accum_update[index]
        self.opt(parameter, *state, rate, self.rho, self.epsilon, gradient)
