"""Network building: Cell, containers, layers, losses, optimizers, and the cells that wrap a network for training."""

from minispore.nn import (
    activation,
    adaptive_pooling,
    attention,
    basic,
    border_padding,
    cell,
    container,
    conv,
    conv_transpose,
    dynamic_lr,
    embedding,
    group_normalization,
    hard_activation,
    learning_rate_schedule,
    likelihood,
    loss,
    metrics,
    normalization,
    optim,
    padding,
    pooling,
    recurrent,
    recurrent_layers,
    regularizing,
    resizing,
    soft_activation,
    transformer,
    transformer_stacks,
    triangles,
    volume_pooling,
    wrap,
)
from minispore.nn.activation import *  # noqa: F403 - the lists are each file's __all__
from minispore.nn.adaptive_pooling import *  # noqa: F403
from minispore.nn.attention import *  # noqa: F403
from minispore.nn.basic import *  # noqa: F403
from minispore.nn.border_padding import *  # noqa: F403
from minispore.nn.cell import *  # noqa: F403
from minispore.nn.container import *  # noqa: F403
from minispore.nn.conv import *  # noqa: F403
from minispore.nn.conv_transpose import *  # noqa: F403
from minispore.nn.dynamic_lr import *  # noqa: F403
from minispore.nn.embedding import *  # noqa: F403
from minispore.nn.group_normalization import *  # noqa: F403
from minispore.nn.hard_activation import *  # noqa: F403
from minispore.nn.learning_rate_schedule import *  # noqa: F403
from minispore.nn.likelihood import *  # noqa: F403
from minispore.nn.loss import *  # noqa: F403
from minispore.nn.metrics import *  # noqa: F403
from minispore.nn.normalization import *  # noqa: F403
from minispore.nn.optim import *  # noqa: F403
from minispore.nn.padding import *  # noqa: F403
from minispore.nn.pooling import *  # noqa: F403
from minispore.nn.recurrent import *  # noqa: F403
from minispore.nn.recurrent_layers import *  # noqa: F403
from minispore.nn.regularizing import *  # noqa: F403
from minispore.nn.resizing import *  # noqa: F403
from minispore.nn.soft_activation import *  # noqa: F403
from minispore.nn.transformer import *  # noqa: F403
from minispore.nn.transformer_stacks import *  # noqa: F403
from minispore.nn.triangles import *  # noqa: F403
from minispore.nn.volume_pooling import *  # noqa: F403
from minispore.nn.wrap import *  # noqa: F403
from minispore.slips import no_attribute

_ROOMS = (
    activation,
    adaptive_pooling,
    attention,
    basic,
    border_padding,
    cell,
    container,
    conv,
    conv_transpose,
    dynamic_lr,
    embedding,
    group_normalization,
    hard_activation,
    learning_rate_schedule,
    likelihood,
    loss,
    metrics,
    normalization,
    optim,
    padding,
    pooling,
    recurrent,
    recurrent_layers,
    regularizing,
    resizing,
    soft_activation,
    transformer,
    transformer_stacks,
    triangles,
    volume_pooling,
    wrap,
)
__all__ = sorted(name for room in _ROOMS for name in room.__all__)


def __getattr__(name):
    """Say what a name of another framework, or a misspelt one, is here."""
    raise no_attribute(f"The module '{__name__}'", name, (__name__,), lambda: __all__)
