"""The function ``initializer``: a new Tensor, filled by an initializer that is given or named."""

from __future__ import annotations

from numbers import Number

from minispore.core import dtype
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn import initial_values
from minispore.nn.initial_values import *  # noqa: F403 - the public module of initializers has them all
from minispore.nn.initial_values.base import Initializer, as_shape
from minispore.nn.initial_values.matrices import Constant
from minispore.nn.initial_values.names import _INITIALIZER_ALIAS

__all__ = ["initializer", *initial_values.__all__]


def initializer(init: Tensor | str | Initializer | float, shape=None, dtype=dtype.float32) -> Tensor:
    """A new Tensor, filled by ``init``.

    Args:
        init (Union[Tensor, str, Initializer, number]): A Tensor is returned as it is (its shape must equal ``shape``,
            if given); a str names an initializer, such as "normal" or "he_uniform"; a number fills.
        shape (Union[int, tuple, list]): The shape.
        dtype (mindspore.dtype): The data type. Default: float32.

    Raises:
        TypeError: If ``init`` is of another kind.
        ValueError: If the name is unknown, the shape is missing or not positive, or a Tensor's shape differs.

    Examples:
        >>> import minispore as ms
        >>> print(ms.common.initializer.initializer("ones", [2]))
        [1. 1.]
    """
    if isinstance(init, Tensor):
        if shape is not None and init.shape != as_shape(shape, 1, "positive"):
            raise value_error("initializer", f"the 'init' Tensor must have the shape {tuple(shape)}", init.shape)
        return init
    if shape is None:
        raise value_error("initializer", "the 'shape' must be given", "None")
    if isinstance(init, str):
        if init.lower() not in _INITIALIZER_ALIAS:
            raise value_error("initializer", f"the 'init' must be one of {sorted(_INITIALIZER_ALIAS)}", shown(init))
        init = _INITIALIZER_ALIAS[init.lower()]()
    elif isinstance(init, Number):
        init = Constant(init)
    if not isinstance(init, Initializer):
        raise type_error("initializer", "the 'init' must be a Tensor, a name, an Initializer or a number", shown(init))
    return init.fill(as_shape(shape, 1, "positive"), dtype)


Parameter._initial = staticmethod(initializer)
