"""Reverse-mode differentiation: record operations on a tape, then visit them newest first.

A record is ``(rule, inputs, out)``: ``rule(*inputs, out, dout)`` gives one gradient for each input, as Tensors, or None
where none is needed. Rules are written with the library's own operations, so that differentiating while another tape
records gives derivatives of any order. The engine knows no operation by name, and does not recurse: a longer chain is
only a longer list. ``record_outputs`` makes the records; ``Primitive.__call__`` and ``of_two`` each hold a copy of it,
because a further function call is a noticeable cost for small Tensors.
"""

from __future__ import annotations

import inspect
import numbers
import operator
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from functools import reduce, wraps
from typing import Any, TypeAlias

from minispore.core import backend, dtype
from minispore.core.checks import check_64_bits, check_bool, is_int
from minispore.core.context import running, under
from minispore.core.errors import memory_error, shown, type_error, value_error
from minispore.core.layers import silent
from minispore.core.lazy_sum import Late, joined
from minispore.core.nest import in_order_of, leaves, map_leaves, replace_leaves, select
from minispore.core.tensor import Tensor, wrap
from minispore.core.tracebacks import fold
from minispore.core.writes import Tape, renamed, stand_in, write

__all__ = ["grad", "jvp", "value_and_grad", "vjp"]

Positions: TypeAlias = int | tuple[int, ...] | None  # of the inputs to differentiate by
Weights: TypeAlias = Iterable[Any] | None  # a Parameter, or several


def needs_grad(x):
    """True if a tape follows ``x``; a rule gives None for the gradient of any other input."""
    try:
        return x._tape is not None
    except AttributeError:  # it is not a Tensor
        return False


def is_differentiable(x):
    """True if ``x`` is a Tensor of a floating type."""
    return isinstance(x, Tensor) and x.array.dtype in dtype.FLOATS


def record_outputs(rule, inputs, outputs):
    """Record a computed operation on the tape, if the tape follows any of its inputs.

    ``outputs`` is a Tensor, or a tuple of Tensors for an operation with several outputs.
    """
    tape = running.tape
    if tape is None:
        return
    for x in inputs:
        if getattr(x, "_tape", None) is tape:
            break
    else:
        return
    for y in outputs if type(outputs) is tuple else (outputs,):
        y._tape = tape
    tape.append((rule, inputs, outputs))


def flatten(tree):
    """The Tensors of a nest, in order."""
    return select(Tensor, tree)


def zeros_like(x):
    """A Tensor of zeros of the shape and dtype of ``x``."""
    return _filled(backend.xp.zeros, x.array)  # a third of the time of the module's own zeros_like


def ones_like(x):
    """A Tensor of ones of the shape and dtype of ``x``."""
    return _filled(backend.xp.ones, x.array)


def _filled(fill, like):
    try:
        return wrap(fill(like.shape, like.dtype))
    except MemoryError as error:
        raise memory_error("grad", error) from error


def _pass_through(x, out, dout):
    return dout


def alias(x):
    """Another Tensor of the same values, through which gradients pass unchanged."""
    other = wrap(x.array)
    record_outputs(_pass_through, (x,), other)
    return other


def _own(x):
    return alias(x) if isinstance(x, Tensor) else x


def _origin(x):
    """A stand-in for input ``x`` at which differentiation starts, linked to ``x`` for an outer derivative."""
    if not isinstance(x, Tensor):
        return x
    origin = alias(x)
    origin._tape = running.tape
    return origin


class _Arrived(tuple):
    """The gradients of a record's outputs; one that has not arrived is zeros, which are made when a rule reads them."""

    def __getitem__(self, i):
        if not isinstance(i, int):
            return tuple([self[k] for k in range(*i.indices(len(self)))])
        g = super().__getitem__(i)
        return zeros_like(self.outs[i]) if g is None else g

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))


def _gradients_of(out, grads):
    """The gradients of a record's outputs, as a tuple; None if none has arrived."""
    found = tuple([grads.pop(y, None) for y in out])
    missing = sum([g is None for g in found])
    if missing in (0, len(out)):
        return None if missing else found
    arrived = _Arrived(found)
    arrived.outs = out
    return arrived


