"""Operations on functions and on collections: GradOperation, HyperMap, MultitypeFuncGraph, Partial, constexpr."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from minispore.core import dtype
from minispore.core.checks import check_bool, check_switch
from minispore.core.errors import shown, type_error, value_error
from minispore.core.nest import in_order_of, is_nest, map_leaves, parts_of, with_parts
from minispore.core.tape import flatten
from minispore.core.tensor import Tensor
from minispore.core.trace import Trace
from minispore.ops.decorators import constexpr
from minispore.ops.functional.array_filling import (
    ones_like,  # noqa: F401 - MindSpore's addresses
    zeros_like,  # noqa: F401 - MindSpore's addresses
)
from minispore.ops.functional.gradient_arguments import default_seeds, in_order, weight_list
from minispore.ops.functional.linalg_contraction import dot, tensor_dot  # noqa: F401
from minispore.ops.functional.linalg_matmul import matmul, mm  # noqa: F401
from minispore.ops.functional.math_clip import clip_by_global_norm, clip_by_value  # noqa: F401
from minispore.ops.functional.partial import Partial, partial
from minispore.ops.functional.random import laplace, multinomial, normal, uniform  # noqa: F401
from minispore.ops.functional.reduce import count_nonzero  # noqa: F401
from minispore.ops.gradient_seeds import given_seeds
from minispore.ops.kinds import Kind
from minispore.ops.object_checks import check_callable
from minispore.ops.object_text import of_arguments

__all__ = ["GradOperation", "HyperMap", "Map", "MultitypeFuncGraph", "Partial", "add_flags", "constexpr", "partial"]


class GradOperation:
    """A function of functions: the gradient of a network or function.

    Keywords count as inputs, in the order of the function's parameters. Inputs that hold no Tensor take no place in the
    result. A tuple, list or dict of Tensors has a gradient like itself.

    Args:
        get_all (bool): The gradients of all inputs, as a tuple; without, of the first input.
        get_by_list (bool): The gradients of the Parameters given in the call, by default of the network's trainable
            ones; with ``get_all``, the pair of both.
        sens_param (bool): The last argument of the gradient function is the gradient of the output, in place of ones.

    Raises:
        TypeError: If ``get_all``, ``get_by_list`` or ``sens_param`` is not a bool, or ``fn`` is not a function or a
            Cell.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.GradOperation()(lambda x: x * x)(ms.Tensor(3.0)))
        6.0
    """

    __repr__ = of_arguments

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False) -> None:
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            check_bool("GradOperation", name, value)
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn, weights=None) -> Any:
        """The gradient function of ``fn``, which takes fn's inputs."""
        if not callable(fn):
            raise type_error("GradOperation", "the 'fn' must be a function or a Cell", type(fn).__name__)
        parameters, one_weight = self._parameters(fn, weights)

        @wraps(fn, updated=())
        def gradient(*args, **kwargs):
            sens, args = self._taken(args, kwargs)
            call, args = in_order(fn, args, kwargs)
            trace = Trace(call, args, self._positions(args), parameters)
            inputs, by_weight = trace.gradients(self._seeds(trace.out, sens))
            by_weight = by_weight[0] if one_weight else by_weight
            if not self.get_by_list:
                return tuple(inputs) if self.get_all or not inputs else inputs[0]
            return (tuple(inputs), by_weight) if self.get_all else by_weight

        return gradient

    def _parameters(self, fn, weights):
        """The Parameters to differentiate by, and whether it is one alone."""
        if not self.get_by_list:
            return (), False
        if weights is None and not hasattr(fn, "trainable_params"):
            raise value_error("GradOperation", "with 'get_by_list' the 'weights' of a function must be given", "None")
        return weight_list("GradOperation", fn.trainable_params() if weights is None else weights)

    def _taken(self, args, kwargs):
        """The gradient of the output, taken from the arguments, and the positional ones that are left."""
        if not self.sens_param:
            return None, args
        return (kwargs.pop("sens"), args) if "sens" in kwargs else (args[-1], args[:-1])

    def _positions(self, args):
        if self.get_by_list and not self.get_all:
            return ()
        return [p for p, x in enumerate(args) if (self.get_all or p == 0) and flatten(x)]

    def _seeds(self, out, sens):
        if sens is None:
            return default_seeds("GradOperation", out)
        sens = in_order_of(out, map_leaves(lambda x: x if isinstance(x, Tensor) else Tensor(x), sens))
        outputs, seeds = flatten(out), flatten(sens)
        filled = [_filled(*pair) for pair in zip(seeds, outputs, strict=False)]
        return given_seeds("GradOperation", out, [*filled, *seeds[len(filled) :]])


def _filled(seed, out):
    """A seed of one element in the shape of its output; another as it is."""
    if seed.shape == out.shape or seed.size != 1:
        return seed
    return seed.reshape((1,) * out.ndim).broadcast_to(out.shape) if out.ndim else seed.reshape(())


