"""Gradient freeze: in each step only the Parameters of one group are trained, which groups of later layers often are.

Early layers settle first, so some steps leave their gradients out: the backward pass ends at the first trained layer.
Source: Brock, Lim, Ritchie and Weston, FreezeOut, 2017; the order of the groups is MindSpore 2.0.0's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core import process
from minispore.core.checks import check_bool, check_choice, check_positive_int, is_int
from minispore.core.dtype import int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.optim import Optimizer
from minispore.nn.wrap import TrainOneStepCell, check_cell
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_real
from minispore.ops.object_checks import check_callable
from minispore.ops.object_text import of_arguments
from minispore.parallel.communication import world
from minispore.parallel.grad_reducer import DistributedGradReducer
from minispore.training.boost.base import ParameterProcess, arguments_of, core_of, groups_of, remade
from minispore.training.boost.grad_accumulation import GradientAccumulation

__all__ = ["FreezeOpt", "GradientFreeze", "freeze_cell"]


_FEWEST = 3  # the least number of a block's Parameters, as in MindSpore: a convolution with its norm


def _first_of_blocks(names):
    """The places where blocks begin: at another layer's Parameters, once a block has three."""
    firsts = [0]
    for place in range(1, len(names)):
        another = names[place].rpartition(".")[0] != names[place - 1].rpartition(".")[0]
        if another and place - firsts[-1] >= _FEWEST:
            firsts.append(place)
    return firsts


class GradientFreeze:
    """Make an optimizer that trains the Parameters from some layer on, another in each step.

    Args:
        param_groups (int): How many groups of Parameters there are: the first has all, each next one leaves out more
            of the first layers.
        freeze_type (int): 0 for a fixed order of groups, 1 for a drawn one.
        freeze_p (float): The share of the steps that train all Parameters, from 0 to below 1.
        total_steps (int): After how many steps the order begins anew.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> freeze = ms.boost.GradientFreeze(3, 0, 0.5, 8)
        >>> freeze.generate_freeze_index_sequence(3, 0, 0.5, 8)
        [0, 0, 1, 2, 0, 0, 1, 2]
    """

    __repr__ = of_arguments

    def __init__(self, param_groups: int, freeze_type: int, freeze_p: float, total_steps: int) -> None:
        name = "GradientFreeze"
        self._param_groups = check_positive_int(name, "param_groups", param_groups)
        self._freeze_type = check_choice(name, "freeze_type", freeze_type, (0, 1))
        self._freeze_p = check_real(name, "freeze_p", freeze_p, 0, 1, below=True)
        self._total_steps = check_positive_int(name, "total_steps", total_steps)

    def split_parameters_groups(self, net, freeze_para_groups_number) -> Any:
        """Lists of trainable Parameters, each to the last: the first has all, others begin at a later layer.

        Layers are taken together until they have three Parameters; too few for the number of groups leave all whole.
        """
        name = "split_parameters_groups"
        number = check_positive_int(name, "freeze_para_groups_number", freeze_para_groups_number)
        parameters = check_cell(name, "net", net).trainable_params()
        firsts = _first_of_blocks([p.name for p in parameters])
        stride = len(firsts) // number
        return [parameters[firsts[i * stride] :] for i in range(number)]

    def generate_freeze_index_sequence(self, parameter_groups_number, freeze_strategy, freeze_p, total_steps) -> Any:
        """The group to train in each step.

        Strategy 0 repeats ``(n - 1) * p / (1 - p)`` steps of group 0 and one of each other. Strategy 1 spreads the
        steps of other groups evenly and draws each, group i with weight ``n - i``, from NumPy's global random state.
        """
        name = "generate_freeze_index_sequence"
        number = check_positive_int(name, "parameter_groups_number", parameter_groups_number)
        check_choice(name, "freeze_strategy", freeze_strategy, (0, 1))
        share = check_real(name, "freeze_p", freeze_p, 0, 1, below=True)
        steps = check_positive_int(name, "total_steps", total_steps)
        if number == 1:
            return [0] * steps
        return _in_order(number, share, steps) if freeze_strategy == 0 else _drawn(number, share, steps)

    def freeze_generate(self, network, optimizer) -> Any:
        """``(network, FreezeOpt)``: the optimizer for the groups of the network's Parameters, in the drawn order.

        Processes that share gradients take the order of the first process.
        """
        groups = self.split_parameters_groups(network, self._param_groups)
        order = self.generate_freeze_index_sequence(
            self._param_groups, self._freeze_type, self._freeze_p, self._total_steps
        )
        return network, FreezeOpt(optimizer, groups, _common(order))


