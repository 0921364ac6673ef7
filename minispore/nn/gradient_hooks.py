"""Hooks of training steps: functions of all gradients, called after they are known and before they are applied."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from minispore.core.dtype import NARROW_FLOATS, float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.layers import refuse
from minispore.core.tensor import Tensor
from minispore.nn.cell_hooks import HookHandle
from minispore.nn.cell_table import note_change
from minispore.ops.number_checks import check_real
from minispore.ops.operations.backward_hooks import check_hook

__all__ = []


class GradientHooked:
    """Base of training steps: the hooks of their gradients."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self._gradient_hooks = OrderedDict()

    def register_gradient_hook(self, hook_fn: Callable[..., Any]) -> Any:
        """Call ``hook_fn(gradients)`` in each step, for clipping, noise or inspection; several hooks run in order.

        ``gradients`` is a tuple, one Tensor for each of ``weights``, as the optimizer applies them. They are unscaled,
        and reduced over all processes. The hook returns a tuple like it to apply instead, or None to keep the
        gradients. In a step with loss scaling it runs after unscaling, before the result of the overflow check is used.
        If the gradients hold inf or nan, the step is skipped whatever the hook returns. It is skipped too if the hook's
        result is not finite. In graph mode the hook runs each time, between two replays.

        Args:
            hook_fn (Callable): The function.

        Returns:
            A handle; ``handle.remove()`` removes the hook.

        Raises:
            TypeError: If ``hook_fn`` is not a function; in a step, if it returns something else than Tensors of the
                gradients' dtypes, or None.
            ValueError: In a step, if it returns too few or too many, or other shapes.

        Examples:
            >>> import minispore as ms
            >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss())
            >>> step = ms.nn.TrainOneStepCell(net, ms.nn.SGD(net.trainable_params(), 0.1)).set_train()
            >>> handle = step.register_gradient_hook(lambda gradients: ms.ops.clip_by_global_norm(gradients, 1.0))
            >>> loss = step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
        """
        check_hook(type(self).__name__, hook_fn)
        self.recordable = False  # the hook may decide on the host; graph mode replays the parts around it
        note_change("gradient hooks")
        return HookHandle(self._gradient_hooks, hook_fn)

    def hooked_gradients(self, gradients, loss_scale=1.0) -> Any:
        """Apply the hooks to gradients that are ``loss_scale`` times too large; the results are scaled again."""
        if not isinstance(gradients, (tuple, list)) or not all(isinstance(g, Tensor) for g in gradients):
            raise type_error("hooked_gradients", "the 'gradients' must be a tuple of Tensors", shown(gradients))
        check_real("hooked_gradients", "loss_scale", loss_scale, 0, above=True)
        if not self._gradient_hooks:
            return gradients
        refuse("gradient hooks run in Python each time")  # what is around them is replayed
        seen = gradients if loss_scale == 1 else tuple([_divided(g, loss_scale) for g in gradients])
        for hook in self._gradient_hooks.values():
            found = hook(seen)
            seen = seen if found is None else _checked(type(self).__name__, found, seen)
        if loss_scale == 1:
            return seen
        return tuple([(x * loss_scale).astype(g.dtype) for x, g in zip(seen, gradients, strict=True)])


def _divided(gradient, scale):
    return (gradient.astype(float32) if gradient.array.dtype in NARROW_FLOATS else gradient) / scale


def _checked(name, found, gradients):
    if not isinstance(found, (tuple, list)):
        raise type_error(name, "the gradient hook must return a tuple of Tensors, or None", shown(found))
    if len(found) != len(gradients):
        raise value_error(name, f"the gradient hook must return {len(gradients)} gradients", len(found))
    for i, (x, g) in enumerate(zip(found, gradients, strict=True)):
        if not isinstance(x, Tensor) or x.dtype != g.dtype:
            got = x.dtype if isinstance(x, Tensor) else type(x).__name__
            raise type_error(name, f"the gradient hook must return a Tensor of {g.dtype} as gradient {i}", got)
        if x.shape != g.shape:
            raise value_error(name, f"the gradient hook must return shape {g.shape} as gradient {i}", x.shape)
    return tuple(found)
