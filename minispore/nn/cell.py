"""Cell: a part of a network, which owns Parameters and other Cells and computes with ``construct``."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Self

from minispore.core.autocast import Autocast
from minispore.core.checked_gradients import checked_nests
from minispore.core.checks import check_switch
from minispore.core.dtype import DType, bfloat16, float16, float32
from minispore.core.errors import escaped, shown, type_error, value_error
from minispore.core.nest import replace_leaves, select
from minispore.core.running import running, under
from minispore.core.tape import record_outputs
from minispore.core.tensor import Tensor
from minispore.nn.cell_attributes import Owner, note_change
from minispore.nn.cell_hooks import HOOKS, Hooked
from minispore.nn.error_location import tell_where
from minispore.ops.casting import Cast

if TYPE_CHECKING:
    from typing import ParamSpec, Protocol, TypeVar

    P = ParamSpec("P")
    Out = TypeVar("Out", covariant=True)

    class Constructs(Protocol[P, Out]):
        """The type of a cell's call: the same arguments and the same result as its ``construct``."""

        def construct(self, *args: P.args, **kwargs: P.kwargs) -> Out: ...


__all__ = ["Cell"]

_CAST = Cast()
_MARKS = {"fp16": float16, "bf16": bfloat16, "fp32": float32}  # the flags that set a cell's compute dtype


