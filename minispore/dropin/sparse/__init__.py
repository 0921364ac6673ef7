"""Sparse Tensors and functions of them: matrices by places and values (COO) or by rows (CSR), and some whole rows."""

from minispore.dropin.sparse.functions import *
from minispore.dropin.sparse.functions import __all__ as _functions

__all__ = _functions
