"""MindSpore's address for the loss-scale managers and the metrics, which are elsewhere in this package."""

from minispore.amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]
