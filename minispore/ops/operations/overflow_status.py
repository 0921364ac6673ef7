"""Overflow status: of Tensors, and of the register that the emulated Ascend keeps.

On Ascend the protocol is: allocate a status, clear it before the computation to watch, get it after; ``depend`` orders
them.
"""

import numpy as np

from minispore.core import backend
from minispore.core.dtype import FLOATS
from minispore.core.errors import runtime_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.type_checks import check_float, check_tensor

__all__ = ["AllFinite", "FloatStatus", "NPUAllocFloatStatus", "NPUClearFloatStatus", "NPUGetFloatStatus"]

_STATUS = Spec((8,), np.dtype(np.float32))  # the shape of an Ascend status: the register is its first element


class FloatStatus(Primitive):
    """Overflow flag of a Tensor: 1.0 if it holds an inf or a nan, else 0.0; shape (1,).

    Dtypes: floats; the answer is float32; TypeError for ints, bools and complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.FloatStatus()(ms.Tensor([1.0, np.inf])))
        [1.]
    """

    differentiable = False
    autocast = False

    def infer(self, x):
        check_float(self, "x", x)
        return Spec((1,), np.dtype(np.float32))

    def compute(self, xp, x):
        return xp.logical_not(xp.isfinite(x).all()).astype(np.float32).reshape(1)


class AllFinite(Primitive):
    """True if every element of all Tensors is finite: one bool, shape (); integers and empty Tensors always are.

    Dtypes: floats, ints and bools; the answer is bool; TypeError for complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AllFinite()([ms.Tensor([1.0, 2.0]), ms.Tensor([np.nan])]))
        False
    """

    differentiable = False
    variadic = True
    autocast = False

    def infer(self, *xs):
        for i, x in enumerate(xs):
            check_tensor(self, f"x[{i}]", x)
        return Spec((), np.dtype(bool))

    def compute(self, xp, *xs):
        finite = xp.asarray(True)
        for x in xs:
            if x.dtype in FLOATS:
                finite = xp.logical_and(finite, xp.isfinite(x).all())
        return finite


class _RegisterStatus(Primitive):
    """Base of the operations on the register, which only the emulated Ascend has."""

    differentiable = False
    autocast = False

    def infer(self, *status):
        if backend.register is None:
            expected = "the 'device_target' must be 'Ascend', which alone keeps an overflow register"
            raise runtime_error(self.name, expected)
        for s in status:
            check_tensor(self, "status", s)
        return _STATUS


class NPUAllocFloatStatus(_RegisterStatus):
    """A new status: zeros of shape (8,).

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_context(device_target="Ascend")  # emulated, on NumPy
        >>> print(ops.NPUAllocFloatStatus()())
        [0. 0. 0. 0. 0. 0. 0. 0.]
        >>> ms.set_context(device_target="CPU")
    """

    def compute(self, xp):
        return xp.zeros(*_STATUS)


class NPUClearFloatStatus(_RegisterStatus):
    """Clear the register; the result is a status of zeros.

    Shapes: a status (8,), kept.

    The dtype is float32.

    Raises:
        TypeError: If ``status`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_context(device_target="Ascend")  # emulated, on NumPy
        >>> status = ops.NPUAllocFloatStatus()()
        >>> print(ops.NPUClearFloatStatus()(status))
        [0. 0. 0. 0. 0. 0. 0. 0.]
        >>> ms.set_context(device_target="CPU")
    """

    def compute(self, xp, status):
        backend.register.raised = False
        return xp.zeros(*_STATUS)


class NPUGetFloatStatus(_RegisterStatus):
    """Read the register: a status with 1.0 if there was an overflow since it was cleared, else 0.0.

    Shapes: a status (8,), kept.

    The dtype is float32.

    Raises:
        TypeError: If ``status`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_context(device_target="Ascend")  # emulated, on NumPy
        >>> status = ops.NPUClearFloatStatus()(ops.NPUAllocFloatStatus()())
        >>> overflowing = ops.exp(ms.Tensor([1000.0]))
        >>> print(ops.NPUGetFloatStatus()(status))
        [1. 1. 1. 1. 1. 1. 1. 1.]
        >>> ms.set_context(device_target="CPU")
    """

    def compute(self, xp, status):
        return xp.full(_STATUS.shape, float(backend.register.raised), _STATUS.dtype)