_TYPE_NAMES = {
    "Tensor": Tensor,
    "Bool": bool,
    "Int": int,
    "Int64": int,
    "Float": float,
    "Float32": float,
    "Number": (int, float, np.number),
    "Tuple": tuple,
    "List": list,
    "String": str,
    "Function": object,
    "TypeType": (type, dtype.DType),
    "None": type(None),
    "Any": object,
}


class MultitypeFuncGraph:
    """A function that chooses among registered functions by the types of its arguments.

    Args:
        name (str): Its name, for messages.
        read_value (bool): Accepted as in MindSpore. Default: False.

    Raises:
        TypeError: If a function for the arguments' types is not registered.

    Examples:
        >>> from minispore import Tensor, ops
        >>> double = ops.MultitypeFuncGraph("double")
        >>> @double.register("Number")
        ... def double_number(x):
        ...     return 2 * x
        >>> double(3)
        6
    """

    __repr__ = of_arguments

    def __init__(self, name: str, read_value: bool = False) -> None:
        if not isinstance(name, str):
            raise type_error("MultitypeFuncGraph", "the 'name' must be a str", shown(name))
        self.name, self.read_value, self.entries = name, read_value, []

    def register(self, *type_names) -> Any:
        """Decorate the function for arguments of these types: names such as "Tensor", ``ms.number``, or classes."""
        kinds = tuple(self._kind(name) for name in type_names)

        def decorate(function):
            self.entries.append((kinds, function))
            return function

        return decorate

    def _kind(self, name):
        if isinstance(name, type):
            return name
        known = _TYPE_NAMES.get(str(name)) if isinstance(name, (str, Kind, dtype.DType)) else None
        if known is None:
            raise value_error("register", f"the type must be one of {sorted(_TYPE_NAMES)}", shown(name))
        return known

    def __call__(self, *args) -> Any:
        """Call the first registered function with fitting types."""
        for kinds, function in self.entries:
            if len(kinds) == len(args) and all(isinstance(a, kind) for a, kind in zip(args, kinds, strict=False)):
                return function(*args)
        got = ", ".join(type(a).__name__ for a in args)
        raise type_error(self.name, "a function for the arguments' types must be registered", got)


class HyperMap:
    """Apply a function to the elements of collections, through all nested tuples, lists and dicts.

    Args:
        ops (Callable): The function; without it the first argument of the call is the function.

    Raises:
        TypeError: If ``ops`` is not a function, or the inputs are not a function and the collections that it is applied
            to. Also if the collections are not tuples, lists or dicts.
        ValueError: If the collections do not have equal lengths.

    Examples:
        >>> from minispore import ops
        >>> ops.HyperMap()(lambda x, y: x + y, (1, (2, 3)), (10, (20, 30)))
        (11, (22, 33))
    """

    deep = True

    __repr__ = of_arguments

    def __init__(self, ops: Callable[..., Any] | None = None, reverse: bool = False) -> None:
        if ops is not None:
            check_callable(type(self).__name__, "ops", ops)
        reverse = check_switch(type(self).__name__, "reverse", reverse)
        self.ops = ops

    def __call__(self, *args) -> Any:
        """The results, nested as the first collection is."""
        function, collections = (args[:1], args[1:]) if self.ops is None else ((self.ops,), args)
        if not collections or not callable(*function):
            expected = "the inputs must be a function and the collections that it is applied to"
            raise type_error(type(self).__name__, expected, f"{len(args)} inputs")
        (function,) = function
        return self._map(function, collections)

    def _map(self, function, collections):
        first = collections[0]
        if not is_nest(first):
            return function(*collections)
        for other in collections[1:]:
            if not is_nest(other):
                expected = "the collections must be tuples, lists or dicts"
                raise type_error(type(self).__name__, expected, type(other).__name__)
            if len(other) != len(first):
                raise value_error(
                    type(self).__name__, "the collections must have equal lengths", (len(first), len(other))
                )
        each = self._map if self.deep else lambda f, xs: f(*xs)
        others = [parts_of(in_order_of(first, other)) for other in collections[1:]]
        return with_parts(first, [each(function, xs) for xs in zip(parts_of(first), *others, strict=True)])


class Map(HyperMap):
    """Apply a function to the elements of collections, one level deep.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> square = ops.Map(ops.square)
        >>> print(*square((ms.Tensor([2.0]), ms.Tensor([3.0]))))
        [4.] [9.]
    """

    deep = False


def add_flags(fn=None, **flags) -> Any:
    """Note flags of a function, or of a Cell by its own ``add_flags``; returns it, or without it the decorator.

    Raises:
        TypeError: If ``fn`` is not a function.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> @ops.add_flags(has_effect=True)
        ... def double(x):
        ...     return 2 * x
        >>> print(double(ms.Tensor([3.0])))
        [6.]
    """

    def decorate(fn):
        check_callable("add_flags", "fn", fn)
        if hasattr(fn, "add_flags"):
            return fn.add_flags(**flags)
        if isinstance(fn, type):
            raise type_error("add_flags", "the 'fn' must be a function or a Cell", f"the class {fn.__name__}")
        fn._func_graph_flags = {**getattr(fn, "_func_graph_flags", {}), **flags}
        return fn

    return decorate if fn is None else decorate(fn)
