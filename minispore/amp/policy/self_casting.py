"""Casts between a narrow float and float32, and cells and primitives that cast for themselves."""

import functools

from minispore.core.dtype import FLOATS, NARROW_FLOATS, bfloat16, float16, float32
from minispore.core.nest import is_nest, map_leaves
from minispore.core.running import running
from minispore.core.tensor import Tensor
from minispore.ops.casting import Cast

__all__ = ["CastFloats", "in_bfloat16", "in_float16", "in_narrow", "self_casting_cell", "self_casting_primitive"]


class CastFloats(Cast):
    """Cast every floating Tensor of a nest to a narrow float, or every narrow one to float32; leave the rest."""

    def __call__(self, x, dtype):
        """Cast Tensors, also within tuples, lists and dicts; return everything else unchanged."""
        if is_nest(x):
            return map_leaves(lambda part: self(part, dtype), x)
        sources = NARROW_FLOATS if dtype == float32 else FLOATS
        return super().__call__(x, dtype) if isinstance(x, Tensor) and x.array.dtype in sources else x


_cast = CastFloats()


def in_float16(function, *args, **kwargs):
    """``function`` computed on its floating arguments in float16, cast back to float32; under a mark, as the mark says.

    The white pass makes Python code call ``ops.relu(x)`` as ``in_float16(ops.relu, x)``.
    """
    return _computed_in(float16, function, args, kwargs)


def in_bfloat16(function, *args, **kwargs):
    """:func:`in_float16`, in bfloat16."""
    return _computed_in(bfloat16, function, args, kwargs)


in_narrow = {float16: in_float16, bfloat16: in_bfloat16}


def _computed_in(dtype, function, args, kwargs):
    if running.cast is not None:
        return function(*args, **kwargs)
    return _cast(function(*_cast(args, dtype), **_cast(kwargs, dtype)), float32)


def self_casting_cell(marked):
    """Let a cell that is marked with a narrow float return float32; returns the cell."""
    marked.register_forward_hook(_cast_back)
    return marked


def _cast_back(cell_id, inputs, output):
    return _cast(output, float32)


_cast_back.part_of_network = True  # in graph mode too


def self_casting_primitive(primitive, dtype):
    """A copy of a primitive that computes in a narrow float and returns float32, whoever calls it."""
    return _made(type(primitive), dtype, primitive.__getstate__())


def _made(kind, dtype, state):
    made = kind.__new__(_casting_class(kind, dtype))
    made.__dict__.update(state)
    return made


class _SelfCasting:
    """Mixin of a primitive: ``casts_to`` inside, float32 outside; under a mark of ``to_float``, as the mark says."""

    casts_to = float16

    def __call__(self, *args, **kwargs):
        """Compute on the inputs in the narrow float, and return float32.

        A user's own primitive may take keywords. If it writes its inputs they are not cast: a keyword may be written,
        and a write into a cast copy would be lost.
        """
        if running.cast is not None:
            return super().__call__(*args, **kwargs)
        low = [arg if i in self.writes else _cast(arg, self.casts_to) for i, arg in enumerate(args)]
        named = kwargs if self.writes else _cast(kwargs, self.casts_to)
        return _cast(super().__call__(*low, **named), float32)

    def __reduce__(self):
        """Copies and pickles name the primitive's own class, which can be imported."""
        return _made, (type(self).__mro__[2], self.casts_to, self.__getstate__())


@functools.cache
def _casting_class(kind, dtype):
    return type(kind.__name__, (_SelfCasting, kind), {"__module__": kind.__module__, "casts_to": dtype})
