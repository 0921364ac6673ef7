"""Operations that show values to people: Print, and the summaries of a training."""

from minispore.checks import check_text
from minispore.context import running
from minispore.errors import type_error
from minispore.ops.primitive import Primitive
from minispore.tensor import Tensor

__all__ = ["HistogramSummary", "ImageSummary", "Print", "ScalarSummary", "TensorSummary"]


class Print(Primitive):
    """Each input printed on a line of its own: Tensors with shape and dtype, all else as Python prints it.

    A function that prints runs operation by operation in graph mode, so that it prints at each call.
    """

    differentiable = False

    def __init__(self):
        self.add_prim_attr("side_effect_io", True)

    def __call__(self, *inputs):
        """Print the inputs; returns None."""
        if running.recorder is not None:
            running.recorder.refuse("'Print' must run in Python")
        for x in inputs:
            print(x if isinstance(x, str) else repr(x))


class _Summary(Primitive):
    """Base of operations that hand a value to a summary under a name: they check both, and return None.

    Nothing records while operations run one by one, in MindSpore as here: ``SummaryRecord.add_value`` writes values.
    """

    differentiable = False

    def __call__(self, name, value):
        """Check the name, a str, and the value, a Tensor; returns None."""
        check_text(self.name, "name", name)
        if not isinstance(value, Tensor):
            raise type_error(self.name, "the 'value' must be a Tensor", type(value).__name__)


class ScalarSummary(_Summary):
    """A number handed to the summary under a name."""


class TensorSummary(_Summary):
    """A Tensor handed to the summary under a name."""


class ImageSummary(_Summary):
    """Images of the shape ``(N, C, H, W)`` handed to the summary under a name."""


class HistogramSummary(_Summary):
    """A Tensor handed to the summary under a name, to be shown as a histogram."""
