"""Callbacks: what ``Model`` calls while it trains and evaluates.

Reading order: ``callback``, ``loss``, ``loss_monitor``, ``time_monitor``, ``checkpoint_config``,
``model_checkpoint``, ``monitored``, ``early_stopping``, ``learning_rate``, ``reduce_lr_on_plateau``,
``learning_rate_scheduler``, ``lambda_callback``, ``history``, ``on_request_exit``, ``backup_and_restore``,
``progress_bar``, ``summary_collector``, ``parts``.
"""

from minispore._exports import public as _public
from minispore.train.callback.backup_and_restore import *
from minispore.train.callback.callback import *
from minispore.train.callback.callback import InternalCallbackParam as _InternalCallbackParam  # noqa: F401 - MindSpore's name
from minispore.train.callback.checkpoint_config import *
from minispore.train.callback.early_stopping import *
from minispore.train.callback.history import *
from minispore.train.callback.lambda_callback import *
from minispore.train.callback.learning_rate_scheduler import *
from minispore.train.callback.loss_monitor import *
from minispore.train.callback.model_checkpoint import *
from minispore.train.callback.on_request_exit import *
from minispore.train.callback.progress_bar import *
from minispore.train.callback.reduce_lr_on_plateau import *
from minispore.train.callback.summary_collector import *
from minispore.train.callback.time_monitor import *

__all__ = _public(globals())
