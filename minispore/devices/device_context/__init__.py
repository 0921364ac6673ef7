"""MindSpore 2.6's settings of each kind of device: ``device_context.ascend.op_precision.precision_mode("force_fp32")``.

Reading order: ``_settings``, ``cpu``, ``gpu``, ``ascend``.
"""

from minispore.devices.device_context import ascend, cpu, gpu
from minispore.dropin.addresses import open_modules as _open_modules

__all__ = ["ascend", "cpu", "gpu"]
_open_modules()
