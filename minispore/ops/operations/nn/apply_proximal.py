"""Optimizers' steps with a proximal point, by signs of the moments, by dual averages, and the plain step."""

from __future__ import annotations

from collections.abc import Callable

from minispore.core.dtype import float32
from minispore.core.tensor import Tensor
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.nn.apply_update import Update, moments

__all__ = [
    "ApplyAdagradDA",
    "ApplyAdagradV2",
    "ApplyAdamWithAmsgrad",
    "ApplyAddSign",
    "ApplyFtrl",
    "ApplyGradientDescent",
    "ApplyKerasMomentum",
    "ApplyPowerSign",
    "ApplyProximalAdagrad",
    "ApplyProximalGradientDescent",
]


def _shrunk(xp, x, bound):
    """``sign(x) * max(|x| - bound, 0)``."""
    return xp.sign(x) * xp.maximum(xp.abs(x) - bound, 0)


class _Locking(Update):
    """Base of updates that take ``use_locking``, without effect."""

    def __init__(self, use_locking: bool = False) -> None:
        self.add_prim_attr("use_locking", use_locking)


class _Several(_Locking):
    """Base of those that answer all that they write."""

    hands_on_all = True
    __call__: Callable[..., tuple[Tensor, ...]]


class ApplyGradientDescent(_Locking):
    """A step down the gradient: ``variable -= alpha * delta``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(ops.ApplyGradientDescent()(p, 0.1, ms.Tensor([10.0, -10.0])))
        [0. 3.]
    """

    writes = (0,)
    numbers = (1,)

    def update(self, xp, outs, variable, alpha, delta):
        xp.subtract(variable, alpha * delta, out=outs[0])


class ApplyProximalGradientDescent(_Locking):
    """A step down the gradient, then one towards 0.

    ``q = variable - alpha * delta``; ``variable = sign(q) * max(|q| - alpha * l1, 0) / (1 + alpha * l2)``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, alpha, l1, l2, delta. Returns variable. Source: Duchi and Singer, 2009.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 0.05]), name="p")
        >>> print(ops.ApplyProximalGradientDescent()(p, 0.1, 1.0, 0.0, ms.Tensor([0.0, 0.0])))  # l1 takes 0.1 off
        [0.9 0. ]
    """

    writes = (0,)
    numbers = (1, 2, 3)

    def update(self, xp, outs, variable, alpha, l1, l2, delta):
        xp.divide(_shrunk(xp, variable - alpha * delta, alpha * l1), 1 + alpha * l2, out=outs[0])


class ApplyProximalAdagrad(_Several):
    """A step of Adagrad, then one towards 0.

    ``accum += g * g``; then the proximal step with the rate ``lr / sqrt(accum)`` of each element.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, accum, lr, l1, l2, gradient. Returns variable and accum. Source: Duchi and Singer, 2009.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, accum = ms.Parameter(ms.Tensor([1.0]), name="p"), ms.Parameter(ms.Tensor([0.0]), name="accum")
        >>> print(*ops.ApplyProximalAdagrad()(p, accum, 0.1, 0.0, 0.0, ms.Tensor([2.0])))
        [0.9] [4.]
    """

    writes = (0, 1)
    numbers = (2, 3, 4)

    def update(self, xp, outs, variable, accum, lr, l1, l2, gradient):
        moved, grown = outs
        xp.add(accum, gradient * gradient, out=grown)
        rate = lr / xp.sqrt(grown)
        xp.divide(_shrunk(xp, variable - rate * gradient, rate * l1), 1 + rate * l2, out=moved)


class ApplyFtrl(_Locking):
    """A step of FTRL, "follow the regularized leader".

    ``l += g - (a' ** -k - a ** -k) / lr * p``; ``p = -sign(l) * max(|l| - l1, 0) / (a' ** -k / lr + 2 * l2)``.

    ``a' = a + g * g``. Inputs: the variable p, a, l, g, lr, l1, l2 and ``lr_power``, k. Returns the variable. Source:
    McMahan et al., Ad click prediction, 2013.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, a, l = (ms.Parameter(ms.Tensor([float(name != "l")]), name=name) for name in "pal")
        >>> print(ops.ApplyFtrl()(p, a, l, ms.Tensor([2.0]), 0.1, 0.0, 0.0, -0.5))
        [0.46334368]
    """

    writes = (0, 1, 2)
    numbers = (4, 5, 6, 7)

    def update(self, xp, outs, variable, accum, linear, gradient, lr, l1, l2, lr_power):
        moved, grown, shifted = outs
        xp.add(accum, gradient * gradient, out=grown)
        power = grown**-lr_power
        xp.add(linear, gradient - (power - accum**-lr_power) / lr * variable, out=shifted)
        xp.divide(-_shrunk(xp, shifted, l1), power / lr + 2 * l2, out=moved)


