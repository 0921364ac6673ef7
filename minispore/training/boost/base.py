"""Changes of an optimizer by boost: other Parameters, gradient centralization, groups of Parameters to reduce."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.nn.cell import Cell
from minispore.nn.layer import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, LayerNorm
from minispore.nn.optim import LARS, Optimizer
from minispore.ops.object_text import of_arguments

__all__ = ["OptimizerProcess", "ParameterProcess"]

_NORMS = (BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, LayerNorm)


def arguments_of(optimizer):
    """The arguments that an optimizer was made with, by name, defaults included."""
    positional, named = optimizer.made_with
    bound = inspect.signature(type(optimizer).__init__).bind(optimizer, *positional, **named)
    bound.apply_defaults()
    return dict(list(bound.arguments.items())[1:])


def groups_of(optimizer):
    """The Parameters that an optimizer was made with: a list of Parameters or, if it has groups, of dicts.

    Raises:
        ValueError: If the groups were given as an iterator, which is used up.
    """
    if not optimizer.is_group:
        return list(optimizer.parameters)
    given = arguments_of(optimizer)["params"]
    if not isinstance(given, (list, tuple)):
        expected = "the 'params' of an optimizer with groups must have been a list of dicts, to be grouped anew"
        raise value_error("boost", expected, shown(given))
    return list(given)


def remade(optimizer, params, **changed):
    """An optimizer of the same class and arguments for other Parameters; its moments and steps are new."""
    if isinstance(optimizer, LARS):
        return LARS(remade(optimizer.opt, params, **changed), **_but(arguments_of(optimizer), "optimizer"))
    return type(optimizer)(**{**arguments_of(optimizer), "params": params, **changed})


def _but(arguments, name):
    return {key: value for key, value in arguments.items() if key != name}


def core_of(optimizer):
    """The optimizer that updates: the one inside LARS, or the optimizer itself."""
    return optimizer.opt if isinstance(optimizer, LARS) else optimizer


class OptimizerProcess:
    """Make an optimizer anew, with gradient centralization for the weights of its groups.

    Centralization subtracts from a gradient its mean over all axes but the first. It is given to weights of more than
    one axis, in optimizers whose Parameters are in groups. A plain list of Parameters is left as it is. Source: Yong,
    Huang, Hua and Zhang, Gradient centralization, 2020.

    Args:
        opt (Optimizer): The optimizer, or LARS around one.

    Raises:
        TypeError: If ``opt`` is not an Optimizer.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 3)
        >>> opt = ms.nn.Momentum([{"params": net.trainable_params()}], 0.1, 0.9)
        >>> process = ms.boost.OptimizerProcess(opt)
        >>> process.add_grad_centralization(net)
        >>> process.generate_new_optimizer().group_grad_centralization
        [True, False]
    """

    __repr__ = of_arguments

    def __init__(self, opt: Optimizer) -> None:
        if not isinstance(opt, Optimizer):
            raise type_error("OptimizerProcess", "the 'opt' must be an Optimizer", type(opt).__name__)
        self.is_lars, self.single_opt = isinstance(opt, LARS), opt
        self.opt_class = type(core_of(opt))
        self.origin_params = groups_of(core_of(opt))

    @staticmethod
    def build_params_dict(network) -> Any:
        """The cell that owns each Parameter, by the Parameter's ``id``."""
        cells = (cell for _, cell in network.cells_and_names())
        return {id(p): cell for cell in cells for p in cell.parameters_dict(recurse=False).values()}

    @staticmethod
    def build_gc_params_group(params_dict, parameters) -> Any:
        """The groups, each split into the weights to centralize and the rest; the order of Parameters stays."""
        groups = []
        for group in parameters:
            if "order_params" in group:
                groups.append(group)
                continue
            centred = [p for p in group["params"] if _is_centred(p, params_dict.get(id(p)))]
            rest = [p for p in group["params"] if not any(p is other for other in centred)]
            others = _but(group, "params")
            groups += [{"params": centred, **others, "grad_centralization": True}] if centred else []
            groups += [{"params": rest, **others}] if rest else []
        return groups

    def add_grad_centralization(self, network) -> None:
        """Give gradient centralization to the weights of the optimizer's groups."""
        if not isinstance(network, Cell):
            raise type_error("add_grad_centralization", "the 'network' must be a Cell", type(network).__name__)
        if any(isinstance(group, dict) for group in self.origin_params):
            self.origin_params = self.build_gc_params_group(self.build_params_dict(network), self.origin_params)

    def generate_new_optimizer(self) -> Any:
        """The new optimizer: the class and arguments of the given one, new moments."""
        return remade(self.single_opt, self.origin_params)


def _is_centred(parameter, cell):
    """True if a Parameter's gradient is centralized: a weight, of more than one axis, in no norm."""
    return parameter.ndim > 1 and not isinstance(cell, _NORMS)


class ParameterProcess:
    """Number Parameters by the group in which their gradients are reduced, and regroup them for another optimizer.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.Dense(3, 2))
        >>> params = ms.boost.ParameterProcess().assign_parameter_group(net.trainable_params(), [3])
        >>> [p.comm_fusion for p in params]
        [1, 1, 1, 2]
    """

    __repr__ = of_arguments

    def __init__(self) -> None:
        self._parameter_indices = 1

    def assign_parameter_group(self, parameters: Sequence[Parameter], split_point: Sequence[int] | None = None) -> Any:
        """Set ``comm_fusion``: the number of the group, a new one at each index in ``split_point``.

        Args:
            parameters (list[Parameter]): The Parameters.
            split_point (list[int]): Where groups begin. Default: None, one in the middle.

        Returns:
            list[Parameter], the Parameters. A second call counts on.

        Raises:
            TypeError: If an argument is of a wrong kind.
        """
        name = "assign_parameter_group"
        if not isinstance(parameters, (list, tuple)) or not all(isinstance(p, Parameter) for p in parameters):
            raise type_error(name, "the 'parameters' must be a list of Parameters", shown(parameters))
        if split_point is not None and not (isinstance(split_point, (list, tuple)) and all(map(is_int, split_point))):
            raise type_error(name, "the 'split_point' must be None or a list of ints", shown(split_point))
        split_point = split_point or [len(parameters) // 2]
        for i, parameter in enumerate(parameters):
            self._parameter_indices += i in split_point
            parameter.comm_fusion = self._parameter_indices
        return parameters

    @staticmethod
    def generate_group_params(
        parameters: Sequence[Parameter], origin_params: Sequence[Parameter] | Sequence[dict[str, Any]]
    ) -> Any:
        """``parameters`` in the groups of ``origin_params``: the list of groups for an optimizer of these only.

        Args:
            parameters (list[Parameter]): The Parameters of the new optimizer.
            origin_params (Union[list[Parameter], list[dict]]): The optimizer's former groups. Parameters of no group
                belong to a layer put in the place of another. They form a group with the first one's settings, but for
                gradient centralization, as in MindSpore.

        Returns:
            list[dict].
        """
        if not any(isinstance(group, dict) for group in origin_params):
            return [{"params": list(parameters)}]
        wanted, grouped, groups, order = {id(p) for p in parameters}, set(), [], False
        for group in origin_params:
            if "order_params" in group:
                order = True
                continue
            kept = [p for p in group["params"] if id(p) in wanted]
            grouped |= {id(p) for p in kept}
            groups += [{**group, "params": kept}] if kept else []
        new = [p for p in parameters if id(p) not in grouped]
        groups += [{**_but(groups[0] if groups else {}, "grad_centralization"), "params": new}] if new else []
        return [*groups, {"order_params": list(parameters)}] if order else groups
