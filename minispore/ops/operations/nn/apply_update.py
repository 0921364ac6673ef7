"""One optimizer's step for one Parameter, each as one operation that writes the Parameter and its state."""

from __future__ import annotations

from collections.abc import Callable

from minispore.core.dtype import NARROW_FLOATS, float32
from minispore.core.errors import type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor, wrap
from minispore.ops.kernels.blocking.cache_blocks import in_blocks
from minispore.ops.kernels.float16.cast import narrow_into, widen
from minispore.ops.type_checks import check_float

__all__ = ["SGD", "Adam", "ApplyMomentum"]


class Update(Primitive):
    """Base of updates. Inputs are the Parameter, its state and the gradient, of one shape, and ``numbers``.

    ``update`` is the rule: it writes the new values into ``outs``, in the order of ``writes``. Narrow inputs are
    widened for it, and its results are rounded once. A rule that is not ``elementwise`` (it takes a norm) sees whole
    arrays. A number, one of the inputs at the positions ``numbers``, is a Python number or a Tensor of shape () or
    (1,).
    """

    differentiable = False
    numbers = ()
    hands_on_all = False  # True if the call returns all values that it writes, not only the Parameter's
    autocast = False
    elementwise = True

    def adapt(self, variable=None, *rest):
        """Read numbers as 0-d Tensors."""
        if not isinstance(variable, Parameter):
            raise type_error(self.name, "the 'variable' must be a Parameter", type(variable).__name__)
        args = [variable, *[x if isinstance(x, Tensor) else Tensor(x, float32) for x in rest]]
        if len(args) <= max((0, *self.numbers, *self.writes)):
            least = 1 + max((0, *self.numbers, *self.writes))
            raise type_error(self.name, f"there must be at least {least} inputs", len(args))
        for i in self.numbers:
            if args[i].array.shape == (1,):
                args[i] = wrap(args[i].array.reshape(()))
        return tuple(args)

    def infer(self, variable, *rest):
        check_float(self, "variable", variable)
        for i, spec in enumerate(rest, 1):
            check_float(self, f"input {i}", spec)
            if i in self.numbers and spec.shape != ():
                raise value_error(self.name, f"the input {i} must be a number", f"a Tensor of shape {spec.shape}")
            if spec.shape not in ((), variable.shape):
                raise value_error(
                    self.name, f"the input {i} must have the variable's shape, {variable.shape}", spec.shape
                )
        return tuple((variable, *rest)[i] for i in self.writes)

    def _written(self, args, outs, rule):
        out = super()._written(args, outs, rule)
        return (out, *[wrap(args[i].array) for i in self.writes[1:]]) if self.hands_on_all else out

    def compute(self, xp, *arrays):
        outs = _like(xp, [arrays[i] for i in self.writes])
        if self.elementwise:
            return in_blocks(self._rounded, xp, outs, *arrays)
        self._rounded(xp, outs, *arrays)
        return outs

    def _rounded(self, xp, outs, *arrays):
        if NARROW_FLOATS.isdisjoint([x.dtype for x in arrays]):
            self.update(xp, outs, *arrays)
            return
        arrays = [widen(xp, x) for x in arrays]
        wide = _like(xp, [arrays[i] for i in self.writes])
        self.update(xp, wide, *arrays)
        for out, y in zip(outs, wide, strict=True):
            narrow_into(xp, y, out)


class AMSGrad(Update):
    """Adam whose second moment's greatest value so far takes its place in the step (Reddi, Kale and Kumar, 2018).

    Inputs: variable, m, v, the greatest v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient.
    """

    writes = (0, 1, 2, 3)
    numbers = (4, 5, 6, 7, 8, 9)

    def update(self, xp, outs, variable, m, v, greatest, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient):
        moved, first, second, most = outs
        moments(xp, first, second, m, v, beta1, beta2, gradient)
        xp.maximum(greatest, second, out=most)
        root = xp.sqrt(most)
        root += epsilon
        xp.multiply(first, lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power), out=moved)
        moved /= root
        xp.subtract(variable, moved, out=moved)


