"""The primitives by name, as ``from minispore.ops import operations as P`` gives them: one folder a family."""

from minispore.core._exports import public as _public
from minispore.core.primitive import *
from minispore.ops.casting import *
from minispore.ops.decorators import *
from minispore.ops.operations.array import *
from minispore.ops.operations.backward_hooks import *
from minispore.ops.operations.custom import *
from minispore.ops.operations.gradient_flow import *
from minispore.ops.operations.linalg import *
from minispore.ops.operations.loss_scale import *
from minispore.ops.operations.math import *
from minispore.ops.operations.nn import *
from minispore.ops.operations.old_names import *
from minispore.ops.operations.output import *
from minispore.ops.operations.overflow_status import *
from minispore.ops.operations.random import *
from minispore.ops.operations.reduce import *
from minispore.ops.operations.registration import *
from minispore.ops.operations.state import *
from minispore.ops.operations.summary import *

__all__ = _public(globals())
