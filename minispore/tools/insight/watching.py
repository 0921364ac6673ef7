"""Watching a run: each non-finite step is explained, and a stuck run is reported."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, NamedTuple

from minispore.core.checks import check_int, check_positive_int
from minispore.core.journal import journals, noted
from minispore.core.seeds import seed
from minispore.tools import log
from minispore.tools.hopeless_skips import trial
from minispore.tools.insight.counters import Counters, users_cells
from minispore.tools.insight.leader import processes_of
from minispore.tools.insight.low_bit_course import LowBitStep, OperandObserver
from minispore.tools.insight.overflow import explained
from minispore.tools.insight.reruns import Before, Reruns
from minispore.tools.insight.sizes import sizes_of
from minispore.tools.insight.subjects import number_of, subject_of
from minispore.tools.insight.verdict import OverflowVerdict, as_sentences, same_place

__all__ = ["NotFiniteStep", "watch"]

_REPORTED = 3  # the log explains so many steps
_ALONE = "all processes must, together: call explain_overflow in each"
_WAS = {  # the report on an applied step, by its non-finite part
    "gradients": "has gradients that are not finite",
    "loss": "has a loss that is not finite",
    "parameters": "makes Parameters that are not finite",
}


class NotFiniteStep(NamedTuple):
    """A skipped step, or one with a non-finite loss, gradients or Parameters, and the reason.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1, weight_init="ones"), ms.nn.MSELoss())
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.nn.TrainOneStepWithLossScaleCell(net, optimizer, ms.nn.DynamicLossScaleUpdateCell(4, 2, 100))
        >>> with ms.insight.watch(step) as seen:
        ...     _ = step(ms.Tensor([[1.0, float("inf")]]), ms.ops.zeros((1, 1)))
        >>> print(seen.not_finite[0].number, seen.not_finite[0].skipped, seen.not_finite[0].verdict.kind)
        1 True data
    """

    number: int  # counted from 1
    verdict: OverflowVerdict  # None if the step is finite when it runs again
    since: int  # the first of these steps in a row: a non-finite Parameter became so before it
    found: str = "gradients"  # the part that is not finite: "gradients", "loss" or "parameters"
    skipped: bool = True
    error: str = None  # for a step that cannot run again

    @property
    def why(self) -> Any:
        """The reason, in words."""
        if self.error is not None:
            return f"it cannot run again: {self.error}"
        return "it is finite when it runs again" if self.verdict is None else str(self.verdict)

    @property
    def what(self) -> Any:
        """The part that is not finite, in words."""
        return "was skipped" if self.skipped else _WAS[self.found]

    def __str__(self) -> str:
        kind = "were skipped" if self.skipped else "were not finite"
        since = f"All steps since step {self.since} {kind}." if self.since < self.number else ""
        return as_sentences(f"Step {self.number} {self.what}: {self.why}", since)


def paragraphs(steps):
    """Pairs for steps with the same reason: their numbers, and the sentences on them."""
    groups = []
    for step in steps:
        group = next((group for group in groups if _is_same(group[0], step)), None)
        if group is None:
            groups.append([step])
        else:
            group.append(step)
    return [([step.number for step in group], _paragraph(group)) for group in groups]


def _is_same(step, other):
    if (step.what, step.error, step.verdict is None) != (other.what, other.error, other.verdict is None):
        return False
    return step.verdict is None or (
        same_place(step.verdict, other.verdict) and step.verdict.scale == other.verdict.scale
    )


def _paragraph(group):
    if len(group) == 1:
        return str(group[0])
    what = group[0].what.replace("was ", "were ").replace("has ", "have ").replace("makes ", "make ")
    return f"Steps {_numbers([step.number for step in group])} {what}: {group[0].why}"


def _numbers(numbers):
    """Numbers in words: ``2 to 5, 7 and 9``."""
    rows = []
    for number in numbers:
        if rows and number == rows[-1][-1] + 1:
            rows[-1][1:] = [number]
        else:
            rows.append([number])
    parts = []
    for first, last in [(row[0], row[-1]) for row in rows]:
        parts += [f"{first} to {last}"] if last > first + 1 else map(str, range(first, last + 1))
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


class watch:  # noqa: N801 - it reads as a function, in `with watch(step) as seen`
    """Explain each step that is not finite, from now on until :meth:`stop` or the end of a ``with`` block.

    A step is not finite if its gradients overflow, so that it is skipped. So is a step with a loss of nan or inf, or
    with an optimizer that makes Parameters nan or inf. A finite step costs hardly more; another one is rerun about ten
    times, operation by operation. All numbers are the same bits as without the watch. An error in a rerun never reaches
    the training. The log (warning) explains the first three such steps, and reports once that a run is stuck. It is
    stuck if ``patience`` steps in a row were not finite for a reason that no smaller loss scale cures. It is stuck too
    if a step was skipped at a scale of 1. In a row the same reason is proved once; in a stuck run no step is rerun. All
    processes watch a data-parallel step; the log of the first one has the explanations.

    A function is watched if it is called through the watch, which returns the function's result:
    ``seen = watch(step); loss, gradients = seen(x, y)``.

    Args:
        step (Union[Cell, Model, Callable]): The step, as in :func:`explain_overflow`.
        patience (int): The number of steps in a row after which the run is stuck. Default: 3.
        network (Cell): Of a function, as in :func:`explain_overflow`. Default: None.
        scaler (LossScaler): Of a function, as in :func:`explain_overflow`. Default: None.
        low_bits (int): Of a step by a recipe: each so many steps, a step runs a second time to note the scale and the
            clipped share of each operand. Default: 0, never.

    Attributes:
        steps (int): The number of watched steps.
        losses (list): The loss of each.
        scales (list): The loss scale of each, before the step; empty without one.
        not_finite (list): A :class:`NotFiniteStep` for each step that was not finite.
        skipped (list): The skipped ones among them.
        stuck (bool): True if the run is stuck.
        low_bits (list): A :class:`LowBitStep` for each step whose operands were noted; a report draws them.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``patience`` is below 1, or ``low_bits`` below 0.
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

    def __init__(self, step, patience: int = 3, *, network=None, scaler=None, low_bits: int = 0) -> None:
        self._subject = subject_of("watch", step, network, scaler)
        self._patience = check_positive_int("watch", "patience", patience)
        self._each, self.low_bits = check_int("watch", "low_bits", low_bits, 0), []
        members = processes_of(self._subject)
        members.agree("watch", f"the step {self._subject.name} with a patience of {patience}")
        self._logs = members.rank == 0
        self.steps, self.losses, self.scales, self.not_finite, self.stuck = 0, [], [], [], False
        self._row, self._scale = [], None  # non-finite steps in a row; the scale before the step
        self._held = None  # the state before the step, if its call keeps no journal
        self._cells, self._counters = None, None  # the users' cells, and their attributes before the step
        self._first_sizes = None  # the Parameters' sizes before the first step
        self._hook_cell()

    def _hook_cell(self):
        """Let a step that is a cell report its own calls."""
        self._handles, self._was_recordable, cell = [], {}, self._subject.hooked
        if cell is None:
            return
        hooks = (_in_graph_mode_too(self._begin), _in_graph_mode_too(self._end))
        self._handles = [cell.register_forward_pre_hook(hooks[0]), cell.register_forward_hook(hooks[1])]
        if getattr(cell, "recordable", True):  # graph mode would replay the hooks too: it replays the step's parts
            self._was_recordable = {"recordable": vars(cell).get("recordable")}
            cell.recordable = False

    def stop(self) -> None:
        """Stop watching."""
        for handle in self._handles:
            handle.remove()
        if self._was_recordable and self._was_recordable["recordable"] is None:
            del self._subject.hooked.recordable
        elif self._was_recordable:
            self._subject.hooked.recordable = True
        self._handles, self._was_recordable = [], {}

    def __call__(self, *inputs) -> Any:
        """Run the step; a function's result is watched."""
        if self._subject.hooked is not None:
            return self._subject.run(inputs)
        self._begin(None, inputs)
        out, journal = noted(self._subject.run, inputs)
        self._look(inputs, out, journal)
        return out

    @property
    def skipped(self) -> Any:
        """The skipped ones among the non-finite steps."""
        return [step for step in self.not_finite if step.skipped]

    def __str__(self) -> str:
        scales = dict.fromkeys([*self.scales[:1], *self.scales[-1:]])
        course = f"; loss scale {' to '.join(f'{scale:g}' for scale in scales)}" if scales else ""
        others = len(self.not_finite) - len(self.skipped)
        besides = f", {others} not finite" if others else ""
        stuck = f" {self._stuck_text()}." if self.stuck else ""
        summary = f"{self.steps} step{'s' * (self.steps != 1)}, {len(self.skipped)} skipped{besides}{course}.{stuck}"
        return "\n".join([summary, *[text for _, text in paragraphs(self.not_finite)]])

    __repr__ = __str__

    def _stuck_text(self):
        skips = self._row[-1].skipped if self._row else False
        return f"The run is stuck: {'no smaller loss scale helps' if skips else 'it stays so'}"

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error) -> None:
        self.stop()

    def _begin(self, cell_id, inputs):
        if trial.runs:
            return
        self._scale, self._held = self._subject.scale_now(), None
        if self._cells is None and self._subject.root is not None:
            self._cells = users_cells(self._subject.all_cells())
        self._counters = Counters(self._cells or ())
        if not self._keeps_journal() and self._subject.hooked is not None:
            self._held = Before({p: p.array for p in self._subject.parameters()}, seed.draws, self._counters)
        if self._first_sizes is None:
            self._first_sizes = sizes_of(self._subject.weights())

    def _end(self, cell_id, inputs, out):
        if not trial.runs:
            self._look(inputs, out, journals()[-1] if self._held is None else None)

    def _keeps_journal(self):
        """True if the running call keeps a journal of its own, as a training step's does."""
        return any(journal.owner is self._subject.hooked for journal in journals()[-1:])

    def _look(self, inputs, out, journal):
        """Note a step, and explain one that is not finite."""
        skips = self._subject.reports(out)
        found = "gradients" if skips else self._subject.not_finite_in(out, journal)
        self.steps += 1
        self.losses.append(number_of(self._subject.loss_of(out)))
        scale = None if self._scale is None else float(self._scale)
        self.scales += [] if scale is None else [scale]
        if self._each and (self.steps - 1) % self._each == 0:
            self._note_operands(inputs, scale, journal)
        if found is None or not self._subject.all_know(out):
            self._row, self.stuck = [], False
            if found is not None:
                self._add(NotFiniteStep(self.steps, None, self.steps, found, skips, _ALONE))
            return
        since = self._row[0].number if self._row else self.steps
        verdict, error = self._explained(inputs, scale, journal)
        step = NotFiniteStep(self.steps, verdict, since, found, skips, error)
        self._add(step)
        self._row.append(step)
        self._notice_stuck(step, scale)

    def _note_operands(self, inputs, scale, journal):
        """Run the step again to see the operands of its low-bit products; an error does not reach the training."""
        observer = OperandObserver(self._subject.root)
        if not observer.sees_products:
            return
        try:
            Reruns("watch", self._subject, inputs, scale, sys._getframe(1), self._before(journal)).observed(observer)
            self.low_bits.append(LowBitStep(self.steps, observer.found))
        except Exception as error:
            log.warning("The operands of step %s are not noted: %s: %s", self.steps, type(error).__name__, error)

    def _before(self, journal):
        """The state before the step."""
        return self._held if journal is None else Before.of_journal(journal, self._counters)

    def _add(self, step):
        """Note a step that is not finite, and log it."""
        self._log_step(step)
        self.not_finite.append(step)

    def _explained(self, inputs, scale, journal):
        """``(verdict, error)``: an error in a rerun is reported, and does not reach the training."""
        like = self._row[-1].verdict if self._row else None
        if self.stuck:
            return (None if like is None else replace(like, loss_scale=scale)), None
        if self._row and self._row[-1].error is not None:
            return None, self._row[-1].error
        try:
            reruns = Reruns("watch", self._subject, inputs, scale, sys._getframe(1), self._before(journal))
            return explained(reruns, like, self._first_sizes, self.steps - 1), None
        except Exception as error:
            return None, f"{type(error).__name__}: {error}"

    def _log_step(self, step):
        """Log one of the first steps; a repeated reason is only named as such."""
        if not self._logs or len(self.not_finite) >= _REPORTED:
            return
        before = self._row[-1] if self._row else None
        if before is not None and _is_same(before, step):
            log.warning("Step %s %s for the same reason as step %s.", step.number, step.what, before.number)
        else:
            log.warning("%s", step)

    def _notice_stuck(self, step, scale):
        hopeless = step.verdict is not None and step.verdict.scale is None
        at_bottom = step.skipped and scale is not None and scale <= 1
        if self.stuck or not hopeless or (len(self._row) < self._patience and not at_bottom):
            return
        self.stuck = True
        if not self._logs:
            return
        stands = f", and the loss scale stands at {scale:g}" if at_bottom else ""
        log.warning("%s: %s steps in a row%s. %s", self._stuck_text(), len(self._row), stands, step)


def _in_graph_mode_too(hook):
    """A hook that counts as a part of the network: a user's hooks have no effect in graph mode."""

    def called(*arguments):
        return hook(*arguments)

    called.part_of_network = True
    return called
