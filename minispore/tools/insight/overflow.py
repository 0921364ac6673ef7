"""The reasons why a training step is not finite: judges, one for each kind of origin.

Reruns of the step prove a verdict; then everything is restored.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from typing import Any

from minispore.amp.loss_scale.rule import check_scale
from minispore.amp.lowbit.delayed import DelayedProduct
from minispore.amp.policy.cast_cells import _OutputTo16
from minispore.core.errors import value_error
from minispore.core.nest import map_leaves
from minispore.core.tensor import Tensor
from minispore.graph.facts import waits
from minispore.nn.error_location import name_in
from minispore.nn.nest_paths import keys_to, written
from minispore.parallel.overlapped_reduction import REDUCER
from minispore.tools.insight.causes import Place, advice_on, place_of
from minispore.tools.insight.non_finite import is_finite_in_float64
from minispore.tools.insight.numerics import is_finite
from minispore.tools.insight.operation_sites import Site
from minispore.tools.insight.reruns import Reruns, zeroed
from minispore.tools.insight.search import cells_in_float32
from minispore.tools.insight.sizes import diverged, divisor_of, notable
from minispore.tools.insight.subjects import as_code, subject_of
from minispore.tools.insight.verdict import PLACE, OverflowVerdict

__all__ = ["explain_overflow"]

_FEW = 2  # so many cells in float32 are advised even if Parameters are large
_NAMED = 4  # so many spoilt Parameters are named
_HELD = "A Tensor that the network holds"


def explain_overflow(step, *inputs, scale: float | None = None, network=None, scaler=None) -> Any:
    """Explain why a training step is not finite on its inputs: the operation, the place, the kind and a remedy.

    A step is not finite if its gradients overflow, its loss is nan or inf, or the optimizer makes Parameters so. It
    runs several times, operation by operation. Then Parameters, the loss scale, the random streams and the numbers and
    Tensors that cells hold are as they were. Other effects of the network's Python code, and a user's hooks, happen
    once for each run. Of a data-parallel step all processes call it together, each with its own inputs, and get the
    same verdict.

    Args:
        step (Union[Cell, Model, Callable]): The step: a training step with or without loss scaling, or a ``Model``, for
            its ``train_network``. Or a function that makes a whole step, or returns ``(loss, gradients)`` as
            ``value_and_grad`` does.
        *inputs: Its inputs, of the shapes and dtypes that it takes.
        scale (float): The loss scale to start from, above 0. Default: None, the present one.
        network (Cell): For a function: its network. Default: None, the first cell with Parameters to train that runs.
        scaler (LossScaler): For a function: the scaler of its loss. Default: None.

    Returns:
        OverflowVerdict, or None if the step is finite and no scale of low bits is frozen.

    Raises:
        TypeError: If ``step`` is none of these, or another argument is of a wrong kind.
        ValueError: If ``scale`` is not above 0, or the step has no loss scale.
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
    subject = subject_of("explain_overflow", step, network, scaler)
    used = subject.scale
    if scale is not None:
        used = float(check_scale("explain_overflow", "scale", scale, 0, above=True))
        if subject.scale is None:
            raise value_error("explain_overflow", "the 'scale' must be None of a step without a loss scale", scale)
    found = explained(Reruns("explain_overflow", subject, inputs, used, sys._getframe()))
    return found or _frozen_scale(subject)


def _frozen_scale(subject):
    """The verdict on a delayed scale that an infinity or a nan in its history has frozen, or None."""
    for cell in subject.all_cells():
        for history in (p for p in cell.get_parameters(False) if isinstance(cell, DelayedProduct)):
            if not is_finite(history.array):
                path, code = subject.shown(name_in(subject.root, cell)), subject.parameter_code(history)
                remedy = code and f"{code}.set_data(ms.ops.zeros({history.shape}))"
                nothing = dict.fromkeys(("operation", "phase", "differentiated", "where", "loss_scale", "scale"))
                named = {"cell": path, "cell_class": cell.cls_name, "given": history.name, "remedy": remedy}
                return OverflowVerdict("scale history", input_range=(), **nothing, **named)
    return None


