"""Watching a run: each step that is skipped is explained, and a run that no loss scale gets going again is told of."""

import math
from typing import NamedTuple

from minispore import log
from minispore.checks import check_positive_int
from minispore.insight.attempts import again, overflowed
from minispore.insight.overflow import OverflowVerdict, check_step, explain_overflow
from minispore.insight.speaker import processes_of
from minispore.tensor import Tensor

__all__ = ["SkippedStep", "watch"]

_TOLD = 3  # of how many skipped steps the log says why


class SkippedStep(NamedTuple):
    """A step that overflowed: its number, counted from 1, why, and the first of the skipped steps before it."""

    number: int
    verdict: OverflowVerdict  # None if the step is finite when it runs again
    since: int  # since which step all were skipped: a Parameter that is not finite became so before it

    def __str__(self):
        why = "it is finite when it runs again" if self.verdict is None else str(self.verdict)
        since = f" All steps since step {self.since} were skipped." if self.since < self.number else ""
        return f"Step {self.number} was skipped: {why}{since}"


class watch:  # noqa: N801 - it reads as a function, in `with watch(step) as seen`
    """Explain each step that overflows, from now on until :meth:`stop` or the end of a ``with`` block.

    A step that does not overflow costs nothing more; one that does is run about ten times again, operation by
    operation. All numbers are the same bits as without. The log (warning) says why the first three were skipped, and
    once that a run is stuck: where ``patience`` steps in a row were skipped for a reason that no smaller loss scale
    mends, or one was while the scale stands at 1. A data-parallel step is watched by all its processes; the log of the
    first one says why.

    Args:
        step (TrainOneStepWithLossScaleCell): The step.
        patience (int): After how many skipped steps in a row the run is stuck. Default: 3.

    Attributes:
        steps (int): How many steps have been watched.
        losses (list): The loss of each.
        scales (list): The loss scale of each, as it was before the step.
        skipped (list): The :class:`SkippedStep` of each that overflowed.
        stuck (bool): Whether the run is stuck.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``patience`` is below 1.
        RuntimeError: If the step is data-parallel, and a process calls something else, or does not come in time.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss())
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.nn.TrainOneStepWithLossScaleCell(net, optimizer, ms.nn.DynamicLossScaleUpdateCell(4, 2, 100))
        >>> with ms.insight.watch(step) as seen:
        ...     _ = step(ms.Tensor([[1.0, float("inf")]]), ms.ops.zeros((1, 1)))
        >>> print(seen.steps, seen.skipped[0].verdict.kind)
        1 data
        >>> print(str(seen).splitlines()[0])
        1 step, 1 skipped; loss scale 4.
    """

    def __init__(self, step, patience=3):
        self._step = check_step("watch", step)
        self._patience = check_positive_int("watch", "patience", patience)
        members = processes_of(step)
        members.agree("watch", f"the step {step.cls_name} with a patience of {patience}")
        self._tells = members.rank == 0
        self.steps, self.losses, self.scales, self.skipped, self.stuck = 0, [], [], [], False
        self._row, self._before = 0, None  # the skipped steps in a row; the array of the scale before the step
        hooks = (_in_graph_mode_too(self._begin), _in_graph_mode_too(self._end))
        self._handles = [step.register_forward_pre_hook(hooks[0]), step.register_forward_hook(hooks[1])]

    def stop(self):
        """Watch no longer."""
        for handle in self._handles:
            handle.remove()

    def __str__(self):
        scales = dict.fromkeys([*self.scales[:1], *self.scales[-1:]])
        course = f"; loss scale {' to '.join(f'{scale:g}' for scale in scales)}" if scales else ""
        stuck = " The run is stuck: no smaller loss scale helps." if self.stuck else ""
        told = f"{self.steps} step{'s' * (self.steps != 1)}, {len(self.skipped)} skipped{course}.{stuck}"
        return "\n".join([told, *map(str, self.skipped)])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()

    def _begin(self, cell_id, inputs):
        if not again.runs:
            self._before = self._step.scale_sense.array

    def _end(self, cell_id, inputs, out):
        if again.runs:
            return
        skips, scale = overflowed(self._step, out), float(self._before.reshape(()))
        self.steps += 1
        self.losses.append(_number(out[0]))
        self.scales.append(scale)
        if not skips:
            self._row, self.stuck = 0, False
            return
        self._row += 1
        verdict = explain_overflow(self._step, *inputs, scale=scale)
        skipped = SkippedStep(self.steps, verdict, self.steps - self._row + 1)
        self.skipped.append(skipped)
        if self._tells and len(self.skipped) <= _TOLD:
            log.warning("%s", skipped)
        self._notice_stuck(skipped, scale)

    def _notice_stuck(self, skipped, scale):
        hopeless = skipped.verdict is not None and skipped.verdict.kind != "scale"
        if self.stuck or not hopeless or (self._row < self._patience and scale > 1):
            return
        self.stuck = True
        if not self._tells:
            return
        so_far = (
            f"{self._row} in a row" if scale > 1 else f"{self._row} in a row, and the loss scale stands at {scale:g}"
        )
        log.warning("The run is stuck, no smaller loss scale helps. Skipped: %s. %s", so_far, skipped)


def _number(loss):
    """A loss of one number; nan of others."""
    return float(loss.asnumpy().reshape(())) if isinstance(loss, Tensor) and loss.size == 1 else math.nan


def _in_graph_mode_too(hook):
    """A hook that counts as a part of the network: a user's hooks have no effect in graph mode."""

    def called(*arguments):
        return hook(*arguments)

    called.part_of_network = True
    return called
