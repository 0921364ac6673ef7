"""Delayed scaling: the scale of a step comes from the steps before; the state is Parameters of a cell.

Each of x, w and dy has a scale, at first 1, and a history of largest magnitudes, at first zeros. A training step codes
with the stored scale, notes the largest magnitude in the history, and finds the next step's scale from it (see
``scales.Delayed``). So the first step's scale is 1, and an inf or a nan in a step freezes the scale until the history
has lost it.

The state changes in training mode alone: x's and w's after the forward product, dy's after the backward products. A
cell that runs twice in a step takes two steps of the history, and so does each micro-batch. As Parameters the state
travels in checkpoints; a step that the loss scale skips leaves it unchanged, unlike Transformer Engine's. In a job of
several processes the magnitudes are the largest of all.

Source: ``DelayedScaling`` of Transformer Engine; arXiv 2209.05433. The division is a single one, as in its kernel.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from minispore.amp.lowbit.formats import as_float32, format_of
from minispore.amp.lowbit.products import FProp, type_under
from minispore.amp.lowbit.tiles import largest
from minispore.core import process
from minispore.core.kernel_table import computed_as
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell

__all__ = ["Advance", "DelayedProduct", "Largest"]

_FLOAT32 = np.dtype(np.float32)


class Largest(Primitive):
    """The largest magnitude of a Tensor, float32 of shape (1,); 0 of an empty one.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.delayed import Largest
        >>> print(Largest()(ms.Tensor([1.0, -3.0])))
        [3.]
    """

    differentiable = False

    def _autocast(self, args, numpy_type):
        return super()._autocast(args, type_under(numpy_type))

    def infer(self, x):
        return Spec((1,), _FLOAT32)

    def compute(self, xp, x):
        if not x.size:
            return xp.zeros(1, _FLOAT32)
        return largest(xp, as_float32(xp, x).reshape(1, 1, 1, -1)).reshape(1)


class Advance(Primitive):
    """The step of one operand's state: ``scale, history = rule.after(scale, history, amax)``, written in place.

    Args:
        operand (Operand): The operand, whose scale is ``Delayed``.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.delayed import Advance
        >>> scale, history = ms.Parameter([1.0]), ms.Parameter([0.0, 0.0])
        >>> advanced = Advance(ms.amp.DelayedFP8().x)(scale, history, ms.Tensor([2.0]))
        >>> print(scale.asnumpy(), history.asnumpy())
        [224.] [0. 2.]
    """

    differentiable = False
    autocast = False
    writes = (0, 1)

    def __init__(self, operand) -> None:
        self.add_prim_attr("operand", operand)

    def infer(self, scale, history, amax):
        return Spec(scale.shape, _FLOAT32), Spec(history.shape, _FLOAT32)

    def compute(self, xp, scale, history, amax):
        return self.operand.scale.after(xp, scale, history, amax, format_of(self.operand.format))


_largest = Largest()
_advance_of = functools.cache(Advance)


def _advance(operand, scale, history, x):
    """Take one operand's state a step further."""
    amax = _largest(x)
    amax = process.job.largest(amax) if process.job.shares_gradients() else amax
    _advance_of(operand)(scale, history, amax)


class _FPropThatAdvances(FProp):
    """The forward product in training, whose backward pass takes dy's state further; its last input is dy's history."""

    def infer(self, x, w, *state):
        return super().infer(x, w, *state[:3])

    def compute(self, xp, x, w, *state):
        return computed_as(FProp, self, xp, x, w, *state[:3])

    def bprop(self, x, w, *rest):
        *ups, history, out, dout = rest
        gradients = super().bprop(x, w, *ups, out, dout)
        _advance(self.recipe.dy, ups[2], history, dout)
        return (*gradients, None)


class DelayedProduct(Cell):
    """A layer's product with delayed scales, in the place of its MatMul or Conv2D.

    Args:
        recipe (Recipe): A recipe with delayed scales.
        form (Union[Linear, Planes]): The products of exact operands.
        wide (bool): If True, the output is float32. Default: False.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.delayed import DelayedProduct
        >>> from minispore.amp.lowbit.products import Linear
        >>> product = DelayedProduct(ms.amp.DelayedFP8(history=4), Linear()).set_train()
        >>> y = product(ms.ops.ones((2, 3)), ms.ops.ones((4, 3)))
        >>> print(product.x_scale.asnumpy(), product.x_history.asnumpy())
        [448.] [0. 0. 0. 1.]
    """

    def __init__(self, recipe: Any, form: Any, wide: bool = False) -> None:
        super().__init__()
        self.recipe = recipe
        for name, operand in (("x", recipe.x), ("w", recipe.w), ("dy", recipe.dy)):
            zeros = np.zeros(operand.scale.history, np.float32)
            setattr(self, f"{name}_scale", Parameter(np.ones(1, np.float32), f"{name}_scale", requires_grad=False))
            setattr(self, f"{name}_history", Parameter(zeros, f"{name}_history", requires_grad=False))
        self.product = FProp(recipe, form, wide)
        self.product_in_training = _FPropThatAdvances(recipe, form, wide)

    def construct(self, x: Tensor, w: Tensor) -> Tensor:
        """Multiply with the stored scales; in training, take the state further."""
        scales = self.x_scale, self.w_scale, self.dy_scale
        if not self.training:
            return self.product(x, w, *scales)
        y = self.product_in_training(x, w, *scales, self.dy_history)
        _advance(self.recipe.x, self.x_scale, self.x_history, x)
        _advance(self.recipe.w, self.w_scale, self.w_history, w)
        return y

    def extend_repr(self) -> Any:
        """The recipe."""
        return str(self.recipe)
