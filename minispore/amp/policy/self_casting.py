"""Casts between float16 and float32, and cells and primitives that cast for themselves."""

import functools

from minispore.context import running
from minispore.dtype import FLOATS, float16, float32
from minispore.nest import is_nest, map_leaves
from minispore.ops.primitive import Cast
from minispore.tensor import Tensor

__all__ = ["CastFloats", "in_float16", "self_casting_cell", "self_casting_primitive"]


class CastFloats(Cast):
    """Cast every floating Tensor of a nest to float16, or every float16 one to float32; leave the rest unchanged."""

    def __call__(self, x, dtype):
        """Cast Tensors, also within tuples, lists and dicts; return everything else unchanged."""
        if is_nest(x):
            return map_leaves(lambda part: self(part, dtype), x)
        sources = FLOATS if dtype == float16 else (float16.np,)
        return super().__call__(x, dtype) if isinstance(x, Tensor) and x.array.dtype in sources else x


_cast = CastFloats()


def in_float16(function, *args, **kwargs):
    """``function`` computed on its floating arguments in float16, cast back to float32; under a mark, as that says.

    The white pass makes Python code call ``ops.relu(x)`` as ``in_float16(ops.relu, x)``.
    """
    if running.cast is not None:
        return function(*args, **kwargs)
    return _cast(function(*_cast(args, float16), **_cast(kwargs, float16)), float32)


def self_casting_cell(marked):
    """Let a cell that is marked float16 return float32; returns the cell."""
    marked.register_forward_hook(_cast_back)
    return marked


def _cast_back(cell_id, inputs, output):
    return _cast(output, float32)


_cast_back.part_of_network = True  # in graph mode too


def self_casting_primitive(primitive):
    """A copy of a primitive that computes in float16 and returns float32, whoever calls it."""
    return _made(type(primitive), primitive.__getstate__())


def _made(kind, state):
    made = kind.__new__(_casting_class(kind))
    made.__dict__.update(state)
    return made


class _SelfCasting:
    """Mixin of a primitive: float16 inside, float32 outside; under a mark of ``to_float``, as the mark says."""

    def __call__(self, *args):
        """Compute on the inputs as float16, and return float32."""
        if running.cast is not None:
            return super().__call__(*args)
        low = [arg if i in self.writes else _cast(arg, float16) for i, arg in enumerate(args)]
        return _cast(super().__call__(*low), float32)

    def __reduce__(self):
        """Copies and pickles name the primitive's own class, which can be imported."""
        return _made, (type(self).__mro__[2], self.__getstate__())


@functools.cache
def _casting_class(kind):
    return type(kind.__name__, (_SelfCasting, kind), {"__module__": kind.__module__})
