"""One optimizer's step for one Parameter, each as one operation that writes the Parameter and its state."""

from minispore.ops.common import check_float, check_shape
from minispore.ops.primitive import Primitive, Spec

__all__ = ["Adam", "ApplyMomentum"]


class _Update(Primitive):
    """Base of updates: the Parameter and its state, then numbers, then the gradient, all of one shape."""

    differentiable = False
    lowers = False

    def infer(self, variable, *rest):
        check_float(self, "variable", variable)
        states, gradient = rest[: len(self.writes) - 1], rest[-1]
        for name, spec in (("gradient", gradient), *(("state", s) for s in states)):
            check_shape(self, name, spec, variable.shape)
        return tuple(Spec(variable.shape, variable.dtype) for _ in self.writes)


class ApplyMomentum(_Update):
    """``m = momentum * m + g``; ``variable -= lr * m``, or with Nesterov ``variable -= lr * (g + momentum * m)``.

    Inputs: variable, m, lr (0-d), momentum (0-d), gradient.
    """

    writes = (0, 1)

    def __init__(self, use_nesterov=False, gradient_scale=1.0):
        self.add_prim_attr("use_nesterov", use_nesterov)
        self.add_prim_attr("gradient_scale", gradient_scale)

    def compute(self, xp, variable, m, lr, momentum, gradient):
        if self.gradient_scale != 1:
            gradient = gradient * variable.dtype.type(self.gradient_scale)
        m = m * momentum
        m += gradient
        step = m * momentum + gradient if self.use_nesterov else m
        return variable - lr * step, m


class Adam(_Update):
    """One step of Adam (Kingma and Ba, 2014): moments ``m``, ``v``, then ``variable -= lr_t * m / (sqrt(v) + epsilon)``.

    ``lr_t = lr * sqrt(1 - beta2_power) / (1 - beta1_power)``. Inputs: variable, m, v, lr, beta1_power, beta2_power,
    beta1, beta2, epsilon (0-d each), gradient.
    """

    writes = (0, 1, 2)

    def __init__(self, use_nesterov=False):
        self.add_prim_attr("use_nesterov", use_nesterov)

    def compute(self, xp, variable, m, v, lr, beta1_power, beta2_power, beta1, beta2, epsilon, gradient):
        rate = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
        change = gradient - m
        change *= 1 - beta1
        m = m + change
        change = gradient * gradient
        change -= v
        change *= 1 - beta2
        v = v + change
        step = m * beta1 + gradient * (1 - beta1) if self.use_nesterov else m
        root = xp.sqrt(v)
        root += epsilon
        return variable - rate * step / root, m, v