def _common(order):
    """Process 0's order, in all processes that share their gradients."""
    if not process.job.shares_gradients():
        return order
    return world.world().broadcast("GradientFreeze", [np.array(order)], 0)[0].tolist()


def _in_order(number, share, steps):
    """Whole periods of group 0 and one step of each other group, until there are enough steps."""
    period = [0] * int((number - 1) * share / (1 - share)) + list(range(1, number))
    return period * -(-steps // len(period))


def _drawn(number, share, steps):
    """Steps of group 0, and between them, evenly spread, steps of drawn groups; a hundredth more than asked for."""
    weights = np.arange(1, number)  # of the last group, the one before, ...
    bounds, order, others = np.cumsum(weights) / weights.sum(), [], 0
    for step in range(int(steps * 1.01)):
        is_other = others < (1 - share) * step
        order.append(number - 1 - int(np.searchsorted(bounds, np.random.random(), "right")) if is_other else 0)
        others += is_other
    return order


class FreezeOpt(Cell):
    """An optimizer that a boosted training step uses for one group of Parameters at a time.

    ``build_train_network`` takes it with a ``boost_level`` of "O1" or "O2", and so does ``BoostTrainOneStepCell``. Each
    group has an optimizer with moments of its own; from a list of learning rates it gets the rates of its own steps.

    Args:
        opt (Optimizer): The optimizer, or LARS around one.
        train_parameter_groups (Union[tuple, list]): A list of Parameters for each group. Default: None, one group of
            all Parameters of ``opt``.
        train_strategy (Union[tuple, list, Tensor]): The group to train in each step, which begins anew at its end.
            Default: None, one group after the other.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If there is a strategy but there are no groups, or it names a group that does not exist.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.Dense(3, 1))
        >>> params = net.trainable_params()
        >>> opt = ms.boost.FreezeOpt(ms.nn.Momentum(params, 0.1, 0.9), (params, params[2:]), (0, 1, 1))
        >>> [len(each.parameters) for each in opt.opts]
        [4, 2]
    """

    def __init__(
        self, opt: Optimizer, train_parameter_groups: tuple[Any, ...] | list[Any] | None = None, train_strategy=None
    ) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(opt, Optimizer):
            raise type_error("FreezeOpt", "the 'opt' must be an Optimizer", type(opt).__name__)
        groups = _checked_groups(train_parameter_groups, train_strategy)
        strategy = _checked_strategy(train_strategy, len(groups))
        self.single_opt, self.is_lars, self.opt_class = opt, opt is not core_of(opt), type(core_of(opt))
        self.dynamic_lr, self.groups_num = core_of(opt).dynamic_lr, max(len(groups), 1)
        self.train_strategy = None if strategy is None else Tensor(np.asarray(strategy), int32)
        self.opts = self._optimizers(groups, strategy) if groups else [opt]

    @property
    def loss_scale(self) -> Any:
        """The optimizer's ``loss_scale``."""
        return self.single_opt.loss_scale

    def _optimizers(self, groups, strategy):
        """An optimizer for each group."""
        rate = arguments_of(core_of(self.single_opt)).get("learning_rate")
        order = range(len(groups)) if strategy is None else strategy
        return [
            remade(self.single_opt, self._regrouped(group), **_own_rates(rate, order, number))
            for number, group in enumerate(groups)
        ]

    def _regrouped(self, group):
        """A group's Parameters as the optimizer has them: in its own groups, if it has any."""
        core = core_of(self.single_opt)
        return ParameterProcess.generate_group_params(group, groups_of(core)) if core.is_group else list(group)

    def group_at(self, step) -> Any:
        """The number of the group that is trained in a step, counted from 0."""
        if self.train_strategy is None:
            return step % self.groups_num
        return int(self.train_strategy.asnumpy()[step % self.train_strategy.size])


def _own_rates(rate, order, number):
    """The learning rates of a group's own steps, if there is one a step: ``{"learning_rate": ...}``, or nothing."""
    if isinstance(rate, Tensor) and rate.ndim == 1:
        rate = rate.asnumpy().tolist()
    if not isinstance(rate, (list, tuple)):
        return {}
    own = [each for step, each in enumerate(rate) if order[step % len(order)] == number]
    return {"learning_rate": own or list(rate[-1:])}


def _checked_groups(groups, strategy):
    if groups is None:
        if strategy is not None:
            raise value_error("FreezeOpt", "the 'train_parameter_groups' must be given with a 'train_strategy'", "None")
        return []
    if not isinstance(groups, (tuple, list)) or not all(isinstance(group, (tuple, list)) for group in groups):
        expected = "the 'train_parameter_groups' must be a tuple or list of lists of Parameters"
        raise type_error("FreezeOpt", expected, shown(groups))
    return list(groups)


def _checked_strategy(strategy, groups):
    if strategy is None:
        return None
    if not isinstance(strategy, (tuple, list, Tensor)):
        expected = "the 'train_strategy' must be None, a tuple, a list or a Tensor"
        raise type_error("FreezeOpt", expected, shown(strategy))
    order = strategy.asnumpy().ravel().tolist() if isinstance(strategy, Tensor) else list(strategy)
    if not order or not all(is_int(number) and 0 <= number < groups for number in order):
        raise value_error("FreezeOpt", f"the 'train_strategy' must name groups from 0 to {groups - 1}", shown(order))
    return order


class _TrainFreezeCell(TrainOneStepCell):
    """One training step of one group's Parameters."""

    def __init__(self, net, sens, grad, grad_reducer, update):
        super().__init__(net, getattr(update, "optimizer", update), sens)
        self.grad, self.grad_reducer, self._update_group = grad, grad_reducer, update

    def construct(self, *inputs):
        """The loss; the Parameters of the group change."""
        loss, gradients = self._reduced(self.loss_and_gradients, inputs)
        if isinstance(self._update_group, GradientAccumulation):
            return self._update_group(loss, gradients)
        self._update_group(gradients)
        return loss


def freeze_cell(
    reducer_flag: bool,
    network: Cell,
    optimizer: FreezeOpt,
    sens: float,
    grad,
    use_grad_accumulation: bool,
    mean: bool | None = None,
    degree: int | None = None,
    max_accumulation_step: int = 1,
) -> Any:
    """The training steps of a FreezeOpt's groups, a tuple: ``steps[i](*inputs)`` trains group i and returns the loss.

    Args:
        reducer_flag (bool): Whether the gradients are reduced over the processes.
        network (Cell): The network, whose output is the loss.
        optimizer (FreezeOpt): The optimizer.
        sens (number): The gradient of the loss.
        grad (GradOperation): Kept as the steps' ``grad``.
        use_grad_accumulation (bool): Whether a group is updated by the mean of several gradients.
        mean (bool): As in ``DistributedGradReducer``. Default: None.
        degree (int): As in ``DistributedGradReducer``. Default: None.
        max_accumulation_step (int): How many gradients make an update. Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is not positive.
    """
    name = "freeze_cell"
    check_bool(name, "reducer_flag", reducer_flag)
    check_bool(name, "use_grad_accumulation", use_grad_accumulation)
    check_callable(name, "grad", grad)
    if mean is not None:
        check_bool(name, "mean", mean)
    if degree is not None:
        check_positive_int(name, "degree", degree)
    check_positive_int(name, "max_accumulation_step", max_accumulation_step)
    if not isinstance(optimizer, FreezeOpt):
        raise type_error(name, "the 'optimizer' must be a FreezeOpt", type(optimizer).__name__)
    steps = []
    for opt in optimizer.opts:
        reducer = DistributedGradReducer(list(opt.parameters), mean, degree) if reducer_flag else F.identity
        update = GradientAccumulation(max_accumulation_step, opt) if use_grad_accumulation else opt
        steps.append(_TrainFreezeCell(network, sens, grad, reducer, update))
    return tuple(steps)
