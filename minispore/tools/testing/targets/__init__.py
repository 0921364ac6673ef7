"""Targets: implementations under test, each an adapter of a few verbs.

A target is an object with a ``name``, a ``version``, and any of these verbs; a law whose verb it lacks is reported as
not offered. They take and give arrays of NumPy and plain values, so that a target may run in another process.

==================  ==================================================================================================
``speaks``          the API that expressions and programs are written in: "mindspore", "torch", or an own name
``says``            ``{operation, loss, optimizer or sum: its expression}`` in an own dialect, before that of ``speaks``
``has``             ``(expression) -> bool``: whether it can be computed; without it all are tried
``faces``           ``{face of the loss scale: its dialect in oracles.loss_scale.DIALECTS, or a Dialect of one's own}``
``compute``         ``(expression, inputs) -> outputs``
``gradient``        ``(expression, inputs, moving, weights) -> gradients`` of the sum of weights times floating outputs
``second``          ``(expression, inputs, moving, weights, ways) -> gradients`` of the derivative along ways
``jvp``             ``(expression, inputs, ways) -> (outputs, slopes)``: their derivatives along ways
``vjp``             ``(expression, inputs, weights) -> (outputs, gradients)`` of the sum of weights times outputs
``vmap``            ``(expression, inputs, axes, out) -> outputs`` of what is mapped over an axis of each input
``infer``           ``(call, inputs) -> (shapes and dtypes promised, arrays)``
``scale_course``    ``(face, start, factor, window, word) -> scales`` after each step of a word of overflows
``finite``          ``(arrays) -> bool``
``unscale``         ``(scale, arrays) -> arrays``
``forward``         ``(program, values, inputs) -> output`` of a network with these values of its Parameters
``backward``        ``(program, values, inputs, weights) -> gradients`` by floating inputs and trained Parameters
``accumulate``      ``(program, summing, values, inputs, labels) -> (loss, gradients)`` of a batch in parts
``in_graph``        ``(program, values, inputs) -> output`` of that network in graph mode
``convert``         ``(program, how, inputs, training, again) -> facts`` before, after, of the original, converted again
``ran_in``          ``(program, how, inputs, probe, moved) -> dtype`` in which it sees "inputs" or "Parameters"
``train``           ``(program, optimizer, level, scale, course) -> records`` of each event
``rewrite``         ``(program, inputs, times) -> outputs`` of the network, and of what its tree makes of it
``edit``            ``(program, edits, inputs) -> (outputs, users)`` of a network that was edited
``descend``         ``(optimizer, start, gradients) -> values`` of a Parameter after each step
``decoded``         ``(format, codes) -> values`` of codes of a format of few bits
``encoded``         ``(format, numbers) -> codes`` of numbers in its range
``rounded``         ``(format, numbers) -> values`` of the codes that a format of few bits gives numbers in its range
``rounded_by``      ``(format, numbers, bits, count) -> values`` of rounding by chance, with ``count`` bits a number
``quantized``       ``(operand, matrix) -> values`` of a matrix that is quantized along its rows
``quantized_along``  ``(operand, matrix, axis) -> values`` of a matrix that is quantized along an axis
``quantized_by_chance``  ``(operand, matrix, times, seed) -> values``, several, of one step from a seed
``low_bit_product``  ``(kind, first, second, a, b) -> array``: "fprop", "dgrad" or "wgrad" of two operands
``hadamard``        ``(matrix) -> matrix`` whose columns are transformed, 16 numbers at a time
``delayed_scales``  ``(operand, amaxes) -> scales`` after each step of a delayed scale
``low_bit_state``   ``(recipe, level, events, rows, way) -> arrays`` by name: all state after a training run
``descend_groups``  ``(optimizer, starts, gradients) -> values`` of several Parameters after each step
``scales_losses``   a flag: whether 'train' takes a loss scale with overflow checks
``keeps_streams``   a flag: whether a resumed run goes on with the random streams of the first
``lacks``           ``{verb: why it is not there}``, for the table that is printed
==================  ==================================================================================================

A verb refuses a case by raising :class:`Refused` or NotImplementedError; the case is counted as refused.

An implementation of one's own is a Python file whose ``target()`` makes such an object: ``--target my_scaler.py``.
"""

import difflib
import importlib.util
import os
import sys
from pathlib import Path

from minispore.core.errors import value_error
from minispore.tools.testing.oracles.loss_scale import DIALECTS, Dialect
from minispore.tools.testing.targets.failure import Refused, TargetError
from minispore.tools.testing.targets.minispore import Minispore
from minispore.tools.testing.targets.over_pipe import OverPipe

__all__ = [
    "FLAGS",
    "VERBS",
    "OverPipe",
    "Refused",
    "TargetError",
    "has",
    "load",
    "loading",
    "misspelt",
    "offers",
    "why_not",
]

