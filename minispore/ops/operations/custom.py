"""Custom: an operation that a user writes as a function of NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_text
from minispore.core.dtype import DType, as_dtype, from_numpy
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.checked_gradients import checked_gradients
from minispore.ops.object_checks import check_optional_callable
from minispore.ops.type_checks import check_tensor

__all__ = ["Custom"]

_COMPILED = ("hybrid", "akg", "tbe", "aicpu", "aot", "julia")


class Custom(Primitive):
    """A function of NumPy arrays as an operation on Tensors; here ``func_type`` must be "pyfunc".

    Dtypes: any, kept.

    Args:
        func (Callable): Takes an array for each input, and returns an array or a tuple of them.
        out_shape (Union[Callable, tuple]): The outputs' shapes, or a function of the inputs' shapes.
        out_dtype (Union[Callable, DType]): The outputs' dtypes, or a function of the inputs' dtypes.
        func_type (str): "pyfunc"; kernels that are compiled (all other types) cannot be made here. Default: "hybrid".
        bprop (Callable): Takes the inputs, the output and its gradient, and returns a gradient for each input.
            Default: None, no gradient.
        reg_info: Accepted for "pyfunc", without effect. Default: None.

    Raises:
        TypeError: If an input is not a Tensor.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> same = {"out_shape": lambda shape: shape, "out_dtype": lambda dtype: dtype}
        >>> square = ops.Custom(np.square, **same, func_type="pyfunc")
        >>> print(square(ms.Tensor([1.0, 2.0, 3.0])))
        [1. 4. 9.]
    """

    __call__: Callable[..., Any]

    def __init__(
        self,
        func: Callable[..., Any],
        out_shape: Callable[..., Any] | tuple[Any, ...] | None = None,
        out_dtype: Callable[..., Any] | DType | None = None,
        func_type: str = "hybrid",
        bprop: Callable[..., Any] | None = None,
        reg_info=None,
    ) -> None:
        check_text(self.name, "func_type", func_type)
        if func_type in _COMPILED:
            expected = "the 'func_type' must be 'pyfunc', since no kernels are compiled here: write it with NumPy"
            raise value_error(self.name, expected, func_type)
        if func_type != "pyfunc":
            raise value_error(self.name, f"the 'func_type' must be one of {[*_COMPILED, 'pyfunc']}", shown(func_type))
        if not callable(func):
            raise type_error(self.name, "the 'func' must be a function", shown(func))
        if out_shape is None or out_dtype is None:
            raise type_error(self.name, "the 'out_shape' and 'out_dtype' must be given for 'pyfunc'", "None")
        check_optional_callable(self.name, "bprop", bprop)
        self.func, self.rule, self.out_shape, self.out_dtype = func, bprop, out_shape, out_dtype
        self.differentiable = bprop is not None
        self.ours = False  # the function is the user's: it may draw, count its calls, or keep what it made
        self.add_prim_attr("func_type", func_type)

    def infer(self, *xs):
        for i, x in enumerate(xs):
            check_tensor(self, f"input {i}", x)
        shapes, kinds = [x.shape for x in xs], [from_numpy(x.dtype) for x in xs]
        shapes = self.out_shape(*shapes) if callable(self.out_shape) else self.out_shape
        kinds = self.out_dtype(*kinds) if callable(self.out_dtype) else self.out_dtype
        if not isinstance(kinds, (tuple, list)):
            return Spec(tuple(shapes), as_dtype(kinds, self.name, "out_dtype").np)
        kinds = [as_dtype(kind, self.name, "out_dtype").np for kind in kinds]
        return tuple(Spec(tuple(shape), kind) for shape, kind in zip(shapes, kinds, strict=True))

    def compute(self, xp, *arrays):
        spec = self.infer(*[Spec(x.shape, x.dtype) for x in arrays])
        out = self.func(*[backend.to_host(x) for x in arrays])
        if isinstance(spec, Spec):
            return self._announced(out, spec)
        if not isinstance(out, (tuple, list)) or len(out) != len(spec):
            raise value_error(self.name, f"the 'func' must return {len(spec)} arrays", shown(out))
        return tuple(self._announced(*pair) for pair in zip(out, spec, strict=True))

    def _announced(self, out, spec):
        """The function's array in the announced dtype."""
        array = np.asarray(out)
        if array.shape != spec.shape:
            raise value_error(self.name, f"the 'func' must return an array of shape {spec.shape}", array.shape)
        return backend.from_host(np.array(array, spec.dtype))

    def bprop(self, *inputs_out_dout):
        return checked_gradients(self.name, self.rule(*inputs_out_dout), inputs_out_dout[:-2])