def explained(reruns, like=None, first_sizes=None, steps=None):
    """The verdict on a step; ``like`` is the verdict on an earlier step, used again for the same place and reason.

    ``first_sizes`` are earlier sizes of Parameters by name, to see if they have grown; ``steps`` is their age in steps.
    """
    origin = reruns.origin()
    if origin is None:
        return None
    origin, judge = _without_harmless(reruns, origin), None
    if not _repeats(reruns, origin, like):
        origin, judge = _at_least_scale(reruns, origin)
    if judge is None or _repeats(reruns, origin, like):
        return replace(like, loss_scale=reruns.scale)
    leader = reruns.leader
    verdict = judge(reruns, origin, first_sizes)
    if verdict.sizes and verdict.sizes[0].before is not None:
        verdict = replace(verdict, steps=steps)
    facts = leader.broadcast(lambda: asdict(verdict))
    facts["place"] = Place(*map(_tuples, facts["place"]))
    return OverflowVerdict(
        **{name: _tuples(value) for name, value in facts.items() if name != "ranks"}, ranks=leader.ranks
    )


def _tuples(value):
    """Tuples in the place of JSON's lists; a Place stays a Place."""
    if isinstance(value, Place):
        return value
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def _repeats(reruns, origin, like):
    """True if the verdict on the origin is ``like``, as all processes know."""
    return like is not None and reruns.leader.broadcast(lambda: _is_like(reruns, origin, like))


def _is_like(reruns, origin, like):
    """True if the origin is at the place of an earlier verdict that no loss scale cured."""
    if like.kind == "reported" or like.scale is not None or reruns.found != like.found:
        return False
    facts = _facts(reruns, origin)
    given = _name_of_given(reruns, origin) if _source(origin) == "given" else None
    return all(facts.get(name, given) == getattr(like, name) for name in PLACE)


def _at_least_scale(reruns, origin):
    """The origin that no smaller loss scale cures, found in the run at scale 1, and its judge."""
    judges = {"given": _of_given, "reported": _reported, "operation": _of_operation, "update": _of_update}
    leader = reruns.leader
    source = leader.broadcast(lambda: _source(origin))
    if source != "operation" or reruns.scale is None or reruns.scale <= 1:
        return origin, judges[source]
    least = reruns.origin(scale=1.0)
    if least is None:
        return origin, _of_scale
    least = _without_harmless(reruns, least)
    found = reruns.leader.broadcast(lambda: _source(least))
    if found != "reported":
        return least, judges[found]
    reruns.leader = leader
    return origin, judges[source]


def _without_harmless(reruns, origin):
    """The origin; if a mask's infinities (a number in the code) became a nan, the operation that made the nan."""
    origin = _as_number(reruns, origin)
    if origin.number is None or origin.birth is None or origin.birth is origin.event:
        return origin
    return origin._replace(event=origin.birth, number=None)


def _as_number(reruns, origin):
    """The origin; a one-element Tensor of neither an input nor a cell becomes a number."""
    x = origin.given
    if x is None or x.ndim or _name_of_given(reruns, origin) != _HELD:
        return origin
    return origin._replace(given=None, number=float(x))


def _source(origin):
    """Source of the first non-finite value: "given" (an input), "operation", or unknown."""
    if origin.given is not None or origin.number is not None:
        return "given"
    if origin.event is None:
        return "reported"
    return "update" if origin.event.phase == "update" else "operation"


def _reported(reruns, origin, first_sizes):
    """The verdict on finite results."""
    return OverflowVerdict("reported", **_facts(reruns, origin), scale=None, given=None, remedy=None)


