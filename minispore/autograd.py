"""Reverse-mode differentiation: record operations on a tape, then visit them newest first.

A record is ``(rule, inputs, out)``: ``rule(*inputs, out, dout)`` gives one gradient for each input, as Tensors, or None
where none is needed. Rules are written with the library's own operations, so that differentiating while another tape
records gives derivatives of any order. The engine names no operation, and it does not recurse: a chain of any length is
a longer list.
"""

from contextlib import contextmanager
from functools import wraps

from minispore import backend, dtype
from minispore.context import running, under
from minispore.errors import type_error, value_error
from minispore.tensor import Tensor, wrap

__all__ = ["grad", "jvp", "value_and_grad", "vjp"]


def wanted(x):
    """True where a gradient with respect to ``x`` has somewhere to go, else None: ``wanted(x) and rule``."""
    try:
        return None if x._tape is None else True
    except AttributeError:  # it is no Tensor
        return None


def is_differentiable(x):
    """Whether ``x`` is a Tensor of a floating type: the only inputs that have a gradient."""
    return isinstance(x, Tensor) and x._data.dtype in dtype.FLOATS


def record(rule, inputs, out):
    """Put an operation that has been computed on the tape, if any of its inputs is followed by it."""
    tape = running.tape
    if tape is None:
        return
    for x in inputs:
        if getattr(x, "_tape", None) is tape:
            break
    else:
        return
    for y in out if type(out) is tuple else (out,):
        y._tape = tape
    tape.append((rule, inputs, out))


def flatten(tree):
    """The Tensors of a Tensor or of nested tuples and lists, in order."""
    if isinstance(tree, Tensor):
        return [tree]
    return [leaf for part in tree for leaf in flatten(part)] if isinstance(tree, (tuple, list)) else []


def nested_as(tree, parts):
    """A tuple or list like ``tree`` of other parts, which a named tuple takes one by one."""
    return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)


def rebuild(tree, leaves):
    """``tree`` with its Tensors replaced, in order, by what the iterator ``leaves`` yields."""
    if isinstance(tree, Tensor):
        return next(leaves)
    if not isinstance(tree, (tuple, list)):
        return tree
    return nested_as(tree, [rebuild(part, leaves) for part in tree])


def zeros_like(x):
    """A Tensor of zeros of the shape and dtype of ``x``."""
    return wrap(backend.xp.zeros(x._data.shape, x._data.dtype))  # a third of the time of the module's own zeros_like


def ones_like(x):
    """A Tensor of ones of the shape and dtype of ``x``."""
    return wrap(backend.xp.ones(x._data.shape, x._data.dtype))


def _pass_through(x, out, dout):
    return dout


def alias(x):
    """Another Tensor of the same values, through which gradients pass unchanged."""
    other = wrap(x._data)
    record(_pass_through, (x,), other)
    return other


def supersede(x):
    """A stand-in that takes the place of ``x`` in every record so far, so that ``x`` may take other values.

    ``x._since`` says where ``x`` began anew last: only what was recorded after can name it.
    """
    old, tape = wrap(x._data), x._tape
    since_tape, since = getattr(x, "_since", (None, 0))
    old._tape = tape
    swap = lambda y: old if y is x else y  # noqa: E731 - used three times in the two lines below
    for i in range(since if since_tape is tape else 0, len(tape or ())):
        rule, inputs, out = tape[i]
        if out is x or any(y is x for y in inputs) or (type(out) is tuple and any(y is x for y in out)):
            tape[i] = rule, tuple(map(swap, inputs)), tuple(map(swap, out)) if type(out) is tuple else swap(out)
    return old


def _origin(x):
    """A stand-in for input ``x`` at which a derivative starts, tied to ``x`` for an outer derivative."""
    origin = alias(x)
    origin._tape = running.tape
    return origin


def _gradients_of(out, grads):
    """The gradients that have arrived at a record's outputs, a tuple of them; None if none has."""
    arrived = [grads.pop(y, None) for y in out]
    if all(g is None for g in arrived):
        return None
    return tuple(zeros_like(y) if g is None else g for y, g in zip(out, arrived, strict=False))


