"""Optimizer: the common part of optimizers: Parameters in groups, learning rates, weight decay, the loss scale.

A step divides each gradient by the loss scale, adds ``weight_decay * parameter``, and passes it to ``update``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.journal import all_or_nothing
from minispore.core.parameter import Parameter
from minispore.core.running import under
from minispore.core.tape import constant, is_differentiable
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.optim.rates import LearningRateSchedule, held_rate, rate_of_steps, rates_of_groups
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.nn.slips import SLIPS, closest
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_real, is_real
from minispore.ops.operations.nn.apply_update import UpdateAll

__all__ = ["LearningRateSchedule", "Optimizer"]


_GROUP_KEYS = ("params", "lr", "weight_decay", "grad_centralization")


class _Group(NamedTuple):
    """Parameters with a common learning rate and weight decay; ``lr`` is None if the group has no rate of its own."""

    parameters: tuple
    lr: object
    weight_decay: object
    centralize: bool
    explicit: bool = True


def _check_parameters(parameters):
    for p in parameters:
        if not isinstance(p, Parameter):
            expected = "each of the 'params' must be a Parameter, or each a dict"
            raise type_error("Optimizer", expected, type(p).__name__)
    return tuple(parameters)


def _read_groups(parameters, weight_decay):
    """The groups of an optimizer's ``params``, and the order of Parameters if a group specifies it."""
    if parameters is None:
        raise value_error("Optimizer", "the 'params' must be given", "None")
    if isinstance(parameters, Tensor) or not isinstance(parameters, Iterable):
        raise type_error(
            "Optimizer", "the 'params' must be an iterable of Parameters or dicts", type(parameters).__name__
        )
    parameters = list(parameters)
    if not parameters:
        raise value_error("Optimizer", "the 'params' must not be empty: a list of cells must be a CellList", "none")
    if not any(isinstance(entry, dict) for entry in parameters):
        return [_Group(_check_parameters(parameters), None, weight_decay, False, explicit=False)], None
    groups, order = [], None
    for entry in parameters:
        if not isinstance(entry, dict):
            raise type_error(
                "Optimizer", "each of the 'params' must be a Parameter, or each a dict", type(entry).__name__
            )
        if "order_params" in entry:
            order = _check_parameters(entry["order_params"])
            continue
        unknown = set(entry) - set(_GROUP_KEYS)
        if unknown or "params" not in entry:
            expected = (
                f"a group of 'params' must have the key 'params', and of keys only {_GROUP_KEYS} or 'order_params'"
            )
            raise value_error("Optimizer", expected, sorted(entry))
        members = _check_parameters(entry["params"])
        if not members:
            raise value_error("Optimizer", "a group's 'params' must not be empty", "none")
        decay = entry.get("weight_decay", weight_decay)
        groups.append(_Group(members, entry.get("lr"), decay, entry.get("grad_centralization", False)))
    if not groups:
        raise value_error("Optimizer", "the 'params' must not be empty", "only 'order_params'")
    return groups, order


def check_number(operation, argument, value, low=0, above=False):
    """``value`` as a float: a finite number of at least ``low`` (or above it)."""
    return float(check_real(operation, argument, value, low, above=above))


def _check_rates(operation, lr):
    """The learning rates of a Tensor or an iterable of numbers, as an array of at most one axis."""
    values = lr.asnumpy() if isinstance(lr, Tensor) else list(lr)
    for rate in () if isinstance(lr, Tensor) else values:
        check_real(operation, "learning_rate", rate, 0)
    with np.errstate(over="ignore"):
        values = np.asarray(values, np.float32)
    if values.ndim > 1 or not values.size or not ((values >= 0) & np.isfinite(values)).all():
        expected = "the 'learning_rate' must be finite rates of at least 0, on at most one axis"
        raise value_error(operation, expected, shown(lr))
    return values


def _meant(name, known):
    """The argument probably meant by ``name``, as an error's expectation."""
    found = SLIPS["argument of an optimizer"].get(name) or "".join(f"'{near}'" for near in closest(name, known))
    return f"the argument must be {found or f'one of {known}'}"


class _NamedArguments:
    """Base of Optimizer: raises TypeError for an unknown keyword, with the argument that was probably meant."""

    def __new__(cls, *args, **kwargs):
        parameters = inspect.signature(cls.__init__).parameters
        unknown = [name for name in kwargs if name not in parameters]
        if unknown and all(p.kind is not p.VAR_KEYWORD for p in parameters.values()):
            raise type_error(cls.__name__, _meant(unknown[0], list(parameters)[1:]), f"'{unknown[0]}'")
        self = super().__new__(cls)
        self.__dict__["made_with"] = args, kwargs  # by which boost makes one for other Parameters
        return self


