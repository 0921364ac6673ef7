"""Pass over a plan: elementwise operations on arrays of one size become one operation, which a device may launch once.

An operation is put off until the last one of its group: so nothing between them may read its result. A Reshape within
a group costs nothing. Each operation still rounds its result: the numbers stay those of the operations one by one.
"""

import math
from typing import NamedTuple

from minispore.core.primitive import Primitive
from minispore.graph.recorder import Guard, Step, Value, values_of
from minispore.ops.casting import Cast
from minispore.ops.operations.array.reshaping import ExpandDims, Flatten, Reshape, Squeeze
from minispore.ops.operations.array.transpose import Transpose
from minispore.ops.operations.linalg.matmul import BiasAdd

__all__ = []

_MOST = 24  # values of a group
_VIEWS = {ExpandDims, Flatten, Reshape, Squeeze, Transpose}


class Part(NamedTuple):
    """An operation of a group: its arguments are numbers of the group's values, or constants."""

    primitive: Primitive
    arguments: tuple  # pairs: True and a number, or False and a constant
    shapes: tuple  # the arguments' shapes, as they are broadcast; None for a constant
    result: int
    shape: tuple
    dtype: object


class ElementwiseGroup(Primitive):
    """Several elementwise operations on arrays of one size, in order; the outputs are some of their results.

    Args:
        parts (tuple): A :class:`Part` for each operation.
        given (tuple): The numbers of the values that are inputs.
        made (tuple): The numbers of the values that are outputs.
    """

    differentiable = False
    autocast = False

    def __init__(self, parts, given, made):
        self.parts, self.given, self.made = parts, given, made

    def infer(self, *specs):
        return self._run(specs, lambda part, arguments: part.primitive.infer(*arguments))

    def compute(self, xp, *arrays):
        return self._run(arrays, lambda part, arguments: part.primitive._computed(xp, *arguments))

    def _run(self, given, function):
        values = dict(zip(self.given, given, strict=True))
        for part in self.parts:
            arguments = [values[x] if is_value else x for is_value, x in part.arguments]
            values[part.result] = function(part, arguments)
        made = tuple([values[number] for number in self.made])
        return made if len(made) > 1 else made[0]


class _Group:
    """Steps that may become one: their indices, their values, and the shape of the first one's result.

    ``views`` are the indices of steps that show its values in another way: they are put off with it.
    """

    def __init__(self, shape):
        self.shape, self.indices, self.values, self.last = shape, [], set(), -1
        self.views, self.seen = [], set()

    def add_view(self, index, step):
        """Add a step that is put off, but is no part."""
        self.views.append(index)
        self.seen.update(step.results)

    def add(self, index, step, counts):
        """Add a step; a Reshape does not put the group off."""
        self.indices.append(index)
        self.values.update(step.results)
        self.last = index if counts else self.last

    def takes(self, shape, operands=()):
        """True if a result of this shape belongs to the group; ``operands`` are the shapes of what it is made of.

        It is of the group's shape, or of another shape of as many numbers with the same last axis. Then each operand
        is of that shape, one number, or one row.
        """
        if shape == self.shape:
            return True
        if not shape or not self.shape or shape[-1] != self.shape[-1] or math.prod(shape) != math.prod(self.shape):
            return False
        return all(x == shape or math.prod(x) == 1 or math.prod(x) == x[-1] == shape[-1] for x in operands)


