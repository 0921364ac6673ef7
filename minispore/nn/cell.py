"""Cell: a part of a network, which owns Parameters and other Cells and computes with ``construct``.

Parameters and child cells stand in two ordered dicts, ``_params`` and ``_cells``, so the order of assignment is the
order of parameters. One traversal, ``cells_and_names``; the rest are one-liners over it.
"""

import inspect
from collections import OrderedDict

from minispore import backend
from minispore.autograd import flatten, rebuild, record
from minispore.context import GRAPH_MODE, changes, running, settings, under
from minispore.dtype import DType, float16, float32
from minispore.errors import type_error, value_error
from minispore.graph.calls import Recorded, may_replay
from minispore.ops.primitive import checked_gradients
from minispore.ops.state import HookBackward
from minispore.parameter import Parameter, ParameterTuple
from minispore.tensor import Tensor

__all__ = ["Cell"]

_HOOKS = {"_forward_pre_hooks", "_forward_hooks", "_backward_hooks"}
_NOT_BEGUN = "the __init__ of a Cell must call super().__init__() before it assigns a Parameter or a Cell"


class HookHandle:
    """What registering a hook returns; ``remove()`` takes the hook away."""

    def __init__(self, hooks, hook):
        self._hooks, self._key = hooks, object()
        hooks[self._key] = hook

    def remove(self):
        """Take the hook away; again does nothing."""
        self._hooks.pop(self._key, None)
        changes.count += 1


class _Table(OrderedDict):
    """What a cell owns by name; a change is counted, since recordings of operations follow from it."""

    def __setitem__(self, name, value):
        super().__setitem__(name, value)
        _note_change(name)

    def __delitem__(self, name):
        super().__delitem__(name)
        _note_change(name)

    def pop(self, name, *default):
        """Take an entry away, and return it."""
        if name in self:
            _note_change(name)
        return super().pop(name, *default)


def _note_change(name):
    """Let recordings of operations be made anew: their path may depend on what a cell holds."""
    changes.count += 1
    if running.recorder is not None:
        running.recorder.refuse(f"the attribute '{name}' of a cell changes while it runs")


_TABLES = (_Table, OrderedDict, dict)  # what a copy of a cell has of its own


