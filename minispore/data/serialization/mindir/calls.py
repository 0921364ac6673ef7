"""The callables that a file's primitives mean: MindSpore's names and attributes as primitives of minispore."""

import inspect

from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.data.serialization.mindir.values import ORDER
from minispore.ops import operations as primitives

__all__ = []

# They write files, run Python, talk to other processes, or are no operations
_REFUSED = """
    AllGather AllReduce AlltoAll Barrier Broadcast Custom HistogramSummary HookBackward ImageSummary InsertGradientOf
    MapUniform NeighborExchange Primitive PrimitiveWithCheck PrimitiveWithInfer Print ReduceScatter ScalarSummary
    TensorSummary
"""
# Axes of samples and channels, which MindSpore keeps before the others in these attributes
_BEFORE = {
    "AvgPool": ("kernel_size", "strides"),
    "Conv2D": ("stride", "dilation"),
    "Conv2DBackpropInput": ("stride", "dilation"),
    "Conv2DTranspose": ("stride", "dilation"),
    "MaxPool": ("kernel_size", "strides"),
    "AvgPool3D": ("kernel_size", "strides"),
}
_AXES = {"AvgPool3D": 3}
# Attributes that a constructor does not take, with the only values that minispore computes with
_ONLY = {"skip_mode": False, "base": -1.0, "scale": 1.0, "shift": 0.0}
_DERIVED = ("self", "name", "pad_list")
_IDENTITY = primitives.Identity()


def _first(x, *_):
    return x


def _ordered(*_):
    return ORDER


# Primitives that handle values of the graph itself
_GRAPHS_OWN = {
    "Depend": _first,
    "ListGetItem": lambda values, i: values[int(i)],
    "Load": _first,
    "MakeList": lambda *values: list(values),
    "MakeTuple": lambda *values: values,
    "Return": _first,
    "TensorMove": _IDENTITY,
    "TupleGetItem": lambda values, i: values[int(i)],
    "UpdateState": _ordered,
}


def is_known(kind):
    """True if a primitive of this name can be run."""
    found = getattr(primitives, kind, None) if kind.isidentifier() and not kind.startswith("_") else None
    plain = isinstance(found, type) and issubclass(found, Primitive) and kind not in _REFUSED.split()
    return kind in _GRAPHS_OWN or plain


def call_of(primitive):
    """The callable of a :class:`~.model.Primitive` that is known.

    Raises:
        TypeError, ValueError: If its attributes are of another kind or value than the primitive takes.
    """
    if primitive.kind in _GRAPHS_OWN:
        return _GRAPHS_OWN[primitive.kind]
    kind = getattr(primitives, primitive.kind)
    taken = [name for name in inspect.signature(kind.__init__).parameters if name not in _DERIVED]
    attributes = {name: _read(primitive, name) for name in taken if name in primitive.attributes}
    for name, only in _ONLY.items():
        if name not in taken and primitive.attributes.get(name, only) != only:
            raise ValueError(
                f"have the '{name}' {only} in '{primitive.kind}', but got {primitive.attributes[name]!s:.40}"
            )
    return _without_order(kind(**attributes))


def _read(primitive, name):
    value = primitive.attributes[name]
    axes = _AXES.get(primitive.kind, 2)
    if name in _BEFORE.get(primitive.kind, ()) and isinstance(value, (tuple, list)) and len(value) == axes + 2:
        return tuple(value[2:])
    if name == "pad_mode" and isinstance(value, str):
        return value.lower()
    return value


def _without_order(primitive):
    """The call of a primitive with the inputs that are values, marks of order aside."""

    def call(*inputs):
        return primitive(*[x for x in inputs if x is not ORDER])

    return call


def truth(condition):
    """The truth of a condition of the graph."""
    return bool(condition.item()) if isinstance(condition, Tensor) else bool(condition)