HERE = Path(__file__).parent
FLAGS = ("scales_losses", "keeps_streams")
ELSEWHERE = {name: f"of_{name}.py" for name in ("mindspore", "torch", "ml_dtypes", "torchao")}
VERBS = (
    *("compute", "gradient", "second", "jvp", "vjp", "vmap", "infer", "scale_course", "finite", "unscale"),
    *("forward", "backward", "accumulate", "in_graph", "convert", "ran_in", "train", "rewrite", "edit"),
    *("descend", "descend_groups", "decoded", "encoded", "rounded", "rounded_by"),
    *("quantized", "quantized_along", "quantized_by_chance", "low_bit_product", "hadamard", "delayed_scales"),
    "low_bit_state",
)
NAMES = ("name", "version", "speaks", "says", "has", "faces", "lacks", *VERBS, *FLAGS)
SPOKEN = ("mindspore", "torch")
_loading = []  # pairs of a target and the expression that loads it


def load(name, python=None):
    """The target of a name: "minispore", "mindspore", "torch", "ml_dtypes", "torchao", or a Python file's.

    Args:
        name (str): The name, or the path of a Python file with a function ``target()``.
        python (str): The Python that has MindSpore or PyTorch. Default: None, ``MINDSPORE_PYTHON`` or ``TORCH_PYTHON``
            of the environment, or this one.

    Raises:
        ValueError: If there is no such target, its file has no ``target()``, its Python does not have it, or it names
            an unknown dialect.
    """
    made = _made(name, python)
    check_dialects(made)
    told = repr(name) if python is None else f"{name!r}, {python!r}"
    _loading.append((made, f"load({told})"))
    return made


def _made(name, python):
    if name == "minispore":
        return Minispore()
    if name in ELSEWHERE:
        python = python or os.environ.get(f"{name.upper()}_PYTHON") or sys.executable
        try:
            return OverPipe(name, HERE / ELSEWHERE[name], python)
        except (TargetError, OSError) as error:
            raise value_error("load", f"the Python of '{name}' must have it", f"{python}: {error}") from None
    if name.endswith(".py") and Path(name).is_file():
        return _of_file(name)
    expected = f"the 'name' must be 'minispore', {', '.join(map(repr, ELSEWHERE))} or the path of a Python file"
    raise value_error("load", expected, f"'{name}'")


def _of_file(path):
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, "target", None)):
        raise value_error("load", f"the file '{path}' must have a function 'target' that makes the target")
    target = module.target()
    if not isinstance(getattr(target, "name", None), str):
        raise value_error("load", f"the target of '{path}' must have a 'name', a str", "none")
    if hasattr(target, "scale_course") and not hasattr(target, "faces"):
        raise value_error("load", f"the target of '{path}' must have 'faces' where it has 'scale_course'", "none")
    return target


def loading(target):
    """The expression that loads a target again, a call of :func:`load`."""
    found = (told for each, told in _loading if each is target)
    return next(found, f"load({target.name!r})  # or another")


def check_dialects(target):
    """Raise ValueError unless a target's dialects, of expressions and of loss scales, are known.

    Args:
        target (Target): The target.
    """
    speaks = getattr(target, "speaks", "mindspore")
    if speaks not in SPOKEN and not getattr(target, "says", None):
        expected = "'speaks' must be 'mindspore' or 'torch', or 'says' must have the expressions of an own dialect"
        raise value_error(target.name, expected, f"'{speaks}'{_closest(speaks, SPOKEN)}")
    for face, dialect in getattr(target, "faces", {}).items():
        if not isinstance(dialect, Dialect) and dialect not in DIALECTS:
            expected = f"the dialect of the face '{face}' must be a Dialect, or one of {', '.join(DIALECTS)}"
            raise value_error(target.name, expected, f"'{dialect}'{_closest(dialect, DIALECTS)}")


def _closest(name, names):
    """The end of a sentence that asks for the closest of some names; empty where none is near."""
    near = difflib.get_close_matches(str(name), list(names), 1, 0.6)
    return f": did you mean '{near[0]}'?" if near else ""


def misspelt(target):
    """A sentence for each public name of a target that looks like a misspelt verb."""
    lacking = [verb for verb in (*VERBS, "has", "says", "faces", "lacks", *FLAGS) if not hasattr(target, verb)]
    own = [name for name in dir(target) if not name.startswith("_") and name not in NAMES]
    pairs = ((name, difflib.get_close_matches(name, lacking, 1, 0.75)) for name in own)
    return [f"'{name}' is no verb: did you mean '{near[0]}'?" for name, near in pairs if near]


def offers(target, verb):
    """True if a target has a verb; of a flag, True if it is True."""
    there = verb in target.offers if isinstance(target, OverPipe) else hasattr(target, verb)
    return there and (verb not in FLAGS or getattr(target, verb))


def has(target, said):
    """True if a target can compute an expression, as far as it says; the verb ``has`` is optional."""
    return said is not None and (not offers(target, "has") or target.has(said))


def why_not(target, verb):
    """The target's own reason for not offering a verb."""
    return getattr(target, "lacks", {}).get(verb, f"{target.name} offers no '{verb}'")
