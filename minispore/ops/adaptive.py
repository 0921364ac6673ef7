"""Optimizers' steps whose rate adapts to what the gradients of an element, or of a whole Parameter, were so far."""

from minispore.errors import type_error
from minispore.ops.optimizer import Update, moments

__all__ = ["AdamWeightDecay", "ApplyAdadelta", "ApplyAdagrad", "ApplyCenteredRMSProp", "ApplyRMSProp", "Lamb"]


class AdamWeightDecay(Update):
    """Moments as Adam's, uncorrected; ``variable -= lr * (m / (sqrt(v) + epsilon) + decay * variable)``.

    Inputs: variable, m, v, lr, beta1, beta2, epsilon, decay, gradient. Source: Loshchilov and Hutter, 2017.
    """

    writes = (0, 1, 2)

    def __init__(self, use_locking=False):
        self.add_prim_attr("use_locking", use_locking)

    def step(self, xp, variable, m, v, lr, beta1, beta2, epsilon, decay, gradient):
        m, v = moments(m, v, beta1, beta2, gradient)
        return variable - lr * (m / (xp.sqrt(v) + epsilon) + decay * variable), m, v


class ApplyAdagrad(Update):
    """``accum += g * g``; ``variable -= lr * g / sqrt(accum)``. Inputs: variable, accum, lr, gradient.

    Without ``update_slots`` accum stays as it is. Source: Duchi, Hazan and Singer, 2011.
    """

    writes = (0, 1)

    def __init__(self, update_slots=True):
        if not isinstance(update_slots, bool):
            raise type_error(self.name, "the 'update_slots' must be a bool", repr(update_slots))
        self.add_prim_attr("update_slots", update_slots)

    def step(self, xp, variable, accum, lr, gradient):
        accum = accum + gradient * gradient if self.update_slots else accum
        return variable - lr * gradient / xp.sqrt(accum), accum


class ApplyRMSProp(Update):
    """``s = decay * s + (1 - decay) * g * g``; ``m = momentum * m + lr * g / sqrt(s + epsilon)``; ``variable -= m``.

    Inputs: variable, s, m, lr, gradient, decay, momentum, epsilon. Source: Hinton's lecture 6e, 2012.
    """

    writes = (0, 1, 2)

    def __init__(self, use_locking=False):
        self.add_prim_attr("use_locking", use_locking)

    def step(self, xp, variable, s, m, lr, gradient, decay, momentum, epsilon):
        s = decay * s + (1 - decay) * gradient * gradient
        m = momentum * m + lr * gradient / xp.sqrt(s + epsilon)
        return variable - m, s, m


class ApplyCenteredRMSProp(Update):
    """RMSProp by the variance: ``a = decay * a + (1 - decay) * g``, and ``s - a * a`` takes the place of ``s``.

    Inputs: variable, a, s, m, gradient, lr, decay, momentum, epsilon.
    """

    writes = (0, 1, 2, 3)

    def __init__(self, use_locking=False):
        self.add_prim_attr("use_locking", use_locking)

    def step(self, xp, variable, a, s, m, gradient, lr, decay, momentum, epsilon):
        a, s = decay * a + (1 - decay) * gradient, decay * s + (1 - decay) * gradient * gradient
        m = momentum * m + lr * gradient / xp.sqrt(s - a * a + epsilon)
        return variable - m, a, s, m


class ApplyAdadelta(Update):
    """``a = rho * a + (1 - rho) * g * g``; ``u = g * sqrt((b + epsilon) / (a + epsilon))``; ``variable -= lr * u``.

    Then ``b = rho * b + (1 - rho) * u * u``. Inputs: variable, a, b, lr, rho, epsilon, gradient. Source: Zeiler, 2012.
    """

    writes = (0, 1, 2)

    def step(self, xp, variable, a, b, lr, rho, epsilon, gradient):
        a = rho * a + (1 - rho) * gradient * gradient
        u = gradient * (xp.sqrt(b + epsilon) / xp.sqrt(a + epsilon))
        return variable - lr * u, a, rho * b + (1 - rho) * u * u


def _norm(xp, x):
    return xp.sqrt((x * x).sum())


class Lamb(Update):
    """``u = m' / (sqrt(v') + epsilon) + decay * variable``; ``variable -= lr * (|variable| / |u|) * u``.

    Moments as Adam's, ``m' = m / (1 - beta1 ** t)`` and ``v' = v / (1 - beta2 ** t)`` at step t; the ratio of norms is
    1 where one of them is 0. Inputs: variable, m, v, lr, beta1, beta2, epsilon, decay, t, gradient. Source: You et al.,
    Large batch optimization for deep learning, 2019.
    """

    writes = (0, 1, 2)
    elementwise = False

    def step(self, xp, variable, m, v, lr, beta1, beta2, epsilon, decay, t, gradient):
        m, v = moments(m, v, beta1, beta2, gradient)
        u = m / (1 - beta1**t) / (xp.sqrt(v / (1 - beta2**t)) + epsilon) + decay * variable
        of_variable, of_step = _norm(xp, variable), _norm(xp, u)
        ratio = xp.where((of_variable > 0) & (of_step > 0), of_variable / of_step, variable.dtype.type(1))
        return variable - lr * ratio * u, m, v
