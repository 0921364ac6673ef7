"""MindSpore's settings of compilation, memory and several devices, and their meaning in one process."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_choice, check_int, check_switch, check_text
from minispore.core.dtype import as_dtype
from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.added import add_to

__all__ = []

_RECOMPUTE = ("mode", "mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation")
_RECOMPUTED = "recompute_"


class _Spellings:
    """The methods that every cell gets: settings that change no number here, checked as MindSpore checks them."""

    _scope = None
    arguments_key, parallel_parameter_name_list, saved_dynamic_shape = "", (), None
    bprop_debug = grad_ops_label = parameter_broadcast_done = pynative = False

    @property
    def compile_cache(self) -> set[str]:
        """An empty set: nothing is compiled."""
        return set()

    @property
    def parameter_layout_dict(self) -> dict[str, Any]:
        """An empty dict: no Parameter is cut among devices."""
        return {}

    def generate_scope(self) -> None:
        """Set what :meth:`get_scope` gives of each cell below: its path, such as "Default/body-SequentialCell/0-Dense".

        The cell itself has none.
        """
        for path, cell in self.cells_and_names():
            if path:
                outer, _, name = path.rpartition(".")
                above = self._scope_below(outer) if outer else "Default"
                object.__setattr__(cell, "_scope", f"{above}/{name}-{type(cell).__name__}")

    def _scope_below(self, path):
        """The scope of the cell at a path, which :meth:`generate_scope` has set."""
        return next(cell._scope for name, cell in self.cells_and_names() if name == path)

    def get_scope(self) -> str | None:
        """The cell's path in the cell whose :meth:`generate_scope` was called last; None before.

        After :meth:`recompute` it begins with ``recompute_``.
        """
        return self._scope

    def set_auto_parallel(self) -> None:
        """Do nothing: there is one device."""

    def auto_parallel_compile_and_run(self) -> bool:
        """False: there is one device."""
        return False

    def set_param_ps(self, recurse: bool = True, init_in_server: bool = False) -> None:
        """Raise RuntimeError, as MindSpore does without servers of Parameters."""
        for parameter in self.trainable_params(recurse):
            parameter.set_param_ps(init_in_server)

    def set_param_fl(
        self, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True
    ) -> None:
        """Note of each Parameter what a server of federated learning would do; there is none."""
        for parameter in self.get_parameters():
            parameter.set_param_fl(push_to_server, pull_from_server, requires_aggr)

    def compile(self, *args, **kwargs) -> Any:
        """Do nothing: nothing is compiled before it runs."""

    def compile_and_run(self, *args, **kwargs) -> Any:
        """The output of the cell."""
        return self(*args, **kwargs)

    def recompute(self, **kwargs) -> None:
        """Accept MindSpore's flags of recomputation; the values for the backward pass are always kept.

        As in MindSpore, :meth:`get_scope` then begins with ``recompute_``, of each cell below too.

        Raises:
            RuntimeError: If the cell or one below it is set already.
        """
        for name, value in kwargs.items():
            check_choice("recompute", "kwargs", name, _RECOMPUTE)
            check_bool("recompute", name, value)
        below = [cell for _, cell in self.cells_and_names()] if kwargs.get("mode", True) else []
        if any((cell._scope or "").startswith(_RECOMPUTED) for cell in below):
            raise RuntimeError("For 'recompute', the cell and those below it can be set once only.")
        for cell in below:
            object.__setattr__(cell, "_scope", f"{_RECOMPUTED}{cell._scope or ''}")

    def shard(self, in_strategy, out_strategy=None, parameter_plan=None, device="Ascend", level=0) -> Any:
        """Raise NotImplementedError: there is one device."""
        raise NotImplementedError("For 'shard', several devices are needed, but there is one: call the cell itself.")

    def place(self, role, rank_id) -> None:
        """Accept the role "MS_WORKER" and a rank; there is one process.

        Raises:
            TypeError: If ``rank_id`` is not an int.
            ValueError: If the role is another, or the rank below 0.
        """
        check_choice("place", "role", role, ("MS_WORKER",))
        check_int("place", "rank_id", rank_id, 0)

    def set_comm_fusion(self, fusion_type, recurse: bool = True) -> Any:
        """Set ``comm_fusion``, an int of at least 0, of each trainable Parameter; returns the cell."""
        check_int("set_comm_fusion", "fusion_type", fusion_type, 0)
        check_switch("set_comm_fusion", "recurse", recurse)
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def set_boost(self, boost_type) -> Any:
        """Set the flag "less_bn" in the whole tree, which changes nothing here; returns the cell.

        Raises:
            ValueError: If ``boost_type`` is not "less_bn".
        """
        check_choice("set_boost", "boost_type", boost_type, ("less_bn",))
        return self.add_flags_recursive(less_bn=True)

    def set_broadcast_flag(self, mode: bool = True) -> Any:
        """Set the flag "broadcast_flag" in the whole tree; returns the cell."""
        return self.add_flags_recursive(broadcast_flag=check_bool("set_broadcast_flag", "mode", mode))

    def flatten_weights(self, fusion_size=0) -> None:
        """Check ``fusion_size``; each Parameter keeps its own memory."""
        check_int("flatten_weights", "fusion_size", fusion_size, 0)

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> Any:
        """A dict of each Parameter to itself: all have their values from the beginning."""
        check_switch("init_parameters_data", "auto_parallel_mode", auto_parallel_mode)
        return {parameter: parameter for parameter in self.get_parameters()}

    def update_cell_prefix(self) -> None:
        """Set ``param_prefix`` of each cell to its path."""
        for path, cell in self.cells_and_names():
            cell.param_prefix = path

    def update_cell_type(self, cell_type) -> None:
        """Set ``cell_type``, a text."""
        self.cell_type = check_text("update_cell_type", "cell_type", cell_type)

    # The configuration of a compiler, which is kept and shown

    _wraps = ("network", "_backbone")  # the child whose configuration a wrapper shows until it has its own

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """The configuration set by ``set_jit_config``, as a dict; of a wrapper without one, its network's."""
        if "_jit_config_dict" in self.__dict__:
            return self._jit_config_dict
        inside = [self._cells[name] for name in self._wraps if isinstance(self._cells.get(name), Cell)]
        return inside[0].jit_config_dict if inside else {}

    def set_jit_config(self, jit_config: Any) -> None:
        """Store the configuration ``jit_config`` (with a ``jit_config_dict``); there is no compiler to use it."""
        found = getattr(jit_config, "jit_config_dict", None)
        if not isinstance(found, dict):
            raise type_error("set_jit_config", "the 'jit_config' must be a JitConfig", shown(jit_config))
        self._jit_config_dict = dict(found)

    # A cell and its inputs

    def run_construct(self, cast_inputs, kwargs) -> Any:
        """``construct(*cast_inputs, **kwargs)``, of a tuple and a dict."""
        if not isinstance(cast_inputs, (tuple, list)):
            raise type_error("run_construct", "the 'cast_inputs' must be a tuple", shown(cast_inputs))
        if not isinstance(kwargs, dict) or not all(isinstance(name, str) for name in kwargs):
            raise type_error("run_construct", "the 'kwargs' must be a dict of names to inputs", shown(kwargs))
        return self.construct(*cast_inputs, **kwargs)

    def cast_param(self, param) -> Any:
        """The Parameter, cast to the cell's compute dtype, if any."""
        if not isinstance(param, Tensor):
            raise type_error("cast_param", "the 'param' must be a Parameter", shown(param))
        return param if self._compute_dtype is None else param.astype(as_dtype(self._compute_dtype))

    def cast_inputs(self, inputs, dst_type) -> Any:
        """The Tensors in ``inputs``, a tuple, cast to ``dst_type``."""
        dst_type = as_dtype(dst_type, "cast_inputs", "dst_type")
        if not isinstance(inputs, (tuple, list)):
            raise type_error("cast_inputs", "the 'inputs' must be a tuple", shown(inputs))
        return tuple(x.astype(dst_type) if isinstance(x, Tensor) else x for x in inputs)

    def auto_cast_inputs(self, inputs) -> Any:
        """The floating Tensors in ``inputs``, a tuple, cast to the cell's compute dtype, if any."""
        if not isinstance(inputs, (tuple, list)):
            raise type_error("auto_cast_inputs", "the 'inputs' must be a tuple", shown(inputs))
        if self._compute_dtype is None:
            return inputs
        kind = as_dtype(self._compute_dtype)
        return tuple(x.astype(kind) if isinstance(x, Tensor) and x.dtype.is_float else x for x in inputs)


add_to(Cell, _Spellings)
