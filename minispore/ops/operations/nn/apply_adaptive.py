"""Optimizers' steps whose rate adapts to the past gradients of an element, or of a whole Parameter."""

from __future__ import annotations

from collections.abc import Callable

from minispore.core.tensor import Tensor
from minispore.ops.kernels.select import select
from minispore.ops.operations.nn.apply_update import Update, moments

__all__ = [
    "AdamWeightDecay",
    "ApplyAdaMax",
    "ApplyAdadelta",
    "ApplyAdagrad",
    "ApplyCenteredRMSProp",
    "ApplyRMSProp",
    "Lamb",
]


class AdamWeightDecay(Update):
    """A step of Adam with a decay of the variable itself (AdamW).

    Moments as Adam's, uncorrected; ``variable -= lr * (m / (sqrt(v) + epsilon) + decay * variable)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, m, v, lr, beta1, beta2, epsilon, decay, gradient. Source: Loshchilov and Hutter, 2017.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m, v = (ms.Parameter(ms.Tensor([x]), name=name) for name, x in (("p", 1.0), ("m", 0.0), ("v", 0.0)))
        >>> step = ops.AdamWeightDecay()
        >>> print(*step(p, m, v, 0.1, 0.9, 0.999, 1e-8, 0.0, ms.Tensor([2.0])))
        [0.6837702] [0.20000005] [0.00399995]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    writes = (0, 1, 2)
    hands_on_all = True
    numbers = (3, 4, 5, 6, 7)

    def __init__(self, use_locking: bool = False) -> None:
        self.add_prim_attr("use_locking", use_locking)

    def update(self, xp, outs, variable, m, v, lr, beta1, beta2, epsilon, decay, gradient):
        moved, first, second = outs
        moments(xp, first, second, m, v, beta1, beta2, gradient)
        root = xp.sqrt(second)
        root += epsilon
        change = first / root
        xp.multiply(variable, decay, out=moved)
        moved += change
        moved *= lr
        xp.subtract(variable, moved, out=moved)


class ApplyAdaMax(Update):
    """A step of AdaMax, Adam by the largest gradient so far.

    ``m = beta1 * m + (1 - beta1) * g``; ``v = max(beta2 * v, |g|)``; ``variable -= lr_t * m / (v + epsilon)``.

    ``lr_t = lr / (1 - beta1_power)``, with this step's power. Inputs: variable, m, v, beta1_power, lr, beta1, beta2,
    epsilon, gradient. Returns variable, m and v. Source: Kingma and Ba, 2014, section 7.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``variable`` is not a Parameter, an input holds no numbers, or an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m, v = (ms.Parameter(ms.Tensor([x]), name=name) for name, x in (("p", 1.0), ("m", 0.0), ("v", 0.0)))
        >>> print(*ops.ApplyAdaMax()(p, m, v, 0.9, 0.1, 0.9, 0.999, 1e-8, ms.Tensor([2.0])))
        [0.9] [0.20000005] [2.]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    writes = (0, 1, 2)
    hands_on_all = True
    numbers = (3, 4, 5, 6, 7)

    def update(self, xp, outs, variable, m, v, beta1_power, lr, beta1, beta2, epsilon, gradient):
        moved, first, greatest = outs
        _mean(xp, first, m, beta1, gradient)
        xp.multiply(v, beta2, out=greatest)
        xp.maximum(greatest, xp.abs(gradient), out=greatest)
        xp.divide(first, greatest + epsilon, out=moved)
        moved *= lr / (1 - beta1_power)
        xp.subtract(variable, moved, out=moved)


