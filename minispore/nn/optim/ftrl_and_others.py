"""FTRL, ProximalAdagrad, Rprop and ASGD: their steps, composed of operations, and LazyAdam, which is Adam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.optim.adam import Adam
from minispore.nn.optim.optimizer import Optimizer
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_python_float, check_real

__all__ = ["ASGD", "FTRL", "LazyAdam", "ProximalAdagrad", "Rprop"]


def _put(parameter, value):
    """Assign ``value`` in the Parameter's dtype: a rate of float32 makes float32 of float16."""
    F.assign(parameter, value.astype(parameter.dtype))


def _shrunk(x, l1):
    """``sign(x) * max(|x| - l1, 0)``."""
    return F.sign(x) * F.relu(F.abs(x) - l1)


class FTRL(Optimizer):
    """``l += g - (a' ** -k - a ** -k) / lr * p``; ``p = -sign(l) * max(|l| - l1, 0) / (a' ** -k / lr + 2 * l2)``.

    ``a' = a + g * g`` and k is ``lr_power``. Source: McMahan et al., Ad click prediction, 2013.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        initial_accum (float): The initial value of a, at least 0. Default: 0.1.
        learning_rate (float): Constant. Default: 0.001.
        lr_power (float): At most 0. Default: -0.5.
        l1 (float): At least 0. Default: 0.0.
        l2 (float): At least 0. Default: 0.0.
        use_locking (bool): Accepted as in MindSpore. Default: False.
        loss_scale (float): Default: 1.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`, but norms' gamma and beta are not exempt.
            Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.FTRL([w], initial_accum=0.0, learning_rate=0.5)((ms.Tensor([1.0]),))
        >>> print(w.asnumpy())
        [0.5]
    """

    spares_norms = False

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        initial_accum: float = 0.1,
        learning_rate: float = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay=0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        initial_accum = check_python_float("FTRL", "initial_accum", initial_accum, 0)
        self.lr_power = check_python_float("FTRL", "lr_power", lr_power, None, 0)
        self.l1, self.l2 = check_python_float("FTRL", "l1", l1, 0), check_python_float("FTRL", "l2", l2, 0)
        check_bool("FTRL", "use_locking", use_locking)
        self.moments = self.parameters.clone("moments", init=initial_accum)
        self.linear = self.parameters.clone("linear", init="zeros")

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        accum, linear = self.moments[index], self.linear[index]
        grown = accum + gradient * gradient
        power = grown**-self.lr_power
        _put(linear, linear + gradient - (power - accum**-self.lr_power) / rate * parameter)
        _put(accum, grown)
        _put(parameter, -_shrunk(linear, self.l1) / (power / rate + 2 * self.l2))


