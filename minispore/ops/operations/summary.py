"""Summaries from inside a network: values that a SummaryRecord writes, if one is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.checks import check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.layers import refuse
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor

__all__ = ["HistogramSummary", "ImageSummary", "ScalarSummary", "TensorSummary"]

noted = {}  # (plug-in, name) -> the last Tensor, while a SummaryRecord is open
listening = []  # the SummaryRecords that are open


class _Summary(Primitive):
    """Base: ``primitive(name, value)`` notes the value for the next ``SummaryRecord.record``; it returns None."""

    differentiable = False
    plugin = None

    def __call__(self, name, value):
        check_text(self.name, "name", name)
        if not name:
            raise value_error(self.name, "the 'name' must not be empty", shown(name))
        if not isinstance(value, Tensor):
            raise type_error(self.name, "the 'value' must be a Tensor", type(value).__name__)
        self._check(value)
        refuse(f"'{self.name}' notes a value in Python")
        if listening:
            noted[self.plugin, name] = Tensor(value)

    def _check(self, value):
        """Raise ValueError for a shape that the summary cannot have."""


class ScalarSummary(_Summary):
    """``ScalarSummary()(name, value)``: a number, for the open SummaryRecord.

    It returns None, and notes nothing where no :class:`SummaryRecord` is open. Any dtype is taken.

    Inputs:
        - **name** (str) - The name, not empty.
        - **value** (Tensor) - One element.

    Raises:
        TypeError: If the name is not a str, or the value not a Tensor.
        ValueError: If the name is empty, or the value has another shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ScalarSummary()("loss", ms.Tensor(0.5)))
        None
    """

    __call__: Callable[..., Any]

    plugin = "scalar"

    def _check(self, value):
        if value.shape not in ((), (1,)):
            raise value_error(self.name, "the 'value' must have the shape () or (1,)", value.shape)


class TensorSummary(_Summary):
    """``TensorSummary()(name, value)``: the values of a Tensor, for the open SummaryRecord.

    It returns None, and notes nothing where no :class:`SummaryRecord` is open. Shapes: any. Any dtype is taken.

    Raises:
        TypeError: If the name is not a str, or the value not a Tensor.
        ValueError: If the name is empty.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorSummary()("weight", ms.Tensor([0.5, 1.0])))
        None
    """

    __call__: Callable[..., Any]

    plugin = "tensor"


class HistogramSummary(_Summary):
    """``HistogramSummary()(name, value)``: how a Tensor's values are spread, for the open SummaryRecord.

    It returns None, and notes nothing where no :class:`SummaryRecord` is open. Shapes: any. Any dtype is taken.

    Raises:
        TypeError: If the name is not a str, or the value not a Tensor.
        ValueError: If the name is empty.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.HistogramSummary()("weight", ms.Tensor([0.5, 1.0])))
        None
    """

    __call__: Callable[..., Any]

    plugin = "histogram"


class ImageSummary(_Summary):
    """``ImageSummary()(name, value)``: the first of some pictures (N, C, H, W), for the open SummaryRecord.

    It returns None, and notes nothing where no :class:`SummaryRecord` is open. Any dtype is taken.

    Raises:
        TypeError: If the name is not a str, or the value not a Tensor.
        ValueError: If the name is empty, or the value has another rank, or no pixels or more than four channels.

    Examples:
        >>> from minispore import ops
        >>> print(ops.ImageSummary()("input", ops.zeros((1, 3, 2, 2))))
        None
    """

    __call__: Callable[..., Any]

    plugin = "image"

    def _check(self, value):
        check_picture(self.name, value)


def check_picture(operation, value):
    """Raise ValueError unless the shape is (N, C, H, W), with a picture of one to four channels."""
    if len(value.shape) != 4 or 0 in value.shape or value.shape[1] > 4:
        raise value_error(operation, "a picture must have the shape (N, C, H, W), with C of 1 to 4", value.shape)
