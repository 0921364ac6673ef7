"""Cell: a part of a network, which owns Parameters and other Cells and computes with ``construct``."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Self

from minispore.core.checks import check_switch
from minispore.core.running import running
from minispore.nn.cell_attributes import Owner
from minispore.nn.cell_flags import Flags
from minispore.nn.cell_hooks import HOOKS, Hooked
from minispore.nn.cell_text import Text
from minispore.nn.compute_dtype import Marked
from minispore.nn.error_location import tell_where
from minispore.nn.own_bprop import OwnBprop
from minispore.ops.autocast import Autocast
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


class Cell(Owner, Hooked, Marked, Flags, OwnBprop, Text):
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
    _counted = frozenset({"_params", "_cells", "_recorded", "_flags"} | {*HOOKS})

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None) -> None:
        super().__init__()
        self._auto_prefix = check_switch(type(self).__name__, "auto_prefix", auto_prefix)
        own = self.__dict__  # filled directly: `_auto_prefix` has noted the change already
        own["_compute_dtype"] = None  # NumPy dtype to which operations in construct cast their inputs, or an Autocast
        own["_user_dtype"] = None  # the dtype given to `to_float` on this cell itself, not on an ancestor
        own.update(
            _flags={}, _forward_pre_hooks=OrderedDict(), _forward_hooks=OrderedDict(), _backward_hooks=OrderedDict()
        )
        self.training = self.requires_grad = self.to_float_fp16 = False
        self.param_prefix, self.phase, self.cell_type, self.cast = "", "train", None, _CAST
        self.cls_name = type(self).__name__
        if flags is not None:
            self._add_checked_flags(flags)

    # Modes

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
