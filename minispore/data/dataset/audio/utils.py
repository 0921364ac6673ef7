"""MindSpore's further address of the choices and of the banks of filters: the module that defines them there."""

from minispore.data.dataset.audio.enums import *  # noqa: F403 - an address exports what the module lists
from minispore.data.dataset.audio.enums import __all__ as _enums
from minispore.data.dataset.audio.mel import create_dct, linear_fbanks, melscale_fbanks

__all__ = [*_enums, "create_dct", "linear_fbanks", "melscale_fbanks"]
