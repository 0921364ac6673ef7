"""The training step with loss scaling: scale, differentiate, unscale, check for overflow, update or skip.

A skipped step changes nothing but the state of the loss scale. All Parameters, BatchNorm's statistics included, and the
random streams are restored.
"""

from __future__ import annotations

import logging
import math
from typing import Any, ClassVar

from minispore.amp.loss_scale.overflow import Checked, start, status_of
from minispore.amp.loss_scale.rule import store
from minispore.core import process
from minispore.core.dtype import NARROW_FLOATS, bfloat16, float16, float32
from minispore.core.errors import type_error, value_error
from minispore.core.journal import Journal
from minispore.core.layers import region
from minispore.core.nest import select
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.wrap import TrainOneStepCell, sens_like
from minispore.ops.functional import assign
from minispore.ops.operations.loss_scale import Unscale

__all__ = ["TrainOneStepWithLossScaleCell"]

_LARGEST_FOR_FLOAT16 = 2.0**15  # a loss of 1 times this is finite in float16; times 2**16 it is inf


_unscale = Unscale()


def _check_finite(operation, argument, scale):
    if not math.isfinite(float(scale)):
        raise value_error(operation, f"the '{argument}' must be finite", float(scale))


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One training step with loss scaling: ``(loss, overflow, scale)``; a step that overflows is skipped.

    Args:
        network (Cell): The network, whose only output is the loss.
        optimizer (Optimizer): The optimizer of the Parameters.
        scale_sense (Union[Tensor, Cell]): The loss scale: an update cell that changes it after each step, or a
            Tensor of shape () or (1,) for ``set_sense_scale`` to change. It is rounded to the type of a float16 or
            bfloat16 loss.

    Inputs:
        The network's inputs.

    Outputs:
        tuple of three Tensors: the loss; whether the gradients overflowed, a bool; the scale that the step used.

    Raises:
        TypeError: If ``scale_sense`` is neither a Cell nor a Tensor, or the network's output is no single Tensor.
        ValueError: If the shape of ``scale_sense`` is neither () nor (1,), or it is nan or inf.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss())
        >>> scale = ms.nn.DynamicLossScaleUpdateCell(1024, 2, 100)
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.nn.TrainOneStepWithLossScaleCell(net, optimizer, scale).set_train()
        >>> loss, overflow, scale = step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
        >>> print(overflow, scale)
        False 1024.0
    """

    attached: ClassVar[list] = []  # functions of a step that is made, by which lower rooms add to it

    def __init__(self, network: Cell, optimizer: Cell, scale_sense: Tensor | Cell) -> None:
        scale = self._scale_of(scale_sense)  # raises before the network is changed
        super().__init__(network, optimizer, sens=None)
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
        self.scale_sense = Parameter(scale, name="scale_sense")
        for attach in self.attached:
            attach(self)

    @staticmethod
    def _scale_of(scale_sense):
        if isinstance(scale_sense, Cell):
            return Tensor(scale_sense.get_loss_scale(), float32)
        if not isinstance(scale_sense, Tensor):
            expected = "the 'scale_sense' must be a Cell or a Tensor"
            raise type_error("TrainOneStepWithLossScaleCell", expected, type(scale_sense).__name__)
        if scale_sense.shape not in ((), (1,)):
            expected = "the shape of 'scale_sense' must be () or (1,)"
            raise value_error("TrainOneStepWithLossScaleCell", expected, scale_sense.shape)
        _check_finite("TrainOneStepWithLossScaleCell", "scale_sense", scale_sense)
        return scale_sense

    def construct(self, *inputs: Any) -> tuple[Any, Any, Any]:
        """Scale, differentiate, unscale, check for overflow, update or skip."""
        with Journal(owner=self) as step:  # records the old values: a skipped step restores them
            loss, gradients, overflow, scale = region(self.unscaled_and_checked, *inputs)
        # The journal ends before the rule: a skipped step must keep the scale and the counters that the rule writes.
        # ``but``: a narrow loss may have lowered the scale inside the journal, which stays so.
        if not step.undone_if(self.process_loss_scale(overflow), but=(self.scale_sense,)):
            self._apply(loss, gradients, inputs)
        return loss, overflow, scale

    def unscaled_and_checked(self, *inputs):
        """The loss, the gradients without the scale after all hooks, whether they overflow, and the scale."""
        loss, gradients, status, scale = self._reduced(self._differentiate, *inputs, prepare=self.unscaled)
        hooked = self.hooked_gradients(gradients)
        # Before the hooks and after: clipping can turn an inf into a finite number, and a hook can make an inf.
        overflow = self.get_overflow_status(status, gradients if hooked is gradients else (gradients, hooked))
        return loss, hooked, overflow, scale

    def _differentiate(self, *inputs):
        """The loss, its gradients without the scale, the status of an overflow check, and the scale."""
        trace = self.trace(inputs)
        loss = self._single(trace.out)
        if loss.array.dtype in NARROW_FLOATS:
            self._fit_scale(loss)
        scale = self.scale_sense.value()  # read before the rule changes it: the step returns the scale that it used
        status, seed = self.start_overflow_check(loss, self._seed(loss))
        visit = process.job.visit() if self.reducer_flag else None
        # With several processes `visit` unscales each bucket of gradients before it travels; alone it is done below.
        _, gradients = trace.gradients([(loss, seed)], narrow=True, visit=visit)
        return loss, self.unscaled(gradients) if visit is None else gradients, status, scale

    def _seed(self, loss):
        """The gradient of the loss: the scale in the loss's shape and dtype."""
        scale = self.scale_sense.reshape(()).astype(loss.dtype)
        return scale if loss.shape == () else sens_like(loss, scale)

    def _apply(self, loss, gradients, inputs):
        """Update by the gradients of a step that is not skipped."""
        self._region(self._update, gradients)

    @staticmethod
    def _single(out):
        if not isinstance(out, Tensor):
            expected = "the network must have one output, a Tensor"
            raise type_error(
                "TrainOneStepWithLossScaleCell", expected, f"{type(out).__name__} of {len(select(Tensor, out))}"
            )
        return out

    def _fit_scale(self, loss):
        """Round the scale to the type of a narrow loss, so that loss and gradients use the same number."""
        if loss.dtype == bfloat16:
            assign(self.scale_sense, self.scale_sense.astype(bfloat16).astype(self.scale_sense.dtype))
            return
        scale = self.scale_sense.item()
        lowered = min(scale, _LARGEST_FOR_FLOAT16) if loss.dtype == float16 else scale
        if lowered < scale:
            message = "The loss is float16: its scale is lowered from %g to %g, the largest that float16 carries."
            logging.getLogger("minispore").warning(message, scale, lowered)
        fitting = float(loss.array.dtype.type(lowered))
        if fitting != scale:
            store(self.scale_sense, fitting)

    def unscaled(self, gradients):
        """The gradients divided by the scale, at least in float32, with the result of the overflow check."""
        *found, overflow = _unscale(self.scale_sense.reshape(()).astype(float32), *gradients)
        return Checked(found, overflow)

    def start_overflow_check(self, pre_cond, compute_input) -> Any:
        """Start an overflow check, after ``pre_cond`` and before ``compute_input`` is used.

        Returns:
            tuple ``(status, compute_input)``; pass the status to :meth:`get_overflow_status`.
        """
        return start(pre_cond, compute_input)

    def get_overflow_status(self, status, compute_output) -> Any:
        """One bool: True if ``compute_output``, a Tensor or nested tuples of them, holds an inf or a nan.

        On the emulated Ascend also True if any operation has overflowed since :meth:`start_overflow_check`. If several
        processes share their gradients, True if this holds in any of them.
        """
        overflow = status_of(status, compute_output)
        return process.job.overflow_anywhere(overflow) if self.reducer_flag else overflow

    def process_loss_scale(self, overflow) -> Any:
        """Update the loss scale, if it has an update cell; returns ``overflow``."""
        return overflow if self.loss_scaling_manager is None else self.loss_scaling_manager(self.scale_sense, overflow)

    def set_sense_scale(self, sens: Tensor) -> None:
        """Change a scale that was given as a Tensor.

        Raises:
            TypeError: If the scale was given as a Cell, or ``sens`` is no Tensor of its dtype.
            ValueError: If the shapes differ, or it is nan or inf.
        """
        name = "set_sense_scale"
        if self.loss_scaling_manager is not None:
            raise type_error(name, "the 'scale_sense' must have been given as a Tensor", "a Cell")
        if not isinstance(sens, Tensor) or sens.dtype != self.scale_sense.dtype:
            expected = f"the 'sens' must be a Tensor of {self.scale_sense.dtype}"
            raise type_error(name, expected, getattr(sens, "dtype", type(sens).__name__))
        if sens.shape != self.scale_sense.shape:
            raise value_error(name, f"the 'sens' must have the shape {self.scale_sense.shape}", sens.shape)
        _check_finite(name, "sens", sens)
        self.scale_sense.set_data(sens)
