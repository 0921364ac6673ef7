"""Wrong calls made of a docstring's own example: one argument of a call is replaced by what it is likely to refuse."""

import ast
import contextlib
import doctest
import inspect
import io
import signal
import sys
import warnings
from typing import NamedTuple

import numpy as np

import minispore as ms

__all__ = ["Refusal", "refusals", "source_of", "takes_arrays"]
FAR = 99  # above any length of an example
SECONDS = 2  # of the processor's time for one call


class Refusal(NamedTuple):
    """An error that a wrong call raised: its class, the argument that was replaced, and its first line."""

    error: str
    argument: str
    text: str


def source_of(text):
    """The source of a docstring's examples, as one program."""
    return "".join(part.source for part in doctest.DocTestParser().get_examples(text or ""))


def _name(function):
    return getattr(function, "attr", getattr(function, "id", ""))


class _Call(NamedTuple):
    """A call in an example: the statement that it stands in, and its node."""

    place: int
    node: ast.Call


def _is_of(node, names, made):
    """True if a node calls what a call of one of the names has made, or a method of that."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    is_made_here = isinstance(owner, ast.Call) and _name(owner.func) in names
    return is_made_here or (isinstance(owner, ast.Name) and owner.id in made)


def _calls(tree, names):
    """The last call of one of the names in an example, and the last call of what such a call has made."""
    named, later, made = [], [], set()
    for place, statement in enumerate(tree.body):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and _name(node.func) in names:
                named.append(_Call(place, node))
            elif isinstance(node, ast.Call) and _is_of(node, names, made):
                later.append(_Call(place, node))
        if isinstance(statement, ast.Assign) and _is_named(statement, names):
            made.add(statement.targets[0].id)
    return [*named[-1:], *later[-1:]]


def _is_named(statement, names):
    is_call = isinstance(statement.value, ast.Call) and _name(statement.value.func) in names
    return is_call and isinstance(statement.targets[0], ast.Name)


def _of_tensor(x):
    """Tensors of other ranks, lengths and dtypes, and of other values."""
    a = x.asnumpy()
    real = np.nan_to_num(np.real(a))
    shapes = [a[None], a[None, None, None, None], a[:0] if a.ndim else a]
    if a.ndim and a.size:
        shapes += [a[0], a.ravel()[0], np.concatenate([a, a[-1:], a[-1:]])]
        shapes += [np.concatenate([a, a[..., -1:], a[..., -1:]], -1)]
    with np.errstate(all="ignore"):  # the largest floats are no ints
        kinds = [real.astype(kind) for kind in (np.complex64, bool, np.int8, np.int32, np.float32, np.float64)]
        values = [(-1.0 - real).astype(a.dtype), np.full_like(a, 100)]
    return [ms.Tensor(each) for each in [*shapes, *kinds, *values]]


def _of_array(a):
    other = [a[None], a[None, None], a.ravel(), np.array(["a"])]
    other += [a[0], a.ravel()[0]] if a.ndim and a.size else []
    return [*other, *(a.astype(kind) for kind in (np.float32, np.complex64, bool) if a.dtype.kind in "uif")]


def _of_row(x):
    """Tuples and lists that are too long or empty, or hold what is far, negative or of another kind."""
    made = type(x)
    if any(isinstance(each, ms.Tensor) for each in x):
        return [made(), made(["a"])]
    far = [made([FAR] * len(x)), made([-7] * len(x))] if all(isinstance(each, int) for each in x) else []
    return [made([*x, x[0]]), made(), *far]


KINDS = [  # the first that fits: what stands in the place of a value of such a kind
    (bool, lambda x: []),
    (int, lambda x: [FAR, -7, 0, 1.5]),
    (float, lambda x: [-1.5, float("nan"), 2.0]),
    (str, lambda x: ["no such", ""]),
    ((tuple, list), lambda x: _of_row(x) if x else []),
    (np.ndarray, lambda x: _of_array(x) if x.size else []),
    (type(ms.float32), lambda x: [ms.int8, ms.complex64]),
]


def _wrong(x):
    """The values that take the place of an argument."""
    found = [{}, 3 if isinstance(x, str) else "a text"]
    if type(x) is ms.Tensor:
        return found + _of_tensor(x)
    return found + next((make(x) for kind, make in KINDS if isinstance(x, kind)), [])


def _wrong_for(default):
    """The values that are given for a parameter which the example leaves at its default."""
    if default is None:
        return [{}, "no such", FAR, -7, 0, 1.5]
    return [*_wrong(default), *([3] if isinstance(default, bool) else []), "no such"]


class _Late(BaseException):
    """A call that computes for too long."""


@contextlib.contextmanager
def _limited():
    def ring(*_):
        raise _Late

    def tell(lost):  # what is raised in a weak reference's callback goes no further; the next ring comes soon
        if lost.exc_type is not _Late:
            hook(lost)

    before, hook = signal.signal(signal.SIGPROF, ring), sys.unraisablehook
    sys.unraisablehook = tell
    signal.setitimer(signal.ITIMER_PROF, SECONDS, SECONDS / 10)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        sys.unraisablehook = hook


def _evaluated(node, names):
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "<example>", "eval"), names)


def _parameters(function):
    called = function.infer if isinstance(function, ms.ops.Primitive) else function
    try:
        return list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError):
        return []


class _Example:
    """An example up to one of its calls, which is called again and again with one argument changed."""

    def __init__(self, tree, call, names):
        body = ast.Module(tree.body[: call.place], [])
        self.code, self.call, self.names = compile(body, "<example>", "exec"), call.node, names
        function, values, keywords = self._fresh()
        self.parameters = _parameters(function)
        self.given = [self.named(place) for place in range(len(values))] + list(keywords)
        self.values, self.keywords = values, keywords

    def _fresh(self):
        """The function that is called, and its arguments, made anew: a call may change what it is given."""
        names = dict(self.names)
        exec(self.code, names)
        keywords = {each.arg: _evaluated(each.value, names) for each in self.call.keywords}
        return _evaluated(self.call.func, names), [_evaluated(each, names) for each in self.call.args], keywords

    def named(self, place):
        """The name of the parameter at a place."""
        known = self.parameters[min(place, len(self.parameters) - 1) :][:1]
        return known[0].name if known else str(place)

    def changes(self):
        """``(place, value)`` of each wrong call: a place is a number, or a keyword."""
        places = [*enumerate(self.values), *self.keywords.items()]
        yield from ((place, wrong) for place, value in places for wrong in _wrong(value))
        for each in self.parameters:
            if each.name not in self.given and each.default is not each.empty:
                yield from ((each.name, wrong) for wrong in _wrong_for(each.default))

    def refusal(self, place, wrong):
        """The error that one wrong call raises, or None."""
        try:
            with _limited():
                function, values, keywords = self._fresh()
                (keywords if isinstance(place, str) else values)[place] = wrong
                out = function(*values, **keywords)
                list(out if inspect.isgenerator(out) else ())
        except _Late:
            return None
        except Exception as error:
            lines = str(error.args[0] if error.args else error).splitlines()
            argument = place if isinstance(place, str) else self.named(place)
            return Refusal(type(error).__name__, argument, lines[0] if lines else "")
        return None


def _is_plain(call):
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    return not starred and all(each.arg for each in call.keywords)


def _example(tree, call, names):
    """The example before a call, or None where it cannot be run as a program."""
    try:
        with _limited():
            return _Example(tree, call, names)
    except (Exception, _Late):
        return None


def refusals(value, names):
    """The errors that wrong calls raise, made of the example in ``value.__doc__``, whose calls are of the ``names``."""
    tree = ast.parse(source_of(value.__doc__))
    around = dict(vars(sys.modules.get(getattr(value, "__module__", ""), ast)))
    examples = [_example(tree, call, around) for call in _calls(tree, names) if _is_plain(call.node)]
    found = (each.refusal(*change) for each in examples if each is not None for change in each.changes())
    return [each for each in found if each is not None]


def takes_arrays(value, names):
    """True if the example in ``value.__doc__`` gives a Tensor or an array to a call of one of the ``names``."""
    tree = ast.parse(source_of(value.__doc__))
    around = dict(vars(sys.modules.get(getattr(value, "__module__", ""), ast)))
    examples = [_example(tree, call, around) for call in _calls(tree, names) if _is_plain(call.node)]
    given = [each for one in examples if one is not None for each in [*one.values, *one.keywords.values()]]
    return any(isinstance(each, (ms.Tensor, np.ndarray)) for each in given)
