"""The base of primitives whose call is a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.primitive import Primitive

__all__ = []


class OfFunction(Primitive):
    """Base of primitives whose call is ``function``, with the primitive's attributes as its keywords.

    A subclass says by ``function`` which one, and has an ``__init__`` where the primitive has attributes.
    """

    function: Callable[..., Any]

    def __call__(self, *inputs: Any) -> Any:
        """The function of the inputs."""
        return type(self).function(*inputs, **self.attrs)

    def _keep(self, **attributes):
        for name, value in attributes.items():
            self.add_prim_attr(name, value)
