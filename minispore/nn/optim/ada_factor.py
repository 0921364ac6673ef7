"""AdaFactor: adaptive steps; the second moments are kept as means of rows and columns only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_bool, check_switch
from minispore.core.dtype import float16, float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.optim.optimizer import Optimizer, check_number
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_python_float

__all__ = ["AdaFactor"]


def _root_mean_square(x):
    return F.sqrt((x * x).mean())


def _mixed(state, new, keep):
    """``keep * state + (1 - keep) * new``, in float32; ``state`` becomes the same."""
    out = state.astype(float32) * keep + new * (1 - keep)
    F.assign(state, out.astype(state.dtype))
    return out


def _check_eps(eps):
    if not isinstance(eps, (list, tuple)):
        raise type_error("AdaFactor", "the 'eps' must be a list or tuple of two floats", shown(eps))
    if len(eps) != 2:
        raise value_error("AdaFactor", "the 'eps' must have two floats", shown(eps))
    return tuple(check_python_float("AdaFactor", f"eps[{i}]", n, 0) for i, n in enumerate(eps))


class AdaFactor(Optimizer):
    """``p -= m``; ``m = beta1 * m + (1 - beta1) * r * u / max(1, rms(u) / clip_threshold)``; ``u = g / sqrt(v)``.

    ``v = b * v + (1 - b) * (g * g + eps[0])``, ``b = 1 - t ** -decay_rate`` in step t. Of matrices only the means of
    rows R and of columns C are kept: ``v = R * C / mean(R)``, over the last two axes. The rate r is ``learning_rate``,
    or ``min(1e-2, 1 / sqrt(t))``; times ``max(eps[1], rms(p))`` with ``scale_parameter``. Source: Shazeer and Stern,
    Adafactor: adaptive learning rates with sublinear memory cost, 2018.

    Args:
        params (Union[list[Parameter], list[dict]]): Parameters, or groups of them.
        learning_rate: As in :class:`Optimizer`; given where ``relative_step`` is False, and only there. Default: None.
        eps (Union[list, tuple]): The number added to squares, and the least scale of a Parameter. Default: (1e-30,
            1e-3).
        clip_threshold (float): The largest root mean square of an update, above 0. Default: 1.0.
        decay_rate (float): How fast v forgets less, in (0, 1). Default: 0.8.
        beta1 (float): What m keeps, at least 0; None or 0 for no m. Default: 0.9.
        weight_decay (float): ``p -= weight_decay * r * p`` comes before the update; a group's own takes its place for
            the group's Parameters. Default: 0.0.
        scale_parameter (bool): If True, r is scaled by each Parameter's root mean square. Default: True.
        relative_step (bool): If True, r comes from the number of the step. Default: True.
        warmup_init (bool): If True, it begins as ``1e-6 * t`` instead of 1e-2; needs ``relative_step``. Default: False.
        compression (bool): If True, v of vectors is kept in float16. Default: False.
        loss_scale (float): Default: 1.0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or arguments exclude one another.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0], name="w")
        >>> _ = ms.nn.AdaFactor([w], beta1=None)((ms.Tensor([2.0]),))
        >>> print(w.asnumpy())
        [0.99]
    """

    spares_norms = False

    def __init__(
        self,
        params: Sequence[Parameter] | Sequence[dict[str, Any]],
        learning_rate=None,
        eps: list[Any] | tuple[Any, ...] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = 0.8,
        beta1: float = 0.9,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        name = "AdaFactor"
        self._check_rate(learning_rate, relative_step, warmup_init)
        weight_decay = check_python_float(name, "weight_decay", weight_decay, 0)
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        self.scale_parameter = check_bool(name, "scale_parameter", scale_parameter)
        self.relative_step, self.warmup_init = relative_step, warmup_init
        self.compression = check_bool(name, "compression", compression)
        self.eps = _check_eps(eps)
        self.clip_threshold = check_python_float(name, "clip_threshold", clip_threshold, 0, above=True)
        decay = check_python_float(name, "decay_rate", decay_rate, 0, 1, above=True)
        if decay == 1:
            raise value_error(name, "the 'decay_rate' must be in (0, 1)", decay)
        self.decay_rate = -decay
        self.beta1 = 0.0 if beta1 is None else check_number(name, "beta1", beta1)
        self.weight_decay = Tensor(weight_decay, float32)
        self._make_states()

    def _check_rate(self, learning_rate, relative_step, warmup_init):
        """Raise ValueError unless either a rate or ``relative_step`` is given, and a warm-up only beside the latter."""
        check_bool("AdaFactor", "relative_step", relative_step)
        check_switch("AdaFactor", "warmup_init", warmup_init)
        if relative_step != (learning_rate is None):
            expected = "the 'learning_rate' must be given if 'relative_step' is False, and only then"
            raise value_error("AdaFactor", expected, shown(learning_rate))
        if warmup_init and not relative_step:
            raise value_error("AdaFactor", "the 'warmup_init' must be False if 'relative_step' is False", warmup_init)

    def _make_states(self):
        """The moments, under MindSpore's names; a moment that a Parameter's rank does not need has one element."""
        if self.beta1:
            self.exp_avg = self.parameters.clone("exp_avg", init="zeros")
        self.exp_avg_sq_row = self._state("exp_avg_sq_row", lambda p: p.shape[:-1] if p.ndim > 1 else (1,))
        self.exp_avg_sq_col = self._state(
            "exp_avg_sq_col", lambda p: p.shape[:-2] + p.shape[-1:] if p.ndim > 1 else (1,)
        )
        self.exp_avg_sq = self._state("exp_avg_sq", lambda p: (1,) if p.ndim > 1 else p.shape, self.compression)
        self.step = Parameter(F.zeros((1,), float32), name="afactor_step")

    def _state(self, prefix, shape_of, narrow=False):
        kinds = [float16 if narrow and p.ndim < 2 else p.dtype for p in self.parameters]
        rows = zip(self.parameters, kinds, strict=True)
        return ParameterTuple(Parameter(F.zeros(shape_of(p), kind), name=f"{prefix}_{p.name}") for p, kind in rows)

    def _decayed(self, gradients, scale=1.0):
        """The gradients unchanged: the weight decay does not enter the moments."""
        return gradients

    def begin_step(self) -> None:
        """Count the step."""
        F.assign(self.step, self.step + 1)

    def update(self, index, parameter, gradient, rate) -> None:
        """One Parameter's step."""
        gradient, before = gradient.astype(float32), parameter.astype(float32)
        step, rate = self.step.reshape(()), self._rate(before, rate)
        update = self._adapted(index, gradient, 1 - step**self.decay_rate)
        update = update / F.maximum(_root_mean_square(update) / self.clip_threshold, 1.0) * rate
        if self.beta1:
            update = _mixed(self.exp_avg[index], update, self.beta1)
        decay = self._decay_now(index)
        if type(decay) is not float or decay:
            before = before - before * (rate * decay)
        F.assign(parameter, (before - update).astype(parameter.dtype))

    def _rate(self, before, rate):
        """The step's rate for a Parameter with the values ``before``."""
        if self.relative_step:
            step = self.step.reshape(())
            rate = F.minimum(step * 1e-6 if self.warmup_init else F.ones((), float32) * 1e-2, F.rsqrt(step))
        return rate * F.maximum(_root_mean_square(before), self.eps[1]) if self.scale_parameter else rate

    def _adapted(self, index, gradient, keep):
        """The gradient over the root of its second moment; the old moment counts with the weight ``keep``."""
        squares = gradient * gradient + self.eps[0]
        if gradient.ndim < 2:
            return gradient * F.rsqrt(_mixed(self.exp_avg_sq[index], squares, keep))
        rows = _mixed(self.exp_avg_sq_row[index], squares.mean(-1), keep)
        columns = _mixed(self.exp_avg_sq_col[index], squares.mean(-2), keep)
        shares = F.rsqrt(rows / rows.mean(-1, keep_dims=True)).expand_dims(-1)
        return gradient * shares * F.rsqrt(columns).expand_dims(-2)