class Scale(Update):
    """``variable *= factor``. Inputs: variable, factor."""

    writes = (0,)
    numbers = (1,)

    def update(self, xp, outs, variable, factor):
        xp.multiply(variable, factor, out=outs[0])


class ScaleEach(Update):
    """``variable *= factor``, a factor for each element. Inputs: variable, factor."""

    writes = (0,)

    def update(self, xp, outs, variable, factor):
        xp.multiply(variable, factor, out=outs[0])


class UpdateAll(Primitive):
    """The same update of ``count`` Parameters, as one operation with ``length`` inputs.

    An input at the positions ``update.numbers`` is a number; any other is a list, with one Tensor for each Parameter.
    """

    differentiable = False
    autocast = False

    def __init__(self, update, count, length):
        self.step, self.count = update, count
        self.starts = [0]
        for i in range(length):
            self.starts.append(self.starts[-1] + (1 if i in update.numbers else count))
        self.writes = tuple(self.starts[w] + k for w in update.writes for k in range(count))

    def __call__(self, *inputs):
        """Write the new values into the Parameters and their states."""
        flat = []
        for i, x in enumerate(inputs):
            flat += [x if isinstance(x, Tensor) else Tensor(x, float32)] if i in self.step.numbers else x
        return super().__call__(*flat)

    def nth(self, k, flat):
        """The inputs of the update of Parameter ``k``."""
        numbers = self.step.numbers
        return [flat[start if i in numbers else start + k] for i, start in enumerate(self.starts[:-1])]

    def infer(self, *flat):
        each = [self.step.infer(*self.nth(k, flat)) for k in range(self.count)]
        return tuple([results[j] for j in range(len(self.step.writes)) for results in each])

    def compute(self, xp, *flat):
        return self.in_order([self.step._computed(xp, *self.nth(k, flat)) for k in range(self.count)])

    @staticmethod
    def in_order(outs):
        """The new values in the order of ``writes``."""
        return tuple([y for same in zip(*outs, strict=True) for y in same])


def _like(xp, arrays):
    """New arrays of these shapes and dtypes, laid out row by row."""
    return tuple([xp.empty(x.shape, x.dtype) for x in arrays])


def moments(xp, first, second, m, v, beta1, beta2, gradient):
    """``beta1 * m + (1 - beta1) * g`` and ``beta2 * v + (1 - beta2) * g * g``, each as old value plus change."""
    xp.subtract(gradient, m, out=first)
    first *= 1 - beta1
    first += m
    xp.multiply(gradient, gradient, out=second)
    second -= v
    second *= 1 - beta2
    second += v


class ApplyMomentum(Update):
    """A step with momentum: ``m = momentum * m + g``; ``variable -= lr * m``.

    Here ``g = gradient_scale * gradient``. With Nesterov it is ``variable -= lr * (g + momentum * m)``.

    Inputs: variable, m, lr, gradient, momentum.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. All have one dtype of floats.

    Raises:
        TypeError: If ``use_nesterov`` or ``use_locking`` is not a bool, ``gradient_scale`` is not a number, or
            ``variable`` is not a Parameter. Also if an input holds no numbers.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m = ms.Parameter(ms.Tensor([1.0]), name="p"), ms.Parameter(ms.Tensor([0.0]), name="m")
        >>> step = ops.ApplyMomentum()
        >>> [step(p, m, 0.1, ms.Tensor([1.0]), 0.9).item() for _ in range(2)]  # the second step is longer
        [0.8999999761581421, 0.7099999785423279]
    """

    writes = (0, 1)
    numbers = (2, 4)

    def __init__(self, use_nesterov: bool = False, use_locking: bool = False, gradient_scale=1.0) -> None:
        self.add_prim_attr("use_nesterov", use_nesterov)
        self.add_prim_attr("gradient_scale", gradient_scale)

    def update(self, xp, outs, variable, m, lr, gradient, momentum):
        moved, grown = outs
        if self.gradient_scale != 1:
            gradient = gradient * variable.dtype.type(self.gradient_scale)
        xp.multiply(m, momentum, out=grown)
        grown += gradient
        step = grown * momentum + gradient if self.use_nesterov else grown
        xp.multiply(step, lr, out=moved)
        xp.subtract(variable, moved, out=moved)


