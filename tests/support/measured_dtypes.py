"""The dtypes that an example's last call takes and answers, measured, as the sentence that a docstring has of them."""

import ast
import contextlib
import doctest
import io
import warnings

import numpy as np

import minispore as ms

GROUPS = {
    "floats": [ms.float16, ms.float32, ms.float64],
    "signed ints": [ms.int8, ms.int16, ms.int32, ms.int64],
    "unsigned ints": [ms.uint8, ms.uint16, ms.uint32, ms.uint64],
    "bools": [ms.bool_],
    "complex": [ms.complex64, ms.complex128],
}
KINDS = [kind for kinds in GROUPS.values() for kind in kinds]
REFUSED = "TypeError"


class _Recast:
    """``minispore`` as an example sees it: its Tensors of one dtype, ``target``, are of another dtype."""

    def __init__(self, target=None, kind=None, factor=1):
        self.target, self.kind, self.factor, self.seen = target, kind, factor, []

    def __getattr__(self, name):
        return getattr(ms, name)

    def Tensor(self, data=None, dtype=None, **options):  # noqa: N802 - the name that examples call
        out = ms.Tensor(data, dtype, **options)
        self.seen += [out.dtype] if dtype is None else []
        if dtype is not None or out.dtype != self.target:
            return out
        return ms.Tensor((out.asnumpy() * self.factor).astype(ms.dtype_to_nptype(self.kind)))


def _last_value(example, shown):
    """The value that the last expression of an example prints or gives."""
    tree = ast.parse(example)
    last = tree.body[-1].value
    if isinstance(last, ast.Call) and getattr(last.func, "id", "") == "print":
        last = last.args[0]
    if isinstance(last, ast.Starred):
        last = last.value
    names = {"ms": shown, "np": np, "ops": ms.ops, "nn": ms.nn, "mnp": ms.numpy}
    body = [part for part in tree.body[:-1] if not isinstance(part, (ast.Import, ast.ImportFrom))]
    exec(compile(ast.Module(body, []), "<example>", "exec"), names)
    return eval(compile(ast.Expression(last), "<example>", "eval"), names)


def _quiet(example, shown):
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return _last_value(example, shown)


def _target(example):
    """The dtype of an example's data: float32 where a Tensor is of it, else that of the first Tensor; or None."""
    shown = _Recast()
    _quiet(example, shown)
    return ms.float32 if ms.float32 in shown.seen else next(iter(shown.seen), None)


def _first(out):
    return out[0] if isinstance(out, (tuple, list)) and out else out


def _answer(example, target, kind):
    """The dtype that an example answers with data of ``kind``; ``REFUSED``, or None where it cannot be said."""
    try:
        out = _quiet(example, _Recast(target, kind))
    except TypeError:
        return REFUSED
    except Exception:  # the values do not suit the dtype
        return None
    return _first(out).dtype if isinstance(_first(out), ms.Tensor) else None


def _listed(words):
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _words(kinds):
    """Dtypes in words, a group in one: ``["ints", "float16"]``."""
    found = []
    for group, members in GROUPS.items():
        named = [str(kind).lower() for kind in members if kind in kinds]
        found += [group] if len(named) == len(members) else named
    if {"signed ints", "unsigned ints"} <= {*found}:
        found[found.index("signed ints")] = "ints"
        found.remove("unsigned ints")
    return found


def _given(answer, kinds):
    words = _words(kinds)
    is_one = len(words) == 1 and words[0] not in {*GROUPS, "ints"}
    return f"{_listed(words)} {'gives' if is_one else 'give'} {str(answer).lower()}"


def _takes_real_parts(example, target, found):
    """True where an answer on complex numbers is that on their real parts; it is float32 of both of their dtypes."""
    if {found.get(kind) for kind in GROUPS["complex"]} != {ms.float32}:
        return False
    runs = [_Recast(target, ms.complex64, 1 + 1j), _Recast(target, ms.float32), _Recast(target, ms.float32, 3)]
    taken, real, thrice = [_first(_quiet(example, run)).asnumpy() for run in runs]
    reads_no_values = np.array_equal(real, thrice, equal_nan=True)  # but the shape, perhaps
    return np.array_equal(taken, real, equal_nan=True) and not reads_no_values


def sentence(example):
    """``Dtypes: floats, kept; ints give float32; TypeError for bools and complex.``; "" where nothing is to be said."""
    target = _target(example)
    found = {kind: _answer(example, target, kind) for kind in KINDS} if target is not None else {}
    refused = [kind for kind, answer in found.items() if answer == REFUSED]
    taken = {kind: answer for kind, answer in found.items() if answer not in (None, REFUSED)}
    real_parts = _takes_real_parts(example, target, taken)
    taken = {kind: answer for kind, answer in taken.items() if not (real_parts and kind in GROUPS["complex"])}
    if not taken:
        return ""
    parts = [*_parts(taken), *(["of complex numbers their real parts"] if real_parts else [])]
    parts += [f"TypeError for {_listed(_words(refused))}"] if refused else []
    return f"Dtypes: {'; '.join(parts)}."


def _parts(taken):
    """What is said of the dtypes that are taken: kept, or answered in others."""
    everything = "any" if len(taken) == len(KINDS) else _listed(_words(taken))
    if len({*taken.values()}) == 1 and len(taken) > 1:
        return [everything, f"the answer is {str(next(iter(taken.values()))).lower()}"]
    if all(kind == answer for kind, answer in taken.items()):
        return [f"{everything}, kept"]
    kept = [kind for kind in taken if taken[kind] == kind]
    changed = {answer: [k for k in taken if taken[k] == answer != k] for answer in dict.fromkeys(taken.values())}
    given = [_given(answer, kinds) for answer, kinds in changed.items() if kinds]
    return [*([f"{_listed(_words(kept))}, kept"] if kept else []), *given]


def example_of(text):
    """The source of a docstring's examples, as one program."""
    return "".join(part.source for part in doctest.DocTestParser().get_examples(text or ""))