class ApplyAdagradV2(Update):
    """A step of Adagrad, with a number that keeps the divisor from 0.

    ``accum += g * g``; ``variable -= lr * g / (sqrt(accum) + epsilon)``. Inputs: variable, accum, lr, gradient.

    Returns variable and accum. Without ``update_slots`` accum stays as it is.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        epsilon (float): Above 0 as a rule.
        update_slots (bool): Default: True.

    Raises:
        TypeError: If ``epsilon`` is not a number, ``update_slots`` is not a bool, ``variable`` is not a Parameter, or
            an input holds no numbers.
        ValueError: If ``epsilon`` is not finite, or a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, accum = ms.Parameter(ms.Tensor([1.0]), name="p"), ms.Parameter(ms.Tensor([0.0]), name="accum")
        >>> print(*ops.ApplyAdagradV2(epsilon=1e-6)(p, accum, 0.1, ms.Tensor([2.0])))
        [0.90000004] [4.]
    """

    writes = (0, 1)
    hands_on_all = True
    numbers = (2,)
    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, epsilon: float, update_slots: bool = True) -> None:
        self.add_prim_attr("epsilon", check_python_float(self.name, "epsilon", epsilon))
        self.add_prim_attr("update_slots", update_slots)

    def update(self, xp, outs, variable, accum, lr, gradient):
        moved, grown = outs
        grown[...] = accum
        if self.update_slots:
            grown += gradient * gradient
        xp.subtract(variable, lr * gradient / (xp.sqrt(grown) + variable.dtype.type(self.epsilon)), out=moved)


class ApplyAdagradDA(_Several):
    """A step of Adagrad by dual averaging, from the sums of all gradients.

    ``s += g``; ``a += g * g``; ``variable = -lr * sign(s) * max(|s| - l1 * t, 0) / (l2 * t * lr + sqrt(a))``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, s, a, gradient, lr, l1, l2 and the step t, an int or a Tensor of one. Returns variable, s and a.
    Source: Duchi, Hazan and Singer, 2011.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, s, a = (ms.Parameter(ms.Tensor([float(name == "p")]), name=name) for name in "psa")
        >>> print(*ops.ApplyAdagradDA()(p, s, a, ms.Tensor([2.0]), 0.1, 0.0, 0.0, 1))
        [-0.1] [2.] [4.]
    """

    writes = (0, 1, 2)
    numbers = (4, 5, 6, 7)

    def adapt(self, variable=None, *rest):
        """Read the step as a float."""
        step = [x.astype(float32) if isinstance(x, Tensor) else x for x in rest[-1:]]
        return super().adapt(variable, *rest[:-1], *step)

    def update(self, xp, outs, variable, sums, squares, gradient, lr, l1, l2, step):
        moved, total, grown = outs
        xp.add(sums, gradient, out=total)
        xp.add(squares, gradient * gradient, out=grown)
        xp.divide(-lr * _shrunk(xp, total, l1 * step), l2 * step * lr + xp.sqrt(grown), out=moved)


class ApplyKerasMomentum(Update):
    """A step with momentum, which holds the rate.

    ``accum = momentum * accum - lr * g``; ``variable += accum``, or with Nesterov ``momentum * accum - lr * g``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, accum, lr, gradient, momentum. Returns variable and accum.

    Args:
        use_locking (bool): Accepted, without effect. Default: False.
        use_nesterov (bool): Default: False.

    Raises:
        TypeError: If ``use_locking`` or ``use_nesterov`` is not a bool, ``variable`` is not a Parameter, or an input
            holds no numbers. Also if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, accum = ms.Parameter(ms.Tensor([1.0]), name="p"), ms.Parameter(ms.Tensor([0.0]), name="accum")
        >>> print(*ops.ApplyKerasMomentum()(p, accum, 0.1, ms.Tensor([2.0]), 0.9))
        [0.8] [-0.2]
    """

    writes = (0, 1)
    hands_on_all = True
    numbers = (2, 4)
    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None:
        self.add_prim_attr("use_locking", use_locking)
        self.add_prim_attr("use_nesterov", use_nesterov)

    def update(self, xp, outs, variable, accum, lr, gradient, momentum):
        moved, speed = outs
        xp.subtract(momentum * accum, lr * gradient, out=speed)
        xp.add(variable, momentum * speed - lr * gradient if self.use_nesterov else speed, out=moved)