class Cell(Owner, Hooked):
    """Base of all parts of a network: subclasses assign Parameters and Cells in ``__init__`` and define ``construct``.

    Args:
        auto_prefix (bool): If True, the names of a child's Parameters begin with the child's attribute name. Default:
            True.
        flags (dict): Flags as ``add_flags`` sets them. Default: None.

    Raises:
        AttributeError: If a Parameter or Cell is assigned before ``super().__init__()``, or ``construct`` is missing.

    Examples:
        >>> import minispore as ms
        >>> class Twice(ms.nn.Cell):
        ...     def construct(self, x):
        ...         return x + x
        >>> print(Twice()(ms.Tensor([1.0])))
        [2.]
    """

    # Attributes that graph mode need not compare: each change calls `note_change`, or no computation depends on them
    _counted = frozenset({"_params", "_cells", "_recorded", "_flags", "_jit_config_dict"} | {*HOOKS})

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None) -> None:
        super().__init__()
        self._auto_prefix = check_switch(type(self).__name__, "auto_prefix", auto_prefix)
        own = self.__dict__  # filled directly: `_auto_prefix` has noted the change already
        own["_compute_dtype"] = None  # NumPy dtype to which operations in construct cast their inputs, or an Autocast
        own["_user_dtype"] = None  # the dtype given to `to_float` on this cell itself, not on an ancestor
        own.update(_flags={}, _jit_config_dict={})
        own.update(_forward_pre_hooks=OrderedDict(), _forward_hooks=OrderedDict(), _backward_hooks=OrderedDict())
        self.training = self.requires_grad = self.to_float_fp16 = False
        self.param_prefix, self.phase, self.cell_type, self.cast = "", "train", None, _CAST
        self.cls_name = type(self).__name__
        if flags is not None:
            self.add_flags(**_checked_flags(type(self).__name__, flags))

    # Modes and marks

    def set_train(self, mode: bool = True) -> Self:
        """Set ``training`` and ``phase``, "train" or "predict", in the whole tree; returns the cell."""
        self._set_everywhere("training", check_switch(type(self).__name__, "training", mode))
        return self._set_everywhere("phase", "train" if mode else "predict")

    def set_grad(self, requires_grad: bool = True) -> Self:
        """Set ``requires_grad`` in the whole tree; returns the cell."""
        return self._set_everywhere("requires_grad", check_switch(type(self).__name__, "requires_grad", requires_grad))

    def _set_everywhere(self, attribute, value):
        for _, cell in self.cells_and_names():
            if vars(cell).get(attribute) is not value:  # each change makes graph mode record the step anew
                setattr(cell, attribute, value)
        return self

    def to_float(self, dst_type: DType) -> Self:
        """Set the compute dtype of the cell and its descendants: operations get floating Tensors cast to ``dst_type``.

        The cast happens at each operation, not at entry. It includes Parameters, but not their stored values; integers
        are unchanged. A later call overwrites an earlier one. ``to_float_fp16`` is set on this cell alone.

        Args:
            dst_type (mindspore.dtype): float16, bfloat16 or float32.

        Returns:
            Cell, itself.

        Raises:
            ValueError: If ``dst_type`` is another type.

        Examples:
            >>> import minispore as ms
            >>> dense = ms.nn.Dense(2, 3).to_float(ms.float16)
            >>> print(dense(ms.ops.ones((1, 2))).dtype, dense.weight.dtype)
            Float16 Float32
        """
        if not isinstance(dst_type, DType) or dst_type not in (float16, bfloat16, float32):
            raise value_error("to_float", "the 'dst_type' must be float16, bfloat16 or float32", shown(dst_type, str))
        for _, cell in self.cells_and_names():
            cell._user_dtype = None
        self._user_dtype = dst_type
        return self._set_compute_dtype(dst_type)

    def _set_compute_dtype(self, dst_type):
        """Let the cell and its descendants compute in ``dst_type``, without recording it as the user's choice."""
        for _, cell in self.cells_and_names():
            cell._compute_dtype = dst_type.np
        self.to_float_fp16 = dst_type == float16
        return self

    def add_flags(self, **flags: Any) -> Self:
        """Set flags, which are attributes too; returns the cell.

        A true ``fp16``, ``bf16`` or ``fp32`` sets the compute dtype as :meth:`to_float` does, but for this cell alone.
        A later mark replaces it.
        """
        self._flags.update(flags)
        note_change("flags")
        for name, value in flags.items():
            object.__setattr__(self, name, value)
            if value and name in _MARKS:
                self._user_dtype = _MARKS[name]
                self._compute_dtype = self._user_dtype.np
        return self

    def add_flags_recursive(self, **flags: Any) -> Self:
        """Set flags in the whole tree; returns the cell."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags that have been set, as a dict."""
        return self._flags

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The configuration set by ``set_jit_config``, as a dict."""
        return self._jit_config_dict

    def set_jit_config(self, jit_config: Any) -> None:
        """Store the configuration ``jit_config`` (with a ``jit_config_dict``); there is no compiler to use it."""
        found = getattr(jit_config, "jit_config_dict", None)
        if not isinstance(found, dict):
            raise type_error("set_jit_config", "the 'jit_config' must be a JitConfig", shown(jit_config))
        self._jit_config_dict = dict(found)

    # Running

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        """The computation; every subclass defines it."""
        instead = " Rename 'forward' to 'construct'." if hasattr(type(self), "forward") else ""
        raise AttributeError(f"For '{type(self).__name__}', the method 'construct' is not defined.{instead}")

    def _check_fit(self, *inputs, **kwargs):
        """Raise an error that names this layer if the inputs do not fit; called only after ``construct`` has failed."""

    def __call__(self: Constructs[P, Out], *args: P.args, **kwargs: P.kwargs) -> Out:
        """Run ``construct`` in this cell's compute dtype, with its hooks, and with its own ``bprop`` if it has one."""
        now = running.__dict__  # this thread's fields by one look-up, instead of one for each field
        cast, before, around = self._compute_dtype, now["cast"], now["around_cell"]
        try:
            # An unmarked cell resets the cast of its caller, but for "auto": that mark holds in all cells without their
            # own.
            if cast is not None or type(before) is not Autocast:
                now["cast"] = cast
            return self._run(*args, **kwargs) if around is None else around(self, args, kwargs)
        except Exception as error:
            tell_where(error, self, args, kwargs)
            raise
        finally:
            now["cast"] = before

    def _run(self, *args, **kwargs):
        """Run with the hooks, in the current compute dtype and mode."""
        hooked = self._forward_pre_hooks or self._forward_hooks or self._backward_hooks
        return self._run_hooked(args, kwargs) if hooked else self._compute(args, kwargs)

    def _compute(self, args, kwargs):
        bprop = getattr(type(self), "bprop", None)
        return self.construct(*args, **kwargs) if bprop is None else self._run_with_bprop(bprop, args, kwargs)

    def _run_with_bprop(self, bprop, args, kwargs):
        """Compute without recording, then record the cell as one operation with its own gradient rule."""
        bound = inspect.signature(self.construct).bind(*args, **kwargs)
        bound.apply_defaults()
        inputs = bound.args
        # Without a tape: the cell's own rule replaces the rules of the operations inside.
        with under(tape=None):
            out = self.construct(*inputs, **bound.kwargs)
        outputs = tuple([Tensor.__copy__(y) for y in select(Tensor, out)])  # the output may be an input itself
        out = replace_leaves(Tensor, out, outputs)
        record_outputs(self._checked_rule(bprop, inputs, out), tuple(select(Tensor, inputs)), outputs)
        return out

    def _checked_rule(self, bprop, inputs, out):
        """Rule that calls ``bprop`` with inputs, output and gradient in their own nesting, and checks the result."""

        def rule(*tensors_out_dout):
            *tensors, _, douts = tensors_out_dout
            given = replace_leaves(Tensor, inputs, tensors)
            gradients = bprop(self, *given, out, replace_leaves(Tensor, out, douts))
            return checked_nests(type(self).__name__, gradients, given)

        return rule

    # Printing

    def extend_repr(self) -> str:
        """The text before the child cells in the printed form."""
        return ""

    def __repr__(self) -> str:
        children = [escaped(f"({name}): {cell!r}").replace("\n", "\n  ") for name, cell in self._cells.items()]
        extra = self.extend_repr()
        if not children:
            return f"{type(self).__name__}<{extra}>"
        lines = [
            f"{type(self).__name__}<",
            *([f"  {extra}"] if extra else []),
            *(f"  {child}" for child in children),
            "  >",
        ]
        return "\n".join(lines)


def _checked_flags(name, flags):
    if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
        raise type_error(name, "the 'flags' must be a dict of names to values", shown(flags))
    return flags
