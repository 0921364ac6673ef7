"""Matrix products and the operations of linear algebra."""

from minispore._exports import public as _public
from minispore.ops.operations.linalg.cross import *
from minispore.ops.operations.linalg.matmul import *
from minispore.ops.operations.linalg.matrix import *

__all__ = _public(globals())
