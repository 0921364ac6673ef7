"""Replay: a recording as a straight-line function of arrays, which runs without Python's cost for each operation.

The function is generated as source: one line for each step, in order, and each value is released after its last use.
Writes are applied at the end: so a run that leaves the recorded path has no effect.
"""

import numpy as np

from minispore.core import backend, nest, seeds
from minispore.core.kernel_table import has_kernel, kernel_for
from minispore.core.parameter import Parameter
from minispore.core.running import under
from minispore.core.silence import silent
from minispore.core.tensor import Tensor, wrap
from minispore.core.writes import write
from minispore.graph.optimize import plan_of
from minispore.graph.recorder import Guard, Value
from minispore.graph.same_run import check_equal
from minispore.graph.unpacked_float16 import handed_on, to_widen, wide_steps, wide_values
from minispore.ops.kernels.float16.cast import cached_cast

SOURCE_NAME = "<minispore replay>"  # the name of the generated source in tracebacks


class LeftPathError(Exception):
    """A condition of the replay no longer holds; the text names it."""


class Replay:
    """A callable made from two equal recordings of a function.

    Args:
        first (Recording): The record of one run.
        second (Recording): The record of the next run.

    Raises:
        RefusedError: If the two runs differ.
    """

    passes = ()  # over the steps of a plan, for a device

    def __init__(self, first, second):
        check_equal(first, second)
        plan = plan_of(first, second, self.passes)
        # NumPy converts float16 slowly; a GPU computes with it directly, so nothing is unpacked there.
        wide = wide_values(plan, second.memories) if backend.xp is np else set()
        forms = wide_steps(plan, second.memories, wide)
        shared = handed_on(plan, forms)
        into = {i: n for i, n in plan.into.items() if n not in shared and i not in forms}
        # A kernel is faster than what computes into an argument's memory, and a pool gives it that memory again.
        plan = plan._replace(into={i: n for i, n in into.items() if not has_kernel(type(plan.steps[i].primitive))})
        self.source = _source(plan, second, wide)
        self._run = _compiled(plan, self.source, forms)
        self._returned, self._writes = plan.returned, [t for t, _ in plan.writes]
        self._nest, self._bare = second.nest, isinstance(second.nest, Tensor)
        pairs = zip(first.outside.values(), second.outside.values(), strict=True)
        self._live = [t if t is other else wrap(array) for (t, _), (other, array) in pairs]
        outside = {id(t) for t, _ in second.outside.values()}
        self._constant = {id(t) for t in self._live if id(t) not in outside}  # only this replay has them
        self._skip = second.skip
        self.is_random = any(not isinstance(step, Guard) and step.primitive.random for step in plan.steps)
        live = dict(zip(second.outside, self._live, strict=True))
        self._kinds = [(t, *second.memories[n][:3]) for n, t in live.items()]
        self._also = [(live[n], also) for n, also in second.also if also() is not None]

    def __call__(self, inputs):
        """The function's output for ``inputs``, a list of Tensors; LeftPathError has no effect."""
        self._check_outside()
        draws = seeds.seed.draws if self.is_random else None
        try:
            with silent(), under(cast_cache={}):
                arrays = self._run(backend.xp, [x.array for x in inputs], [t.array for t in self._live])
        except LeftPathError:
            if self.is_random:
                seeds.rewind(draws)
            raise
        skipped = self._skip is not None and bool(backend.to_host(arrays[self._skip.index]))
        if skipped and self.is_random:
            seeds.rewind(draws)
        returned = zip(self._returned, arrays, strict=False)
        leaves = [y if isinstance(y, Parameter) else wrap(array) for y, array in returned]
        for t, array in zip(self._writes, arrays[len(leaves) :], strict=True):
            if not skipped or any(t is kept for kept in self._skip.but):
                write(t, array)
        return leaves[0] if self._bare else nest.replace_leaves(Tensor, self._nest, leaves)

    def _check_outside(self):
        """Raise LeftPathError if an outside Tensor has an array of another kind, or Tensors no longer share one."""
        for t, shape, dtype, strides in self._kinds:
            # `dtype is not`: NumPy's built-in types are single objects, and the comparison runs at every step.
            array = t.array
            if array.dtype is not dtype or array.shape != shape or array.strides != strides:
                raise LeftPathError("the shape, dtype or strides of a Parameter")
        self._check_shared()

    def _check_shared(self):
        """Raise LeftPathError if Tensors no longer share an array."""
        for t, reference in self._also:
            other = reference()
            if other is not None and other.array is not t.array:
                raise LeftPathError("which Tensors share their memory")


def _source(plan, recording, wide):
    """The text of ``replay(xp, inputs, outside)``, which returns the outputs and the values to write."""
    lines = [f"{_names(range(recording.inputs))} = inputs", f"{_names(recording.outside)} = outside"]
    for i, step in enumerate(plan.steps):
        lines.append(_line(i, step, plan.into.get(i), to_widen(step, recording.memories, wide)))
        if i in plan.gone:
            lines.append(f"del {', '.join(f'v{n}' for n in sorted(plan.gone[i]))}")
    returned = [f"v{y.number}" if isinstance(y, Value) else "None" for y in plan.returned]
    lines.append(f"return [{', '.join([*returned, *(f'v{v.number}' for _, v in plan.writes)])}]")
    return "\n    ".join(["def replay(xp, inputs, outside):", *lines]) + "\n"


def _names(numbers):
    return f"[{', '.join(f'v{n}' for n in numbers)}]"


def _line(i, step, into, narrow):
    if isinstance(step, Guard):
        return f"check{i}(v{step.value.number})"
    arguments = [_argument(f"{i}_{j}", a, narrow) for j, a in enumerate(step.arguments)]
    call = f"f{i}({', '.join(['xp', *([] if into is None else [f'v{into}']), *arguments])})"
    call = f"array(n{i}, {call})" if step.scalar and into is None else call
    results = f"v{step.results[0].number}" if step.single else _names(v.number for v in step.results)
    return f"{results} = {call}{_comment(step.primitive.name)}"


def _comment(name):
    """A user's name as a comment; it enters generated source only if it is an identifier."""
    return f"  # {name}" if type(name) is str and name.isidentifier() else ""


def _argument(place, a, narrow):
    if not isinstance(a, Value):
        return f"k{place}"
    return f"wide(xp, v{a.number})" if a.number in narrow else f"v{a.number}"


def _compiled(plan, source, forms):
    names = {"array": backend.as_arrays, "wide": cached_cast}
    for i, step in enumerate(plan.steps):
        if isinstance(step, Guard):
            names[f"check{i}"] = _check(step)
            continue
        names[f"f{i}"] = forms.get(i) or _function(step.primitive, i in plan.into)
        names[f"n{i}"] = step.primitive.name
        names.update({f"k{i}_{j}": a for j, a in enumerate(step.arguments) if not isinstance(a, Value)})
    exec(compile(source, SOURCE_NAME, "exec"), names)
    return names["replay"]


def _function(primitive, into):
    """A step's function of arrays; with ``into``, the memory for the result is its first argument."""
    if into:
        return primitive.compute_into
    return primitive.compute if kernel_for(type(primitive), backend.xp) is None else primitive._computed


def _check(guard):
    def check(array):
        if not guard.agrees(backend.to_host(array)):
            raise LeftPathError("a value that it reads back to the host")

    return check
