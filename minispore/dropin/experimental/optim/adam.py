"""Adam (Kingma and Ba, 2015), AMSGrad (Reddi et al., 2018) and AdamW (Loshchilov and Hutter, 2019)."""

from minispore.core.checks import check_bool
from minispore.core.dtype import int32
from minispore.core.errors import shown, type_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.dropin.experimental.optim.optimizer import Optimizer
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_real

__all__ = ["Adam", "AdamW"]


class Adam(Optimizer):
    """``m = b1 * m + (1 - b1) * g``; ``v = b2 * v + (1 - b2) * g * g``; ``p = p - lr * m' / (sqrt(v') + eps)``.

    ``m'`` and ``v'`` are divided by ``1 - b ** t`` at step t; ``g`` is the gradient plus ``weight_decay * p``; with
    ``amsgrad`` the largest v so far stands in for v.

    Args:
        params (Iterable): Parameters, or dicts with "params" and settings of their own.
        lr (Union[int, float, Tensor]): The learning rate. Default: 0.001.
        betas (tuple[float]): b1 and b2. Default: (0.9, 0.999).
        eps (float): Default: 1e-8.
        weight_decay (float): Default: 0.0.
        amsgrad (bool): Default: False.
        maximize (bool): Whether steps go up. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is below 0, or one of ``betas`` not in [0, 1).
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False
    ):
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad}
        super().__init__(params, {**defaults, "maximize": maximize, "grad_centralization": False})
        self.state_step = Parameter(Tensor(0, int32), name="state_step")

    def check_group(self, group):
        """Raise unless the settings are legal."""
        super().check_group(group)
        name, betas = type(self).__name__, group["betas"]
        if not isinstance(betas, (tuple, list)) or len(betas) != 2:
            raise type_error(name, "the 'betas' must be two numbers", shown(betas))
        for beta in betas:
            check_real(name, "betas", beta, 0, 1, below=True)
        check_real(name, "eps", group["eps"], 0)
        check_bool(name, "amsgrad", group["amsgrad"])

    def begin_step(self):
        """Count the step."""
        F.assign(self.state_step, self.state_step + 1)

    def update(self, parameter, gradient, group):
        """One step of one Parameter."""
        if group["weight_decay"]:
            gradient = gradient + group["weight_decay"] * parameter
        self._move(parameter, parameter, gradient, group)

    def _move(self, parameter, origin, gradient, group):
        """Set the Parameter to ``origin`` less the step."""
        (b1, b2), t = group["betas"], int(self.state_step.asnumpy())
        mean, square = self.kept(parameter, "exp_avg"), self.kept(parameter, "exp_avg_sq")
        F.assign(mean, b1 * mean + (1 - b1) * gradient)
        F.assign(square, b2 * square + (1 - b2) * F.square(gradient))
        if group["amsgrad"]:
            largest = self.kept(parameter, "max_exp_avg_sq")
            F.assign(largest, F.maximum(largest, square))
            square = largest
        scale = F.sqrt(square) / (1 - b2**t) ** 0.5 + group["eps"]
        F.assign(parameter, F.cast(origin - group["lr"] / (1 - b1**t) * mean / scale, parameter.dtype))


class AdamW(Adam):
    """Adam whose weight decay does not pass through the moments: ``p = p * (1 - lr * weight_decay)`` before the step.

    Arguments and errors are those of :class:`Adam`, with a ``weight_decay`` of 0.01 by default.
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def update(self, parameter, gradient, group):
        """One step of one Parameter."""
        self._move(parameter, parameter * (1 - group["lr"] * group["weight_decay"]), gradient, group)
