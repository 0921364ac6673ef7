"""Trace: the operations from a network's inputs to its outputs, without operations that need no input."""

from typing import Any, NamedTuple

import numpy as np

from minispore.core import backend, nest
from minispore.core.errors import runtime_error
from minispore.core.observation import are_seen
from minispore.core.running import running
from minispore.core.tensor import Tensor
from minispore.graph.outputs import RefusedError
from minispore.graph.recorder import Guard, Recorder, Value
from minispore.graph.signature import StandIns
from minispore.nn.cell_table import CHANGES


class Trace(NamedTuple):
    """The computation of a network: steps in order, and the numbered values that they read and make."""

    steps: list  # graph.recorder.Step
    infos: list  # by number: shape and dtype
    inputs: int  # the first values are the network's inputs
    constants: dict  # number -> (array, the name of the Parameter that it is, or None)
    outputs: list  # numbers
    nest: Any  # the outputs' structure, with empty Tensors


def trace(network, inputs, fold_parameters=True):
    """The :class:`Trace` of ``network(*inputs)``; what follows from Parameters alone is computed if they fold.

    Raises:
        RuntimeError: If the outputs do not follow from the inputs by recorded operations alone.
    """
    if are_seen() or running.tape is not None:
        raise runtime_error("export", "it must be called outside of jit, graph mode and gradients", "a call inside")
    recording = _recorded(network, inputs)
    constants = {
        number: (backend.to_host(array), getattr(tensor, "name", None))
        for number, (tensor, array) in recording.outside.items()
    }
    kept = () if fold_parameters else {n for n, (_, name) in constants.items() if name is not None}
    steps = _folded(recording, constants, kept)
    outputs = [_number(y, recording, constants) for y in recording.returned]
    return Trace(_needed(steps, outputs), recording.memories, recording.inputs, constants, outputs, recording.nest)


class _OneRun(Recorder):
    """Records the one run that a file repeats: a cell may change in it, or be made by it, as Python's numbers may."""

    def refuse(self, reason):
        """Record why the run is not its operations alone."""
        if not reason.endswith(CHANGES):
            super().refuse(reason)


def _recorded(network, inputs):
    tensors = nest.select(Tensor, inputs)
    stand_ins = StandIns(tensors)
    given = stand_ins(tuple(inputs))
    recorder = _OneRun([stand_ins(x) for x in tensors])
    with recorder:
        out = network(*given)
    stand_ins.hand_back(recorder)
    try:
        return recorder.finished(out)
    except RefusedError as reason:
        raise runtime_error("export", f"the network must be operations alone, but {reason}") from reason


def _folded(recording, constants, held):
    """The steps that depend on an input or on ``held`` constants; the results of the others become constants.

    Raises:
        RuntimeError: If the network's path depends on the values of an input.
    """
    kept = []
    for step in recording.steps:
        if isinstance(step, Guard):
            if step.value.number not in constants:
                expected = "the network must compute alike for all inputs, but it reads a value that depends on one"
                raise runtime_error("export", expected)
        elif step.primitive.random or step.primitive.writes or not _is_constant(step, constants, held):
            kept.append(step)
        else:
            _fold(step, recording.memories, constants)
    return kept


def _is_constant(step, constants, held):
    return all(a.number in constants and a.number not in held for a in step.arguments if isinstance(a, Value))


def _fold(step, infos, constants):
    arguments = [constants[a.number][0] if isinstance(a, Value) else a for a in step.arguments]
    with np.errstate(all="ignore"):
        made = step.primitive.compute(np, *arguments)
    for value, array in zip(step.results, (made,) if step.single else made, strict=True):
        constants[value.number] = np.asarray(array, infos[value.number].dtype), None


def _number(returned, recording, constants):
    """The number of an output; a Parameter that is returned as it is becomes a constant."""
    if isinstance(returned, Value):
        return returned.number
    recording.memories.append(returned.array)
    constants[len(recording.memories) - 1] = backend.to_host(returned.array), returned.name
    return len(recording.memories) - 1


def _needed(steps, outputs):
    """The steps whose results some output needs."""
    wanted, kept = set(outputs), []
    for step in reversed(steps):
        if step.primitive.writes or any(y.number in wanted for y in step.results):
            wanted.update(a.number for a in step.arguments if isinstance(a, Value))
            kept.append(step)
    return kept[::-1]
