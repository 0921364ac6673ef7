"""Operations of networks: convolution, pooling, normalization, activations, losses, recurrence, updates."""

from minispore.core._exports import public as _public
from minispore.ops.operations.nn.activation import *
from minispore.ops.operations.nn.activation_piecewise import *
from minispore.ops.operations.nn.activation_smooth import *
from minispore.ops.operations.nn.adaptive_pool import *
from minispore.ops.operations.nn.apply_adaptive import *
from minispore.ops.operations.nn.apply_proximal import *
from minispore.ops.operations.nn.apply_update import *
from minispore.ops.operations.nn.attention import *
from minispore.ops.operations.nn.boxes import *
from minispore.ops.operations.nn.composed import *
from minispore.ops.operations.nn.conv import *
from minispore.ops.operations.nn.conv_transpose import *
from minispore.ops.operations.nn.cross_entropy import *
from minispore.ops.operations.nn.ctc import *
from minispore.ops.operations.nn.deformable import *
from minispore.ops.operations.nn.dynamic_gru import *
from minispore.ops.operations.nn.dynamic_rnn import *
from minispore.ops.operations.nn.loss import *
from minispore.ops.operations.nn.lstm import *
from minispore.ops.operations.nn.normalization import *
from minispore.ops.operations.nn.padding import *
from minispore.ops.operations.nn.pool import *
from minispore.ops.operations.nn.resize import *
from minispore.ops.operations.nn.rnn_sequence import *
from minispore.ops.operations.nn.rnn_step import *
from minispore.ops.operations.nn.sampling import *
from minispore.ops.operations.nn.softmax import *
from minispore.ops.operations.nn.volumes import *

__all__ = _public(globals())