def _added(before, g, own, x):
    """``before + g``, in place if ``before`` is a sum in ``own``, which nothing else refers to; the gradient of x."""
    narrow = running.narrow_grads is not None and id(x) in running.narrow_grads
    if type(g) is Late:
        sum_of_both = joined(before, g, x.array.dtype if narrow else None)
        if sum_of_both is not None:
            return sum_of_both
    if narrow:
        before, g = before.astype(x.dtype), g.astype(x.dtype)
    a, b = before.array, g.array
    if before in own and a.dtype == b.dtype and a.shape == b.shape and a.dtype not in dtype.NARROW_FLOATS:
        backend.xp.add(a, b, out=a)
        return before
    out = before + g
    if running.tape is None and not running.seen:
        own.add(out)
    return out


def sweep(records, grads):
    """Visit ``records`` newest first, consuming them: apply each rule to its outputs' gradients and sum the results.

    Args:
        records (list): The records, oldest first.
        grads (dict): Tensor to gradient, holding the seeds; on return, the gradients of all Tensors without a record.
    """
    pop, take, arrived = records.pop, grads.get, grads.pop
    own = set()
    while records:
        rule, inputs, out = pop()
        dout = _gradients_of(out, grads) if type(out) is tuple else arrived(out, None)
        if dout is None:
            continue
        if own:  # a rule may return its argument
            own.difference_update(tuple.__iter__(dout) if isinstance(dout, tuple) else (dout,))
        results = rule(*inputs, out, dout)
        if type(results) in (list, _Arrived):  # the latter if a rule hands on what it was given: without zeros
            results = tuple(results) if type(results) is list else tuple(tuple.__iter__(results))
        for i, g in enumerate(results if type(results) is tuple else (results,)):  # `zip(strict=...)` is far slower
            if g is not None and getattr(inputs[i], "_tape", None) is not None:
                before = take(inputs[i])
                grads[inputs[i]] = g if before is None else _added(before, g, own, inputs[i])


@contextmanager
def _followed(weights, tape):
    """Let ``tape`` follow the Parameters ``weights`` during a ``with`` block."""
    marks = [w._tape for w in weights]
    try:
        for w in weights:
            w._tape = tape
        yield
    finally:
        for w, mark in zip(weights, marks, strict=False):
            w._tape = mark


