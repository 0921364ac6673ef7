"""Operations on the arrangement of a Tensor's elements: creation, shapes, joining, indexing, scattering, sorting."""

from minispore.core._exports import public as _public
from minispore.ops.operations.array.creation import *
from minispore.ops.operations.array.embedding_lookup import *
from minispore.ops.operations.array.gather import *
from minispore.ops.operations.array.indexing import *
from minispore.ops.operations.array.joining import *
from minispore.ops.operations.array.masking import *
from minispore.ops.operations.array.repeating import *
from minispore.ops.operations.array.reshaping import *
from minispore.ops.operations.array.row_update import *
from minispore.ops.operations.array.runs import *
from minispore.ops.operations.array.scatter import *
from minispore.ops.operations.array.scatter_update import *
from minispore.ops.operations.array.slicing import *
from minispore.ops.operations.array.sorting import *
from minispore.ops.operations.array.space_to_depth import *
from minispore.ops.operations.array.tensor_info import *
from minispore.ops.operations.array.transpose import *
from minispore.ops.operations.array.triangular import *

__all__ = _public(globals())
