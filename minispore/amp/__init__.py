"""Automatic mixed precision: a choice of the parts to compute in float16, and a loss scale that saves small gradients.

Reading order: ``policy.lists``, ``policy.cast_cells``, ``policy.black_pass``, ``policy.self_casting``,
``policy.functional_forms``, ``policy.white_pass``, ``policy.receipt``, ``policy.site_types``, ``policy.autocasting``,
``loss_scale.rule``, ``loss_scale.overflow``, ``loss_scale.update_cells``, ``loss_scale.managers``,
``loss_scale.scalers``, ``loss_scale.train_step``, ``loss_scale.micro_batches``, ``policy.levels``, ``lowbit``,
``policy.convert``, ``build``.
"""

from minispore import nn
from minispore.amp.build import build_train_network
from minispore.amp.loss_scale import micro_batches, train_step, update_cells
from minispore.amp.loss_scale.managers import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from minispore.amp.loss_scale.micro_batches import GradAccumulationCell, MicroBatchInterleaved, PipelineCell
from minispore.amp.loss_scale.overflow import all_finite
from minispore.amp.loss_scale.scalers import DynamicLossScaler, LossScaler, StaticLossScaler
from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.amp.loss_scale.update_cells import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell
from minispore.amp.lowbit.recipe import MXFP4, MXFP8, NVFP4, BlockFP8, CurrentFP8, DelayedFP8, Recipe
from minispore.amp.policy.convert import auto_mixed_precision, custom_mixed_precision, explain
from minispore.amp.policy.lists import AMP_AUTO_BLACK_LIST, AMP_AUTO_WHITE_LIST, get_black_list, get_white_list
from minispore.core._exports import show

__all__ = [
    "AMP_AUTO_BLACK_LIST",
    "AMP_AUTO_WHITE_LIST",
    "MXFP4",
    "MXFP8",
    "NVFP4",
    "BlockFP8",
    "CurrentFP8",
    "DelayedFP8",
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
    "Recipe",
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

for _cells in (micro_batches, train_step, update_cells):
    show(_cells, nn)  # where scripts for MindSpore find them
