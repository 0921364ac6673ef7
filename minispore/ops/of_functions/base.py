"""The base of primitives whose call is a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from minispore.core.errors import shown, type_error
from minispore.core.primitive import Primitive
from minispore.core.running import running, under
from minispore.core.tensor import Tensor

__all__ = []


class OfFunction(Primitive):
    """Base of primitives whose call is ``function``, with the primitive's attributes as its keywords.

    A subclass says by ``function`` which one, or has a method ``run`` in its place; it has an ``__init__`` where the
    primitive has attributes. The first inputs, as many as ``tensors`` says, must be Tensors; None: all of them.

    A cell's mark casts the inputs, as those of any primitive; the operations of the function cast nothing again.
    """

    function: Callable[..., Any]
    tensors: int | None = None

    def run(self, *inputs):
        """The function of the inputs."""
        return type(self).function(*inputs, **self.attrs)

    def __call__(self, *inputs: Any) -> Any:
        """Check the inputs, and run."""
        names, least = _inputs_of(type(self))
        if not least <= len(inputs) <= len(names):
            expected = (
                f"there must be {len(names)} inputs" if least == len(names) else f"there must be at least {least}"
            )
            raise type_error(self.name, expected, len(inputs))
        for name, x in list(zip(names, inputs, strict=False))[: self.tensors]:
            if not isinstance(x, Tensor):
                raise type_error(self.name, f"the '{name}' must be a Tensor", shown(x))
        if running.cast is None or not self.autocast:
            return self.run(*inputs)
        inputs = self._autocast(inputs, running.cast)
        with under(cast=None):
            return self.run(*inputs)

    def _keep(self, **attributes):
        for name, value in attributes.items():
            self.add_prim_attr(name, value)


def as_ints(value):
    """A tuple of the ints of a Tensor; another value itself."""
    return tuple(value.tolist()) if isinstance(value, Tensor) else value


@cache
def _inputs_of(kind):
    """The names of the inputs of a subclass, and how many must be given."""
    called = kind.function if kind.run is OfFunction.run else kind.run
    parameters = list(inspect.signature(called).parameters.values())
    if kind.run is not OfFunction.run:
        return tuple(p.name for p in parameters[1:]), sum(p.default is p.empty for p in parameters[1:])
    own = inspect.signature(kind.__init__).parameters
    given = [p for p in parameters if p.name not in own and p.kind is not p.KEYWORD_ONLY]
    return tuple(p.name for p in given), sum(p.default is p.empty for p in given)
