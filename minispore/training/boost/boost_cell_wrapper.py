"""Training steps of boost: with the algorithms that are on, and with one loss scale or one for each group of layers."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from minispore.amp.loss_scale.overflow import all_finite
from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.core import process
from minispore.core.dtype import float32, int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.journal import noted
from minispore.core.parameter import Parameter
from minispore.core.tape import ones_like
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.wrap import TrainOneStepCell
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.parallel.communication import world
from minispore.parallel.communication.protocol import Alone
from minispore.parallel.grad_reducer import DistributedGradReducer
from minispore.training.boost.adasum import AdaSum
from minispore.training.boost.boost import AutoBoost
from minispore.training.boost.dim_reduce import DimReduce, rows_of
from minispore.training.boost.grad_accumulation import GradientAccumulation
from minispore.training.boost.grad_freeze import FreezeOpt
from minispore.training.boost.group_loss_scale_manager import (
    GROWS,
    MET,
    SHRINKS,
    GroupLossScaleManager,
    begun_in,
    places_of,
)

__all__ = ["BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell"]


class BoostTrainOneStepCell(TrainOneStepCell):
    """One training step, with the algorithms of boost that are on: ``step(*inputs)`` returns the loss.

    A FreezeOpt trains one group of Parameters in each step, and no gradients of the others are computed. Gradient
    accumulation updates by the mean gradient of several steps. Both are as in MindSpore 2.0.0's graph mode. With AdaSum
    each ``device_number`` processes reduce their gradients, and the steps of these groups, if there are several, are
    combined by :class:`AdaSum`. Dimension reduction replaces all of these: each step is a step of :class:`DimReduce`.
    As in MindSpore, a checkpoint of the step has the place in the order of the groups, but no state of the groups'
    optimizers.

    Args:
        network (Cell): The network, whose output is the loss.
        optimizer (Union[Optimizer, FreezeOpt]): The optimizer of the Parameters.
        sens (Union[None, number]): The gradient of the loss; None for 1. Default: 1.0.

    Inputs:
        The network's inputs.

    Outputs:
        The loss.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``sens`` is nan or infinite.

    Examples:
        >>> import minispore as ms
        >>> boost = ms.boost.AutoBoost("O1", {"boost": {"mode": "manual", "less_bn": False}})
        >>> net = ms.nn.Dense(2, 1)
        >>> net, opt = boost.network_auto_process_train(net, ms.nn.Momentum(net.trainable_params(), 0.1, 0.9))
        >>> step = ms.boost.BoostTrainOneStepCell(ms.nn.WithLossCell(net, ms.nn.MSELoss()), opt).set_train()
        >>> loss = step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
    """

    recordable = False  # the host decides which Parameters a step trains, and whether it updates

    def __init__(self, network: Cell, optimizer, sens: float | None = 1.0) -> None:
        freezes, boost = isinstance(optimizer, FreezeOpt), AutoBoost()
        super().__init__(network, optimizer.single_opt if freezes else optimizer, sens)
        self.freeze, self.optimizer, self.auto_boost = freezes, optimizer, boost
        self.use_grad_accumulation = boost.boost_config["grad_accumulation"]
        self.max_accumulation_step = boost.grad_accumulation_step if self.use_grad_accumulation else 1
        self.step = Parameter(np.asarray(0, np.int32), name="step", requires_grad=False)
        self._optimizers = optimizer.opts if freezes else [optimizer]
        self._accumulations = []
        if self.max_accumulation_step > 1:
            self._accumulations = [GradientAccumulation(self.max_accumulation_step, opt) for opt in self._optimizers]
            if not freezes:
                self.accumulation = self._accumulations[0]  # its sums are in the step's checkpoints
        self.enable_dim_reduce = boost.boost_config["dim_reduce"]
        self.enable_adasum = self._may_sum_adaptively()
        if self.enable_adasum:
            size, devices = world.world().size, boost.device_number
            self.adasum = AdaSum(world.world().rank, devices, -(-size // devices), self.weights)
        if self.reducer_flag:
            self._share_gradients()
        if self.enable_dim_reduce:
            self.dim_reduce = self._dim_reduce(boost)

    def _may_sum_adaptively(self):
        """True if AdaSum is on and there is more than one group of processes."""
        on = self.auto_boost.boost_config["adasum"] and not self.enable_dim_reduce
        return on and self.reducer_flag and world.world().size > self.auto_boost.device_number

    def _share_gradients(self):
        """Reduce the gradients of the Parameters that a step trains; with AdaSum within a group of processes only."""
        if self.freeze:
            _agree_on_turns(self.optimizer)
        self.grad_reducer = _GroupReducer([self._reducer(opt.parameters) for opt in self._optimizers], self._group)

    def _reducer(self, parameters):
        if not self.enable_adasum:
            return DistributedGradReducer(parameters)
        devices = self.auto_boost.device_number
        return F.identity if devices == 1 else DistributedGradReducer(parameters, group=_group_of_devices(devices))

    def _dim_reduce(self, boost):
        """The updater in the space of the principal components that ``boost`` has found for the Parameters."""
        if boost.pca_mat is None or self.freeze:
            expected = "the 'optimizer' must be that of AutoBoost.network_auto_process_train with 'dim_reduce'"
            raise value_error("BoostTrainOneStepCell", expected, type(self.optimizer).__name__)
        group = world.world() if self.reducer_flag else Alone()
        settings = (getattr(boost, name) for name in ("n_components", "rho", "gamma", "alpha", "sigma"))
        rows = boost.pca_mat[rows_of(boost.n_components, group.rank, group.size)]
        return DimReduce(self.network, self.optimizer, self.weights, rows, *settings, group.rank, group.size)

    def construct(self, *inputs) -> Any:
        """One step."""
        loss, gradients = self._reduced(self.loss_and_gradients, inputs)
        self._apply(loss, self._applied(gradients), inputs)
        return loss

    def _apply(self, loss, gradients, inputs):
        """Update by the gradients, which with dimension reduction needs the loss after the step too."""
        if self.enable_dim_reduce:
            self.dim_reduce(loss, gradients, self.sens or 1.0, self.weights, (), *inputs)
        elif self.enable_adasum:
            self._update(gradients)
        else:
            self._region(self._update, gradients)

    def _group(self):
        """The number of the group of Parameters that the coming step trains."""
        return self.optimizer.group_at(int(self.step)) if self.freeze else 0

    def _reducer_of_step(self):
        return self.grad_reducer.of_step() if isinstance(self.grad_reducer, _GroupReducer) else self.grad_reducer

    def _weights_of_step(self):
        return self._optimizers[self._group()].parameters

    def _region(self, method, *arguments):
        """Call a method that decides nothing on the host, unless steps differ."""
        differ = self.freeze or self.max_accumulation_step > 1
        return method(*arguments) if differ else super()._region(method, *arguments)

    def _update(self, gradients):
        """Update the group's Parameters, or add their gradients in the earlier steps of an accumulation."""
        parameters = self._optimizers[self._group()].parameters
        before = [p.value() for p in parameters] if self.enable_adasum else []
        updated = self._optimize(gradients)
        if self.enable_adasum and updated:
            steps = tuple(old - p for old, p in zip(before, parameters, strict=True))
            self.adasum(steps, parameters, before)
        if self.freeze:
            F.assign_add(self.step, 1)

    def _optimize(self, gradients):
        """Update, or accumulate; returns whether the Parameters have been updated."""
        group = self._group()
        if self.max_accumulation_step == 1:
            self._optimizers[group](gradients)
            return True
        self._accumulations[group](None, gradients)
        return self._accumulations[group].has_updated()