class _BySign(_Several):
    """Base of steps whose rate depends on whether the gradient has the sign of its moment."""

    writes = (0, 1)
    numbers = (2, 3, 4, 5)

    def update(self, xp, outs, variable, m, lr, base, sign_decay, beta, gradient):
        moved, mean = outs
        xp.add(beta * m, (1 - beta) * gradient, out=mean)
        agree = sign_decay * xp.sign(gradient) * xp.sign(mean)
        xp.subtract(variable, lr * self.factor(xp, base, agree) * gradient, out=moved)


class ApplyAddSign(_BySign):
    """A step that is longer where the gradient and its mean agree in sign: a sum of signs.

    ``m = beta * m + (1 - beta) * g``; ``variable -= lr * (alpha + sign_decay * sign(g) * sign(m)) * g``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, m, lr, alpha, sign_decay, beta, gradient. Returns variable and m. Source: Bello et al., 2017.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m = ms.Parameter(ms.Tensor([1.0]), name="p"), ms.Parameter(ms.Tensor([0.0]), name="m")
        >>> print(*ops.ApplyAddSign()(p, m, 0.1, 1.0, 1.0, 0.9, ms.Tensor([2.0])))  # both signs agree: twice the step
        [0.6] [0.20000005]
    """

    def factor(self, xp, base, agree):
        """The factor of the rate."""
        return base + agree


class ApplyPowerSign(_BySign):
    """A step that is longer where the gradient and its mean agree in sign: a power of signs.

    ``m = beta * m + (1 - beta) * g``; ``variable -= lr * exp(logbase * sign_decay * sign(g) * sign(m)) * g``.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, m, lr, logbase, sign_decay, beta, gradient. Returns variable and m. Source: Bello et al., 2017.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``variable`` is not a Parameter, or an input holds no numbers. Also
            if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m = ms.Parameter(ms.Tensor([1.0]), name="p"), ms.Parameter(ms.Tensor([0.0]), name="m")
        >>> print(*ops.ApplyPowerSign()(p, m, 0.1, 0.0, 1.0, 0.9, ms.Tensor([2.0])))
        [0.8] [0.20000005]
    """

    def factor(self, xp, base, agree):
        """The factor of the rate."""
        return xp.exp(base * agree)


class ApplyAdamWithAmsgrad(Update):
    """Adam whose second moment's greatest value so far takes its place in the step (Reddi, Kale and Kumar, 2018).

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: variable, m, v, the greatest v, beta1_power, beta2_power, lr, gradient. Returns the first four.

    Args:
        beta1 (float): Default: 0.9.
        beta2 (float): Default: 0.999.
        epsilon (float): Default: 1e-8.
        use_locking (bool): Accepted, without effect. Default: False.

    Raises:
        TypeError: If ``beta1`` or ``beta2`` is not a float, ``epsilon`` is not a number, or ``use_locking`` is not a
            bool. Also if ``variable`` is not a Parameter.
        ValueError: If ``beta1``, ``beta2`` or ``epsilon`` is not finite, or a gradient or a state has another shape
            than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m, v, top = (ms.Parameter(ms.Tensor([float(name == "p")]), name=name) for name in ("p", "m", "v", "top"))
        >>> print(*ops.ApplyAdamWithAmsgrad()(p, m, v, top, 0.9, 0.999, 0.1, ms.Tensor([2.0])))
        [0.90000004] [0.20000005] [0.00399995] [0.00399995]
    """

    writes = (0, 1, 2, 3)
    hands_on_all = True
    numbers = (4, 5, 6)
    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8, use_locking=False) -> None:
        for name, value in (("beta1", beta1), ("beta2", beta2), ("epsilon", epsilon)):
            self.add_prim_attr(name, check_python_float(self.name, name, value))
        self.add_prim_attr("use_locking", use_locking)

    def update(self, xp, outs, variable, m, v, greatest, beta1_power, beta2_power, lr, gradient):
        moved, first, second, most = outs
        kind = variable.dtype.type
        moments(xp, first, second, m, v, kind(self.beta1), kind(self.beta2), gradient)
        xp.maximum(greatest, second, out=most)
        rate = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
        xp.subtract(variable, rate * first / (xp.sqrt(most) + kind(self.epsilon)), out=moved)
