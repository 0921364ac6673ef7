"""LARS: scales the gradients of another optimizer by a trust ratio for each Parameter."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.errors import type_error
from minispore.core.running import under
from minispore.nn.cell import Cell
from minispore.nn.optim.optimizer import Optimizer
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_python_float

__all__ = ["LARS"]


def _is_scaled(parameter):
    """True for Parameters that LARS scales by default: all but biases and LayerNorm's."""
    return "LayerNorm" not in parameter.name and "bias" not in parameter.name


def _norm(x):
    x = x.astype(float32) if x.itemsize < float32.np.itemsize else x  # squares of float16 overflow early
    return F.sqrt((x * x).sum())


class LARS(Optimizer):
    """``g = rate * (g + decay * p)``, ``rate = coefficient * |p| / (|g| + decay * |p| + epsilon)``, then a step by g.

    With ``use_clip`` ``rate = min(rate / lr, 1)``; if a norm is 0 the rate is 1. A Parameter that the filter rejects
    gets the optimizer's own step. Source: You, Gitman and Ginsburg, Large batch training, 2017.

    LARS takes over the optimizer's weight decays and loss scale; the optimizer then does not apply them again.

    Args:
        optimizer (Optimizer): The wrapped optimizer.
        epsilon (float): Default: 1e-5.
        coefficient (float): Default: 0.001.
        use_clip (bool): Default: False.
        lars_filter (Callable): A function of a Parameter: True to scale it. Default: True without "LayerNorm" or "bias"
            in the name.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is negative.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([3.0, 4.0], name="w")
        >>> optimizer = ms.nn.LARS(ms.nn.SGD([w], 1.0), epsilon=0.0, coefficient=0.5)
        >>> _ = optimizer((ms.Tensor([0.0, 2.0]),))
        >>> print(w.asnumpy())
        [3.  1.5]
    """

    def __init__(
        self, optimizer: Optimizer, epsilon=1e-05, coefficient=0.001, use_clip=False, lars_filter=_is_scaled
    ) -> None:
        Cell.__init__(self, auto_prefix=False)  # all of Optimizer's own state is the wrapped optimizer's
        if not isinstance(optimizer, Optimizer) or isinstance(optimizer, LARS):
            raise type_error("LARS", "the 'optimizer' must be another Optimizer", type(optimizer).__name__)
        if not callable(lars_filter):
            raise type_error("LARS", "the 'lars_filter' must be a function", type(lars_filter).__name__)
        self.epsilon = check_python_float("LARS", "epsilon", epsilon, 0)
        self.coefficient = check_python_float("LARS", "coefficient", coefficient, 0)
        self.use_clip = check_bool("LARS", "use_clip", use_clip)
        self.lars_flag = tuple(bool(lars_filter(p)) for p in optimizer.parameters)
        self.global_step, self.parameters, self.opt = optimizer.global_step, optimizer.parameters, optimizer
        if hasattr(optimizer, "weight_decay"):  # a Cell, or MindSpore's attribute, if it is attached
            self.weight_decay = optimizer.weight_decay
        self._decays, self.is_group, self.counts_steps = optimizer._decays, optimizer.is_group, False
        # The norms need unscaled gradients, and the decay belongs into the norm. So both are done here, and not again
        # there.
        self.loss_scale, optimizer.loss_scale = optimizer.loss_scale, 1.0
        optimizer._decays = [0.0] * len(self._decays)
        self.dynamic_lr, self.is_group_lr, self._rates = optimizer.dynamic_lr, optimizer.is_group_lr, optimizer._rates
        self.dynamic_weight_decay, optimizer.dynamic_weight_decay = optimizer.dynamic_weight_decay, False

    def construct(self, gradients) -> Any:
        """One step; returns a tuple of True, one for each Parameter."""
        gradients = self.opt._checked_gradients(gradients)
        with under(tape=None):
            gradients = self.scale_grad(gradients)
            rates = self._lr_now() if self.is_group_lr else (self._lr_now(),) * len(gradients)
            decayed = self._decayed(gradients)
            # The ratio compares the norms of the gradient without decay; the scaled step has the decay in it.
            columns = zip(self.parameters, gradients, rates, self._decays_now(), strict=True)
            rows = zip(decayed, self.lars_flag, columns, strict=True)
            return self.opt(tuple(g * self._rate(*row) if scaled else g for g, scaled, row in rows))

    def _rate(self, parameter, gradient, lr, decay):
        """The factor of the gradient in one Parameter's step; 1 where a norm is 0."""
        of_parameter, of_gradient = _norm(parameter), _norm(gradient)
        rate = self.coefficient * of_parameter / (of_gradient + decay * of_parameter + self.epsilon)
        rate = F.minimum(rate / lr, 1.0) if self.use_clip else rate
        return F.select((of_parameter > 0).logical_and(of_gradient > 0), rate, 1.0)
