"""Matrix products and the operations of linear algebra."""

from minispore.core._exports import public as _public
from minispore.ops.operations.linalg.cross import *
from minispore.ops.operations.linalg.einsum import *
from minispore.ops.operations.linalg.factors import *
from minispore.ops.operations.linalg.fourier import *
from minispore.ops.operations.linalg.matmul import *
from minispore.ops.operations.linalg.matrix import *
from minispore.ops.operations.linalg.outer_product import *
from minispore.ops.operations.linalg.sparse_product import *
from minispore.ops.operations.linalg.svd import *

__all__ = _public(globals())