class ApplyAdagrad(Update):
    """A step of Adagrad, shorter where gradients have been large.

    ``accum += g * g``; ``variable -= lr * g / sqrt(accum)``. Inputs: variable, accum, lr, gradient.

    Returns variable and accum. Without ``update_slots`` accum stays as it is. Source: Duchi, Hazan and Singer, 2011.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``update_slots`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers.
            Also if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, accum = ms.Parameter(ms.Tensor([1.0]), name="p"), ms.Parameter(ms.Tensor([0.0]), name="accum")
        >>> print(*ops.ApplyAdagrad()(p, accum, 0.1, ms.Tensor([2.0])))
        [0.9] [4.]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    writes = (0, 1)
    hands_on_all = True
    numbers = (2,)

    def __init__(self, update_slots: bool = True) -> None:
        self.add_prim_attr("update_slots", update_slots)

    def update(self, xp, outs, variable, accum, lr, gradient):
        moved, grown = outs
        grown[...] = accum
        if self.update_slots:
            grown += gradient * gradient
        xp.multiply(gradient, lr, out=moved)
        moved /= xp.sqrt(grown)
        xp.subtract(variable, moved, out=moved)


def _mean(xp, out, old, decay, *factors):
    """``out = decay * old + (1 - decay) * product of the factors``."""
    new = 1 - decay
    for factor in factors:
        new = new * factor
    _grown(xp, out, old, decay, new)


def _grown(xp, out, old, decay, new):
    """``out = decay * old + new``."""
    xp.multiply(old, decay, out=out)
    out += new


class ApplyRMSProp(Update):
    """A step divided by the root of the mean square of the gradients.

    ``s = decay * s + (1 - decay) * g * g``; ``m = momentum * m + lr * g / sqrt(s + epsilon)``; ``variable -= m``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, s, m, lr, gradient, decay, momentum, epsilon. Source: Hinton's lecture 6e, 2012.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, s, m = (ms.Parameter(ms.Tensor([x]), name=name) for name, x in (("p", 1.0), ("s", 0.0), ("m", 0.0)))
        >>> print(ops.ApplyRMSProp()(p, s, m, 0.1, ms.Tensor([2.0]), 0.75, 0.0, 0.0))  # 1 - 0.1 * 2 / sqrt(0.25 * 4)
        [0.8]
    """

    writes = (0, 1, 2)
    numbers = (3, 5, 6, 7)

    def __init__(self, use_locking: bool = False) -> None:
        self.add_prim_attr("use_locking", use_locking)

    def update(self, xp, outs, variable, s, m, lr, gradient, decay, momentum, epsilon):
        moved, squares, step = outs
        _mean(xp, squares, s, decay, gradient, gradient)
        _grown(xp, step, m, momentum, gradient * lr / xp.sqrt(squares + epsilon))
        xp.subtract(variable, step, out=moved)


class ApplyCenteredRMSProp(Update):
    """RMSProp by the variance: ``a = decay * a + (1 - decay) * g``, and ``s - a * a`` takes the place of ``s``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, a, s, m, gradient, lr, decay, momentum, epsilon.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, a, s, m = (ms.Parameter(ms.Tensor([float(name == "p")]), name=name) for name in "pasm")
        >>> print(ops.ApplyCenteredRMSProp()(p, a, s, m, ms.Tensor([2.0]), 0.1, 0.5, 0.0, 0.0))
        [0.8]
    """

    writes = (0, 1, 2, 3)
    numbers = (5, 6, 7, 8)

    def __init__(self, use_locking: bool = False) -> None:
        self.add_prim_attr("use_locking", use_locking)

    def update(self, xp, outs, variable, a, s, m, gradient, lr, decay, momentum, epsilon):
        moved, mean, squares, step = outs
        _mean(xp, mean, a, decay, gradient)
        _mean(xp, squares, s, decay, gradient, gradient)
        _grown(xp, step, m, momentum, gradient * lr / xp.sqrt(squares - mean * mean + epsilon))
        xp.subtract(variable, step, out=moved)


class ApplyAdadelta(Update):
    """A step of Adadelta, whose rate follows from the steps before.

    ``a = rho * a + (1 - rho) * g * g``; ``u = g * sqrt((b + epsilon) / (a + epsilon))``; ``variable -= lr * u``.

    Then ``b = rho * b + (1 - rho) * u * u``. Inputs: variable, a, b, lr, rho, epsilon, gradient. Returns variable, a
    and b. Source: Zeiler, 2012.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``variable`` is not a Parameter, an input holds no numbers, or an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, a, b = (ms.Parameter(ms.Tensor([float(name == "p")]), name=name) for name in "pab")
        >>> print(*ops.ApplyAdadelta()(p, a, b, 1.0, 0.5, 0.0001, ms.Tensor([2.0])))
        [0.9858582] [2.] [9.999501e-05]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    writes = (0, 1, 2)
    hands_on_all = True
    numbers = (3, 4, 5)

    def update(self, xp, outs, variable, a, b, lr, rho, epsilon, gradient):
        moved, of_gradients, of_steps = outs
        _mean(xp, of_gradients, a, rho, gradient, gradient)
        u = gradient * (xp.sqrt(b + epsilon) / xp.sqrt(of_gradients + epsilon))
        _mean(xp, of_steps, b, rho, u, u)
        xp.subtract(variable, lr * u, out=moved)


def _norm(xp, x):
    return xp.sqrt((x * x).sum())


class Lamb(Update):
    """A step of Lamb: one of Adam, as long in proportion as the variable.

    ``u = m' / (sqrt(v') + epsilon) + decay * variable``; ``variable -= lr * (|variable| / |u|) * u``.

    Moments as Adam's, ``m' = m / (1 - beta1 ** t)`` and ``v' = v / (1 - beta2 ** t)`` at step t; the ratio of norms is
    1 where one of them is 0. Inputs: variable, m, v, lr, beta1, beta2, epsilon, decay, t, gradient. Source: You et al.,
    Large batch optimization for deep learning, 2019.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``variable`` is not a Parameter, an input holds no numbers, or an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m, v = (ms.Parameter(ms.Tensor([float(name == "p")]), name=name) for name in "pmv")
        >>> print(ops.Lamb()(p, m, v, 0.1, 0.9, 0.999, 1e-8, 0.0, 1, ms.Tensor([2.0])))
        [0.9]
    """

    writes = (0, 1, 2)
    numbers = (3, 4, 5, 6, 7, 8)
    elementwise = False

    def update(self, xp, outs, variable, m, v, lr, beta1, beta2, epsilon, decay, t, gradient):
        moved, first, second = outs
        moments(xp, first, second, m, v, beta1, beta2, gradient)
        u = first / (1 - beta1**t) / (xp.sqrt(second / (1 - beta2**t)) + epsilon) + decay * variable
        of_variable, of_step = _norm(xp, variable), _norm(xp, u)
        ratio = select(xp, (of_variable > 0) & (of_step > 0), of_variable / of_step, variable.dtype.type(1))
        xp.subtract(variable, lr * ratio * u, out=moved)