def _facts(reruns, origin):
    """The fields about the place."""
    event = origin.event
    site = event.site if event else Site("", (), ())
    phase = _phase(event)
    return {
        "operation": event.name if event else "",
        "phase": phase,
        "differentiated": site.operation or None if phase == "backward" else None,
        "cell": reruns.subject.shown(site.path),
        "cell_class": site.cells[-1][0].cls_name if site.cells else "",
        "where": f"{site.lines[0][0]}:{site.lines[0][1]}" if site.lines else None,
        "input_range": () if phase == "update" else origin.input_range,
        "loss_scale": reruns.scale,
        "found": reruns.found,
    }


def _phase(event):
    if event is None:
        return "backward"
    return "reduction" if event.primitive.name == REDUCER else event.phase


def _of_update(reruns, origin, first_sizes):
    """The verdict on an optimizer that makes non-finite Parameters."""
    place = place_of(origin.event)
    facts, advice = _facts(reruns, origin), advice_on(origin.event, place)
    named = f"It spoils {', '.join(origin.event.written[:_NAMED])}." if origin.event.written else None
    text = " ".join(filter(None, (named, advice)))
    return OverflowVerdict("update", **facts, scale=None, given=None, remedy=None, place=place, advice=text or None)


def _of_given(reruns, origin, first_sizes):
    """The verdict on a Tensor that is non-finite before the step, or on a number in the code."""
    parameters, leader = reruns.subject.parameters(), reruns.leader
    holder = leader.chosen(lambda: _holder(reruns, origin, parameters), parameters)
    facts, given = _facts(reruns, origin), leader.broadcast(lambda: _name_of_given(reruns, origin))
    advice = leader.broadcast(lambda: _advice_on_given(reruns, origin))
    if holder is not None:
        remedy = _mended(reruns, holder)
        return OverflowVerdict("parameter", **facts, scale=None, given=holder.name, remedy=remedy, advice=advice)
    found = None if origin.given is None else _input_of(reruns.inputs, origin.given)
    mends, remedy = leader.broadcast(lambda: found is not None and _is_assignable(reruns.inputs, found)), None
    if mends and reruns.is_finite(inputs=reruns.without_non_finite(origin.given)):
        remedy = f"{given} = ms.ops.nan_to_num({given}, 0.0, 0.0, 0.0)"
    held = leader.broadcast(lambda: found is None and origin.given is not None and given != _HELD)
    if held and reruns.is_finite(changed=[(origin.given, zeroed)] if origin.given is not None else []):
        remedy = f"{given} = ms.ops.nan_to_num({given}, 0.0, 0.0, 0.0)"
    return OverflowVerdict("data", **facts, scale=None, given=given, remedy=remedy, advice=advice)


def _holder(reruns, origin, parameters):
    """The Parameter that is non-finite before the step, or None."""
    x = origin.given
    return None if x is None else next((p for p in parameters if p is x or p.array is x.array), None)


def _name_of_given(reruns, origin):
    """The value that is not finite before the step, in words: a Parameter, an input, a cell's Tensor, or a number."""
    if origin.number is not None:
        return f"The number {origin.number:g} in the code"
    x = origin.given
    holder = _holder(reruns, origin, reruns.subject.parameters())
    if holder is not None or x is None:
        return None if holder is None else holder.name
    found = _input_of(reruns.inputs, x)
    return _attribute_of(reruns.subject, x) if found is None else f"inputs{written(found)}"


def _attribute_of(subject, x):
    """The path of the attribute in which a cell holds the Tensor."""
    for cell in subject.all_cells():
        for name, value in vars(cell).items():
            keys = keys_to(x.array, _arrays(value)) if isinstance(value, (Tensor, tuple, list, dict)) else None
            if keys is not None and not name.startswith("_"):
                path = name_in(subject.root, cell)
                return f"{subject.cell_code(cell)}.{name}{written(keys)}" if path.startswith(".") or not path else _HELD
    return _HELD


