"""Automatic mixed precision: which parts of a network compute in float16, and how its gradients survive that.

Reading order: ``lists``, ``levels``, ``casts``, ``black_pass``, ``lowered``, ``functional_forms``, ``white_pass``,
``receipt``, ``loss_scale``, ``overflow``, ``update_cells``, ``managers``, ``scalers``, ``train_step``,
``micro_batches``, ``convert``, ``build``.
"""

from minispore.amp.build import build_train_network
from minispore.amp.loss_scale.managers import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from minispore.amp.loss_scale.micro_batches import GradAccumulationCell, MicroBatchInterleaved, PipelineCell
from minispore.amp.loss_scale.overflow import all_finite
from minispore.amp.loss_scale.scalers import DynamicLossScaler, LossScaler, StaticLossScaler
from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.amp.loss_scale.update_cells import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell
from minispore.amp.policy.convert import auto_mixed_precision, custom_mixed_precision, explain
from minispore.amp.policy.lists import get_black_list, get_white_list

__all__ = [
    "DynamicLossScaleManager",
    "DynamicLossScaleUpdateCell",
    "DynamicLossScaler",
    "FixedLossScaleManager",
    "FixedLossScaleUpdateCell",
    "GradAccumulationCell",
    "LossScaleManager",
    "LossScaler",
    "MicroBatchInterleaved",
    "PipelineCell",
    "StaticLossScaler",
    "TrainOneStepWithLossScaleCell",
    "all_finite",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "explain",
    "get_black_list",
    "get_white_list",
]
