"""Products with the Jacobian of a function: ``vjp``, a pull-back, and ``jvp``, by two pull-backs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.nest import map_leaves, replace_leaves
from minispore.core.records import renamed
from minispore.core.tape import flatten, pass_through, record_outputs, zeros_like
from minispore.core.tensor import Tensor
from minispore.core.trace import Trace, own
from minispore.core.writes import stand_in
from minispore.ops.functional.gradient_arguments import Weights, bare, check_function, split_aux, weight_list
from minispore.ops.gradient_seeds import check_tensors, given_seeds

__all__ = ["jvp", "vjp"]


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Weights = None, has_aux: bool = False) -> tuple[Any, ...]:
    """The output of ``fn``, and the pull-back ``v -> v^T J``.

    Shapes: a gradient has the shape of its input. The dtypes are those that ``fn`` takes.

    Returns:
        tuple ``(out, pull_back)``, or ``(out, pull_back, aux)`` with ``has_aux``, where ``aux`` is the other output, or
        the tuple of the others. ``pull_back`` takes one Tensor for each output and returns a tuple of one gradient for
        each input; with ``weights``, the pair of that and the Parameters' gradients. It may be called several times,
        and uses the values of the time when ``fn`` ran.

    Raises:
        TypeError: If an input is neither a Tensor nor a nest of Tensors.

    Examples:
        >>> import minispore as ms
        >>> out, pull_back = ms.vjp(lambda x: x * x, ms.Tensor([1.0, 2.0]))
        >>> print(pull_back(ms.Tensor([10.0, 1.0]))[0])
        [20.  4.]
    """
    check_function("vjp", fn)
    check_bool("vjp", "has_aux", has_aux)
    check_tensors("vjp", "inputs", inputs)
    parameters, one_weight = weight_list("vjp", weights)
    trace = Trace(fn, inputs, range(len(inputs)), parameters)
    _freeze(trace)
    out, aux = split_aux("vjp", trace.out, (tuple, list)) if has_aux else (trace.out, ())

    def pull_back(*sens):
        sens = sens[0] if len(sens) == 1 else sens
        by_input, by_weight = trace.gradients(given_seeds("vjp", out, sens), keep=True)
        if weights is None:
            return tuple(by_input)
        return tuple(by_input), by_weight[0] if one_weight else by_weight

    shown = map_leaves(own, out)  # the caller may assign into it
    return (shown, pull_back, map_leaves(own, bare(aux))) if has_aux else (shown, pull_back)


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The output of ``fn`` and its derivative along ``v``, ``J v``, by two pull-backs.

    Args:
        fn (Union[Cell, Callable]): The function.
        inputs (Union[Tensor, tuple[Tensor], list[Tensor]]): Its inputs.
        v (Union[Tensor, tuple[Tensor], list[Tensor]]): One direction for each input, of its shape.
        has_aux (bool): Whether only the first output is differentiated and the others are passed through.

    Returns:
        tuple ``(out, J v)``, or ``(out, J v, aux)`` with ``has_aux``, with ``aux`` as in :func:`vjp`.

    Raises:
        TypeError: If an input or a direction is not a Tensor.
        ValueError: If the sens does not have its output's shape, or the sens does not hold one Tensor for each output.

    Examples:
        >>> import minispore as ms
        >>> out, along = ms.jvp(lambda x: x * x, ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 10.0]))
        >>> print(along)
        [ 2. 40.]
    """
    check_bool("jvp", "has_aux", has_aux)
    inputs, v = (tuple(t) if isinstance(t, (tuple, list)) else (t,) for t in (inputs, v))
    check_tensors("jvp", "inputs", inputs)
    check_tensors("jvp", "v", v)
    out, pull_back, *aux = vjp(fn, *inputs, has_aux=has_aux)
    outputs = flatten(out)
    trace = Trace(pull_back, [zeros_like(y) for y in outputs], range(len(outputs)))
    along, _ = trace.gradients(given_seeds("jvp", trace.out, v))
    return (out, replace_leaves(Tensor, out, along), *aux)


def _freeze(trace):
    """Fix the present values of the records' Tensors that no record made: Parameters, and Tensors from outside.

    An alias stands in for a Tensor that an outer derivative follows, so that the derivative reaches the Tensor.
    """
    made = {y for _, _, out in trace.records for y in (out if type(out) is tuple else (out,))}
    made = made.union(flatten(trace.inputs)).difference(trace.stand_ins)
    with trace._followed():
        named = {y for _, inputs, _ in trace.records for y in inputs if isinstance(y, Tensor)}
        fixed = {y: stand_in(y) for y in named if y not in made}
    for y, frozen in fixed.items():
        record_outputs(pass_through, (y,), frozen)
        trace.stand_ins.setdefault(y, []).append(frozen)
    for x, stand_ins in trace.stand_ins.items():
        trace.stand_ins[x] = [fixed.get(y, y) for y in stand_ins]
    trace.records = [renamed(record, fixed) for record in trace.records]
    trace.out = map_leaves(lambda y: fixed.get(y, y) if isinstance(y, Tensor) else y, trace.out)
