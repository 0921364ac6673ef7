"""The overflow verdict: which operation made a training step overflow, why, and what makes the step finite.

Each kind is proved by running the step again, after which everything is as it was.
"""

import sys
from dataclasses import asdict, dataclass

from minispore.amp.loss_scale.rule import check_scale
from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.amp.policy.cast_cells import _OutputTo16
from minispore.errors import type_error
from minispore.insight.attempts import Attempts
from minispore.insight.non_finite import is_finite_when_wide
from minispore.insight.numerics import power_text
from minispore.insight.sites import Site
from minispore.nest import keys_to, map_leaves, written
from minispore.nn.error_location import name_in
from minispore.nn.overlapped_reduction import REDUCER
from minispore.tensor import Tensor

__all__ = ["OverflowVerdict", "explain_overflow"]

_NO_CURE = " No cell in float32 helps."
_TOLD = 4  # lines of a remedy that the sentence has


@dataclass(frozen=True)
class OverflowVerdict:
    """Why a step overflowed; ``str`` of it is a sentence or two.

    Attributes:
        kind (str): "scale": the step is finite at a smaller loss scale, from 1 on. "forward": the range of the
            operation's type is exceeded at every such scale. "data": an input of the step holds a nan or an inf, or
            a Tensor does that the network holds. "parameter": a Parameter does. "invalid": the operation has no finite
            result of its inputs, in float64 either. "reported": a step of a user's own reports an overflow of finite
            results.
        operation (str): The operation whose output is the first that is not finite, or that first reads what is not.
        phase (str): "forward", "backward", or "reduction" where the sum of several processes' gradients is not finite.
        differentiated (str): In the backward pass: the operation of the forward pass whose gradient it belongs to.
        cell (str): The path of the cell that it runs in, from the step on.
        cell_class (str): The class of that cell.
        where (str): The user's line, "file:line", or None where no line of the user's runs.
        input_range (tuple): Of each floating input of the operation the exponents of two ``(low, high)`` of its least
            and greatest magnitude; None for one of zeros.
        loss_scale (float): The loss scale of the step.
        scale (float): The greatest power of two at which the step is finite, for the kind "scale"; else None.
        given (str): The input (``inputs[0]``) or the Parameter that is not finite, or None.
        remedy (str): The lines of Python, of ``step``, ``inputs`` (a list) and ``ms``, with which the step is finite,
            as a run has shown; None where there is none.
        casts (tuple): Where casts to float16 or bfloat16 are, which float32 in their cells does not change, and without
            which the step is finite, with the remedy if there is one: "file:line", or the path of a cell, followed by
            " (of the white list)" if the conversion to O1 put it there.
        ranks (tuple): The processes of a data-parallel step in which something that is not finite arose; the other
            fields tell of the first of them. Empty in one process alone, and where it arises from all together.
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

    def __str__(self):
        ranks = f"On rank{'s' if len(self.ranks) > 1 else ''} {', '.join(map(str, self.ranks))}: " if self.ranks else ""
        return f"{ranks}{self._place()}. {self._reason()}"

    def _place(self):
        if self.kind == "reported":
            return "The step reports an overflow, but all its results are finite"
        known = ", ".join(part for part in (self.cell_class, self.where) if part)
        at = f"{f' in the cell {self.cell}' if self.cell else ''}{f' ({known})' if known else ''}"
        if self.given:
            return f"{self.given} is not finite{f', which {self.operation} reads{at}' if self.operation else ''}"
        of = f" of {self.differentiated}" if self.differentiated else ""
        ranges = _powers(self.input_range)
        during = "reduction of the gradients" if self.phase == "reduction" else f"{self.phase} pass{of}"
        return (
            f"{self.operation}{at} gives the first result that is not finite, in the {during}"
            f"{f', from inputs {ranges}' if ranges else ''}"
        )

    def _reason(self):
        lines = self.remedy.splitlines() if self.remedy else []
        more = f"; and {len(lines) - _TOLD} lines more of its remedy" if len(lines) > _TOLD else ""
        cure = f" The step is finite with: {'; '.join(lines[:_TOLD])}{more}" if lines else ""
        if self.kind == "scale":
            greatest = f"{power_text(self.scale)} is the greatest that works"
            return f"The loss scale {power_text(self.loss_scale)} is too high: {greatest}."
        if self.kind == "forward":
            return f"The range of its type is exceeded at every loss scale.{self._casts_told() or cure or _NO_CURE}"
        if self.kind == "invalid":
            return "It has no finite result in float64 either: neither a loss scale nor a type helps."
        if self.kind == "reported":
            return "Its own check is the reason."
        return f"{'The data is' if self.kind == 'data' else 'The Parameter is'} at fault, not the loss scale.{cure}"

    def _casts_told(self):
        """The sentence on casts that must go."""
        if not self.casts:
            return ""
        where = f"the narrowing cast{'s' * (len(self.casts) > 1)} at {', '.join(self.casts)}"
        cure = f", with: {'; '.join(self.remedy.splitlines()[:_TOLD])}" if self.remedy else "."
        return f" No cell in float32 helps alone: the step is finite without {where}{cure}"


def _powers(ranges):
    known = [pair for pair in ranges if pair]
    return " and ".join(f"of 2**{low} to 2**{high}" if low < high else f"of about 2**{low}" for low, high in known)


def explain_overflow(step, *inputs, scale=None):
    """Why a training step with loss scaling overflows on its inputs: the operation, the place, the kind and a remedy.

    The step runs several times, operation by operation; then Parameters, the loss scale and the random streams are as
    they were. What a network's own Python code changes besides, and a user's hooks, come once for each run. Of a
    data-parallel step all processes call it together, each with its own inputs, and get the same verdict.

    Args:
        step (TrainOneStepWithLossScaleCell): The step.
        *inputs: Its inputs.
        scale (float): The loss scale to start from, above 0. Default: None, the present one.

    Returns:
        OverflowVerdict, or None if the step is finite.

    Raises:
        TypeError: If ``step`` is not a TrainOneStepWithLossScaleCell, or does not return a tuple ``(loss, overflow,
            ...)``, or ``scale`` is not a number.
        ValueError: If ``scale`` is not above 0.
        RuntimeError: If the step is data-parallel, and a process calls something else, or does not come in time.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss())
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> scale = ms.nn.FixedLossScaleUpdateCell(1024)
        >>> step = ms.nn.TrainOneStepWithLossScaleCell(net, optimizer, scale)
        >>> x = ms.Tensor([[1.0, float("nan")]])
        >>> verdict = ms.insight.explain_overflow(step, x, ms.ops.zeros((1, 1)))
        >>> print(verdict.kind, verdict.given)
        data inputs[0]
    """
    check_step("explain_overflow", step)
    used = step.scale_sense if scale is None else check_scale("explain_overflow", "scale", scale, 0, above=True)
    return _verdict(Attempts("explain_overflow", step, inputs, float(used), sys._getframe()))


def check_step(operation, step):
    """Raise TypeError unless ``step`` is a training step with loss scaling."""
    if not isinstance(step, TrainOneStepWithLossScaleCell):
        expected = "the 'step' must be a TrainOneStepWithLossScaleCell"
        raise type_error(operation, expected, type(step).__name__)
    return step


def _verdict(attempts):
    origin = attempts.origin()
    if origin is None:
        return None
    speaker = attempts.speaker
    judges = {"given": _of_given, "reported": _reported, "operation": _of_operation}
    verdict = judges[speaker.told(lambda: _source(origin))](attempts, origin)
    told = speaker.told(lambda: asdict(verdict))
    told["input_range"] = tuple([pair and tuple(pair) for pair in told["input_range"]])
    return OverflowVerdict(**{**told, "casts": tuple(told["casts"]), "ranks": speaker.ranks})


def _source(origin):
    """Where the first that is not finite comes from: what was "given", an "operation", or nothing that is known."""
    if origin.given is not None:
        return "given"
    return "reported" if origin.event is None else "operation"


def _reported(attempts, origin):
    """The verdict on finite results."""
    return OverflowVerdict("reported", **_facts(attempts, origin), scale=None, given=None, remedy=None)


def _facts(attempts, origin):
    """The fields that tell of the place."""
    event, step = origin.event, attempts.step
    site = event.site if event else Site("", (), ())
    phase = _phase(event)
    return {
        "operation": event.primitive.name if event else "",
        "phase": phase,
        "differentiated": site.operation or None if phase == "backward" else None,
        "cell": site.path.removeprefix(step.cls_name).removeprefix("."),
        "cell_class": site.cells[-1][0].cls_name if site.cells else "",
        "where": f"{site.lines[0][0]}:{site.lines[0][1]}" if site.lines else None,
        "input_range": origin.input_range,
        "loss_scale": attempts.scale,
    }


def _phase(event):
    if event is None:
        return "backward"
    return "reduction" if event.primitive.name == REDUCER else event.phase


def _of_given(attempts, origin):
    """The verdict on a Tensor that is not finite as the step begins."""
    x, parameters = origin.given, list(attempts.step.get_parameters())
    holder = attempts.speaker.chosen(lambda: next((p for p in parameters if p.array is x.array), None), parameters)
    if holder is not None:
        facts, remedy = _facts(attempts, origin), _mended(attempts, holder)
        return OverflowVerdict("parameter", **facts, scale=None, given=holder.name, remedy=remedy)
    found = None if x is None else _input_of(attempts.inputs, x)
    given = "A Tensor that the network holds" if found is None else f"inputs{written(found)}"
    mends, remedy = attempts.speaker.told(lambda: found is not None and _is_assignable(attempts.inputs, found)), None
    if mends and attempts.is_finite(inputs=attempts.without_non_finite(x)):
        remedy = f"{given} = ms.ops.nan_to_num({given}, 0.0, 0.0, 0.0)"
    return OverflowVerdict("data", **_facts(attempts, origin), scale=None, given=given, remedy=remedy)


def _mended(attempts, parameter):
    """The line that puts zeros for what is not finite in the Parameter, or None where that does not help."""
    owned = attempts.step.network.parameters_and_names("network")
    place = next((path for path, p in owned if p is parameter), None)
    if place is None or not attempts.is_finite(parameter=parameter):
        return None
    code = f"step.{_code(place)}"
    return f"{code}.set_data(ms.ops.nan_to_num({code}, 0.0, 0.0, 0.0))"


def _input_of(inputs, x):
    """The keys that lead to the input whose array the Tensor ``x`` has."""
    arrays = map_leaves(lambda leaf: leaf.array if isinstance(leaf, Tensor) else leaf, tuple(inputs))
    return keys_to(x.array, arrays)


def _is_assignable(inputs, keys):
    """Whether the place to which keys lead can be assigned to: whether no tuple is on the way below the inputs."""
    held = inputs[keys[0]]
    for key in keys[1:]:
        if isinstance(held, tuple):
            return False
        held = held[key]
    return True


def _of_operation(attempts, origin):
    """The verdict on an operation of finite inputs."""
    facts, speaker = _facts(attempts, origin), attempts.speaker
    scale = attempts.greatest_scale()
    if scale is not None:
        return OverflowVerdict("scale", **facts, scale=scale, given=None, remedy=_at_scale(scale))
    found = attempts.in_float32()
    if found is not None:
        return OverflowVerdict("forward", **facts, scale=None, given=None, remedy=_in_float32(attempts.step, *found))
    casts = attempts.casts_left_out()
    found = ((), None) if attempts.is_finite() else attempts.in_float32()
    if found is not None:
        remedy = _in_float32(attempts.step, *found) or None
        lines = tuple(speaker.of_all([_told(*cast) for cast in casts.values()]))
        return OverflowVerdict("forward", **facts, scale=None, given=None, remedy=remedy, casts=lines)
    kind = "forward" if speaker.told(lambda: _exceeds_its_type(origin.event)) else "invalid"
    return OverflowVerdict(kind, **facts, scale=None, given=None, remedy=None)


def _exceeds_its_type(event):
    """Whether an operation's results are not finite for its type alone; those of sums over processes always are."""
    return event.primitive.communicates or bool(is_finite_when_wide(event))