class _Search:
    """The groups of a plan's steps. A group is open until a step outside of it reads one of its values."""

    def __init__(self, steps, recording, is_elementwise):
        self.steps, self.memories, self.is_elementwise = steps, recording.memories, is_elementwise
        self.open, self.all, self.outside = [], [], recording.outside
        for index, step in enumerate(steps):
            self._see(index, step)

    def _see(self, index, step):
        read = values_of(step)
        above = [group for group in self.open if not (group.values | group.seen).isdisjoint(read)]
        group = None
        if not isinstance(step, Guard) and len(step.results) == 1:
            if type(step.primitive) in _VIEWS and len(read) == 1 and above:
                group = above[0]
                if type(step.primitive) is Reshape and read[0] in group.values and group.takes(self._shape(step)):
                    group.add(index, step, False)
                else:
                    group.add_view(index, step)
            elif group := self._group_of(index, step, above):
                group.add(index, step, True)
        self.open = [other for other in self.open if other is group or other not in above]

    def _group_of(self, index, step, above):
        """The group that an elementwise step goes into, a new one perhaps; None for another step.

        ``above`` are the groups that it reads: it goes into one of those, or beside another's parts.
        """
        if not self.is_elementwise(step, self.memories) or self._is_cast_elsewhere(step):
            return None
        shape, read = self._shape(step), values_of(step)
        operands = [x for x in _shapes(step, self.memories) if x is not None]
        inside = [group for group in above if group.seen.isdisjoint(read) and group.takes(shape, operands)]
        beside = [group for group in self.open if group not in above and group.takes(shape, operands)]
        fitting = inside or beside
        if fitting and len(self._arrays([*fitting[-1].indices, index])) <= _MOST:
            return fitting[-1]
        group = _Group(shape)
        self.open.append(group)
        self.all.append(group)
        return group

    def _is_cast_elsewhere(self, step):
        """True for the cast of a Tensor from outside: an optimizer may have written it beside a Parameter."""
        return type(step.primitive) is Cast and step.arguments[0].number in self.outside

    def _shape(self, step):
        return tuple(self.memories[step.results[0].number].shape)

    def _arrays(self, indices):
        return {x for i in indices for x in (*values_of(self.steps[i]), *self.steps[i].results)}


def _shapes(step, memories):
    """The shapes of a step's arguments, as they are broadcast; None for a constant."""
    shapes = [tuple(memories[x.number].shape) if isinstance(x, Value) else None for x in step.arguments]
    if type(step.primitive) is BiasAdd:
        shapes[1] = step.primitive._shape(len(shapes[0]), shapes[1][0])
    return tuple(shapes)


def with_elementwise_groups(steps, kept, recording, is_elementwise):
    """The steps, with groups of elementwise ones merged.

    Args:
        steps (list): The steps of a plan.
        kept (set): The Values that are returned or written.
        recording (Recording): The record of the run.
        is_elementwise (Callable): ``is_elementwise(step, memories)``: True if a step may be a part of a group.
    """
    readers = {}
    for index, step in enumerate(steps):
        for x in values_of(step):
            readers.setdefault(x, set()).add(index)
    merged = list(steps)
    for group in _Search(steps, recording, is_elementwise).all:
        indices = [i for i in group.indices if i <= group.last]
        if sum(type(steps[i].primitive) is not Reshape for i in indices) > 1:
            views = [i for i in group.views if i < group.last]
            for i in (*indices, *views):
                merged[i] = None
            one = _merged([steps[i] for i in indices], set(indices), readers, kept, recording.memories)
            merged[group.last] = [one, *[steps[i] for i in views]]
    lists = [x if isinstance(x, list) else [x] for x in merged]
    return [step for found in lists for step in found if step is not None]


def _merged(parts, indices, readers, kept, memories):
    """One step for several; None where nothing reads a result."""
    results = [step.results[0] for step in parts]
    made = tuple([v for v in results if v in kept or not readers.get(v, set()) <= indices])
    if not made:
        return None
    given = tuple(dict.fromkeys(x for step in parts for x in values_of(step) if x not in set(results)))
    described = tuple([_part(step, memories) for step in parts])
    primitive = ElementwiseGroup(described, tuple(v.number for v in given), tuple(v.number for v in made))
    return Step(primitive, given, made, len(made) == 1, any(step.scalar for step in parts))


def _part(step, memories):
    arguments = tuple([(True, x.number) if isinstance(x, Value) else (False, x) for x in step.arguments])
    number = step.results[0].number
    made = memories[number]
    return Part(step.primitive, arguments, _shapes(step, memories), number, tuple(made.shape), made.dtype)
