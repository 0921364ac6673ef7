"""The verdict on a step that is not finite: the operation behind it, the reason and a remedy, in words too."""

from __future__ import annotations

from dataclasses import dataclass

from minispore.tools.insight.causes import NOWHERE, Place
from minispore.tools.insight.numerics import power_and_value, powers_text
from minispore.tools.insight.sizes import Size

__all__ = ["OverflowVerdict"]

_NO_CURE = " No cell in float32 helps."
_SHOWN = 4  # numbers of remedy lines, and of Parameters, in the sentence
PLACE = ("operation", "phase", "differentiated", "cell", "where", "given")  # fields that equal verdicts share


@dataclass(frozen=True)
class OverflowVerdict:
    """The reason why a step is not finite; ``str`` of it is a sentence or two.

    Attributes:
        kind (str): "scale": the step is finite at a smaller loss scale, from 1 on. "forward": the range of the
            operation's type is exceeded at every such scale. "large": as "forward" or "scale", because Parameters have
            grown or are large: with smaller ones the step is finite. "data": a nan or an inf is in an input of the
            step, in a Tensor of the network, or in the code as a number. "parameter": it is in a Parameter. "invalid":
            the operation has no finite result of its inputs, in float64 either. "update": the optimizer turns finite
            gradients into non-finite Parameters. "reported": a step of a user's own reports an overflow of finite
            results. "scale history": the step is finite, but the history of a delayed scale of low bits holds an
            infinity or a nan, and so the scale is frozen.
        operation (str): The operation with the first non-finite output, or the first to read a non-finite value.
        phase (str): "forward", "backward", "update", or "reduction" if the sum of several processes' gradients is not
            finite.
        differentiated (str): In the backward pass: the operation of the forward pass whose gradient it belongs to.
        cell (str): The path of its cell, from the step on.
        cell_class (str): The class of that cell.
        where (str): The user's line, "file:line", or None if no line of the user's runs.
        input_range (tuple): For each floating input of the operation the exponents of two ``(low, high)`` of its least
            and greatest magnitude; None if it has only zeros.
        loss_scale (float): The loss scale of the step, or None.
        scale (float): The greatest power of two with a finite step, for the kind "scale", and for "large" if one
            exists; else None.
        given (str): The value that is non-finite before the step: an input (``inputs[0]``), a Parameter's name, the
            path of a cell's Tensor, or a number; or None.
        remedy (str): The lines of Python that make the step finite, proved by a run; or None. They use ``step`` (for a
            function ``network`` and ``scaler``), ``inputs`` (a list) and ``ms``.
        casts (tuple): The places of casts to float16 or bfloat16 that must go, since float32 in their cells does not
            change them. Without them the step is finite, with the remedy if there is one: "file:line", or the path of a
            cell, followed by " (of the white list)" if the conversion to O1 put it there.
        ranks (tuple): The processes of a data-parallel step that made a non-finite number; the other fields are about
            the first of them. Empty in a single process, and if it arises from all together.
        found (str): The part that is not finite: "gradients", its "loss", or the "parameters" after it.
        place (Place): Of an operation's result the first number that is not finite: ``place.value``, ``place.index``,
            ``place.there`` (its inputs), ``place.counts`` (for each floating input the counts of negative numbers, of
            zeros, and of all). ``place.bad`` holds the counts of non-finite results, and of all.
        advice (str): A remedy in the code, a sentence; or None.
        sizes (tuple): For Parameters that have grown or are large ``(name, initial size or None, size now)``; a size is
            a root mean square.
        steps (int): The number of steps in which Parameters have grown, or None.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1, weight_init="ones"), ms.nn.MSELoss())
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.nn.TrainOneStepWithLossScaleCell(net, optimizer, ms.nn.DynamicLossScaleUpdateCell(4, 2, 100))
        >>> verdict = ms.insight.explain_overflow(step, ms.Tensor([[1.0, float("inf")]]), ms.ops.zeros((1, 1)))
        >>> print(verdict.kind, verdict.given, verdict.loss_scale)
        data inputs[0] 4.0
    """

    kind: str
    operation: str
    phase: str
    differentiated: str
    cell: str
    cell_class: str
    where: str
    input_range: tuple
    loss_scale: float
    scale: float
    given: str
    remedy: str
    casts: tuple = ()
    ranks: tuple = ()
    found: str = "gradients"
    place: Place = NOWHERE
    advice: str = None
    sizes: tuple = ()
    steps: int | None = None

    def __str__(self) -> str:
        if self.kind == "scale history":
            cure = f" It is free again with: {self.remedy}" if self.remedy else ""
            return f"{self.given} is not finite: its scale is frozen until the history has lost that number.{cure}"
        ranks = f"On rank{'s' if len(self.ranks) > 1 else ''} {', '.join(map(str, self.ranks))}: " if self.ranks else ""
        return as_sentences(f"{ranks}{self._place()}. {self._reason()}", self.advice)

    def _place(self):
        if self.kind == "reported":
            return "The step reports an overflow, but all its results are finite"
        known = ", ".join(part for part in (self.cell_class, self.where) if part)
        at = f"{f' in the cell {self.cell}' if self.cell else ''}{f' ({known})' if known else ''}"
        if self.given:
            return f"{self.given} is not finite{f', which {self.operation} reads{at}' if self.operation else ''}"
        of = f" of {self.differentiated}" if self.differentiated else ""
        ranges = _powers(self.input_range)
        during = {"reduction": "reduction of the gradients", "update": "optimizer's update"}
        return (
            f"{self.operation}{at} gives the first result that is not finite, in the "
            f"{during.get(self.phase, f'{self.phase} pass{of}')}{f', from inputs {ranges}' if ranges else ''}"
            f"{f': {self.place}' if self.kind in ('invalid', 'update') and self.place.value else ''}"
        )

    def _reason(self):
        cure = f" The step is finite with: {_shortened(self.remedy)}" if self.remedy else ""
        if self.kind == "scale":
            greatest = f"{power_and_value(self.scale)} is the greatest that works"
            return f"The loss scale {power_and_value(self.loss_scale)} is too high: {greatest}.{self._sizes_text()}"
        if self.kind == "forward":
            at = "" if self.loss_scale is None else " at every loss scale"
            cure = self._casts_text() or cure or _NO_CURE
            return f"The range of its type is exceeded{at}.{self._sizes_text()}{cure}"
        if self.kind == "large":
            scale = f" Until then it is finite at the loss scale {power_and_value(self.scale)}." if self.scale else ""
            return f"{self._sizes_text().strip()}{scale}{cure}"
        if self.kind == "invalid":
            return "It has no finite result in float64 either: neither a loss scale nor a type helps."
        if self.kind == "update":
            return "The gradients are finite, the Parameters are not any longer."
        if self.kind == "reported":
            return "Its own check is the reason."
        return f"{'The data is' if self.kind == 'data' else 'The Parameter is'} at fault, not the loss scale.{cure}"

    def _casts_text(self):
        """The sentence on casts that must go."""
        if not self.casts:
            return ""
        where = f"the narrowing cast{'s' * (len(self.casts) > 1)} at {', '.join(self.casts)}"
        cure = f", with: {'; '.join(self.remedy.splitlines()[:_SHOWN])}" if self.remedy else "."
        return f" No cell in float32 helps alone: the step is finite without {where}{cure}"

    def _sizes_text(self):
        """The sentence on Parameters that have grown or are large."""
        if not self.sizes:
            return ""
        sizes = [Size(*size) for size in self.sizes]
        more = f" and {len(sizes) - _SHOWN} more" if len(sizes) > _SHOWN else ""
        named = f"{', '.join(map(str, sizes[:_SHOWN]))}{more}"
        if sizes[0].before is None:
            return f" Parameters are large: {named}. Begin with a smaller sigma, or lower the learning rate."
        most = power_and_value(max(size.growth for size in sizes))
        steps = "" if self.steps is None else f" in {self.steps} step{'s' * (self.steps != 1)}"
        grown = f"Parameters have grown up to {most} times{steps}: {named}."
        if self.kind == "large":
            return f" The learning rate is too high: {grown} Lower it, or clip the gradients."
        return f" {grown} Lower the learning rate, or clip the gradients."


def as_sentences(first, second):
    """Two texts as sentences one after the other; the second may be empty or None."""
    return f"{first}{' ' if first.endswith('.') else '. '}{second}" if second else first


def _shortened(remedy):
    """The first lines of a remedy as one."""
    lines = remedy.splitlines()
    more = f"; and {len(lines) - _SHOWN} lines more of its remedy" if len(lines) > _SHOWN else ""
    return f"{'; '.join(lines[:_SHOWN])}{more}"


def _powers(ranges):
    return " and ".join(f"of {powers_text(*pair)}" for pair in ranges if pair)


def same_place(verdict, other):
    """True if two verdicts name the same place and kind."""
    return verdict.kind == other.kind and all(getattr(verdict, name) == getattr(other, name) for name in PLACE)
