"""Loss scalers: the loss scale as functions, for training functions that users write themselves.

loss = scaler.scale(loss);  gradients = scaler.unscale(gradients);  scaler.adjust(all_finite(gradients))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

import numpy as np

from minispore.amp.loss_scale.rule import LossScale, State, check_factor_and_window, check_overflow, check_scale, store
from minispore.core.dtype import float32
from minispore.core.errors import type_error
from minispore.core.nest import map_leaves
from minispore.core.parameter import Parameter
from minispore.core.tape import is_differentiable
from minispore.core.tensor import Tensor
from minispore.ops.object_text import of_arguments

__all__ = ["DynamicLossScaler", "LossScaler", "StaticLossScaler"]

Nest = TypeVar("Nest")  # a Tensor, or a tuple, list or dict of Tensors; the result has the structure of the input


def _mapped(operation, function, inputs):
    """A nest like ``inputs`` with ``function`` applied to each Tensor."""

    def of_tensor(x):
        if not isinstance(x, Tensor):
            raise type_error(
                operation, "the inputs must be Tensors, or tuples, lists or dicts of them", type(x).__name__
            )
        return function(x)

    return map_leaves(of_tensor, inputs)


class LossScaler(ABC):
    """Base of scalers: subclasses define the three methods.

    Examples:
        >>> import minispore as ms
        >>> class Eight(ms.amp.LossScaler):
        ...     def scale(self, inputs):
        ...         return inputs * 8
        ...
        ...     def unscale(self, inputs):
        ...         return inputs / 8
        ...
        ...     def adjust(self, grads_finite):
        ...         return False
        >>> print(Eight().scale(ms.Tensor(0.5)), Eight().unscale(ms.Tensor(4.0)))
        4.0 0.5
    """

    __repr__ = of_arguments

    @abstractmethod
    def scale(self, inputs: Nest) -> Nest:
        """The inputs times the scale."""

    @abstractmethod
    def unscale(self, inputs: Nest) -> Nest:
        """The inputs divided by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: bool | Tensor) -> bool:
        """Update the scale after a step, given whether its gradients were finite."""


class StaticLossScaler(State, LossScaler):
    """A fixed loss scale. For a float16 or bfloat16 loss use a power of two: others are rounded to the loss's type.

    Args:
        scale_value (Union[float, int]): The scale, at least 1.

    Raises:
        TypeError: If it is not a number.
        ValueError: If it is below 1, or too large for float32.

    Examples:
        >>> import minispore as ms
        >>> scaler = ms.amp.StaticLossScaler(8)
        >>> print(scaler.scale(ms.Tensor(2.0)), scaler.unscale((ms.Tensor(16.0),))[0])
        16.0 2.0
    """

    def __init__(self, scale_value: float) -> None:
        scale_value = check_scale(type(self).__name__, "scale_value", scale_value)
        self.scale_value = Parameter(Tensor(scale_value, float32), name="scale_value")

    def scale(self, inputs: Nest) -> Nest:
        """The inputs times the scale, each in its own dtype; float16 is multiplied in float32 and rounded once."""

        def scaled(x):
            narrow = is_differentiable(x) and x.itemsize < float32.np.itemsize
            return (x.astype(float32) * self.scale_value).astype(x.dtype) if narrow else x * self.scale_value

        return _mapped("scale", scaled, inputs)

    def unscale(self, inputs: Nest) -> Nest:
        """The inputs divided by the scale; float16 inputs become float32, in which small gradients do not vanish."""
        inverse = 1 / self.scale_value.value()
        return _mapped("unscale", lambda x: x.astype(float32) * inverse if x.itemsize < 4 else x * inverse, inputs)

    def adjust(self, grads_finite: bool | Tensor) -> bool:
        """Nothing: the scale is fixed. Returns False."""
        return False


class DynamicLossScaler(StaticLossScaler):
    """A loss scale that adapts to overflows: divided by each, multiplied after a window without one.

    Args:
        scale_value (Union[float, int]): The initial scale, at least 1.
        scale_factor (int): The factor of each change, at least 1.
        scale_window (int): Good steps in a row before it grows, above 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> scaler = ms.amp.DynamicLossScaler(8, 2, 1)
        >>> [scaler.adjust(finite) and float(scaler.scale_value) for finite in (True, False, False)]
        [16.0, 8.0, 4.0]
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        super().__init__(scale_value)
        factor, window = check_factor_and_window("DynamicLossScaler", scale_factor, scale_window, whole_factor=True)
        self.scale_factor, self.scale_window = factor, window
        self.counter = Parameter(np.asarray(0, np.int32), name="counter")

    def adjust(self, grads_finite: bool | Tensor) -> bool:
        """Update the scale. Returns True; the log warns once where overflows cannot end."""
        before = LossScale(
            float(self.scale_value.item()), self.scale_factor, self.scale_window, int(self.counter.item())
        )
        finite = check_overflow("adjust", "grads_finite", grads_finite)
        after = before.after(finite)
        self._adjusting(not finite, before.scale)
        store(self.scale_value, after.scale)
        store(self.counter, after.step - after.last)
        return True

    def _adjusting(self, skipped, scale):
        """Do nothing: ``tools/hopeless_skips.py`` counts the skipped steps here."""
