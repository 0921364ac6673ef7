"""The constructor of a source: its arguments in MindSpore's order, and those that choose rows apart from the others.

Nearly all sources take the same options, each at another place. A table says the order; one function makes the
constructor of it.
"""

import inspect
from dataclasses import make_dataclass
from types import MappingProxyType

__all__ = []

# The options of MappableDataset, in its order
OPTIONS = ("num_samples", "shuffle", "sampler", "num_shards", "shard_id", "num_parallel_workers", "cache")

# The options in the order in which most sources take them, with their defaults
ARRAYS = MappingProxyType(
    dict.fromkeys(("num_samples", "num_parallel_workers", "shuffle", "sampler", "num_shards", "shard_id", "cache"))
)
IMAGES = MappingProxyType(
    {"num_samples": None, "num_parallel_workers": None, "shuffle": None, "decode": False}
    | dict.fromkeys(("sampler", "num_shards", "shard_id", "cache"))
)


def arguments(*required, **defaults):
    """Give a class a constructor that takes the ``required`` arguments and those with ``defaults``, in this order.

    It calls ``_set_up`` with the values of ``OPTIONS``, None for those it does not take, and with its other arguments
    by name.
    """
    places = [("self", inspect.Parameter.empty), *((name, inspect.Parameter.empty) for name in required)]
    places += defaults.items()
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(name, kind, default=default) for name, default in places])

    def decorate(cls):
        def constructor(self, *args, **kwargs):
            values = _bound(cls, signature, (self, *args), kwargs)
            options = tuple(values.pop(name, None) for name in OPTIONS)
            self._set_up(options, **values)

        constructor.__signature__ = signature
        constructor.__name__, constructor.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
        constructor.__module__ = cls.__module__
        cls.__init__ = constructor
        return cls

    return decorate


def _bound(cls, signature, args, kwargs):
    """The values of a constructor's arguments by their names; TypeError if the call does not fit the signature."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        raise _refusal(cls, signature, args[1:], kwargs) from None
    bound.apply_defaults()
    values = dict(bound.arguments)
    del values["self"]
    return values


def _refusal(cls, signature, args, kwargs):
    """Python's own TypeError for the call, as from a class of the same name with such a constructor."""
    _, *parameters = signature.parameters.values()
    fields = [(p.name, object) if p.default is p.empty else (p.name, object, p.default) for p in parameters]
    try:
        return make_dataclass(cls.__name__, fields)(*args, **kwargs)
    except TypeError as error:
        return error