class Optimizer(_NamedArguments, Cell):
    """Base of optimizers: ``optimizer(gradients)`` updates the Parameters, with one gradient for each, in order.

    Args:
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): A constant, one rate per step (a
            list or 1-D Tensor, whose last value is repeated), or a schedule.
        parameters (Union[list[Parameter], list[dict]]): Parameters, or groups with "params" and "lr", "weight_decay",
            "grad_centralization"; a group with "order_params" sets the order of gradients.
        weight_decay (Union[float, int, Cell]): Adds ``weight_decay * parameter`` to each gradient; without
            groups, Parameters with "beta" or "gamma" in their names are exempt, as in MindSpore. A Cell computes it
            from the number of earlier steps, like a schedule. Default: 0.
        loss_scale (float): The divisor of the gradients. Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is negative (or the loss scale 0) or not finite, a Parameter comes twice, or the list is
            empty.

    Examples:
        >>> import minispore as ms
        >>> class Descent(ms.nn.Optimizer):
        ...     def __init__(self, params, learning_rate):
        ...         super().__init__(learning_rate, params)
        ...
        ...     def construct(self, gradients):
        ...         rate = self.get_lr()
        ...         for parameter, gradient in zip(self.parameters, gradients):
        ...             ms.ops.assign_sub(parameter, rate * gradient)
        >>> w = ms.Parameter([1.0, 2.0], name="w")
        >>> _ = Descent([w], 0.5)((ms.Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy())
        [0.5 2.5]
    """

    _slips = ("Optimizer", "Cell")
    spares_norms = True  # True if, without groups, norms' gamma and beta are exempt from weight decay
    decays_by_step = True  # True if the weight decay may be a Cell
    _in_construct = False  # True while a subclass's own construct runs

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0) -> None:
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        self.loss_scale = check_number(name, "loss_scale", loss_scale, above=True)
        decay = self._own_decay(weight_decay)
        if isinstance(decay, Cell):
            self.weight_decay = decay
        groups, order = _read_groups(parameters, decay)
        self.is_group_lr = any(group.lr is not None for group in groups)
        members = [p for group in groups for p in group.parameters]
        names = [p.name for p in members]
        if len(set(names)) != len(names):
            raise value_error(name, "each Parameter must be given once, and have a name of its own", names)
        if order is not None and set(order) != set(members):
            raise value_error(name, "the 'order_params' must be the Parameters of the groups", [p.name for p in order])
        self.global_step = Parameter(np.zeros(1, np.int32), name="global_step")
        rates = self._own_rates(learning_rate, groups)
        decays = self._own_decays(groups, decay)
        by_parameter = {p: row for row in zip(groups, rates, decays, strict=True) for p in row[0].parameters}
        self.parameters = ParameterTuple(order or members)
        self._hold_rates([by_parameter[p][1] for p in self.parameters])
        self._decays = [self._decay_of(p, *by_parameter[p]) for p in self.parameters]
        self.dynamic_weight_decay = any(isinstance(decay, Cell) for decay in self._decays)
        self.counts_steps = self.dynamic_lr or self.dynamic_weight_decay
        self._centralized = [by_parameter[p][0].centralize for p in self.parameters]
        self.is_group = groups[0].explicit
        self._show_mindspores_attributes([by_parameter[p] for p in self.parameters], order is not None, decay)

    def extend_repr(self) -> str:
        """The learning rate, unless a schedule or groups set it, and the number of Parameters, for the printed form."""
        rate = self._params.get("learning_rate")
        constant = f"learning_rate={rate.item():g}, " if rate is not None and rate.size == 1 else ""
        return f"{constant}parameters={len(self.parameters)}"

    def _show_mindspores_attributes(self, rows, ordered, decay):
        """Set what only subclasses read: nothing here; MindSpore's attributes are added from outside.

        ``rows`` are the groups, rates and weight decays of the Parameters, which are ``ordered`` if a group says so.
        """

    def _own_decay(self, decay):
        """A weight decay as a float, or as the Cell that computes it."""
        if isinstance(decay, Cell) and self.decays_by_step:
            return decay
        return check_number(type(self).__name__, "weight_decay", decay)

    def _own_decays(self, groups, common):
        """Each group's weight decay; a Cell becomes the optimizer's child."""
        decays = [self._own_decay(group.weight_decay) for group in groups]
        for i, decay in enumerate(decays):
            if isinstance(decay, Cell) and decay is not common:
                setattr(self, f"weight_decay_group_{i}", decay)
        return decays

    def _decay_of(self, parameter, group, _, decay):
        """The weight decay of a Parameter: without groups, norms' gamma and beta (by their names) are exempt."""
        return 0.0 if not group.explicit and self._is_spared(parameter) else decay

    def _is_spared(self, parameter):
        return self.spares_norms and ("beta" in parameter.name or "gamma" in parameter.name)

    def _own_rates(self, learning_rate, groups):
        """Each group's rate, its own or the common one, as a Parameter or a schedule.

        The optimizer owns constant rates beside its other Parameters.
        """
        common = None
        if any(group.lr is None for group in groups):
            common = self._own_rate(learning_rate, "learning_rate")
        rates = [
            common if group.lr is None else self._own_rate(group.lr, f"learning_rate_group_{i}")
            for i, group in enumerate(groups)
        ]
        self.dynamic_lr = any(not isinstance(rate, Parameter) for rate in rates)
        for rate in {} if self.dynamic_lr else dict.fromkeys(rates):
            setattr(self, rate.name, rate)
        return rates

    def _hold_rates(self, rates):
        """Show the rates of the Parameters as ``learning_rate``: the common one, or one for each Parameter."""
        self._rates = rates
        shown = rates_of_groups(rates) if self.is_group_lr else rates[0]
        if isinstance(shown, Cell):
            self.learning_rate = shown
        elif self.is_group_lr:
            self.__dict__["learning_rate"] = shown  # the Parameters are owned already, one perhaps by this name

    def _own_rate(self, lr, name):
        if isinstance(lr, LearningRateSchedule):
            return lr
        if is_real(lr):
            check_number(type(self).__name__, "learning_rate", lr)
            return Parameter(Tensor(_check_rates(type(self).__name__, [lr])[0]), name=name)
        if isinstance(lr, Iterable) and not isinstance(lr, (str, bytes)):
            return rate_of_steps(_check_rates(type(self).__name__, lr), name)
        expected = "the 'learning_rate' must be a number, a Tensor, an iterable of numbers or a LearningRateSchedule"
        raise type_error(type(self).__name__, expected, type(lr).__name__)

    def _rate_now(self, rate):
        return rate if isinstance(rate, Parameter) else rate(self.global_step).reshape(())

    def get_lr(self) -> Tensor | tuple[Tensor, ...]:
        """The next step's learning rate: a 0-d Tensor, or one for each Parameter if a group has its own.

        A call in a subclass's own ``construct`` counts the step in ``global_step``, if the rate or the weight decay
        depends on it. Other calls change nothing.
        """
        found = self._lr_now()
        if self._in_construct and self.counts_steps:
            F.assign(self.global_step, self.global_step + 1)
        return found

    def _lr_now(self):
        if not self.is_group_lr:
            return self._rate_now(self._params.get("learning_rate", self._rates[0]))  # it may be replaced
        return tuple(self._rate_now(rate) for rate in self._rates)

    def _decay_now(self, index):
        """The next step's weight decay of one Parameter: a float, or a 0-d Tensor if a Cell computes it."""
        decay = self._decays[index]
        return decay if isinstance(decay, float) else decay(self.global_step).reshape(())

    def _decays_now(self):
        """The next step's weight decay of each Parameter, not scaled."""
        return tuple(map(self._decay_now, range(len(self._decays))))

    def get_lr_parameter(self, param) -> Any:
        """The learning rate, a Parameter or a schedule, of one Parameter or of a list of them."""
        if isinstance(param, (list, tuple)):
            return [self._rate_of(p) for p in param]
        return self._rate_of(param)

    def _rate_of(self, param):
        for p, rate in zip(self.parameters, self._rates, strict=False):
            if p is param:
                return held_rate(rate)
        if not isinstance(param, Parameter):
            raise type_error("get_lr_parameter", "the 'param' must be a Parameter or a list of them", shown(param))
        raise value_error("get_lr_parameter", "the 'param' must be one of the optimizer's", param.name)

    def scale_grad(self, gradients: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The gradients divided by the loss scale, at least in float32: a small float16 one would become zero."""
        if self.loss_scale == 1.0:
            return gradients
        # float16 first becomes float32: 1e-7 / 1024 is zero in float16.
        wide = (g.astype(float32) if g.itemsize < float32.np.itemsize else g for g in gradients)
        return tuple(g * (1 / self.loss_scale) for g in wide)

    def decay_weight(self, gradients: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The gradients, which still have the loss scale, with ``weight_decay * loss_scale * parameter`` added."""
        return self._decayed(gradients, self.loss_scale)

    def _decayed(self, gradients, scale=1.0):
        decays = self._decays_now() if self.dynamic_weight_decay else self._decays
        decays = decays if scale == 1.0 else [decay * scale for decay in decays]
        # A decay of 0 adds no operation; a Tensor's value is not looked at, since the host would wait for it.
        triples = zip(gradients, self.parameters, decays, strict=False)
        return tuple([g if type(decay) is float and decay == 0 else g + p * decay for g, p, decay in triples])

    def gradients_centralization(self, gradients: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The gradients, minus their mean over all axes but the first if a group asks for it."""
        pairs = zip(gradients, self._centralized, strict=False)
        return tuple([g - g.mean(tuple(range(1, g.ndim)), True) if centre and g.ndim > 1 else g for g, centre in pairs])

    @all_or_nothing
    def __call__(self, *args, **kwargs) -> Any:
        """Make one step, or, if it raises, none: then no Parameter has changed."""
        if type(self).construct is Optimizer.construct:
            return super().__call__(*args, **kwargs)
        self.__dict__["_in_construct"] = True  # bypasses `note_change`: no recording depends on it
        try:
            return super().__call__(*args, **kwargs)
        finally:
            self.__dict__["_in_construct"] = False

    def construct(self, gradients: Sequence[Tensor] = ()) -> tuple[Tensor, ...]:
        """One step; returns a tuple of True, one for each Parameter."""
        if type(self).update is Optimizer.update and self.inputs is None:
            self.update(None, None, None, None)
        gradients = self._checked_gradients(gradients)
        # No loss is differentiated through an update, so nothing is taped.
        with under(tape=None):
            gradients = self.gradients_centralization(self._decayed(self.scale_grad(gradients)))
            rates = self._lr_now() if self.is_group_lr else (self._lr_now(),) * len(gradients)
            self.begin_step()
            # One operation for all Parameters, unless a subclass has its own `update` or groups have rates of their
            # own.
            if type(self).update is Optimizer.update and not self.is_group_lr:
                self._update_all(gradients, rates[0] if rates else None)
            else:
                for i, (p, g, rate) in enumerate(zip(self.parameters, gradients, rates, strict=False)):
                    self.update(i, p, g, rate)
            if self.counts_steps:
                F.assign(self.global_step, self.global_step + 1)
        return (constant(True),) * len(gradients)

    def _checked_gradients(self, gradients):
        """The gradients as a tuple, one Tensor for each Parameter."""
        name = type(self).__name__
        if not isinstance(gradients, Iterable):
            raise type_error(name, "the 'gradients' must be a tuple or list of Tensors", type(gradients).__name__)
        gradients = (gradients,) if isinstance(gradients, Tensor) else tuple(gradients)
        if len(gradients) != len(self.parameters):
            raise value_error(name, f"there must be {len(self.parameters)} gradients, one a Parameter", len(gradients))
        for p, g in zip(self.parameters, gradients, strict=False):
            if not isinstance(g, Tensor):
                raise type_error(name, f"the gradient of '{p.name}' must be a Tensor", type(g).__name__)
            if not is_differentiable(g):
                raise type_error(name, f"the gradient of '{p.name}' must be a floating Tensor", f"Tensor[{g.dtype}]")
            if g.shape != p.shape:
                raise value_error(name, f"the gradient of '{p.name}' must have the shape {p.shape}", g.shape)
        return gradients

    def begin_step(self) -> Any:
        """Called once in each step, before the updates."""

    inputs = None  # ``inputs(pick, gradient, rate)``: the inputs of the operation ``opt``, in its order

    def update(self, index, parameter, gradient, rate) -> None:
        """Update one Parameter; an optimizer defines it, or else ``inputs``.

        ``inputs(pick, gradient, rate)`` gives the inputs of ``opt``, the operation of a step. ``xs`` is a tuple with
        one Tensor for each Parameter; ``pick(xs)`` is the part of it for the Parameters of the step.
        """
        if self.inputs is None:
            raise NotImplementedError(f"For '{type(self).__name__}', the method 'update' is not defined.")
        self.opt(*self.inputs(lambda xs: xs[index], gradient, rate))

    def _update_all(self, gradients, rate):
        """Update all Parameters; those with the same numbers share one operation."""
        for alike in self._alike():
            inputs = self.inputs(lambda xs, alike=alike: [xs[i] for i in alike], [gradients[i] for i in alike], rate)
            self.opt.cached_primitive(UpdateAll, self.opt, len(alike), len(inputs))(*inputs)

    def _alike(self):
        """Lists of the indices of Parameters that take the same numbers."""
        return [range(len(self.parameters))] if len(self.parameters) else []
