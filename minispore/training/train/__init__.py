"""Training over data sets: Model and its callbacks, and MindSpore's addresses for what stands elsewhere.

Reading order: ``_utils``, ``summary``, ``callback``, ``data_helper``, ``model``.
"""

from minispore.amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, build_train_network
from minispore.data import serialization as _serialization
from minispore.data.serialization import *
from minispore.dropin import addresses as _addresses
from minispore.nn import metrics
from minispore.nn.metrics import *
from minispore.training.train import callback, data_helper, model, summary
from minispore.training.train.callback import *
from minispore.training.train.data_helper import *
from minispore.training.train.model import *
from minispore.training.train.summary import *

__all__ = [
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "build_train_network",
    *callback.__all__,
    *data_helper.__all__,
    *metrics.__all__,
    *model.__all__,
    *_serialization.__all__,
    *summary.__all__,
]
_addresses.open_modules()
