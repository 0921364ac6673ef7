"""Training over data sets: Model and its callbacks, and MindSpore's addresses for what stands elsewhere.

Reading order: ``callback``, ``data_helper``, ``model``.
"""

from minispore.amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, build_train_network
from minispore.nn import metrics
from minispore.nn.metrics import *
from minispore.serialization import load_checkpoint, load_param_into_net, save_checkpoint
from minispore.train import callback, data_helper, model
from minispore.train.callback import *
from minispore.train.data_helper import *
from minispore.train.model import *

__all__ = [
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "build_train_network",
    "load_checkpoint",
    "load_param_into_net",
    "save_checkpoint",
    *callback.__all__,
    *data_helper.__all__,
    *metrics.__all__,
    *model.__all__,
]