def _arrays(nest):
    """A nest with the arrays of its Tensors in their places."""
    return map_leaves(lambda leaf: leaf.array if isinstance(leaf, Tensor) else leaf, nest)


def _advice_on_given(reruns, origin):
    """The advice on the first nan derived from a given value."""
    birth = origin.birth
    if birth is None and origin.number is not None:
        return "It reaches the loss: leave the place open that the loss reads, or mask with a finite number, as -1e4."
    if birth is None or birth is origin.event:
        return None
    line = f" ({birth.site.lines[0][0]}:{birth.site.lines[0][1]})" if birth.site.lines else ""
    advice = advice_on(birth, place_of(birth))
    return f"The first nan comes of it in {birth.name}{line}.{f' {advice}' if advice else ''}"


def _mended(reruns, parameter):
    """The line that sets a Parameter's non-finite numbers to zero, or None if that does not help."""
    code = reruns.subject.parameter_code(parameter)
    if code is None or not reruns.is_finite(changed=[(parameter, zeroed)]):
        return None
    return f"{code}.set_data(ms.ops.nan_to_num({code}, 0.0, 0.0, 0.0))"


def _input_of(inputs, x):
    """The keys of the input with the array of the Tensor ``x``."""
    return keys_to(x.array, _arrays(tuple(inputs)))


def _is_assignable(inputs, keys):
    """True if the place at the keys can be assigned to: no tuple is on the way below the inputs."""
    held = inputs[keys[0]]
    for key in keys[1:]:
        if isinstance(held, tuple):
            return False
        held = held[key]
    return True


def _of_operation(reruns, origin, first_sizes):
    """The verdict on an operation with finite inputs, by the first judge that has one."""
    facts = {**_facts_of_operation(reruns, origin), "scale": None}
    sized = notable(reruns.weights(), first_sizes)
    judges = _of_grown, _of_float32, _of_casts, _without_cure
    verdict = next(filter(None, (judge(reruns, origin, facts, sized) for judge in judges)))
    advice = reruns.leader.broadcast(lambda: _advice_on_cast_input(reruns, origin.event))
    return replace(verdict, advice=verdict.advice or advice)


def _advice_on_cast_input(reruns, event):
    """The advice on an input of the step that is too large for a cast's type."""
    keys = keys_to(event.arrays[0], _arrays(tuple(reruns.inputs))) if event.name == "Cast" else None
    return None if keys is None else f"inputs{written(keys)} is too large for {event.spoilt[0].dtype}: scale the data."


def _facts_of_operation(reruns, origin):
    place = reruns.leader.broadcast(lambda: place_of(origin.event))
    return {**_facts(reruns, origin), "given": None, "place": Place(*place)}


def _of_scale(reruns, origin, first_sizes):
    """The verdict on a step that is finite at a smaller loss scale; on Parameters that have diverged, if they have."""
    scale = reruns.greatest_scale(works=True)
    facts = {**_facts_of_operation(reruns, origin), "scale": scale}
    grown = [(p, size) for p, size in notable(reruns.weights(), first_sizes) if size.before is not None]
    verdict = _of_large(reruns, facts, grown) if diverged(grown) else None
    if verdict is not None:
        return verdict
    remedy = reruns.subject.scale_code(scale)
    return OverflowVerdict("scale", **facts, remedy=remedy, sizes=tuple(size for _, size in grown))


def _of_grown(reruns, origin, facts, sized):
    """The verdict on Parameters that have grown."""
    return _of_large(reruns, facts, sized) if sized and sized[0][1].before is not None else None


