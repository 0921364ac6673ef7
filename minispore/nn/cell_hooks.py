"""Hooks: user functions that run before and after a Cell, and when its gradients are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.context import changes
from minispore.core.layers import region
from minispore.core.nest import replace_leaves, select
from minispore.core.running import running
from minispore.core.tensor import Tensor
from minispore.nn.cell_table import note_change
from minispore.ops.operations.backward_hooks import HookBackward, check_hook

__all__ = []

HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks")


def in_force(hooks):
    """The active hooks: in graph mode and in a function under ``jit`` only the network's own hooks run.

    A user's hooks have no effect there. A hook of a conversion has the attribute ``part_of_network``, and runs.
    """
    everywhere = not any(getattr(layer, "without_hooks", False) for layer in running.layers)
    return [hook for hook in hooks.values() if everywhere or getattr(hook, "part_of_network", False)]


class HookHandle:
    """The handle of a registered hook; ``remove()`` removes the hook."""

    def __init__(self, hooks, hook):
        self._hooks, self._key = hooks, object()  # a key of its own: the same function may be registered twice
        hooks[self._key] = hook

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self._key, None)
        changes.count += 1


class Hooked:
    """Base of Cell: its hooks, and how it runs with them; ``_compute`` runs it without.

    As in MindSpore 2.0.0, hooks have no effect in graph mode and in functions under ``jit``.
    """

    def register_forward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook_fn(cell_id, inputs)`` before construct; a result other than None replaces the inputs.

        In graph mode it is not called, as in MindSpore.
        """
        return self._hooked(self._forward_pre_hooks, hook_fn)

    def register_forward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook_fn(cell_id, inputs, output)`` after construct; a result other than None replaces the output.

        In graph mode it is not called, as in MindSpore.
        """
        return self._hooked(self._forward_hooks, hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook_fn(cell_id, grad_output, grad_input)`` once the gradients of the inputs are known.

        ``grad_output`` holds the gradients of the cell's outputs, ``grad_input`` the gradients of its inputs. A result
        other than None, a Tensor or a tuple, replaces ``grad_input``.
        """
        return self._hooked(self._backward_hooks, hook_fn)

    def _hooked(self, hooks, hook_fn):
        check_hook(type(self).__name__, hook_fn)
        note_change("hooks")
        return HookHandle(hooks, hook_fn)

    def _check_inputs(self, args, kwargs):
        """Check the inputs of a call: nothing here; what announces inputs is added from outside."""

    def _cell_id(self):
        return f"{self.cls_name}({id(self)})"

    def _run_hooked(self, args, kwargs):
        self._check_inputs(args, kwargs)
        for hook in in_force(self._forward_pre_hooks):
            found = hook(self._cell_id(), args)
            if found is not None:
                args = found if isinstance(found, tuple) else (found,)
        watched = in_force(self._backward_hooks)
        out = self._run_watched(args, kwargs) if watched else region(self._compute, args, kwargs)
        for hook in in_force(self._forward_hooks):
            found = hook(self._cell_id(), args, out)
            out = out if found is None else found
        return out

    def _run_watched(self, args, kwargs):
        """Run between two identity operations; their rules see the outputs' gradients first, the inputs' last."""
        passed = {}

        def keep(grad_outputs):
            passed["outputs"] = grad_outputs

        def show(cell_id, grad_inputs, _):
            for hook in in_force(self._backward_hooks):
                found = hook(cell_id, passed.get("outputs"), grad_inputs)
                if found is not None:
                    grad_inputs = tuple(found) if isinstance(found, (tuple, list)) else (found,)
            return grad_inputs

        args, kwargs = _through(HookBackward(show, self._cell_id()), (args, kwargs))
        return _through(HookBackward(keep), self._compute(args, kwargs))


def _through(hook, nest):
    """The nest with its Tensors passed through one hook operation, whose rule gets all their gradients at once."""
    tensors = select(Tensor, nest)
    if not tensors:
        return nest
    seen = hook(*tensors)
    return replace_leaves(Tensor, nest, seen if isinstance(seen, tuple) else (seen,))
