"""Pass over a plan: a layer normalization writes its output in the narrow dtype to which its only reader casts it."""

from minispore.core.dtype import NARROW_FLOATS
from minispore.core.primitive import Primitive
from minispore.graph.recorder import Guard, values_of
from minispore.ops.casting import Cast, cast
from minispore.ops.operations.nn.normalization import LayerNorm

__all__ = []


class NarrowLayerNorm(Primitive):
    """A ``LayerNorm`` and the cast of its first output.

    Args:
        norm (LayerNorm): The normalization.
        dtype (dtype): The dtype of the first output.
    """

    differentiable = False
    autocast = False

    def __init__(self, norm, dtype):
        self.norm, self.dtype = norm, dtype

    def infer(self, *specs):
        y, *rest = self.norm.infer(*specs)
        return cast.infer(y, self.dtype), *rest

    def compute(self, xp, *arrays):
        y, *rest = self.norm._computed(xp, *arrays)
        return cast._computed(xp, y, self.dtype), *rest


def with_layer_norms_cast(steps, kept, recording):
    """The steps, with such casts merged; ``kept`` are the Values that are returned or written."""
    readers = {}
    for i, step in enumerate(steps):
        for x in values_of(step):
            readers.setdefault(x, []).append(i)
    merged = list(steps)
    for i, step in enumerate(steps):
        if isinstance(step, Guard) or type(step.primitive) is not LayerNorm or step.results[0] in kept:
            continue
        (at, *others), y = readers.get(step.results[0], [None]), step.results[0]
        if at is None or others or isinstance(steps[at], Guard) or type(steps[at].primitive) is not Cast:
            continue
        if steps[at].arguments[1] in NARROW_FLOATS and recording.memories[y.number].dtype not in NARROW_FLOATS:
            primitive = NarrowLayerNorm(step.primitive, steps[at].arguments[1])
            merged[i] = step._replace(primitive=primitive, results=(steps[at].results[0], *step.results[1:]))
            merged[at] = None
    return [step for step in merged if step is not None]
