"""The shapes and dtypes of images that a transform takes and gives, measured, as the sentences of its docstring."""

import ast
import contextlib
import doctest
import io
import warnings

import numpy as np
from support import measured_dtypes

import minispore as ms

__all__ = ["sentences"]
H, W = 8, 6
SHAPES = {"(H, W)": (H, W), "(H, W, 1)": (H, W, 1), "(H, W, 3)": (H, W, 3), "(H, W, C)": (H, W, 4)}
BATCH = ("(..., H, W, C)", (2, H, W, 3))
KINDS = [kind for kind in measured_dtypes.KINDS if "complex" not in str(kind).lower()]


def _maker(cls):
    """A function that makes an instance as the example in the class's docstring does."""
    parts = doctest.DocTestParser().get_examples(cls.__doc__)
    tree = ast.parse("".join(part.source for part in parts))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    call = next(node for node in calls if cls.__name__ == getattr(node.func, "attr", getattr(node.func, "id", "")))
    body = [part for part in tree.body if part.end_lineno < call.lineno]
    names = {cls.__name__: cls}
    exec(compile(ast.Module(body, []), "<example>", "exec"), names)
    return lambda: eval(compile(ast.Expression(call), "<example>", "eval"), names)


def _answer(make, given):
    """What a new instance makes of an array, or the name of the error."""
    ms.dataset.config.set_seed(0)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return make()(given)
    except Exception as error:
        return type(error).__name__


def _image(shape, dtype="uint8"):
    return (np.arange(int(np.prod(shape))) % 2).reshape(shape).astype(dtype)


def _letters(word, given, answer):
    """The shape of an answer in letters: those of ``word`` where lengths are kept, h and w where they are not."""
    lengths = answer.shape
    if lengths == given:
        return word
    if lengths[1:] == (H, W) and len(lengths) == 3:
        return "(1, H, W)" if lengths[0] == 1 else f"({word[-2]}, H, W)"
    sides = "H, W" if lengths[:2] == (H, W) else "h, w"
    last = [] if len(lengths) == 2 else [word[-2] if lengths[2:] == given[2:] else str(lengths[2])]
    return f"({', '.join([sides, *last])})"


def _listed(words):
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _shapes(make):
    """``(what is said of shapes, one that is taken)``; (None, None) where the answers are no arrays."""
    answers = {word: _answer(make, _image(shape)) for word, shape in SHAPES.items()}
    taken = {word: answer for word, answer in answers.items() if isinstance(answer, np.ndarray)}
    refused = {answer for answer in answers.values() if isinstance(answer, str)}
    if not taken or len(taken) + sum(isinstance(answer, str) for answer in answers.values()) < len(answers):
        return None, None
    given = {word: _letters(word, SHAPES[word], answer) for word, answer in taken.items()}
    if "(H, W, C)" in given:  # which stands for the others of three axes where they are taken too
        three = {"(H, W, 1)", "(H, W, 3)"} & {*given}
        given = {word: out for word, out in given.items() if word not in three}
    if isinstance(_answer(make, _image(BATCH[1])), np.ndarray) and {*given} == {"(H, W)", "(H, W, C)"}:
        given = {"(H, W)": given["(H, W)"], BATCH[0]: given["(H, W, C)"].replace("(", "(..., ")}
    kept = [word for word, out in given.items() if word == out]
    changed = [f"{word} gives {out}" for word, out in given.items() if word not in kept]
    parts = [*([f"{_listed(kept)}, kept"] if kept else []), *changed]
    row = _answer(make, _image((H,)))
    others = sorted(refused | ({row} if isinstance(row, str) else set()))
    parts += [f"{_listed(others)} for others"] if others else []
    return f"Shapes: {'; '.join(parts)}.", SHAPES[list(taken)[-1] if "(H, W, 3)" not in taken else "(H, W, 3)"]


def _dtypes(make, shape):
    """What is said of dtypes."""
    answers = {kind: _answer(make, _image(shape, ms.dtype_to_nptype(kind))) for kind in KINDS}
    taken = {kind: answer.dtype for kind, answer in answers.items() if isinstance(answer, np.ndarray)}
    refused = sorted({answer for answer in answers.values() if isinstance(answer, str)})
    everything = "any" if len(taken) == len(KINDS) else _listed(measured_dtypes._words([*taken]))
    kept = all(ms.dtype_to_nptype(kind) == answer for kind, answer in taken.items())
    answer = "kept" if kept else f"the answer is {' or '.join(sorted({str(each) for each in taken.values()}))}"
    end = f"; {_listed(refused)} for others" if refused else ""
    return f"Dtypes: {everything}{', ' if kept else '; '}{answer}{end}."


def sentences(cls):
    """``Shapes: (H, W) and (H, W, C), kept; ... Dtypes: ...`` of a transform; "" where it does not take one image."""
    make = _maker(cls)
    shapes, taken = _shapes(make)
    return f"{shapes} {_dtypes(make, taken)}" if shapes else ""
