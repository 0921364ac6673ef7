"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['DynamicLossScaleManager', 'FixedLossScaleManager', 'LossScaleManager']

from minispore.amp import DynamicLossScaleManager as DynamicLossScaleManager
from minispore.amp import FixedLossScaleManager as FixedLossScaleManager
from minispore.amp import LossScaleManager as LossScaleManager
