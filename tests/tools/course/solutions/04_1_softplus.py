"""Exercise 4.1: the three rules of Softplus."""

from minispore import ops
from minispore.ops.primitive import Spec
from minispore.testing.targets.minispore import Minispore


class Softplus(ops.Primitive):
    """The logarithm of one and an exponential: ``out = log(1 + exp(x))``."""

    def infer(self, x):
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        wide = x.astype(xp.float32) if x.dtype == xp.float16 else x
        return (xp.maximum(wide, 0) + xp.log1p(xp.exp(-xp.abs(wide)))).astype(x.dtype)

    def bprop(self, x, out, dout):
        return dout * ops.sigmoid(x)


# The adapter by which the conformance kit asks: leave it as it is.
class Target(Minispore):
    speaks, says = "mine", {"Softplus": "softplus(x0)"}

    def __init__(self):
        super().__init__()
        self.name, self.names["softplus"] = "my primitive", Softplus()


def target():
    return Target()