class Trace:
    """One recorded run of a function: its output, the origins that stood in for its inputs, and the records.

    Inside a run that is itself recorded (a derivative of a derivative), the same tape continues and keeps the records.
    """

    def __init__(self, fn, args, positions=(), weights=()):
        outer, outer_stand_ins = running.tape, running.stand_ins
        self.tape = Tape() if outer is None else outer
        self.weights, args = weights, list(args)
        self.cast_cache = {} if running.cast_cache is None else running.cast_cache
        self.stand_ins = {}  # Tensor that the run writes -> stand-ins that keep its values from before each write
        run = under(tape=self.tape, cast_cache=self.cast_cache, stand_ins=self.stand_ins)
        with run, _followed(weights, self.tape), silent():
            self.inputs = [map_leaves(_origin, args[p]) for p in positions]
            start = len(self.tape)
            given = [(x, args[p]) for p, x in zip(positions, self.inputs, strict=True)]
            for p, x in zip(positions, self.inputs, strict=True):
                args[p] = map_leaves(_own, x)  # what the function writes into it, the input's gradient must not see
            copies = [args[p] for p in positions]
            try:
                out = fn(*args)
                self._hand_back(given, copies)
                self.out = map_leaves(self._kept, out) if self.stand_ins else out
                self.records = self.tape[start:]
            except Exception as error:
                fold(error)
                raise
            finally:
                if outer is None:
                    del self.tape[start:]
                self._hand_on(outer_stand_ins)

    def _kept(self, y):
        """The output itself, or an alias of it if the run wrote it, which later writes do not reach."""
        return alias(y) if isinstance(y, Tensor) and y in self.stand_ins else y

    def _hand_back(self, given, copies):
        """Count the gradients of copies that the run wrote for their inputs; a Parameter takes the new values."""
        for (origins, xs), mine in zip(given, copies, strict=True):
            for origin, x, copy in zip(flatten(origins), flatten(xs), flatten(mine), strict=True):
                if copy.array is not origin.array:
                    self.stand_ins[origin] = [copy]
                    if x.is_state:
                        write(x, copy.array)

    def _hand_on(self, outer):
        """Report written Tensors to the enclosing run; without one, no tape follows them any more."""
        for x, stand_ins in self.stand_ins.items():
            if outer is None:
                x._tape = None
            else:
                outer.setdefault(x, []).extend(stand_ins)

    def gradients(self, seeds, keep=False, narrow=False, visit=None):
        """The gradients ``(of the inputs, of the weights)``, from pairs ``(output, gradient of the output)``.

        A Tensor without a path to the outputs gets zeros; an input that is not a Tensor gets None. Unless ``keep`` is
        True, the records are consumed, which frees their memory on the way. With ``narrow`` the gradient of a weight
        that was cast to float16 or bfloat16 may be of that dtype: the same numbers, which the caller widens.
        ``visit(trace, grads, narrow)`` may sweep and collect in its own way: several processes do.
        """
        grads, cast_cache = {}, None if keep else self.cast_cache
        narrow_grads = {id(w) for w in self.weights if w not in self.stand_ins} if narrow else None
        state = under(cast=None, cast_cache=cast_cache, narrow_grads=narrow_grads, pulling_back=True)
        with state, self._followed(), silent():
            for out, seed in seeds:
                if out._tape is self.tape:
                    grads[out] = grads[out] + seed if out in grads else seed
            if visit is not None:
                return visit(self, grads, narrow)
            sweep(list(self.records) if keep else self.records, grads)
            inputs = [map_leaves(lambda leaf: self.gradient_of(leaf, grads), x) for x in self.inputs]
            return inputs, tuple([self.gradient_of(w, grads, narrow) for w in self.weights])

    def named(self, x):
        """A Tensor, and the stand-ins that have its name in the records: the gradients of all are gradients of it."""
        return x, *self.stand_ins.get(x, ())

    def _followed(self):
        return _followed((*self.weights, *self.stand_ins), self.tape)

    def gradient_of(self, x, grads, narrow=False):
        """The gradient of an input or a weight, from those that a sweep has left; None if it is no Tensor."""
        if not isinstance(x, Tensor):
            return None
        several = [g for g in map(grads.get, self.named(x)) if g is not None]
        if not several:
            return zeros_like(x)
        found = several[0] if len(several) == 1 else reduce(operator.add, several)
        if found.array.dtype != x.array.dtype and not narrow:  # an integer input that was promoted to a floating type
            return found.astype(x.dtype)
        return alias(found)  # two inputs may share one gradient

    def freeze(self):
        """Fix the present values of the records' Tensors that no record made: Parameters, and Tensors from outside.

        An alias stands in for a Tensor that an outer derivative follows, so that the derivative reaches the Tensor.
        """
        made = {y for _, _, out in self.records for y in (out if type(out) is tuple else (out,))}
        made = made.union(flatten(self.inputs)).difference(self.stand_ins)
        with self._followed():
            named = {y for _, inputs, _ in self.records for y in inputs if isinstance(y, Tensor)}
            fixed = {y: stand_in(y) for y in named if y not in made}
        for y, frozen in fixed.items():
            record_outputs(_pass_through, (y,), frozen)
            self.stand_ins.setdefault(y, []).append(frozen)
        for x, stand_ins in self.stand_ins.items():
            self.stand_ins[x] = [fixed.get(y, y) for y in stand_ins]
        self.records = [renamed(record, fixed) for record in self.records]
        self.out = map_leaves(lambda y: fixed.get(y, y) if isinstance(y, Tensor) else y, self.out)


def in_order(fn, args, kwargs):
    """``fn`` as a function of positional inputs only, and the inputs: keywords in the order of fn's parameters."""
    if not kwargs:
        return fn, args
    try:
        target = inspect.unwrap(fn)
        parameters = list(inspect.signature(getattr(target, "construct", target)).parameters)
    except ValueError:  # a function without a signature
        parameters = []
    names = sorted(kwargs, key=lambda name: parameters.index(name) if name in parameters else len(parameters))

    def call(*inputs):
        return fn(*inputs[: len(args)], **dict(zip(names, inputs[len(args) :], strict=True)))

    return call, (*args, *[kwargs[name] for name in names])


def default_seeds(operation, out):
    """Ones as the gradient of every output; none for a constant, so that all gradients are zeros."""
    if not select((Tensor, numbers.Number), out):
        raise type_error(operation, "the function must return Tensors or numbers", type(out).__name__)
    return [(y, ones_like(y)) for y in flatten(out)]


def given_seeds(operation, out, sens):
    """The gradients ``sens``, one for each Tensor of ``out``, in their dtypes."""
    outputs, seeds = flatten(out), flatten(in_order_of(out, sens))
    if not outputs:  # a constant, to which no gradient goes
        return []
    if len(outputs) != len(seeds):
        raise value_error(operation, f"the sens must hold {len(outputs)} Tensors, one for each output", len(seeds))
    return [(y, _fitting(operation, y, seed)) for y, seed in zip(outputs, seeds, strict=True)]


