"""The inputs of a call: one tuple spread out, and floats cast as a cell's mark asks."""

import numpy as np

from minispore.core.dtype import FLOATS
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor

__all__ = []

cast = None  # what casts inputs in a cell marked by ``to_float``: ``ops/casting.py`` puts its Cast here


class Inputs:
    """Base of Primitive: what becomes of its inputs before they are checked."""

    def _spread(self, args):
        if len(args) == 1 and isinstance(args[0], (tuple, list)):
            args = tuple(args[0])
        for i, a in enumerate(args):
            if not isinstance(a, Tensor):
                raise type_error(self.name, f"the element {i} of the input must be a Tensor", type(a).__name__)
        return args

    def _autocast(self, args, numpy_type):
        """The inputs as a cell's mark shows them: floating Tensors in its type, or in the one that it has for these."""
        if not isinstance(numpy_type, np.dtype):  # a mark that has a type for each kind of primitive, or None
            numpy_type = numpy_type.dtype_for(type(self), args)
            if numpy_type is None:
                return args
        return tuple(
            [
                cast(a, numpy_type)
                if isinstance(a, Tensor)
                and a.array.dtype != numpy_type
                and a.array.dtype in FLOATS
                and i not in self.writes
                else a
                for i, a in enumerate(args)
            ]
        )
