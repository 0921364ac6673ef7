"""The inputs of a call: one tuple spread out, floats cast as a cell's mark asks, and written by the outputs."""

import numpy as np

from minispore.core.dtype import FLOATS
from minispore.core.errors import type_error
from minispore.core.tape import alias, record_outputs
from minispore.core.tensor import Tensor
from minispore.core.writes import snapshot_before_write, take_over, write

__all__ = []

cast = None  # what casts inputs in a cell marked by ``to_float``: ``ops/casting.py`` puts its Cast here


class Inputs:
    """Base of Primitive: what becomes of its inputs, before they are checked and after the call."""

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

    def _written(self, args, outs, rule):
        """Put the first outputs in the place of the inputs that the primitive writes, and hand on the others.

        Without others the first written input's values are handed on, as a Tensor. Gradients pass to the others where
        there are any (BatchNorm, beside its statistics), else to what is written.
        """
        outs = outs if type(outs) is tuple else (outs,)
        targets, others = [args[i] for i in self.writes], outs[len(self.writes) :]
        if rule is not None and not others:
            before = tuple([snapshot_before_write(a) if i in self.writes else a for i, a in enumerate(args)])
            record_outputs(getattr(self, rule), before, outs if len(outs) > 1 else outs[0])
            take_over(targets, outs)
            return alias(targets[0])
        for x, y in zip(targets, outs, strict=False):
            write(x, y.array)
        out = others[0] if len(others) == 1 else others or alias(targets[0])
        if rule is not None:
            record_outputs(getattr(self, rule), args, out)
        return out