def _added(before, g, own):
    """``before + g``, in the memory of ``before`` where that is a sum in ``own``: one that nobody else has seen."""
    a, b = before._data, g._data
    if before in own and a.dtype == b.dtype and a.shape == b.shape and a.dtype not in dtype.NARROW_FLOATS:
        backend.xp.add(a, b, out=a)
        return before
    out = before + g
    if running.tape is None and running.recorder is None:
        own.add(out)
    return out


def sweep(records, grads):
    """Visit ``records`` newest first, consuming them: pass each output's gradient through its rule, add up the results.

    Args:
        records (list): What was recorded, oldest first.
        grads (dict): Tensor to gradient, holding the seeds; on return, the gradients of all that no record made.
    """
    pop, take, arrived = records.pop, grads.get, grads.pop
    own = set()
    while records:
        rule, inputs, out = pop()
        dout = _gradients_of(out, grads) if type(out) is tuple else arrived(out, None)
        if dout is None:
            continue
        if own:  # a rule may hand on what it is given
            own.difference_update(dout if type(dout) is tuple else (dout,))
        results = rule(*inputs, out, dout)
        results = tuple(results) if type(results) is list else results
        for i, g in enumerate(results if type(results) is tuple else (results,)):  # `zip(strict=...)` is far slower
            if g is not None and getattr(inputs[i], "_tape", None) is not None:
                before = take(inputs[i])
                grads[inputs[i]] = g if before is None else _added(before, g, own)


