"""Boost: training in less time, by computing less in some steps, or in fewer, larger ones.

An evening's reading. The last two files are the frame: the choice of algorithms, and the step that runs them.

Reading order: ``grad_accumulation``, ``base``, ``grad_freeze``, ``less_batch_normalization``, ``adasum``,
``principal_components``, ``dim_reduce``, ``group_loss_scale_manager``, ``boost``, ``boost_cell_wrapper``.
"""

from minispore.amp import build as _build
from minispore.training.boost.adasum import AdaSum
from minispore.training.boost.base import OptimizerProcess, ParameterProcess
from minispore.training.boost.boost import AutoBoost
from minispore.training.boost.boost_cell_wrapper import BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell
from minispore.training.boost.dim_reduce import DimReduce
from minispore.training.boost.grad_accumulation import GradientAccumulation
from minispore.training.boost.grad_freeze import FreezeOpt, GradientFreeze, freeze_cell
from minispore.training.boost.group_loss_scale_manager import GroupLossScaleManager
from minispore.training.boost.less_batch_normalization import LessBN

__all__ = [
    "AdaSum",
    "AutoBoost",
    "BoostTrainOneStepCell",
    "BoostTrainOneStepWithLossScaleCell",
    "DimReduce",
    "FreezeOpt",
    "GradientAccumulation",
    "GradientFreeze",
    "GroupLossScaleManager",
    "LessBN",
    "OptimizerProcess",
    "ParameterProcess",
    "freeze_cell",
]

_build.TRAIN_STEPS["boosted"] = BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell
_build.OPTIMIZERS.append(FreezeOpt)
_build.MANAGERS.append(GroupLossScaleManager)
