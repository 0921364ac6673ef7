"""Callbacks: what ``Model`` calls while it trains and evaluates.

Reading order: ``callback``, ``loss``, ``loss_monitor``, ``time_monitor``, ``checkpoint_config``,
``model_checkpoint``, ``monitored``, ``early_stopping``, ``learning_rate``, ``reduce_lr_on_plateau``,
``learning_rate_scheduler``, ``lambda_callback``, ``history``, ``on_request_exit``, ``backup_and_restore``,
``progress_bar``, ``summary_collector``, ``parts``.
"""

from minispore.core._exports import public as _public
from minispore.training.train.callback.backup_and_restore import *
from minispore.training.train.callback.callback import *
from minispore.training.train.callback.callback import InternalCallbackParam as _InternalCallbackParam  # noqa: F401 - MindSpore's name
from minispore.training.train.callback.checkpoint_config import *
from minispore.training.train.callback.early_stopping import *
from minispore.training.train.callback.history import *
from minispore.training.train.callback.lambda_callback import *
from minispore.training.train.callback.learning_rate_scheduler import *
from minispore.training.train.callback.loss_monitor import *
from minispore.training.train.callback.model_checkpoint import *
from minispore.training.train.callback.on_request_exit import *
from minispore.training.train.callback.progress_bar import *
from minispore.training.train.callback.reduce_lr_on_plateau import *
from minispore.training.train.callback.summary_collector import *
from minispore.training.train.callback.time_monitor import *

__all__ = _public(globals())
