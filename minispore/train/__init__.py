"""Training over data sets: Model and its callbacks, and MindSpore's addresses for what stands elsewhere.

Reading order: ``_utils``, ``summary``, ``callback``, ``data_helper``, ``model``.
"""

from minispore import addresses as _addresses
from minispore import serialization as _serialization
from minispore.amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, build_train_network
from minispore.nn import metrics
from minispore.nn.metrics import *
from minispore.serialization import *
from minispore.train import callback, data_helper, model, summary
from minispore.train.callback import *
from minispore.train.data_helper import *
from minispore.train.model import *
from minispore.train.summary import *

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
