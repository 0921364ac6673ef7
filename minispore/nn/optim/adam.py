"""Adam, AdamOffload, and AdaMax of the same paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.errors import value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.optim.optimizer import Optimizer
from minispore.ops.number_checks import check_python_float, check_real
from minispore.ops.operations.nn import apply_update as steps
from minispore.ops.operations.nn.apply_adaptive import ApplyAdaMax

__all__ = ["AdaMax", "Adam", "AdamOffload"]

_advance, _advance_both = steps.Scale(), steps.UpdateAll(steps.ScaleEach(), 2, 2)


def check_beta(operation, argument, value):
    """``value`` as a float in (0, 1)."""
    return check_real(operation, argument, value, 0, 1, above=True, below=True, kinds=(float,))


class Adam(Optimizer):
    """Moments ``m += (1 - b1) * (g - m)``, ``v += (1 - b2) * (g * g - v)``; ``p -= lr_t * m / (sqrt(v) + eps)``.

    ``lr_t = lr * sqrt(1 - b2 ** t) / (1 - b1 ** t)`` at step t (Kingma and Ba, 2014).

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 1e-3.
        beta1 (float): In (0, 1). Default: 0.9.
        beta2 (float): In (0, 1). Default: 0.999.
        eps (float): Above 0. Default: 1e-8.
        use_locking (bool): Accepted as in MindSpore. Default: False.
        use_nesterov (bool): True to use Nesterov's momentum. Default: False.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.
        loss_scale (float): Default: 1.
        use_amsgrad (bool): If True, v's greatest value so far takes its place in the step. Default: False.
        use_lazy (bool): Accepted as in MindSpore, where it concerns sparse gradients. Default: False.
        use_offload (bool): Accepted as in MindSpore: there is one device. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or ``use_amsgrad`` is set with another flag.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> optimizer = ms.nn.Adam(net.trainable_params(), learning_rate=0.1)
        >>> _ = optimizer((ms.Tensor([[1.0, -2.0]]), ms.Tensor([0.5])))
        >>> print(net.weight.asnumpy(), net.bias.asnumpy())
        [[0.90000004 1.1       ]] [-0.09999994]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay=0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        use_lazy: bool = False,
        use_offload: bool = False,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        name = type(self).__name__
        self.use_amsgrad = check_bool(name, "use_amsgrad", use_amsgrad)
        self.use_lazy = check_bool(name, "use_lazy", use_lazy)
        self.use_offload = check_bool(name, "use_offload", use_offload)
        self.use_locking, self.use_nesterov = use_locking, use_nesterov
        if use_amsgrad and (use_nesterov or use_lazy or use_offload):
            expected = "with 'use_amsgrad' the 'use_nesterov', 'use_lazy' and 'use_offload' must be False"
            raise value_error(name, expected, f"{use_nesterov}, {use_lazy} and {use_offload}")
        self.beta1, self.beta2 = check_beta(name, "beta1", beta1), check_beta(name, "beta2", beta2)
        self.eps = check_python_float(name, "eps", eps, 0, above=True)
        check_bool(name, "use_locking", use_locking)
        check_bool(name, "use_nesterov", use_nesterov)
        self.beta1_power = Parameter(1.0, name="beta1_power")
        self.beta2_power = Parameter(1.0, name="beta2_power")
        self.moment1 = self.parameters.clone("moment1", init="zeros")
        self.moment2 = self.parameters.clone("moment2", init="zeros")
        if use_amsgrad:
            self.vhat = self.parameters.clone("vhat", init="zeros")
        self.opt = steps.AMSGrad() if use_amsgrad else steps.Adam(use_nesterov=use_nesterov)

    def begin_step(self) -> None:
        """Advance the powers of the betas."""
        betas = [Tensor(beta, float32) for beta in (self.beta1, self.beta2)]
        _advance_both((self.beta1_power, self.beta2_power), betas)

    def inputs(self, pick, gradient, rate) -> Any:
        """The inputs of the operation that makes a step."""
        state = pick(self.parameters), pick(self.moment1), pick(self.moment2)
        state = (*state, pick(self.vhat)) if self.use_amsgrad else state
        return *state, self.beta1_power, self.beta2_power, rate, self.beta1, self.beta2, self.eps, gradient


class AdamOffload(Adam):
    """Adam; MindSpore computes it on the host to save the device's memory; here it computes on the Parameters' device.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 1e-3.
        beta1 (float): In (0, 1). Default: 0.9.
        beta2 (float): In (0, 1). Default: 0.999.
        eps (float): Above 0. Default: 1e-8.
        use_locking (bool): Accepted as in MindSpore. Default: False.
        use_nesterov (bool): True to use Nesterov's momentum. Default: False.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.
        loss_scale (float): Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.AdamOffload([w], learning_rate=0.5)((ms.Tensor([2.0]),))
        >>> print(w.asnumpy())
        [0.50000006]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay=0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


class AdaMax(Optimizer):
    """``m = b1 * m + (1 - b1) * g``, ``v = max(b2 * v, |g|)``; ``p -= lr / (1 - b1 ** t) * m / (v + eps)`` at step t.

    Adam with the greatest size of recent gradients for the second moment (Kingma and Ba, 2014, section 7).

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As :class:`Optimizer` takes it. Default: 0.001.
        beta1 (float): In (0, 1). Default: 0.9.
        beta2 (float): In (0, 1). Default: 0.999.
        eps (float): Above 0. Default: 1e-8.
        weight_decay (Union[float, Cell]): As :class:`Optimizer` takes it. Default: 0.
        loss_scale (float): Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.AdaMax([w], learning_rate=0.5)((ms.Tensor([2.0]),))
        >>> print(w.asnumpy())
        [0.5]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay=0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1, self.beta2 = check_beta("AdaMax", "beta1", beta1), check_beta("AdaMax", "beta2", beta2)
        self.eps = check_python_float("AdaMax", "eps", eps, 0, above=True)
        self.beta1_power = Parameter(1.0, name="beta1_power")
        self.moment1 = self.parameters.clone("moment1", init="zeros")
        self.moment2 = self.parameters.clone("moment2", init="zeros")
        self.opt = ApplyAdaMax()

    def begin_step(self) -> None:
        """Move the power of beta1 on."""
        _advance(self.beta1_power, self.beta1)

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        moments = self.moment1[index], self.moment2[index]
        self.opt(parameter, *moments, self.beta1_power, rate, self.beta1, self.beta2, self.eps, gradient)