class Cell:
    """Base of all parts of a network: subclasses assign Parameters and Cells in ``__init__`` and define ``construct``.

    Args:
        auto_prefix (bool): Whether the names of a child's Parameters begin with the child's attribute name. Default:
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

    # The attributes that change only where `_note_change` hears of it, or that nothing computed depends on
    _counted = frozenset({"_params", "_cells", "_recorded", "_flags", "_jit_config_dict", "cell_list"} | _HOOKS)
    recordable = True  # whether graph mode may replay the whole cell; a cell that decides on the host says False

    def __init__(self, auto_prefix=True, flags=None):
        object.__setattr__(self, "_params", _Table())
        object.__setattr__(self, "_cells", _Table())
        self._auto_prefix = auto_prefix
        self._recorded = {}  # this cell's methods as graph mode runs them
        self._cast = None  # NumPy dtype that operations in construct are lowered to
        self._marked = None  # what `to_float` was called with on this cell itself, rather than on an ancestor
        self._flags, self._jit_config_dict = {}, {}
        self._forward_pre_hooks, self._forward_hooks, self._backward_hooks = OrderedDict(), OrderedDict(), OrderedDict()
        self.training = self.requires_grad = self.to_float_fp16 = False
        self.param_prefix = ""
        self.cls_name = type(self).__name__
        if flags:
            self.add_flags(**flags)

    # What a Cell owns

    def __getattr__(self, name):
        """Look among Parameters and child cells, which ordinary lookup does not find."""
        owned = self.__dict__
        for table in ("_params", "_cells"):
            if table in owned and name in owned[table]:
                return owned[table][name]
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")

    def __setattr__(self, name, value):
        if isinstance(value, (Parameter, ParameterTuple, Cell)):
            if "_params" not in self.__dict__:
                raise AttributeError(f"For '{type(self).__name__}', {_NOT_BEGUN}, but '{name}' was assigned first.")
            if isinstance(value, Cell):
                self._set_child(name, value)
            elif isinstance(value, Parameter):
                self.__dict__.pop(name, None)
                self.insert_param_to_cell(name, value)
            else:
                object.__setattr__(self, name, value)
                for parameter in value:
                    self.insert_param_to_cell(parameter.name, parameter, check_name_contain_dot=False)
            _note_change(name)
        elif name in self.__dict__.get("_params", ()):
            self._set_parameter_value(name, value)
        elif name in self.__dict__.get("_cells", ()) and value is not None:
            raise type_error(type(self).__name__, f"the '{name}' must be a Cell", type(value).__name__)
        elif name in self.__dict__.get("_cells", ()):
            self._cells[name] = None
        else:
            object.__setattr__(self, name, value)
            _note_change(name)

    def __delattr__(self, name):
        for table in (self.__dict__.get("_params", {}), self.__dict__.get("_cells", {})):
            if name in table:
                del table[name]
                return
        object.__delattr__(self, name)
        _note_change(name)

    def _set_child(self, name, cell):
        if name in self._params:
            raise type_error(type(self).__name__, f"the '{name}' must be a Parameter", type(cell).__name__)
        self.__dict__.pop(name, None)
        self._cells[name] = cell
        if self._auto_prefix:
            cell.update_parameters_name(name + ".")

    def _set_parameter_value(self, name, value):
        if value is None:
            self._params[name] = None
        elif isinstance(value, Tensor) and self._params[name] is not None:
            self._params[name].set_data(value)
        else:
            raise type_error(type(self).__name__, f"the '{name}' must be a Parameter or a Tensor", type(value).__name__)

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Own ``param`` under ``param_name``; a Parameter without a name takes it.

        Raises:
            KeyError: If the name contains a dot or is an attribute already.
            TypeError: If ``param`` is neither a Parameter nor None.
        """
        if not param_name or (check_name_contain_dot and "." in param_name):
            raise KeyError(
                f"For 'insert_param_to_cell', the name must be without '.', and not empty, but got '{param_name}'."
            )
        taken = hasattr(type(self), param_name) or param_name in self.__dict__
        if taken and param_name not in self._params:
            raise KeyError(f"For 'insert_param_to_cell', the name '{param_name}' is an attribute already.")
        if param is not None and not isinstance(param, Parameter):
            raise type_error("insert_param_to_cell", "the 'param' must be a Parameter or None", type(param).__name__)
        self._cells.pop(param_name, None)
        if param is not None and param.name == "Parameter":
            param.name = param_name
        self._params[param_name] = param

    def insert_child_to_cell(self, child_name, child_cell):
        """Own ``child_cell`` under ``child_name``.

        Raises:
            KeyError: If the name contains a dot or is taken.
            TypeError: If ``child_cell`` is neither a Cell nor None.
        """
        if not child_name or "." in child_name:
            raise KeyError(
                f"For 'insert_child_to_cell', the name must be without '.', and not empty, but got '{child_name}'."
            )
        if child_name in self._cells or hasattr(self, child_name):
            raise KeyError(f"For 'insert_child_to_cell', the name '{child_name}' is taken.")
        if child_cell is not None and not isinstance(child_cell, Cell):
            raise type_error(
                "insert_child_to_cell", "the 'child_cell' must be a Cell or None", type(child_cell).__name__
            )
        self._cells[child_name] = child_cell

    def __copy__(self):
        """A cell of the same Parameters and child cells, with tables, marks, flags and hooks of its own."""
        other = object.__new__(type(self))
        for name, value in self.__dict__.items():
            object.__setattr__(other, name, value.copy() if type(value) in _TABLES else value)
        return other

    # Traversal

    def cells_and_names(self, cells=None, name_prefix=""):
        """Every cell of the tree with its path, this one first (its path is ``name_prefix``), each cell once."""
        seen = set() if cells is None else cells
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def parameters_and_names(self, name_prefix="", expand=True):
        """Every Parameter with its path, each once; with ``expand=False`` only this cell's own."""
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]:
            for name, parameter in cell._params.items():
                if parameter is not None and parameter not in seen:
                    seen.add(parameter)
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand=True):
        """Every Parameter, each once."""
        return (parameter for _, parameter in self.parameters_and_names(expand=expand))

    def trainable_params(self, recurse=True):
        """The Parameters with ``requires_grad``, as a list."""
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse=True):
        """The Parameters without ``requires_grad``, as a list."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse=True):
        """The Parameters by name, in order."""
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def parameters_broadcast_dict(self, recurse=True):
        """The Parameters by name, in order; None where there are none."""
        return self.parameters_dict(recurse) or None

    def cells(self):
        """The child cells."""
        return self.name_cells().values()

    def name_cells(self):
        """The child cells by attribute name, each cell once."""
        names = {}
        for name, cell in self._cells.items():
            if cell is not None and cell not in names.values():
                names[name] = cell
        return OrderedDict(names)

    def apply(self, fn):
        """Call ``fn`` with every cell of the tree, children first; returns the cell."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def update_parameters_name(self, prefix="", recurse=True):
        """Name each Parameter ``prefix`` and its path."""
        for path, parameter in list(self.parameters_and_names(expand=recurse)):
            parameter.name = prefix + path

    def check_names(self):
        """Check that no two Parameters have one name.

        Raises:
            ValueError: If two have; the message names it.
        """
        names = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in names:
                raise value_error(
                    type(self).__name__, f"the name of '{path}' must be unique", f"'{parameter.name}' twice"
                )
            names.add(parameter.name)

    # Modes and marks

    def set_train(self, mode=True):
        """Set ``training`` in the whole tree; returns the cell."""
        return self._set_everywhere("training", mode)

    def set_grad(self, requires_grad=True):
        """Set ``requires_grad`` in the whole tree; returns the cell."""
        return self._set_everywhere("requires_grad", requires_grad)

    def _set_everywhere(self, attribute, value):
        if not isinstance(value, bool):
            raise type_error(type(self).__name__, f"the '{attribute}' must be a bool", repr(value))
        for _, cell in self.cells_and_names():
            setattr(cell, attribute, value)
        return self

    def to_float(self, dst_type):
        """Mark the cell and its descendants: their operations see floating Tensors, Parameters too, in ``dst_type``.

        The cast is done at each operation, not at entry; Parameters stay stored as they are, and integers are
        untouched. A later call overwrites an earlier one. ``to_float_fp16`` is set on this cell alone.

        Args:
            dst_type (mindspore.dtype): float16 or float32.

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
        if not isinstance(dst_type, DType) or dst_type not in (float16, float32):
            raise value_error("to_float", "the 'dst_type' must be float16 or float32", str(dst_type))
        for _, cell in self.cells_and_names():
            cell._marked = None
        self._marked = dst_type
        return self._mark(dst_type)

    def _mark(self, dst_type):
        """Let the cell and its descendants compute in ``dst_type``, without noting it as the user's own wish."""
        for _, cell in self.cells_and_names():
            cell._cast = dst_type.np
        self.to_float_fp16 = dst_type == float16
        return self

    def add_flags(self, **flags):
        """Set flags, which are attributes too; returns the cell."""
        self._flags.update(flags)
        _note_change("flags")
        for name, value in flags.items():
            object.__setattr__(self, name, value)
        return self

    def add_flags_recursive(self, **flags):
        """Set flags in the whole tree; returns the cell."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self):
        """The flags that have been set, as a dict."""
        return self._flags

    @property
    def jit_config_dict(self):
        """What ``set_jit_config`` set, as a dict."""
        return self._jit_config_dict

    def set_jit_config(self, jit_config):
        """Keep the configuration ``jit_config`` (with a ``jit_config_dict``); there is no compiler that reads it."""
        self._jit_config_dict = dict(jit_config.jit_config_dict)

    # Hooks

    def register_forward_pre_hook(self, hook_fn):
        """Call ``hook_fn(cell_id, inputs)`` before construct; a result other than None replaces the inputs."""
        return self._hooked(self._forward_pre_hooks, hook_fn)

    def register_forward_hook(self, hook_fn):
        """Call ``hook_fn(cell_id, inputs, output)`` after construct; a result other than None replaces the output."""
        return self._hooked(self._forward_hooks, hook_fn)

    def register_backward_hook(self, hook_fn):
        """Call ``hook_fn(cell_id, came, go)`` once the gradients of the inputs are known.

        ``came`` are the gradients of the cell's outputs, which came in, ``go`` those of its inputs, which go on; a
        result other than None, a Tensor or a tuple, replaces what goes on.
        """
        return self._hooked(self._backward_hooks, hook_fn)

    def _hooked(self, hooks, hook_fn):
        if not callable(hook_fn):
            raise type_error(type(self).__name__, "the hook must be a function", type(hook_fn).__name__)
        _note_change("hooks")
        return HookHandle(hooks, hook_fn)

    def _cell_id(self):
        return f"{self.cls_name}({id(self)})"

    # Running

    def construct(self, *inputs, **kwargs):
        """The computation; every subclass defines it."""
        raise AttributeError(f"For '{type(self).__name__}', the method 'construct' is not defined.")

    def __call__(self, *args, **kwargs):
        """Run ``construct`` under this cell's mark, with its hooks, and with its own ``bprop`` where it has one."""
        try:
            cast, hooked = self._cast, self._forward_pre_hooks or self._forward_hooks or self._backward_hooks
        except AttributeError:
            raise AttributeError(f"For '{type(self).__name__}', {_NOT_BEGUN}, but it never was.") from None
        if not running.quiet and backend.register is None and running.recorder is None:
            if self.recordable and settings["mode"] == GRAPH_MODE and may_replay():
                return self._replay(self._run_quietly, *args, **kwargs)
            with backend.quiet():
                return self(*args, **kwargs)
        before, running.cast = running.cast, cast
        try:
            if hooked:
                return self._run_hooked(args, kwargs)
            return self._run(args, kwargs)
        finally:
            running.cast = before

    def _replay(self, method, *args, **kwargs):
        """In graph mode replay ``method``, one of this cell's own that decides nothing on the host; else run it."""
        if settings["mode"] != GRAPH_MODE or not may_replay():
            return method(*args, **kwargs)
        found = self._recorded.get(method.__name__)
        if found is None or found.function.__self__ is not self:  # a copy of the cell has recordings of its own
            found = self._recorded[method.__name__] = Recorded(method, f"{type(self).__name__}.{method.__name__}")
        return found(*args, **kwargs)

    def _run_quietly(self, *args, **kwargs):
        """Run as :meth:`__call__` does, whatever the mode."""
        with backend.quiet(), under(cast=self._cast):
            hooked = self._forward_pre_hooks or self._forward_hooks or self._backward_hooks
            return self._run_hooked(args, kwargs) if hooked else self._run(args, kwargs)

    def _run(self, args, kwargs):
        bprop = getattr(type(self), "bprop", None)
        return self.construct(*args, **kwargs) if bprop is None else self._run_with_bprop(bprop, args, kwargs)

    def _run_with_bprop(self, bprop, args, kwargs):
        """Compute without recording, then record the cell as one operation with its own rule."""
        bound = inspect.signature(self.construct).bind(*args, **kwargs)
        bound.apply_defaults()
        inputs = bound.args
        with under(tape=None):
            out = self.construct(*inputs)
        out = rebuild(out, iter([Tensor.__copy__(y) for y in flatten(out)]))  # the output may be an input itself
        outputs = tuple(flatten(out))
        record(self._checked_rule(bprop, out), inputs, outputs)
        return out

    def _checked_rule(self, bprop, out):
        """The rule that hands ``bprop`` output and gradient nested as ``out`` is, and checks what it returns."""

        def rule(*inputs_out_dout):
            *inputs, _, douts = inputs_out_dout
            gradients = bprop(self, *inputs, out, rebuild(out, iter(douts)))
            return checked_gradients(type(self).__name__, gradients, inputs)

        return rule

    def _run_hooked(self, args, kwargs):
        for hook in tuple(self._forward_pre_hooks.values()):
            found = hook(self._cell_id(), args)
            if found is not None:
                args = found if isinstance(found, tuple) else (found,)
        out = self._run_watched(args, kwargs) if self._backward_hooks else self._run(args, kwargs)
        for hook in tuple(self._forward_hooks.values()):
            found = hook(self._cell_id(), args, out)
            out = out if found is None else found
        return out

    def _run_watched(self, args, kwargs):
        """Run between two operations that see the gradients pass: of the outputs first, of the inputs last."""
        passed = {}

        def keep(grad_outputs):
            passed["outputs"] = grad_outputs

        def show(cell_id, grad_inputs, _):
            for hook in tuple(self._backward_hooks.values()):
                found = hook(cell_id, passed.get("outputs"), grad_inputs)
                if found is not None:
                    grad_inputs = tuple(found) if isinstance(found, (tuple, list)) else (found,)
            return grad_inputs

        tensors = flatten(args)
        watched = HookBackward(show, self._cell_id())(*tensors) if tensors else ()
        args = rebuild(args, iter(watched if isinstance(watched, tuple) else (watched,)))
        out = self._run(args, kwargs)
        outputs = flatten(out)
        if not outputs:
            return out
        seen = HookBackward(keep)(*outputs)
        return rebuild(out, iter(seen if isinstance(seen, tuple) else (seen,)))

    # Printing

    def extend_repr(self):
        """What stands in the printed form before the child cells."""
        return ""

    def __repr__(self):
        children = [f"({name}): {cell!r}".replace("\n", "\n  ") for name, cell in self._cells.items()]
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
