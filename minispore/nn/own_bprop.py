"""Cells with a gradient rule of their own: a method ``bprop`` in place of the rules of the operations inside."""

import inspect

from minispore.core.nest import replace_leaves, select
from minispore.core.running import under
from minispore.core.tape import record_outputs
from minispore.core.tensor import Tensor
from minispore.ops.checked_gradients import checked_nests

__all__ = []


class OwnBprop:
    """Base of Cell: how one with a ``bprop`` of its own runs."""

    def _run_with_bprop(self, bprop, args, kwargs):
        """Compute without recording, then record the cell as one operation with its own gradient rule."""
        bound = inspect.signature(self.construct).bind(*args, **kwargs)
        bound.apply_defaults()
        inputs = bound.args
        # Without a tape: the cell's own rule replaces the rules of the operations inside.
        with under(tape=None):
            out = self.construct(*inputs, **bound.kwargs)
        outputs = tuple([Tensor.__copy__(y) for y in select(Tensor, out)])  # the output may be an input itself
        out = replace_leaves(Tensor, out, outputs)
        record_outputs(self._checked_rule(bprop, inputs, out), tuple(select(Tensor, inputs)), outputs)
        return out

    def _checked_rule(self, bprop, inputs, out):
        """Rule that calls ``bprop`` with inputs, output and gradient in their own nesting, and checks the result."""

        def rule(*tensors_out_dout):
            *tensors, _, douts = tensors_out_dout
            given = replace_leaves(Tensor, inputs, tensors)
            gradients = bprop(self, *given, out, replace_leaves(Tensor, out, douts))
            return checked_nests(type(self).__name__, gradients, given)

        return rule
