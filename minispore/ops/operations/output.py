"""Print: values shown to people."""

from __future__ import annotations

from minispore.core.errors import shown
from minispore.core.layers import refuse
from minispore.core.primitive import Primitive

__all__ = ["Print"]


class Print(Primitive):
    """Each input printed on a line of its own: a str as it is, Tensors with shape and dtype, all else by ``repr``.

    In graph mode a function that prints runs operation by operation: so it prints at each call.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.print_("x is", ms.Tensor([1, 2]))
        x is
        Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """

    differentiable = False

    def __init__(self) -> None:
        self.add_prim_attr("side_effect_io", True)

    def __call__(self, *inputs):
        """Print the inputs; returns None."""
        refuse("'Print' must run in Python")
        for x in inputs:
            _print(x if isinstance(x, str) else _text(x))


def _print(text):
    """Print a text; characters that the stream cannot write, such as halves of others, by their numbers."""
    try:
        print(text)
    except UnicodeEncodeError as error:
        print(text.encode(error.encoding, "backslashreplace").decode(error.encoding))


def _text(value):
    """The value as Python prints it; shortened if it is nested too deep."""
    try:
        return repr(value)
    except RecursionError:
        return shown(value)
