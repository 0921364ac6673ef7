"""Parameter: a named Tensor that a network owns and an optimizer changes."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from minispore.core import backend, dtype
from minispore.core.checks import check_bool
from minispore.core.context import changes
from minispore.core.errors import escaped, shown, type_error, value_error
from minispore.core.running import running
from minispore.core.tape import alias
from minispore.core.tensor import Tensor

__all__ = ["Parameter"]

_living = set()  # weak references to every Parameter


def living():
    """Every Parameter alive: a recorder must recognize their arrays."""
    return [p for p in (reference() for reference in list(_living)) if p is not None]


def _dtype_of(number):
    """The dtype of a Parameter made from a Python number, or None to keep the data's own."""
    if isinstance(number, bool):
        raise value_error("Parameter", "the 'default_input' must not be a bool; a Tensor of bools may be", number)
    if not isinstance(number, int):
        return None
    if not -(2**31) <= number < 2**31:
        raise value_error("Parameter", "an int as the 'default_input' must fit into int32", shown(number))
    return dtype.int32


class Parameter(Tensor):
    """A Tensor with a name, which a Cell collects and an optimizer trains.

    Args:
        default_input: A Tensor, NumPy array, number or nested list of numbers; copied. An int gives int32, unlike a
            Tensor's int64.
        name (str): Its name. Default: None, the name of the attribute that it is assigned to.
        requires_grad (bool): Whether ``trainable_params`` lists it. Default: True.

    Raises:
        TypeError: If ``default_input`` holds no data, or ``name`` or ``requires_grad`` is of a wrong kind.
        ValueError: If ``default_input`` is a bool, or an int that does not fit into int32.

    Examples:
        >>> import minispore as ms
        >>> ms.Parameter([1.0, 2.0], name="w")
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
    """

    is_state = True
    _initial = None  # draws the values of ``clone(init=...)``: set where the initializers are

    def __init__(
        self,
        default_input: Any,
        name: str | None = None,
        requires_grad: bool = True,
        layerwise_parallel: bool = False,
        parallel_optimizer: bool = True,
    ) -> None:
        if default_input is None:
            raise type_error("Parameter", "the 'default_input' must hold data", "None")
        super().__init__(default_input, _dtype_of(default_input))
        _living.add(weakref.ref(self, _living.discard))
        self.name = "Parameter" if name is None else name
        self.requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer

    @property
    def _tape(self):
        """This thread's tape that follows the Parameter, or None: several threads may differentiate by it at once."""
        return running.followed.get(self)

    @_tape.setter
    def _tape(self, tape):
        if tape is None:
            running.followed.pop(self, None)
        else:
            running.followed[self] = tape

    @property
    def name(self) -> str:
        """The Parameter's name; an empty one becomes "Parameter"."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise type_error("Parameter", "the 'name' must be a str", shown(name))
        name = name.strip() or "Parameter"
        if getattr(self, "_name", name) != name:
            changes.count += 1  # what a recorded function does may depend on it
        self._name = name

    @property
    def requires_grad(self) -> bool:
        """True if ``trainable_params`` lists the Parameter."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        check_bool("Parameter", "requires_grad", flag)
        if getattr(self, "_requires_grad", flag) != flag:
            changes.count += 1  # the set of differentiated Parameters may depend on it
        self._requires_grad = flag

    @property
    def data(self) -> Parameter:
        """The Parameter itself, as in MindSpore."""
        return self

    def value(self) -> Tensor:
        """A Tensor of the current values, through which gradients reach the Parameter."""
        return alias(self)

    def clone(self, init: Any = "same") -> Parameter:
        """A new Parameter of the same name, shape and dtype: with the same values, or filled by ``init``."""
        values = self if isinstance(init, str) and init == "same" else self._initial(init, self.shape, self.dtype)
        return Parameter(values, self.name, self.requires_grad, self.layerwise_parallel, self.parallel_optimizer)

    def __deepcopy__(self, memodict: Any) -> Parameter:
        return self.clone()

    def __copy__(self) -> Parameter:
        return self.clone()

    def __reduce__(self):
        return (Parameter, (np.array(backend.to_host(self.array)), self.name, self.requires_grad))

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        name = escaped(str(self.name))
        return f"Parameter (name={name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"
