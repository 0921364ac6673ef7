"""SGD with momentum, by PyTorch's formulas."""

from minispore.core.checks import check_bool
from minispore.core.errors import value_error
from minispore.dropin.experimental.optim.optimizer import Optimizer
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_real

__all__ = ["SGD"]


class SGD(Optimizer):
    """Stochastic gradient descent: ``v = momentum * v + (1 - dampening) * g``; ``p = p - lr * v``.

    ``g`` is the gradient plus ``weight_decay * p``; at first ``v = g``; with ``nesterov``, ``p = p - lr * (g + momentum
    * v)``.

    Args:
        params (Iterable): Parameters, or dicts with "params" and settings of their own.
        lr (Union[int, float, Tensor]): The learning rate.
        momentum (float): Default: 0.
        dampening (float): Default: 0.
        weight_decay (float): Default: 0.0.
        nesterov (bool): Default: False.
        maximize (bool): Whether steps go up. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is below 0, or ``nesterov`` goes without momentum or with dampening.
    """

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *, maximize=False):
        defaults = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        super().__init__(params, {**defaults, "nesterov": nesterov, "maximize": maximize, "grad_centralization": False})

    def check_group(self, group):
        """Raise unless the settings are legal."""
        super().check_group(group)
        check_real("SGD", "momentum", group["momentum"], 0)
        check_real("SGD", "dampening", group["dampening"])
        if check_bool("SGD", "nesterov", group["nesterov"]) and (group["momentum"] == 0 or group["dampening"] != 0):
            expected = "the 'nesterov' must go with a 'momentum' above 0 and a 'dampening' of 0"
            raise value_error("SGD", expected, f"{group['momentum']} and {group['dampening']}")

    def update(self, parameter, gradient, group):
        """One step of one Parameter."""
        momentum = group["momentum"]
        if group["weight_decay"]:
            gradient = gradient + group["weight_decay"] * parameter
        if momentum:
            first = "velocity" not in self._state[parameter.name]
            velocity = self.kept(parameter, "velocity")
            F.assign(velocity, gradient if first else momentum * velocity + (1 - group["dampening"]) * gradient)
            gradient = gradient + momentum * velocity if group["nesterov"] else velocity
        F.assign(parameter, F.cast(parameter - group["lr"] * gradient, parameter.dtype))
