"""MindSpore's methods of primitives that have no effect here, and its names of the class."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Self

from minispore import ops
from minispore.core import primitive
from minispore.core._exports import show
from minispore.core.checks import check_bool, check_text
from minispore.core.errors import shown, type_error
from minispore.core.primitive import Primitive
from minispore.ops import decorators
from minispore.ops.added import add_to

__all__ = ["PrimitiveWithCheck", "PrimitiveWithInfer"]


class _Spellings:
    """The methods that every primitive gets."""

    @property
    def update_parameter(self) -> bool:
        """False: the compiler, which asks for it, is not there."""
        return False

    @property
    def init_attrs(self) -> dict[str, Any]:
        """The arguments of the constructor's call that are kept as attributes, by name."""
        names = [name for name in inspect.signature(type(self)).parameters if name in vars(self)]
        return {name: getattr(self, name) for name in names}

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs: as they were set, or those of the method ``infer``."""
        infer = [x for x in inspect.signature(self.infer).parameters.values() if x.kind is x.POSITIONAL_OR_KEYWORD]
        return list(self.attrs.get("input_names", [x.name for x in infer]))

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs: as they were set, or "output"."""
        return list(self.attrs.get("output_names", ["output"]))

    def add_attr(self, name: str, value: Any) -> None:
        """Set an attribute, as ``add_prim_attr`` does."""
        self.add_prim_attr(name, value)

    def del_attr(self, name: str) -> None:
        """Remove an attribute, as ``del_prim_attr`` does."""
        self.del_prim_attr(name)

    def set_instance_name(self, instance_name: str) -> None:
        """Note a name of this instance, as ``set_prim_instance_name`` does."""
        self.set_prim_instance_name(instance_name)

    def check_elim(self, *args: Any) -> tuple[bool, None]:
        """``(False, None)``: no call of the primitive can be left out."""
        return False, None

    def del_prim_attr(self, name: str) -> Self:
        """Remove an attribute from ``attrs``; returns the primitive."""
        self.attrs.pop(name, None)
        self._changed()
        return self

    def init_prim_io_names(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Name the inputs and outputs, as attributes ``input_names`` and ``output_names``."""
        self.add_prim_attr("input_names", inputs)
        self.add_prim_attr("output_names", outputs)

    def set_device(self, device_target: str) -> Self:
        """Note the device wished for, as attribute ``primitive_target``; returns the primitive."""
        return self.add_prim_attr("primitive_target", device_target)

    def set_prim_instance_name(self, instance_name: str) -> Self:
        """Note a name of this instance, as ``instance_name``; returns the primitive."""
        object.__setattr__(self, "instance_name", check_text("set_prim_instance_name", "instance_name", instance_name))
        return self

    def set_stage(self, stage: int) -> Self:
        """Note the pipeline stage wished for, as attribute ``stage``; one process computes all of them."""
        return self.add_prim_attr("stage", stage)

    def shard(self, in_strategy: tuple[Any, ...] | None = None, out_strategy: tuple[Any, ...] | None = None) -> Self:
        """Note how inputs and outputs would be cut among devices, each a tuple of tuples; one device computes whole."""
        for name, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            if strategy is not None and not (
                isinstance(strategy, tuple) and all(isinstance(part, tuple) for part in strategy)
            ):
                raise type_error("shard", f"the '{name}' must be a tuple of tuples or None", shown(strategy))
        return self.add_prim_attr("in_strategy", in_strategy).add_prim_attr("out_strategy", out_strategy)

    def recompute(self, mode: bool = True) -> Self:
        """Note in ``attrs`` whether the gradient may compute the output anew; it is always kept here."""
        self.attrs["recompute"] = check_bool("recompute", "mode", mode)
        return self

    def get_attr_dict(self) -> dict[str, Any]:
        """The attributes that ``attrs`` lists, as a dict of its own."""
        return dict(self.attrs)


PrimitiveWithCheck = PrimitiveWithInfer = Primitive
primitive._primexpr = decorators.constexpr  # users' layers import it; MindSpore's leaves out a check of the arguments
add_to(Primitive, _Spellings)
show(decorators, primitive)
show(sys.modules[__name__], primitive, ops.operations, ops)


# Attributes of users' own classes that were read up to 0.1 -> what takes their place
_FORMER = {
    "autocast_exempt": "a method '_autocast(args, numpy_type)' that leaves these inputs as they are",
    "float16_in_float32": "nothing: graph mode knows the package's own primitives",
    "in_python": "ops.Custom, whose function runs at each call",
    "owns_memory": "nothing: graph mode takes no memory from a user's primitive",
    "piecewise": "nothing: the laws of primitives have a table",
    "refuses": "a primitive that is differentiable without a bprop",
    "reuses_memory": "nothing: graph mode takes no memory from a user's primitive",
    "ufunc": "the method 'compute'",
}
_begun = Primitive.__init_subclass__.__func__


def _warn_of_former_attributes(cls, **kwargs) -> None:
    """Warn of attributes of a user's primitive that nothing reads any more; keep inputs exempt from casts."""
    _begun(cls, **kwargs)
    for name in [] if cls.ours else sorted(_FORMER.keys() & vars(cls).keys()):
        former = f"The attribute '{name}' of the primitive '{cls.__name__}'"
        warnings.warn(f"{former} is read no more; instead of it: {_FORMER[name]}.", DeprecationWarning, stacklevel=2)
        if name == "autocast_exempt":
            cls._autocast = _exempting(cls._autocast, frozenset(cls.autocast_exempt))


def _exempting(autocast, positions):
    """The method ``_autocast``, but for the inputs at ``positions``, which stay as they are."""

    def exempting(self, args, numpy_type):
        cast = autocast(self, args, numpy_type)
        return tuple([before if i in positions else x for i, (before, x) in enumerate(zip(args, cast, strict=True))])

    return exempting


Primitive.__init_subclass__ = classmethod(_warn_of_former_attributes)
