"""Automatic mixed precision: a choice of the parts to compute in float16, and a loss scale that saves small gradients.

Reading order: ``policy.lists``, ``policy.cast_cells``, ``policy.black_pass``, ``policy.self_casting``,
``policy.functional_forms``, ``policy.white_pass``, ``policy.receipt``, ``policy.site_types``, ``policy.autocasting``,
``loss_scale.rule``, ``loss_scale.overflow``, ``loss_scale.update_cells``, ``loss_scale.managers``,
``loss_scale.scalers``, ``loss_scale.train_step``, ``policy.levels``, ``policy.converted``, ``lowbit``,
``policy.convert``, ``build``.
"""

from minispore import nn
from minispore.amp.build import *
from minispore.amp.loss_scale import train_step as _train_step
from minispore.amp.loss_scale import update_cells as _update_cells
from minispore.amp.loss_scale.managers import *
from minispore.amp.loss_scale.overflow import *
from minispore.amp.loss_scale.scalers import *
from minispore.amp.loss_scale.train_step import *
from minispore.amp.loss_scale.update_cells import *
from minispore.amp.lowbit.recipe import *
from minispore.amp.policy.convert import *
from minispore.amp.policy.lists import *
from minispore.core._exports import public as _public
from minispore.core._exports import show as _show
from minispore.nn.micro_batches import *

__all__ = _public(globals())

for _cells in (_train_step, _update_cells):
    _show(_cells, nn)  # where scripts for MindSpore find them