def _degree(x):
    """2 for complex numbers, 1 for floating ones, 0 for others; a gradient may be of no higher one than its output."""
    return 2 if x.array.dtype in dtype.COMPLEX else int(x.array.dtype in dtype.FLOATS)


def _fitting(operation, y, seed):
    if y.shape != seed.shape:
        raise value_error(operation, f"the sens must have its output's shape, {y.shape}", seed.shape)
    if _degree(seed) > _degree(y):
        raise type_error(operation, f"the sens must have its output's dtype, {y.dtype}", seed.dtype)
    return seed if seed.dtype == y.dtype else seed.astype(y.dtype)


def weight_list(operation, weights):
    """The Parameters of a ``weights`` argument, each once, and whether it was a single Parameter."""
    if weights is None:
        return (), False
    single = isinstance(weights, Tensor)
    if not isinstance(weights, Iterable):
        raise type_error(operation, "the 'weights' must be Parameters", shown(weights))
    weights = (weights,) if single else tuple(weights)
    for w in weights:
        if not isinstance(w, Tensor):
            raise type_error(operation, "the 'weights' must be Parameters", type(w).__name__)
    return weights, single


def as_positions(operation, grad_position):
    """The input positions of a ``grad_position`` argument."""
    if grad_position is None:
        return ()
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    if not positions:
        raise value_error(operation, "the 'grad_position' must name an input", grad_position)
    for p in positions:
        if not is_int(p):
            raise type_error(operation, "the 'grad_position' must be an int or a tuple of ints", shown(grad_position))
        if p < 0 or positions.count(p) > 1:
            raise value_error(operation, "the 'grad_position' must be at least 0, each once", grad_position)
    return check_64_bits(operation, "grad_position", positions)


def _check_function(operation, fn):
    if not callable(fn):
        raise type_error(operation, "the 'fn' must be a function or a Cell", type(fn).__name__)


def _check_inputs(operation, positions, args):
    if positions and max(positions) >= len(args):
        raise value_error(operation, f"the 'grad_position' must be below the number of inputs, {len(args)}", positions)


def _with_ids(inputs, weights, positions, parameters):
    """Pair each gradient with its input's position or its Parameter's name."""
    return list(zip(positions, inputs, strict=True)), tuple(zip([w.name for w in parameters], weights, strict=True))


def bare(parts):
    """The only element if there is one, else a tuple of all."""
    return parts[0] if len(parts) == 1 else tuple(parts)


def split_aux(operation, out, kinds=tuple):
    """``(the output to differentiate, a tuple of the other outputs)``."""
    if not isinstance(out, kinds) or len(out) < 2:
        raise value_error(operation, "with 'has_aux' the function must return several outputs", "one")
    return out[0], tuple(out[1:])


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:
    """The function that computes ``fn`` and its gradient in one run: ``(out, d sum(out) / d inputs, weights)``.

    Args:
        fn (Union[Cell, Callable]): The function. With several outputs, their sum is differentiated.
        grad_position (Union[None, int, tuple[int]]): Which inputs. Default: 0, the first.
        weights (Union[None, Parameter, list, tuple, ParameterTuple]): Which Parameters, if any. Default: None.
        has_aux (bool): Whether only the first output is differentiated and the others are passed through.
        return_ids (bool): Whether each gradient comes in a pair with its input's position or Parameter's name.

    Returns:
        Callable. With both positions and weights the gradient is the pair ``(inputs, weights)``. One input or one
        Parameter gives a bare Tensor, several give a tuple, a tuple, list or dict of Tensors gives a nest like itself.
        Keywords count as inputs, in the order of the function's parameters. An input without a path gets zeros, an
        integer input gets an integer gradient; an input that holds no Tensor has no place in the result.

    Raises:
        ValueError: If ``grad_position`` and ``weights`` are both None, or a position is no input.
        TypeError: If ``fn`` cannot be called, ``has_aux`` or ``return_ids`` is no bool, or the output of ``fn`` holds
            neither a Tensor nor a number.

    Examples:
        >>> import minispore as ms
        >>> out, dx = ms.value_and_grad(lambda x: x * x)(ms.Tensor(3.0))
        >>> print(out, dx)
        9.0 6.0
    """
    _check_function("value_and_grad", fn)
    check_bool("value_and_grad", "has_aux", has_aux)
    check_bool("value_and_grad", "return_ids", return_ids)
    if grad_position is None and weights is None:
        raise value_error("value_and_grad", "one of 'grad_position' and 'weights' must be given", "None for both")
    positions = as_positions("value_and_grad", grad_position)
    parameters, one_weight = weight_list("value_and_grad", weights)

    @wraps(fn, updated=())
    def run(*args, **kwargs):
        call, args = in_order(fn, args, kwargs)
        _check_inputs("value_and_grad", positions, args)
        places = [p for p in positions if flatten(args[p])]
        trace = Trace(call, args, places, parameters)
        out = split_aux("value_and_grad", trace.out)[0] if has_aux else trace.out
        inputs, by_weight = trace.gradients(default_seeds("value_and_grad", out))
        if return_ids:
            inputs, by_weight = _with_ids(inputs, by_weight, places, parameters)
        by_weight = by_weight[0] if one_weight else by_weight
        if weights is None or not positions:
            return trace.out, bare(inputs) if weights is None else by_weight
        return trace.out, (bare(inputs), by_weight)

    return run


def grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:
    """The function that computes the gradient of ``fn``: ``d sum(out) / d inputs, weights``.

    Arguments, results and errors are those of :func:`value_and_grad` without the value; with ``has_aux`` the result is
    ``(gradient, other outputs)``.

    Examples:
        >>> import minispore as ms
        >>> cube = lambda x: x * x * x
        >>> print(ms.grad(ms.grad(cube))(ms.Tensor(2.0)))
        12.0
    """
    both = value_and_grad(fn, grad_position, weights, has_aux, return_ids)

    @wraps(fn, updated=())
    def run(*args, **kwargs):
        out, gradient = both(*args, **kwargs)
        return (gradient, out[1:]) if has_aux else gradient

    return run


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Weights = None, has_aux: bool = False) -> tuple[Any, ...]:
    """The output of ``fn``, and the pull-back ``v -> v^T J``.

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
    _check_function("vjp", fn)
    check_bool("vjp", "has_aux", has_aux)
    _check_tensors("vjp", "inputs", inputs)
    parameters, one_weight = weight_list("vjp", weights)
    trace = Trace(fn, inputs, range(len(inputs)), parameters)
    trace.freeze()
    out, aux = split_aux("vjp", trace.out, (tuple, list)) if has_aux else (trace.out, ())

    def pull_back(*sens):
        sens = sens[0] if len(sens) == 1 else sens
        by_input, by_weight = trace.gradients(given_seeds("vjp", out, sens), keep=True)
        if weights is None:
            return tuple(by_input)
        return tuple(by_input), by_weight[0] if one_weight else by_weight

    shown = map_leaves(_own, out)  # the caller may assign into it
    return (shown, pull_back, map_leaves(_own, bare(aux))) if has_aux else (shown, pull_back)


def _check_tensors(operation, argument, values):
    """Raise TypeError unless each value is a Tensor, or a tuple, list or dict of Tensors."""
    for value in values:
        for leaf in leaves(value):
            if not isinstance(leaf, Tensor):
                raise type_error(operation, f"the '{argument}' must be Tensors", type(leaf).__name__)


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

    Examples:
        >>> import minispore as ms
        >>> out, along = ms.jvp(lambda x: x * x, ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 10.0]))
        >>> print(along)
        [ 2. 40.]
    """
    check_bool("jvp", "has_aux", has_aux)
    inputs, v = (tuple(t) if isinstance(t, (tuple, list)) else (t,) for t in (inputs, v))
    _check_tensors("jvp", "inputs", inputs)
    _check_tensors("jvp", "v", v)
    out, pull_back, *aux = vjp(fn, *inputs, has_aux=has_aux)
    outputs = flatten(out)
    trace = Trace(pull_back, [zeros_like(y) for y in outputs], range(len(outputs)))
    along, _ = trace.gradients(given_seeds("jvp", trace.out, v))
    return (out, replace_leaves(Tensor, out, along), *aux)


def pulled_back(function, inputs, seeds):
    """The gradients of the inputs, as a tuple: None for an input that is not a Tensor."""
    trace = Trace(function, inputs, range(len(inputs)))
    return tuple(trace.gradients(given_seeds("pulled_back", trace.out, seeds))[0])


def of_gradient(function, seeds, inputs, dout, needed=None):
    """Second derivatives: the gradients, by seeds and inputs, of the gradient that ``function`` pulls back from seeds.

    ``dout`` holds the outer gradients for all inputs, or for the inputs at the positions ``needed``.
    """

    def gradient(*both):
        found = pulled_back(function, both[len(seeds) :], both[: len(seeds)])
        return found if needed is None else tuple([found[i] for i in needed])

    return pulled_back(gradient, (*seeds, *inputs), dout)
