"""Gradients of functions, at MindSpore's second address for them: ``ops.grad`` is ``ms.grad``."""

from minispore.core.gradients import grad, jvp, value_and_grad, vjp

__all__ = ["grad", "jvp", "value_and_grad", "vjp"]
