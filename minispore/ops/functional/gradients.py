"""Gradients of functions, at MindSpore's second address for them: ``ops.grad`` is ``ms.grad``."""

from minispore.core.gradients import grad, value_and_grad
from minispore.core.jacobian_products import jvp, vjp

__all__ = ["grad", "jvp", "value_and_grad", "vjp"]