@contextmanager
def _followed(weights, tape):
    """Have ``tape`` follow the Parameters ``weights`` for the length of a ``with`` block."""
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

    Inside a run that is itself recorded (a derivative of a derivative), the same tape goes on, and keeps the records.
    """

    def __init__(self, fn, args, kwargs=None, positions=(), weights=()):
        outer = running.tape
        self.tape = [] if outer is None else outer
        self.weights, args = weights, list(args)
        self.images = {} if running.images is None else running.images
        with under(tape=self.tape, images=self.images), _followed(weights, self.tape), backend.quiet():
            origins = [[_origin(x) if is_differentiable(x) else x for x in flatten(args[p])] for p in positions]
            self.inputs = [rebuild(args[p], iter(leaves)) for p, leaves in zip(positions, origins, strict=False)]
            start = len(self.tape)
            for p, leaves in zip(positions, origins, strict=True):  # aliases: a function may assign into its argument
                args[p] = rebuild(args[p], iter([alias(x) for x in leaves]))
            try:
                self.out = fn(*args, **(kwargs or {}))
                self.records = self.tape[start:]
            finally:
                if outer is None:
                    del self.tape[start:]

    def gradients(self, seeds, keep=False):
        """The gradients ``(of the inputs, of the weights)``, from pairs ``(output, gradient of the output)``.

        A Tensor without a path to the outputs gets zeros; an input that is no floating Tensor gets None. The records
        are used up, and the memory they hold is freed on the way, unless ``keep`` is True.
        """
        grads, images = {}, None if keep else self.images
        with under(cast=None, images=images), _followed(self.weights, self.tape), backend.quiet():
            for out, seed in seeds:
                if out._tape is self.tape:
                    grads[out] = grads[out] + seed if out in grads else seed
            sweep(list(self.records) if keep else self.records, grads)
        return [_in_place_of(x, grads) for x in self.inputs], tuple(_in_place_of(w, grads) for w in self.weights)


def _in_place_of(x, grads):
    """The gradients of ``x``, nested as ``x`` is."""
    if isinstance(x, (tuple, list)):
        return nested_as(x, [_in_place_of(part, grads) for part in x])
    if not is_differentiable(x):
        return None
    found = grads.get(x)
    return zeros_like(x) if found is None else alias(found)  # two inputs may have come to one gradient


def _default_seeds(operation, out):
    outputs = [y for y in flatten(out) if is_differentiable(y)]
    if not outputs:
        raise type_error(operation, "the function must return a floating Tensor or a tuple of them", type(out).__name__)
    return [(y, ones_like(y)) for y in outputs]


def _given_seeds(operation, out, sens):
    outputs, seeds = flatten(out), flatten(sens)
    if len(outputs) != len(seeds):
        raise value_error(operation, f"the sens must hold {len(outputs)} Tensors, one for each output", len(seeds))
    for y, seed in zip(outputs, seeds, strict=False):
        if y.shape != seed.shape:
            raise value_error(operation, f"the sens must have its output's shape, {y.shape}", seed.shape)
    return [
        (y, seed if seed.dtype == y.dtype else seed.astype(y.dtype)) for y, seed in zip(outputs, seeds, strict=False)
    ]


def _weight_list(operation, weights):
    """The Parameters of a ``weights`` argument, each once, and whether it was one Parameter alone."""
    if weights is None:
        return (), False
    single = isinstance(weights, Tensor)
    weights = (weights,) if single else tuple(weights)
    for w in weights:
        if not isinstance(w, Tensor):
            raise type_error(operation, "the 'weights' must be Parameters", type(w).__name__)
    return weights, single


def _positions(operation, grad_position):
    """The input positions of a ``grad_position`` argument, and whether it named exactly one."""
    if grad_position is None:
        return (), False
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    for p in positions:
        if isinstance(p, bool) or not isinstance(p, int):
            raise type_error(operation, "the 'grad_position' must be an int or a tuple of ints", repr(grad_position))
        if p < 0 or positions.count(p) > 1:
            raise value_error(operation, "the 'grad_position' must be at least 0, each once", grad_position)
    return positions, len(positions) == 1


def _check_function(operation, fn):
    if not callable(fn):
        raise type_error(operation, "the 'fn' must be a function or a Cell", type(fn).__name__)


def _check_inputs(operation, positions, args):
    if positions and max(positions) >= len(args):
        raise value_error(operation, f"the 'grad_position' must be below the number of inputs, {len(args)}", positions)


def _with_ids(inputs, weights, positions, parameters):
    """Pair each gradient with its input's position or its Parameter's name."""
    return list(zip(positions, inputs, strict=False)), tuple(zip([w.name for w in parameters], weights, strict=False))


def _arrange(inputs, weights, one_input, one_weight):
    """The result as MindSpore nests it: one gradient bare, several in a tuple, inputs' before weights'."""
    by_input = inputs[0] if one_input else tuple(inputs)
    by_weight = weights[0] if one_weight else weights
    return by_input, by_weight


def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """The function that computes ``fn`` and its gradient in one run: ``(out, d sum(out) / d inputs, weights)``.

    Args:
        fn (Union[Cell, Callable]): What to differentiate. Of several outputs the sum is differentiated.
        grad_position (Union[None, int, tuple[int]]): Which inputs. Default: 0, the first.
        weights (Union[None, Parameter, list, tuple, ParameterTuple]): Which Parameters, if any.
        has_aux (bool): Whether only the first output is differentiated and the others are handed through.
        return_ids (bool): Whether each gradient comes in a pair with its input's position or Parameter's name.

    Returns:
        Callable. With both inputs and weights the gradient is the pair ``(inputs, weights)``; one position or one
        Parameter gives a bare Tensor, several a tuple. An input without a path gets zeros, one that is no floating
        Tensor None.

    Raises:
        ValueError: If ``grad_position`` and ``weights`` are both None, or a position is no input.
        TypeError: If ``fn`` cannot be called, or its output holds no floating Tensor.

    Examples:
        >>> import minispore as ms
        >>> out, dx = ms.value_and_grad(lambda x: x * x)(ms.Tensor(3.0))
        >>> print(out, dx)
        9.0 6.0
    """
    _check_function("value_and_grad", fn)
    if grad_position is None and weights is None:
        raise value_error("value_and_grad", "one of 'grad_position' and 'weights' must be given", "None for both")
    positions, one_input = _positions("value_and_grad", grad_position)
    parameters, one_weight = _weight_list("value_and_grad", weights)

    @wraps(fn, updated=())
    def run(*args, **kwargs):
        _check_inputs("value_and_grad", positions, args)
        trace = Trace(fn, args, kwargs, positions, parameters)
        out = trace.out
        if has_aux and not (isinstance(out, tuple) and len(out) > 1):
            raise value_error("value_and_grad", "with 'has_aux' the function must return several outputs", "one")
        seeds = _default_seeds("value_and_grad", out[0] if has_aux else out)
        inputs, by_weight = trace.gradients(seeds)
        if return_ids:
            inputs, by_weight = _with_ids(inputs, by_weight, positions, parameters)
        by_input, by_weight = _arrange(inputs, by_weight, one_input, one_weight)
        if not parameters:
            return out, by_input
        return out, (by_weight if not positions else (by_input, by_weight))

    return run


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
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


def vjp(fn, *inputs, weights=None, has_aux=False):
    """The output of ``fn`` and the function that pulls a gradient of it back: ``v -> v^T J``.

    Returns:
        tuple ``(out, pull_back)``, or ``(out, pull_back, other outputs)`` with ``has_aux``. ``pull_back`` takes one
        Tensor for each output and gives one gradient for each input (bare if there is one), with ``weights`` the pair
        of both; it may be called several times, as long as the Parameters keep their values.

    Examples:
        >>> import minispore as ms
        >>> out, pull_back = ms.vjp(lambda x: x * x, ms.Tensor([1.0, 2.0]))
        >>> print(pull_back(ms.Tensor([10.0, 1.0])))
        [20.  4.]
    """
    _check_function("vjp", fn)
    parameters, one_weight = _weight_list("vjp", weights)
    trace = Trace(fn, inputs, positions=range(len(inputs)), weights=parameters)
    out = trace.out[0] if has_aux else trace.out

    def pull_back(*sens):
        seeds = _given_seeds("vjp", out, sens)
        by_input, by_weight = _arrange(*trace.gradients(seeds, keep=True), len(inputs) == 1, one_weight)
        return (by_input, by_weight) if parameters else by_input

    shown = rebuild(trace.out, iter([alias(y) for y in flatten(trace.out)]))  # which the caller may assign into
    return (shown[0], pull_back, shown[1:]) if has_aux else (shown, pull_back)


def jvp(fn, inputs, v, has_aux=False):
    """The output of ``fn`` and its derivative along ``v``: ``J v``, by pulling back twice.

    Args:
        fn (Union[Cell, Callable]): What to differentiate.
        inputs (Union[Tensor, tuple[Tensor], list[Tensor]]): Its inputs.
        v (Union[Tensor, tuple[Tensor], list[Tensor]]): One direction for each input, of its shape.
        has_aux (bool): Whether only the first output is differentiated and the others are handed through.

    Returns:
        tuple ``(out, J v)``, or ``(out, J v, other outputs)`` with ``has_aux``.

    Examples:
        >>> import minispore as ms
        >>> out, along = ms.jvp(lambda x: x * x, ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 10.0]))
        >>> print(along)
        [ 2. 40.]
    """
    inputs, v = (tuple(t) if isinstance(t, (tuple, list)) else (t,) for t in (inputs, v))
    out, pull_back, *aux = vjp(fn, *inputs, has_aux=has_aux)
    outputs = flatten(out)
    trace = Trace(pull_back, [zeros_like(y) for y in outputs], positions=range(len(outputs)))
    along, _ = trace.gradients(_given_seeds("jvp", trace.out, v))
    return (out, rebuild(out, iter(along)), *aux)


def pulled_back(function, inputs, seeds):
    """The gradients of the inputs, always as a tuple."""
    found = vjp(function, *inputs)[1](*seeds)
    return found if isinstance(found, tuple) else (found,)


def of_gradient(function, seeds, inputs, dout, needed=None):
    """The gradients, by the seeds and by the inputs, of the gradient that ``function`` pulls back from the seeds.

    ``dout`` are the gradients of those by all inputs, or by the inputs at the positions ``needed``.
    """

    def gradient(*both):
        found = pulled_back(function, both[len(seeds) :], both[: len(seeds)])
        return found if needed is None else tuple([found[i] for i in needed])

    return pulled_back(gradient, (*seeds, *inputs), dout)