class ProximalAdagrad(Optimizer):
    """``a += g * g``; ``q = p - r * g``, ``r = lr / sqrt(a)``; ``p = sign(q) * max(|q| - r * l1, 0) / (1 + r * l2)``.

    Source: Duchi and Singer, Efficient online and batch learning using forward backward splitting, 2009.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        accum (float): The initial value of a, at least 0. Default: 0.1.
        learning_rate: As in :class:`Optimizer`. Default: 0.001.
        l1 (float): At least 0. Default: 0.0.
        l2 (float): At least 0. Default: 0.0.
        use_locking (bool): Accepted as in MindSpore. Default: False.
        loss_scale (float): Default: 1.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.ProximalAdagrad([w], accum=0.0, learning_rate=0.5)((ms.Tensor([2.0]),))
        >>> print(w.asnumpy())
        [0.5]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        accum: float = 0.1,
        learning_rate=0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay=0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        name = "ProximalAdagrad"
        accum = check_python_float(name, "accum", accum, 0)
        self.l1, self.l2 = check_python_float(name, "l1", l1, 0), check_python_float(name, "l2", l2, 0)
        check_bool(name, "use_locking", use_locking)
        self.accum = self.parameters.clone("accum", init=accum)

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        grown = self.accum[index] + gradient * gradient
        _put(self.accum[index], grown)
        rate = rate / F.sqrt(grown)
        moved = parameter - rate * gradient
        _put(parameter, _shrunk(moved, rate * self.l1) / (1 + rate * self.l2))


class LazyAdam(Adam):
    """:class:`Adam`; MindSpore's LazyAdam updates only the rows of a sparse gradient; here every gradient is dense.

    Raises:
        TypeError: As :class:`Adam`.
        ValueError: As :class:`Adam`.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.LazyAdam([ms.Parameter(ms.Tensor([1.0]), name="w")]).parameters[0].name
        'w'
    """


class Rprop(Optimizer):
    """``p -= sign(g) * s``; s grows by ``etas[1]`` where g keeps its sign, else shrinks by ``etas[0]`` and p rests.

    s begins as the first step's learning rate and is kept within ``step_sizes`` at each step, the first included.
    Source: Riedmiller and Braun, A direct adaptive method for faster backpropagation learning, 1993.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 0.1.
        etas (tuple[float, float]): ``0 < etas[0] < 1 < etas[1]``. Default: (0.5, 1.2).
        step_sizes (tuple[float, float]): The least and the greatest s. Default: (1e-6, 50.0).
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.Rprop([w], learning_rate=0.5)((ms.Tensor([8.0]),))
        >>> print(w.asnumpy())
        [0.5]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=0.1,
        etas: tuple[float, ...] = (0.5, 1.2),
        step_sizes: tuple[float, ...] = (1e-6, 50.0),
        weight_decay=0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        low, high = _check_two("etas", etas)
        if not 0 < low < 1 < high:
            raise value_error("Rprop", "the 'etas' must be below 1, above 0, and above 1", shown(etas))
        least, greatest = _check_two("step_sizes", step_sizes)
        if not least <= greatest:
            raise value_error("Rprop", "the 'step_sizes' must be the least and the greatest", shown(step_sizes))
        self.etas, self.step_sizes = (low, high), (least, greatest)
        self.prev = self.parameters.clone("prev", init="zeros")
        self.step_size = self.parameters.clone("step_size", init="zeros")
        self.counts_steps = True

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        previous, size = self.prev[index], self.step_size[index]
        sizes = F.where(self.global_step.reshape(()) == 0, rate, size)
        kept = gradient * previous
        sizes = F.where(kept > 0, sizes * self.etas[1], F.where(kept < 0, sizes * self.etas[0], sizes))
        sizes = F.clamp(sizes, *self.step_sizes)
        gradient = F.select(kept < 0, F.zeros_like(gradient), gradient)
        _put(parameter, parameter - F.sign(gradient) * sizes)
        _put(previous, gradient)
        _put(size, sizes)


class ASGD(Optimizer):
    """``p = p * (1 - lambd * eta) - eta * g``, ``eta = lr / (1 + lambd * lr * t) ** alpha`` after t steps.

    A step uses the eta of the step before it, made with that step's ``lr``; the first step uses its own ``lr``. ``ax``
    holds the mean of p over the steps after ``t0``: ``ax += mu * (p - ax)``, ``mu = 1 / max(1, t - t0)`` after t steps.
    Source: Polyak and Juditsky, Acceleration of stochastic approximation by averaging, 1992.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`. Default: 0.1.
        lambd (float): Default: 1e-4.
        alpha (float): Default: 0.75.
        t0 (float): Default: 1e6.
        weight_decay (Union[float, Cell]): As in :class:`Optimizer`. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is not finite.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.ASGD([w], learning_rate=0.5, lambd=0.0)((ms.Tensor([1.0]),))
        >>> print(w.asnumpy())
        [0.5]
    """

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay=0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = check_python_float("ASGD", "lambd", lambd)
        self.alpha = check_python_float("ASGD", "alpha", alpha)
        self.t0 = check_python_float("ASGD", "t0", t0)
        self.mu, self.eta = self._numbers("mu", 1.0), self._numbers("eta", 0.0)
        self.ax = self.parameters.clone("ax_", init="zeros")
        self.counts_steps = True

    def _numbers(self, prefix, value):
        """A number for each Parameter, which begins as ``value``."""
        return ParameterTuple(Parameter(Tensor(value), name=f"{prefix}_{p.name}") for p in self.parameters)

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        mean, mu = self.ax[index], self.mu[index]
        step = self.global_step.reshape(())
        eta = F.where(step == 0, rate, self.eta[index])
        _put(parameter, parameter * (1 - self.lambd * eta) - eta * gradient)
        _put(mean, mean + (parameter - mean) * mu)
        t = step.astype(float32) + 1
        _put(self.eta[index], rate / (1 + self.lambd * rate * t) ** self.alpha)
        _put(mu, 1 / F.maximum(t - self.t0, 1.0))


def _check_two(argument, value):
    """``value``, a tuple of two numbers of at least 0."""
    if not isinstance(value, tuple) or len(value) != 2:
        raise type_error("Rprop", f"the '{argument}' must be a tuple of two numbers", shown(value))
    return [check_real("Rprop", argument, number, 0) for number in value]