class _GroupReducer(Cell):
    """The gradients of the group of Parameters that a step trains, reduced over the processes."""

    recordable = False  # the host decides which group that is

    def __init__(self, reducers, group):
        super().__init__(auto_prefix=False)
        self._reducers, self._group = reducers, group

    def of_step(self):
        """The reducer of the group that the coming step trains."""
        return self._reducers[self._group()]

    def construct(self, gradients):
        return self.of_step()(gradients)


def _agree_on_turns(optimizer):
    """Raise RuntimeError unless a FreezeOpt trains the same groups in the same order in all processes."""
    order = [] if optimizer.train_strategy is None else optimizer.train_strategy.asnumpy().tolist()
    sizes = [len(opt.parameters) for opt in optimizer.opts]
    world.world().agree(
        "FreezeOpt", f"groups of {sizes} Parameters in the order {shown(order)} ({crc32(np.array(order).tobytes())})"
    )


def _group_of_devices(devices):
    """The name of the group of ``devices`` neighbouring processes that this one is in."""
    everyone = world.world()
    names = []
    for first in range(0, everyone.size, devices):
        ranks = list(range(first, first + devices))
        names.append(f"boost {ranks[0]} to {ranks[-1]}")
        if names[-1] not in world.created:
            world.created[names[-1]] = everyone.split("AdaSum", names[-1], ranks)
    return names[everyone.rank // devices]


class BoostTrainOneStepWithLossScaleCell(BoostTrainOneStepCell, TrainOneStepWithLossScaleCell):
    """One training step of boost with loss scaling: ``(loss, overflow, scale)``; a step that overflows is skipped.

    A skipped step neither moves the order of a gradient freeze on nor counts in an accumulation.

    With "loss_scale_group" the scale is a :class:`GroupLossScaleManager`, which the network calls. An overflow shrinks
    the scale of the group in which it began, and each other group's grows, in every step, as in MindSpore 2.0.0.

    Args:
        network (Cell): The network, whose only output is the loss.
        optimizer (Union[Optimizer, FreezeOpt]): The optimizer of the Parameters.
        scale_sense (Union[Tensor, Cell]): The loss scale, as in ``nn.TrainOneStepWithLossScaleCell``, or a
            GroupLossScaleManager if "loss_scale_group" is on.

    Inputs:
        The network's inputs.

    Outputs:
        tuple of three Tensors: the loss; whether the gradients overflowed, a bool, or in how many groups an overflow
        began, an int; the scale that the step used, of the first group if there are groups.

    Raises:
        TypeError: If ``scale_sense`` is a GroupLossScaleManager and "loss_scale_group" is off, or the other way round.
        ValueError: If the shape of ``scale_sense`` is neither () nor (1,), or it is nan or inf, if the groups do not
            hold each of the optimizer's Parameters once, or if the network does not call the manager after each group.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss())
        >>> scale, opt = ms.nn.FixedLossScaleUpdateCell(1024), ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.boost.BoostTrainOneStepWithLossScaleCell(net, opt, scale).set_train()
        >>> loss, overflow, scale = step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
        >>> print(overflow, scale)
        False 1024.0
    """

    def __init__(self, network: Cell, optimizer, scale_sense: Tensor | Cell) -> None:
        by_group = isinstance(scale_sense, GroupLossScaleManager)
        if by_group != AutoBoost().boost_config["loss_scale_group"]:
            expected = "the 'scale_sense' must be a GroupLossScaleManager if 'loss_scale_group' is on, and only then"
            raise type_error("BoostTrainOneStepWithLossScaleCell", expected, type(scale_sense).__name__)
        super().__init__(network, optimizer, scale_sense)
        self.enable_enhanced_amp, self._called = by_group, False  # the latter: whether the first step has checked calls
        if by_group:
            self._scale_by_group(scale_sense)

    def _scale_by_group(self, manager):
        """Give the manager its scales, and note the group of each Parameter."""
        parameters = list(self.weights)
        self._places = dict(zip(map(id, parameters), places_of(parameters, manager.loss_scale_groups), strict=True))
        manager.set_loss_scale_status(len(manager.loss_scale_groups), manager.get_loss_scale())
        self.scale_sense = manager.dynamic_loss_scale[1]

    def construct(self, *inputs) -> Any:
        """Scale, differentiate, unscale, check for overflow, update or skip."""
        if not self.enable_enhanced_amp:
            return TrainOneStepWithLossScaleCell.construct(self, *inputs)
        (loss, gradients, record, status), written = noted(self._region, self._differentiate_by_group, *inputs)
        scale, gradients = self.scale_sense.value(), self.grad_reducer(gradients)
        begun = self._begun(status, gradients, record)
        hooked = self.hooked_gradients(gradients)
        if hooked is not gradients and not all_finite(hooked):
            begun = [True] * len(begun)  # no group has made what the hooks make
        for group, overflowed in enumerate(begun):
            self.loss_scaling_manager.update_loss_scale_status(group, SHRINKS if overflowed else GROWS)
        if any(begun):
            written.undo()
        else:
            self._apply(loss, hooked, inputs)
        return loss, Tensor(sum(begun), int32), scale

    def _differentiate_by_group(self, *inputs):
        """The loss, the gradients divided by their groups' scales, the gradient of the manager's record, the status."""
        trace = self.trace(inputs)
        loss = self._single(trace.out)
        status, sens = self.start_overflow_check(loss, ones_like(loss))
        *gradients, record = trace.gradients([(loss, sens)])[1]
        scales = self.loss_scaling_manager.dynamic_loss_scale
        places = [self._places[id(p)] for p in super()._weights_of_step()]
        unscaled = (g.astype(float32) / scales[place + 1] for g, place in zip(gradients, places, strict=True))
        return loss, tuple(unscaled), record, status

    def _weights_of_step(self):
        weights = super()._weights_of_step()
        return (*weights, self.loss_scaling_manager.record) if self.enable_enhanced_amp else weights

    def _begun(self, status, gradients, record):
        """For each group, True if an overflow began in it in any of the processes."""
        count = self.loss_scaling_manager.loss_scale_number
        overflow = bool(self.get_overflow_status(status, gradients))
        if self._called and not overflow:
            return [False] * count
        record = record > 0
        rows = (process.job.overflow_anywhere(record) if self.reducer_flag else record).asnumpy()
        self._check_calls(rows)
        if not overflow:
            return [False] * count
        begun = begun_in(self._finite(gradients), rows)
        return begun if any(begun) else [True] * count  # Ascend's register does not say where

    def _finite(self, gradients):
        """For each group, True if the gradients of its Parameters are all finite."""
        by_group = [[] for _ in self.loss_scaling_manager.loss_scale_groups]
        for parameter, gradient in zip(super()._weights_of_step(), gradients, strict=True):
            by_group[self._places[id(parameter)]].append(gradient)
        return [bool(all_finite(group)) for group in by_group]

    def _check_calls(self, rows):
        """Raise ValueError unless the gradient has passed from each group to the one before it."""
        uncalled = [group for group, met in enumerate(rows[:-1, MET]) if group and not met]
        if uncalled:
            expected = "the network must call the GroupLossScaleManager after each of its groups"
            raise value_error("BoostTrainOneStepWithLossScaleCell", expected, f"no call after the groups {uncalled}")
        self.__dict__["_called"] = True  # bypasses `note_change`: nothing computed depends on it
