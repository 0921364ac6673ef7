"""ParameterTuple: an ordered collection of Parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor

__all__ = ["ParameterTuple"]


class ParameterTuple(tuple):
    """An ordered collection of Parameters.

    Args:
        iterable (Iterable[Parameter]): The Parameters.

    Raises:
        TypeError: If an element is not a Parameter.
    """

    __slots__ = ()
    plain_kind = tuple  # the type that holds other elements in place of the Parameters, such as their gradients

    def __new__(cls, iterable: Iterable[Tensor]) -> ParameterTuple:
        """Check that every element is a Parameter."""
        if not isinstance(iterable, Iterable):
            raise type_error("ParameterTuple", "the 'iterable' must hold Parameters", shown(iterable))
        parameters = tuple(iterable)
        for p in parameters:
            if not (isinstance(p, Tensor) and p.is_state):
                raise type_error("ParameterTuple", "every element must be a Parameter", type(p).__name__)
        return super().__new__(cls, parameters)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """New Parameters named ``prefix.name``, with the same values or filled by ``init``."""
        if not isinstance(prefix, str) or not prefix:
            raise type_error("ParameterTuple", "the 'prefix' must be a str that is not empty", shown(prefix))
        clones = []
        for p in self:
            clone = p.clone(init)
            clone.name = f"{prefix}.{p.name}"
            clones.append(clone)
        return ParameterTuple(clones)
