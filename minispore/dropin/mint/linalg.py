"""``mint.linalg``: norms and inverses of matrices, which are those of ``ops``."""

from minispore.ops.functional import inverse as inv
from minispore.ops.functional import norm

__all__ = ["inv", "norm"]
