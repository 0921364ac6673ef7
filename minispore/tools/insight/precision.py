"""The precision report: activations, weights and gradients lost in float16, and loss scales that save them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from minispore.amp.policy.levels import level_of
from minispore.ops.number_checks import check_real
from minispore.tools.insight.forms import MOST, checked_subject, run_at_greatest_scale, run_of
from minispore.tools.insight.numerics import power_and_value
from minispore.tools.insight.operator_stats import check_alone
from minispore.tools.insight.precision_records import SeenNumbers, interval

__all__ = ["PrecisionReport", "precision_report"]


@dataclass(frozen=True)
class PrecisionReport:
    """Losses of a network's numbers at a level of mixed precision: a sequence of :class:`PrecisionRecord`, a table.

    Attributes:
        level (str): The level.
        records (tuple): The records: of cells in the order of execution, and of the batch (``inputs[0]``), then of
            Parameters.
        most_flushed (float): The share of a record's gradients that a loss scale may let float16 round to zero.
        least_scale (float): The least power of two at which every cell and Parameter loses less than that share of its
            gradients; None if no float16 result has a gradient.
        greatest_scale (float): The greatest power of two without an overflow in any operation's gradient; None as
            above. Below ``least_scale`` if no scale does both.
        advised_scale (float): The initial loss scale: the greatest power of two up to 2**24 with finite gradients in a
            run; 1 if nothing needs a scale; None if no scale makes them finite.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> report = ms.insight.precision_report(
        ...     net, ms.nn.MSELoss(), (ms.Tensor([[1e-4, 1.0]]), ms.Tensor([[0.0]])), "O3"
        ... )
        >>> print(report.level, report.least_scale, report.advised_scale)
        O3 0.000244140625 16384.0
    """

    level: str
    records: tuple
    most_flushed: float
    least_scale: float
    greatest_scale: float
    advised_scale: float

    def __iter__(self) -> Any:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, index) -> Any:
        return self.records[index]

    def __str__(self) -> str:
        width = max(len(record.place) for record in self.records)
        header = f"{'place':<{width}}  {'of':<20}  {'type':<8}  flushed  subnormal  headroom  loss scales"
        rows = [_line(record, width) for record in self.records]
        return "\n".join([header, *rows, self.sentence])

    @property
    def sentence(self) -> Any:
        """The conclusion: the loss scales that keep the gradients, and the initial one."""
        begin = f"At {self.level} "
        if self.advised_scale is None:
            return f"{begin}the gradients are not finite at any loss scale: explain_overflow says why."
        if self.greatest_scale is None:
            return f"{begin}no gradient is computed in float16: no loss scale is needed."
        advice = f"begin with {power_and_value(self.advised_scale)}"
        if self.least_scale is None or self.least_scale <= self.greatest_scale:
            kept = f"loss scales of {interval(self.least_scale, self.greatest_scale)} overflow nothing"
            return f"{begin}{kept} and lose less than {self.most_flushed:.3g} of any gradient: {advice}."
        above = f"no loss scale keeps all gradients: less than {self.most_flushed:.3g} of each is lost only from"
        least, greatest = power_and_value(self.least_scale), power_and_value(self.greatest_scale)
        return f"{begin}{above} {least} on, and {greatest} is the greatest that overflows none; {advice}."


def _line(record, width):
    headroom = "" if record.headroom is None else f"{record.headroom:.1f}"
    shares = f"{record.flushed:>7.2%}  {record.subnormal:>9.2%}  {headroom:>8}"
    return f"{record.place:<{width}}  {record.kind:<20}  {record.dtype:<8}  {shares}  {record.scales}".rstrip()


def precision_report(network, loss_fn, batch: tuple[Any, ...], level: str = "O2", most_flushed: float = 0.01) -> Any:
    """Measure the losses of activations, weights and gradients at a level of mixed precision, by loss scale.

    The network runs once on the batch at the level, forward and backward. A float64 reference of each operation runs
    beside it, and its numbers are judged. A cell's activations are the outputs of its operations, except casts. Its
    activation gradients are the gradients of the loss with respect to them. The shares and the headroom are float16's,
    also for float32 results of the level. A few more runs try the advised loss scale. Afterwards everything is
    restored.

    Args:
        network (Cell): The network, not converted yet.
        loss_fn (Union[None, Cell]): The loss; None if the network's output is the loss.
        batch (tuple): The inputs: of ``network`` and ``loss_fn``, data and label.
        level (str): "O0", "O1", "O2", "O3" or "auto". Default: "O2".
        most_flushed (float): The share of gradients that may be rounded to zero, above 0. Default: 0.01.

    Returns:
        PrecisionReport: a sequence of :class:`PrecisionRecord`; ``str`` of it is a table.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the level is unknown, or the network has been converted or has no Parameters to train. Also if
            ``most_flushed`` is not above 0 and at most 1.
        RuntimeError: If something else observes the operations, or graph mode records them.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> batch = ms.ops.ones((4, 2)), ms.ops.zeros((4, 1))
        >>> report = ms.insight.precision_report(net, ms.nn.MSELoss(), batch, "O3")
        >>> [(row.place, row.dtype, row.histogram) for row in report if row.kind == "weight gradients"]
        [('weight', 'float16', {2: 2})]
        >>> report.greatest_scale, report.advised_scale
        (8192.0, 8192.0)
    """
    subject = checked_subject("precision_report", network, loss_fn, batch)
    name = level_of("precision_report", level).name
    check_real("precision_report", "most_flushed", most_flushed, 0, 1, above=True)
    check_alone("precision_report")
    form, seen = subject.at_level(name), SeenNumbers(subject)
    run = run_of(form, subject, observer=seen)
    records = tuple(seen.records(subject, run, most_flushed))
    greatest = min((r.greatest_scale for r in records if r.greatest_scale is not None), default=None)
    least = max((r.least_scale for r in records if r.least_scale is not None), default=None)
    advised = 1.0
    if greatest is not None or not run.is_finite:
        first = 1.0 if greatest is None else min(greatest, 2.0**MOST)
        tried = run_at_greatest_scale(form, subject, int(math.log2(first)))
        advised = tried.scale if tried.is_finite else None
    return PrecisionReport(name, records, most_flushed, least, greatest, advised)
