"""MindSpore's address for what trains networks: the loss-scale managers and the metrics stand elsewhere here."""

from minispore.amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]
