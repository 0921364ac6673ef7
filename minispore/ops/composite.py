"""Operations on functions and on collections: GradOperation, HyperMap, MultitypeFuncGraph, Partial, constexpr."""

import numpy as np

from minispore import dtype
from minispore.autograd import Trace, flatten, is_differentiable, nested_as, ones_like
from minispore.errors import type_error, value_error
from minispore.ops.functional.partials import Partial, partial
from minispore.tensor import Tensor

__all__ = ["GradOperation", "HyperMap", "Map", "MultitypeFuncGraph", "Partial", "constexpr", "partial"]


class GradOperation:
    """A function of functions: the gradient of a network or function.

    Args:
        get_all (bool): The gradients of all inputs, as a tuple; without, of the first input.
        get_by_list (bool): The gradients of the Parameters given in the call; with ``get_all``, the pair of both.
        sens_param (bool): The last argument of the gradient function is the gradient of the output, in place of ones.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.GradOperation()(lambda x: x * x)(ms.Tensor(3.0)))
        6.0
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(value, bool):
                raise type_error("GradOperation", f"the '{name}' must be a bool", repr(value))
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn, weights=None):
        """The gradient function of ``fn``, which takes fn's inputs."""
        if not callable(fn):
            raise type_error("GradOperation", "the 'fn' must be a function or a Cell", type(fn).__name__)
        if self.get_by_list and weights is None:
            raise value_error("GradOperation", "with 'get_by_list' the 'weights' must be given", "None")
        parameters = (weights,) if isinstance(weights, Tensor) else tuple(weights or ())

        def gradient(*args, **kwargs):
            sens = None
            if self.sens_param:
                sens, args = (kwargs.pop("sens"), args) if "sens" in kwargs else (args[-1], args[:-1])
            positions = range(len(args)) if self.get_all else () if self.get_by_list or not args else (0,)
            trace = Trace(fn, args, kwargs, positions, parameters if self.get_by_list else ())
            inputs, by_weight = trace.gradients(self._seeds(trace.out, sens))
            if isinstance(weights, Tensor):
                by_weight = by_weight[0] if by_weight else by_weight
            if not self.get_by_list:
                return tuple(inputs) if self.get_all or not inputs else inputs[0]
            return (tuple(inputs), by_weight) if self.get_all else by_weight

        return gradient

    def _seeds(self, out, sens):
        outputs = [y for y in flatten(out) if is_differentiable(y)]
        if sens is None:
            return [(y, ones_like(y)) for y in outputs]
        seeds = flatten(sens if isinstance(sens, (Tensor, tuple, list)) else Tensor(sens))
        if len(seeds) != len(outputs):
            raise value_error("GradOperation", f"the sens must hold {len(outputs)} Tensors, one an output", len(seeds))
        return [(y, _fitted(seed, y)) for y, seed in zip(outputs, seeds, strict=False)]


def _fitted(seed, out):
    """A seed in the shape and dtype of its output; one element fills it."""
    seed = seed if seed.dtype == out.dtype else seed.astype(out.dtype)
    if seed.shape == out.shape:
        return seed
    if seed.size != 1:
        raise value_error("GradOperation", f"the sens must have its output's shape, {out.shape}", seed.shape)
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

    Examples:
        >>> from minispore import Tensor, ops
        >>> double = ops.MultitypeFuncGraph("double")
        >>> @double.register("Number")
        ... def double_number(x):
        ...     return 2 * x
        >>> double(3)
        6
    """

    def __init__(self, name, read_value=False):
        if not isinstance(name, str):
            raise type_error("MultitypeFuncGraph", "the 'name' must be a str", repr(name))
        self.name, self.read_value, self.entries = name, read_value, []

    def register(self, *type_names):
        """Decorate the function for arguments of these types: names such as "Tensor", ``ms.number``, or classes."""
        kinds = tuple(self._kind(name) for name in type_names)

        def decorate(function):
            self.entries.append((kinds, function))
            return function

        return decorate

    def _kind(self, name):
        if isinstance(name, type):
            return name
        known = _TYPE_NAMES.get(str(name)) if isinstance(name, (str, dtype.Kind, dtype.DType)) else None
        if known is None:
            raise value_error("register", f"the type must be one of {sorted(_TYPE_NAMES)}", repr(name))
        return known

    def __call__(self, *args):
        """Call the function registered first among those whose types fit."""
        for kinds, function in self.entries:
            if len(kinds) == len(args) and all(isinstance(a, kind) for a, kind in zip(args, kinds, strict=False)):
                return function(*args)
        got = ", ".join(type(a).__name__ for a in args)
        raise type_error(self.name, "a function for the arguments' types must be registered", got)


class HyperMap:
    """Apply a function to the elements of collections, through all nested tuples and lists.

    Args:
        ops (Callable): The function; without it the first argument of the call is the function.

    Examples:
        >>> from minispore import ops
        >>> ops.HyperMap()(lambda x, y: x + y, (1, (2, 3)), (10, (20, 30)))
        (11, (22, 33))
    """

    deep = True

    def __init__(self, ops=None, reverse=False):
        self.ops = ops

    def __call__(self, *args):
        """The results, nested as the first collection is."""
        function, collections = (args[0], args[1:]) if self.ops is None else (self.ops, args)
        return self._map(function, collections)

    def _map(self, function, collections):
        first = collections[0]
        if not isinstance(first, (tuple, list)):
            return function(*collections)
        for other in collections[1:]:
            if len(other) != len(first):
                raise value_error(
                    type(self).__name__, "the collections must have equal lengths", (len(first), len(other))
                )
        each = self._map if self.deep else lambda f, xs: f(*xs)
        return nested_as(first, [each(function, xs) for xs in zip(*collections, strict=False)])


class Map(HyperMap):
    """Apply a function to the elements of collections, one level deep."""

    deep = False


def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """Decorate a function of Python values: it is called as it stands, since nothing is compiled here."""
    return fn if fn is not None else lambda function: function
