"""Operations: primitives (an operation and its rules), their functional wrappers, and functions of functions.

Primitives stand in ``operations/``, one folder a family; their functional wrappers in ``functional/``; Tensor's methods
and operators in ``tensor_methods/``; the heavy array algorithms that some primitives compute with in ``kernels/``.
"""

from minispore.core._exports import public as _public
from minispore.core._exports import show as _show
from minispore.ops import attribute_checks as _checks  # noqa: F401 - it tells primitives what they may be made with
from minispore.ops import checked_gradients as _checked  # noqa: F401 - it checks what users' primitives return
from minispore.ops import number_kinds as _kinds_of_numbers  # noqa: F401 - it tells primitives of complex numbers
from minispore.ops import of_functions as _of_functions
from minispore.ops import operations as _operations
from minispore.ops.composite import *
from minispore.ops.derivatives import *
from minispore.ops.functional import *
from minispore.ops.of_functions import *
from minispore.ops.operations import *
from minispore.ops.tensor_methods import conversions as _conversions  # noqa: F401 - these three install methods
from minispore.ops.tensor_methods import operators as _operators  # noqa: F401
from minispore.ops.tensor_methods import parameter_values as _parameter_values  # noqa: F401
from minispore.ops.transforms import *

__all__ = _public(globals())
_show(_of_functions, _operations)
