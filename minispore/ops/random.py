"""Random operations, from the counter-based generator of the seed in force."""

from minispore import backend
from minispore.autograd import wanted
from minispore.errors import type_error, value_error
from minispore.ops.common import check_float
from minispore.ops.primitive import Primitive, Spec

__all__ = ["Dropout"]


class Dropout(Primitive):
    """``out = x * mask / keep_prob`` with a mask of ones with probability ``keep_prob``: ``(out, mask)``."""

    random = True

    def __init__(self, keep_prob=0.5, seed0=0, seed1=0):
        if isinstance(keep_prob, bool) or not isinstance(keep_prob, (int, float)):
            raise type_error(self.name, "the 'keep_prob' must be a float", repr(keep_prob))
        if not 0 < keep_prob <= 1:
            raise value_error(self.name, "the 'keep_prob' must be in (0, 1]", keep_prob)
        self.add_prim_attr("keep_prob", keep_prob)

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype), Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        kept = backend.random_generator().random(x.shape) < self.keep_prob
        mask = backend.from_host(kept).astype(x.dtype)
        return x * mask * x.dtype.type(1 / self.keep_prob), mask

    def bprop(self, x, out, dout):
        return wanted(x) and dout[0] * out[1] * (1 / self.keep_prob)
