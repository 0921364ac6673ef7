"""The overflow register of an Ascend processor, emulated: each kernel that overflows raises it, until it is cleared."""

import numpy as np

from minispore.core import backend, context, layers
from minispore.core.layers import Layer
from minispore.ops.operations.loss_scale import Unscale, UnscaleAndAdvance
from minispore.ops.operations.overflow_status import AllFinite, FloatStatus, _RegisterStatus

__all__ = []

_UNSEEN = (FloatStatus, AllFinite, Unscale, UnscaleAndAdvance, _RegisterStatus)  # they look for overflows themselves


class OverflowRegister(Layer):
    """The status register: True if a kernel has made an inf or a nan out of finite inputs since it was cleared."""

    def __init__(self):
        self.raised = False

    def around_compute(self, call, primitive, args, arrays):
        """Look at a kernel's results."""
        result = call(primitive, args, arrays)
        if getattr(primitive, "feeds_register", not isinstance(primitive, _UNSEEN)):
            self.feed(arrays, result if type(result) is tuple else (result,))
        return result

    def feed(self, inputs, outputs):
        """Record an overflow if a kernel made an inf or a nan out of finite inputs."""
        if not _all_finite(outputs) and _all_finite(inputs):
            self.raised = True


def _all_finite(arrays):
    """True if every float among ``arrays`` is finite."""
    with np.errstate(all="ignore"):
        floats = [a for a in arrays if isinstance(a, (np.ndarray, np.generic)) and a.dtype.kind in "fV"]
        return all(np.isfinite(a).all() for a in floats)


def _follow(new):
    """Install the register while the device is an Ascend."""
    if new["device_target"] == "Ascend":
        backend.register = backend.register or OverflowRegister()
        layers.install(backend.register)
    elif backend.register is not None:
        layers.remove(backend.register)
        backend.register = None


context.add_device("Ascend")
context.settings.watch("device_target", _follow)