class SGD(Update):
    """A step down the gradient, with momentum, decay and Nesterov's look ahead.

    ``a = momentum * a + (1 - dampening) * g`` (``a = g`` at first); ``variable -= lr * a``.

    With Nesterov ``variable -= lr * (g + momentum * a)``; ``weight_decay * variable`` is added to g before. ``stat``
    is 1 before the first step and 0 after. Inputs: variable, gradient, lr, a, momentum, stat.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``dampening`` or ``weight_decay`` is not a number, ``nesterov`` is not a bool, or ``variable`` is
            not a Parameter. Also if an input holds no numbers.
        ValueError: If a gradient or a state has another shape than the variable, or an input is not a number.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, a, first = (ms.Parameter(ms.Tensor([float(name != "a")]), name=name) for name in ("p", "a", "first"))
        >>> print(ops.SGD()(p, ms.Tensor([2.0]), ms.Tensor(0.1), a, ms.Tensor(0.9), first))
        [0.8]
    """

    writes = (0, 3, 5)
    numbers = (2, 4)

    def __init__(self, dampening=0.0, weight_decay=0.0, nesterov: bool = False) -> None:
        self.add_prim_attr("dampening", dampening)
        self.add_prim_attr("weight_decay", weight_decay)
        self.add_prim_attr("nesterov", nesterov)

    def update(self, xp, outs, variable, gradient, lr, a, momentum, stat):
        moved, grown, begun = outs
        if self.weight_decay:
            gradient = gradient + variable * variable.dtype.type(self.weight_decay)
        damped = gradient * (1 - self.dampening * (1 - stat)) if self.dampening else gradient
        xp.multiply(a, momentum, out=grown)
        grown += damped
        step = grown * momentum + gradient if self.nesterov else grown
        xp.multiply(step, lr, out=moved)
        xp.subtract(variable, moved, out=moved)
        begun[...] = 0


class Adam(Update):
    """Adam (Kingma and Ba, 2014): moments ``m``, ``v``, then ``variable -= rate * m / (sqrt(v) + epsilon)``.

    ``rate = lr * sqrt(1 - beta2_power) / (1 - beta1_power)``. Inputs: variable, m, v, beta1_power, beta2_power, lr,
    beta1, beta2, epsilon, gradient. Returns variable, m and v.

    Shapes: any for the variable; its states and the gradient have the same shape, rates are (). The answers have it
    too. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``use_locking`` or ``use_nesterov`` is not a bool, ``variable`` is not a Parameter, or an input
            holds no numbers. Also if an input is not a floating Tensor.
        ValueError: If a gradient or a state has another shape than the variable.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m, v = (ms.Parameter(ms.Tensor([float(name == "p")]), name=name) for name in "pmv")
        >>> print(ops.Adam()(p, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, ms.Tensor([2.0]))[0])
        [0.90000004]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    writes = (0, 1, 2)
    hands_on_all = True
    numbers = (3, 4, 5, 6, 7, 8)

    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None:
        self.add_prim_attr("use_nesterov", use_nesterov)

    def update(self, xp, outs, variable, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient):
        moved, first, second = outs
        rate = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
        moments(xp, first, second, m, v, beta1, beta2, gradient)
        root = xp.sqrt(second)
        root += epsilon
        step = first * beta1 + gradient * (1 - beta1) if self.use_nesterov else first
        xp.multiply(step, rate, out=moved)
        moved /= root
        xp.subtract(variable, moved, out=moved)