def _of_large(reruns, facts, sized):
    """The verdict on Parameters that have grown or are large; None if the step is not finite with smaller ones."""
    divisors = [(p, divisor_of(p, size)) for p, size in sized]
    if not reruns.is_finite(changed=[(p, lambda x, by=by: x / by) for p, by in divisors]):
        return None
    codes = [(reruns.subject.parameter_code(p), by) for p, by in divisors]
    lines = [f"{code}.set_data({code} / {by!r})" for code, by in codes if code is not None]
    spoilt = any(not is_finite(p.array) for p, _ in sized)  # by an applied step: their old values are lost
    remedy = "\n".join(lines) if len(lines) == len(codes) and not spoilt else None
    return OverflowVerdict("large", **facts, remedy=remedy, sizes=tuple(size for _, size in sized))


def _of_float32(reruns, origin, facts, sized):
    """The verdict on a step that is finite in float32; if many cells need it, on large Parameters."""
    found = cells_in_float32(reruns)
    if sized and (found is None or len(found[0]) > _FEW):
        verdict = _of_large(reruns, facts, sized)
        if verdict is not None:
            return verdict
    if found is None:
        return None
    sizes = tuple(size for p, size in sized if reruns.leader.broadcast(lambda p=p: _reads(origin.event, p)))
    return OverflowVerdict("forward", **facts, remedy=_in_float32(reruns.subject, *found), sizes=sizes)


def _of_casts(reruns, origin, facts, sized):
    """The verdict on a step that is finite without casts in the code."""
    casts = reruns.casts_left_out()
    found = ((), None) if reruns.is_finite() else cells_in_float32(reruns)
    if found is None:
        return None
    remedy = _in_float32(reruns.subject, *found) or None
    lines = tuple(reruns.leader.gather([_cast_text(*cast) for cast in casts.values()]))
    return OverflowVerdict("forward", **facts, remedy=remedy, casts=lines)


def _without_cure(reruns, origin, facts, sized):
    """The verdict if nothing helps."""
    kind = "forward" if reruns.leader.broadcast(lambda: _exceeds_its_type(origin.event)) else "invalid"
    advice = reruns.leader.broadcast(lambda: advice_on(origin.event, place_of(origin.event)))
    return OverflowVerdict(kind, **facts, remedy=None, advice=advice)


def _reads(event, parameter):
    """True if an operation reads a Parameter, or a cast of it: an array of its shape, if it is no vector."""
    return parameter.ndim > 1 and any(getattr(a, "shape", None) == parameter.shape for a in event.arrays)


def _exceeds_its_type(event):
    """True if an operation's results are not finite only because of its type; always for sums over processes."""
    return waits(event.primitive) or bool(is_finite_in_float64(event))


def _in_float32(subject, cells, scale):
    """The lines of a remedy: cells to float32, and the scale unless it is None."""
    every = [cell for cell in subject.cells() if not isinstance(cell, _OutputTo16)]
    marked = [cell for cell in cells if not isinstance(cell, _OutputTo16)]
    if len(every) > 1 and set(map(id, every)) <= set(map(id, marked)):
        lines = [f"{subject.cell_code(subject.network)}.to_float(ms.float32)"]
        marked = [cell for cell in marked if id(cell) not in set(map(id, every))]
    else:
        lines = []
    lines += [f"{subject.cell_code(cell)}.add_flags(fp32=True)" for cell in marked]
    lines += [line for cell in cells if isinstance(cell, _OutputTo16) for line in _unwrapping(subject, cell)]
    return "\n".join(lines if scale is None else [*lines, subject.scale_code(scale)])


def _unwrapping(subject, cell):
    """The lines that replace the wrapper ``cell`` by the cell inside, under each of its names."""
    for holder in [holder for holder in subject.all_cells() if cell in holder._cells.values()]:
        for name in [name for name, held in holder._cells.items() if held is cell]:
            path = f"{subject.cell_code(holder)}{as_code(name)}"
            yield f"{path} = {path}._backbone"


def _cast_text(site, of_white_list):
    """The place of a cast: the user's line, or the path of its cell."""
    place = f"{site.lines[0][0]}:{site.lines[0][1]}" if site.lines else site.path
    return f"{place} (of the white list)" if of_white_list else place