def _in_float32(step, cells, scale):
    """The lines that let the cells compute in float32, and that set the scale unless it is None."""
    every = [cell for _, cell in step.network.cells_and_names() if not isinstance(cell, _OutputTo16)]
    marked = [cell for cell in cells if not isinstance(cell, _OutputTo16)]
    if len(marked) == len(every) > 1:
        lines = ["step.network.to_float(ms.float32)"]
    else:
        lines = [f"{_cell_code(step, cell)}.add_flags(fp32=True)" for cell in marked]
    lines += [line for cell in cells if isinstance(cell, _OutputTo16) for line in _unwrapping(step, cell)]
    return "\n".join(lines if scale is None else [*lines, _at_scale(scale)])


def _unwrapping(step, cell):
    """The lines that put what ``cell`` is around in its place, under each of its names."""
    for holder in [holder for _, holder in step.cells_and_names() if cell in holder._cells.values()]:
        for name in [name for name, held in holder._cells.items() if held is cell]:
            path = _code(f"{name_in(step, holder)[1:]}.{name}") if holder is not step else name
            yield f"step.{path} = step.{path}._backbone"


def _told(site, of_white_list):
    """Where a cast is: the user's line, or the path of its cell."""
    place = f"{site.lines[0][0]}:{site.lines[0][1]}" if site.lines else site.path
    return f"{place} (of the white list)" if of_white_list else place


def _at_scale(scale):
    return f"step.scale_sense.set_data(ms.ops.full_like(step.scale_sense, {scale!r}))"


def _cell_code(step, cell):
    return f"step{_code(name_in(step, cell))}"


def _code(path):
    """A path as Python reads it: ``layers.0.weight`` as ``layers[0].weight``."""
    first, *rest = path.split(".")
    return first + "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in rest)
