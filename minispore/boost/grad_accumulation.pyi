"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.ops import MultitypeFuncGraph
__all__ = ['GradientAccumulation', 'gradient_accumulation_op', 'gradient_clear_op']

from minispore.boost import GradientAccumulation as GradientAccumulation
gradient_accumulation_op: MultitypeFuncGraph
gradient_clear_op: MultitypeFuncGraph
