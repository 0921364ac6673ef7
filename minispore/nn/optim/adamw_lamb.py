"""Optimizers with decoupled weight decay, which does not enter the moments: AdamWeightDecay and Lamb."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.dtype import float32
from minispore.core.parameter import Parameter
from minispore.nn.optim.adam import check_beta
from minispore.nn.optim.optimizer import Optimizer
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.nn import apply_adaptive as steps

__all__ = ["AdamWeightDecay", "Lamb"]


class _Decoupled(Optimizer):
    """Base of optimizers with two moments whose ``update`` applies the weight decay itself."""

    def __init__(self, params, learning_rate, beta1, beta2, eps, weight_decay) -> None:
        super().__init__(learning_rate, params, weight_decay)
        name = type(self).__name__
        self.beta1, self.beta2 = check_beta(name, "beta1", beta1), check_beta(name, "beta2", beta2)
        self.eps = check_python_float(name, "eps", eps, 0, above=True)

    def _decayed(self, gradients, scale=1.0):
        """The gradients unchanged."""
        return gradients


class AdamWeightDecay(_Decoupled):
    """``m += (1 - b1) * (g - m)``, ``v += (1 - b2) * (g * g - v)``; ``p -= lr * (m / (sqrt(v) + eps) + decay * p)``.

    As in MindSpore the moments have no bias correction. Source: Loshchilov and Hutter, Decoupled weight decay
    regularization, 2017.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 1e-3.
        beta1 (float): In (0, 1). Default: 0.9.
        beta2 (float): In (0, 1). Default: 0.999.
        eps (float): Above 0. Default: 1e-6.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.AdamWeightDecay([w], 0.1, weight_decay=0.5)((ms.Tensor([0.0]),))
        >>> print(w.asnumpy())
        [0.95]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay=0.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)
        self.moments1 = self.parameters.clone("adam_m", init="zeros")
        self.moments2 = self.parameters.clone("adam_v", init="zeros")
        self.opt = steps.AdamWeightDecay()

    def inputs(self, pick, gradient, rate) -> Any:
        """The inputs of the operation that makes a step."""
        decay = pick(self._decays_now())
        numbers = rate, self.beta1, self.beta2, self.eps, decay[0] if isinstance(decay, list) else decay
        return pick(self.parameters), pick(self.moments1), pick(self.moments2), *numbers, gradient

    def _alike(self):
        """Lists of the indices of Parameters with the same weight decay."""
        found = {}
        for i, decay in enumerate(self._decays):
            found.setdefault(decay, []).append(i)
        return list(found.values())


class Lamb(_Decoupled):
    """``u = m' / (sqrt(v') + eps) + decay * p``; ``p -= lr * (|p| / |u|) * u``.

    Moments as in Adam, ``m' = m / (1 - b1 ** t)`` and ``v' = v / (1 - b2 ** t)`` at step t, counted by ``global_step``;
    the ratio of norms is 1 if one of them is 0. Source: You et al., Large batch optimization for deep learning, 2019.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`.
        beta1 (float): In (0, 1). Default: 0.9.
        beta2 (float): In (0, 1). Default: 0.999.
        eps (float): Above 0. Default: 1e-6.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([3.0, 4.0], name="w")
        >>> _ = ms.nn.Lamb([w], 0.1)((ms.Tensor([0.0, 2.0]),))
        >>> print(w.asnumpy())
        [3.  3.5]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay=0.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)
        self.moments1 = self.parameters.clone("lamb_m", init="zeros")
        self.moments2 = self.parameters.clone("lamb_v", init="zeros")
        self.opt = steps.Lamb()

    def begin_step(self) -> None:
        """Count the step, unless the base counts it for the learning rate."""
        if not self.counts_steps:
            F.assign(self.global_step, self.global_step + 1)

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        t = self.global_step.astype(float32).reshape(()) + (1 if self.counts_steps else 0)
        numbers = rate, self.beta1, self.beta2, self.eps, self._decay_now(index), t
        self.opt(parameter, self.moments1[index], self.moments2[index], *numbers, gradient)
