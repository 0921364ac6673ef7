"""Targets: what the laws are aimed at, each an adapter of a few verbs.

A target is an object with a ``name``, a ``version``, and any of these verbs; a law whose verb it lacks is told as not
offered. They take and give arrays of NumPy and plain values, so that a target may run in another process.

==================  ==================================================================================================
``speaks``          the API that expressions and programs are written in: "mindspore" or "torch"
``faces``           ``{face of the loss scale: its dialect in oracles.loss_scale.DIALECTS}``
``compute``         ``(expression, inputs) -> outputs``
``gradient``        ``(expression, inputs, moving, weights) -> gradients`` of the sum of weights times floating outputs
``second``          ``(expression, inputs, moving, weights, ways) -> gradients`` of the derivative along ways
``infer``           ``(call, inputs) -> (shapes and dtypes promised, arrays)``
``scale_course``    ``(face, start, factor, window, word) -> scales`` after each step of a word of overflows
``finite``          ``(arrays) -> bool``
``unscale``         ``(scale, arrays) -> arrays``
``forward``         ``(program, values, inputs) -> output`` of a network with these values of its Parameters
``backward``        ``(program, values, inputs, weights) -> gradients`` by floating inputs and trained Parameters
``in_graph``        ``(program, values, inputs) -> output`` of that network in graph mode
``convert``         ``(program, how, inputs) -> facts`` before, after, of the original, and of converting again
``ran_in``          ``(program, how, inputs, probe) -> dtype``
``train``           ``(program, optimizer, level, scale, course) -> records`` of each event
``rewrite``         ``(program, inputs, times) -> outputs`` of the network, and of what its tree makes of it
``descend``         ``(optimizer, start, gradients) -> values`` of a Parameter after each step
``scales_losses``   a flag: whether 'train' takes a loss scale with overflow checks
``keeps_streams``   a flag: whether a resumed run goes on with the random streams of the first
``lacks``           ``{verb: why it is not there}``, for the table that is printed
==================  ==================================================================================================

An implementation of one's own is a Python file whose ``target()`` makes such an object: ``--target my_scaler.py``.
"""

import importlib.util
import os
import sys
from pathlib import Path

from minispore.testing.targets.failure import TargetError
from minispore.testing.targets.minispore import Minispore
from minispore.testing.targets.over_pipe import OverPipe

__all__ = ["FLAGS", "VERBS", "OverPipe", "TargetError", "load", "offers", "why_not"]

HERE = Path(__file__).parent
FLAGS = ("scales_losses", "keeps_streams")
ELSEWHERE = {"mindspore": "of_mindspore.py", "torch": "of_torch.py"}
VERBS = (
    *(
        "compute",
        "gradient",
        "second",
        "infer",
        "scale_course",
        "finite",
        "unscale",
        "forward",
        "backward",
        "in_graph",
        "convert",
        "ran_in",
        "train",
    ),
    *("rewrite", "descend"),
)


def load(name, python=None):
    """The target of a name: "minispore", "mindspore", "torch", or a Python file's.

    Args:
        name (str): The name, or the path of a Python file with a function ``target()``.
        python (str): The Python that has MindSpore or PyTorch. Default: None, ``MINDSPORE_PYTHON`` or ``TORCH_PYTHON``
            of the environment, or this one.

    Raises:
        ValueError: If there is no such target.
    """
    if name == "minispore":
        return Minispore()
    if name in ELSEWHERE:
        python = python or os.environ.get(f"{name.upper()}_PYTHON") or sys.executable
        return OverPipe(name, HERE / ELSEWHERE[name], python)
    if name.endswith(".py") and Path(name).is_file():
        spec = importlib.util.spec_from_file_location(Path(name).stem, name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.target()
    told = "must be 'minispore', 'mindspore', 'torch' or the path of a Python file"
    raise ValueError(f"For 'load', the 'name' {told}, but got '{name}'.")


def offers(target, verb):
    """Whether a target has a verb; of a flag, whether it is True."""
    there = verb in target.offers if isinstance(target, OverPipe) else hasattr(target, verb)
    return there and (verb not in FLAGS or getattr(target, verb))


def why_not(target, verb):
    """Why a target does not offer a verb, as it says itself."""
    return getattr(target, "lacks", {}).get(verb, f"{target.name} offers no '{verb}'")
