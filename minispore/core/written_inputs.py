"""Primitives that write: their first outputs take the place of inputs."""

from minispore.core.tape import alias, record_outputs
from minispore.core.writes import snapshot_before_write, take_over, write

__all__ = []


class WritesInputs:
    """Base of Primitive: the end of a call for one that declares ``writes``."""

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
