"""``Cell.set_inputs``: inputs that a cell announces, and the check of each call against them."""

from __future__ import annotations

from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin import placeholder  # noqa: F401 - it attaches itself to Tensor
from minispore.nn.cell import Cell
from minispore.nn.cell_table import note_change
from minispore.ops.added import add_to

__all__ = []


def _looked_at(cell_id, inputs):
    """A hook for ``set_inputs`` that changes nothing; its presence makes graph mode check the inputs, too."""


_looked_at.part_of_network = True


def _check_alike(name, announced, given, place):
    """Raise unless each of ``given`` matches ``announced``, the arguments of :meth:`Cell.set_inputs`."""
    if len(announced) != len(given):
        raise value_error(
            name, f"the number of inputs{place} must be that of 'set_inputs', {len(announced)}", len(given)
        )
    for i, (one, x) in enumerate(zip(announced, given, strict=True)):
        where = f"{place} {i}" if not place else f"{place}[{i}]"
        if isinstance(one, Tensor) and isinstance(x, Tensor):
            _check_like(name, one, x, where)
        elif isinstance(one, (tuple, list)) and isinstance(x, (tuple, list)):
            _check_alike(name, one, x, f" in{where}")
        elif one is not None and (isinstance(one, Tensor) or isinstance(x, Tensor) or one != x):
            raise value_error(name, f"the input{where} must be that of 'set_inputs', {shown(one)}", shown(x))


def _check_like(name, one, x, where):
    """Raise unless a Tensor has the type and the shape of another; a length of -1 there allows any length."""
    if x.dtype != one.dtype:
        raise type_error(name, f"the input{where} must have the type of 'set_inputs', {one.dtype}", x.dtype)
    if x.ndim != one.ndim or any(n not in (-1, m) for n, m in zip(one.shape, x.shape, strict=True)):
        raise value_error(name, f"the input{where} must have the shape of 'set_inputs', {one.shape}", x.shape)


class _AnnouncedInputs:
    """The methods that every cell gets."""

    _inputs = None

    def set_inputs(self, *inputs) -> None:
        """Announce the inputs; other ones are refused by a ValueError, ones of another type by a TypeError.

        A Tensor stands for Tensors of its shape and type; in ``Tensor(shape=[None, ...], dtype=...)`` any length fits.
        None stands for anything, another value for itself; in tuples and lists too.

        Raises:
            TypeError: If an input is a str.
        """
        for value in inputs:
            if isinstance(value, str):
                raise type_error("set_inputs", "the 'inputs' must not be str", shown(value))
        self._forward_pre_hooks.setdefault("inputs", _looked_at)
        object.__setattr__(self, "_inputs", inputs)
        note_change("hooks")

    def get_inputs(self) -> Any:
        """The arguments of :meth:`set_inputs`, as a tuple; None before its first call."""
        return self._inputs

    def _check_inputs(self, args, kwargs):
        """Raise unless the inputs of a call are as :meth:`set_inputs` announced them."""
        if self._inputs is not None:
            _check_alike(type(self).__name__, self._inputs, (*args, *kwargs.values()), "")


add_to(Cell, _AnnouncedInputs)
