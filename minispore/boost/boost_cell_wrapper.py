"""Training steps of boost: with gradient freeze, gradient accumulation, AdaSum and loss scaling where they are on."""

import numpy as np

from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.boost.boost import AutoBoost
from minispore.boost.grad_accumulation import GradientAccumulation
from minispore.boost.grad_freeze import FreezeOpt
from minispore.nn.wrap import TrainOneStepCell
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.parameter import Parameter

__all__ = ["BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell"]


class BoostTrainOneStepCell(TrainOneStepCell):
    """One training step, with the algorithms of boost that are on: ``step(*inputs)`` returns the loss.

    A FreezeOpt trains one group of Parameters in each step, and no gradients of the others are computed. Gradient
    accumulation updates by the mean gradient of several steps. Both are as in MindSpore 2.0.0's graph mode. AdaSum
    combines the gradients of several processes; in one process it changes nothing. As there, a checkpoint of the step
    has the place in the order of the groups, and not what the optimizers of the groups remember.

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

    def __init__(self, network, optimizer, sens=1.0):
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

    def construct(self, *inputs):
        """One step."""
        loss, gradients = self._replay(self.loss_and_gradients, inputs)
        self._replay(self._update, self._applied(self.grad_reducer(gradients)))
        return loss

    def _group(self):
        """The number of the group of Parameters that the coming step trains."""
        return self.optimizer.group_at(int(self.step)) if self.freeze else 0

    def _weights_of_step(self):
        return self._optimizers[self._group()].parameters

    def _replay(self, method, *args, **kwargs):
        """In graph mode replay ``method``, unless steps differ."""
        differ = self.freeze or self.max_accumulation_step > 1
        return method(*args, **kwargs) if differ else super()._replay(method, *args, **kwargs)

    def _update(self, gradients):
        """Update the group's Parameters, or add their gradients in the earlier steps of an accumulation."""
        group = self._group()
        if self.max_accumulation_step > 1:
            self._accumulations[group](None, gradients)
        else:
            self._optimizers[group](gradients)
        if self.freeze:
            F.assign_add(self.step, 1)


class BoostTrainOneStepWithLossScaleCell(BoostTrainOneStepCell, TrainOneStepWithLossScaleCell):
    """One training step of boost with loss scaling: ``(loss, overflow, scale)``; a step that overflows is skipped.

    A skipped step neither moves the order of a gradient freeze on nor counts in an accumulation.

    Args:
        network (Cell): The network, whose only output is the loss.
        optimizer (Union[Optimizer, FreezeOpt]): The optimizer of the Parameters.
        scale_sense (Union[Tensor, Cell]): The loss scale, as in ``nn.TrainOneStepWithLossScaleCell``.

    Inputs:
        The network's inputs.

    Outputs:
        tuple of three Tensors: the loss; whether the gradients overflowed, a bool; the scale that the step used.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the shape of ``scale_sense`` is neither () nor (1,), or it is nan or inf.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss())
        >>> scale, opt = ms.nn.FixedLossScaleUpdateCell(1024), ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.boost.BoostTrainOneStepWithLossScaleCell(net, opt, scale).set_train()
        >>> loss, overflow, scale = step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
        >>> print(overflow, scale)
        False 1024.0
    """

    def __init__(self, network, optimizer, scale_sense):
        super().__init__(network, optimizer, scale_sense)

    def construct(self, *inputs):
        """Scale, differentiate, unscale, check for overflow, update or skip."""
        return TrainOneStepWithLossScaleCell.construct(self, *inputs)
