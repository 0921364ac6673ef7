"""The levels of mixed precision, as records: what each does when ``build_train_network`` is told nothing else."""

from typing import NamedTuple

from minispore import context
from minispore.amp.managers import DynamicLossScaleManager
from minispore.dtype import DType, float16, float32
from minispore.errors import type_error, value_error

__all__ = []

NAMES = ("O0", "O1", "O2", "O3")
_AUTO = {"GPU": "O2", "Ascend": "O3"}


class Level(NamedTuple):
    """One level: the type the network is cast to, whether BatchNorm keeps float32, who makes its loss scale."""

    cast_model_type: DType
    keep_batchnorm_fp32: bool
    new_manager: object


LEVELS = {
    "O0": Level(float32, False, lambda: None),  # nothing changes
    "O1": Level(float32, False, lambda: None),  # the white list computes in float16
    "O2": Level(float16, True, DynamicLossScaleManager),  # all but the black list computes in float16
    "O3": Level(float16, False, lambda: None),  # everything computes in float16
}


def resolve(level):
    """The level's name, "auto" resolved by the device in force.

    Raises:
        TypeError: If ``level`` is no str.
        ValueError: If it is no level, or "auto" on a device for which none is recommended.
    """
    if not isinstance(level, str):
        raise type_error(
            "build_train_network", f"the 'level' must be a str of {[*NAMES, 'auto']}", type(level).__name__
        )
    if level == "auto":
        device = context.get_context("device_target")
        if device not in _AUTO:
            expected = f"the 'level' may be 'auto' only where the 'device_target' is one of {list(_AUTO)}"
            raise value_error("build_train_network", expected, device)
        return _AUTO[device]
    if level not in NAMES:
        raise value_error("build_train_network", f"the 'level' must be one of {[*NAMES, 'auto']}", repr(level))
    return level
