"""MindSpore's attributes of Parameters about servers, caches and devices, and their meaning in one process."""

from __future__ import annotations

from functools import cached_property, wraps
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.ops.added import add_to

__all__ = []

_SERVERS = "there are no servers of Parameters: one process holds them all"
_TOLD = [
    *("cache_enable", "cache_shape", "comm_fusion", "init_in_server", "key", "layerwise_parallel", "name"),
    *("parallel_optimizer", "parallel_optimizer_comm_recompute", "requires_aggr", "requires_grad"),
]


class ParamInfo:
    """The settings of a Parameter, as ``param_info`` shows them: reading and setting reaches the Parameter itself."""

    def __init__(self, parameter) -> None:
        self.__dict__["obj"] = parameter

    def __getattr__(self, name: str) -> Any:
        if name not in _TOLD:
            raise AttributeError(f"For 'param_info', the attribute must be one of {_TOLD}, but got '{name}'.")
        return getattr(self.obj, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__getattr__(name)
        setattr(self.obj, name, value)

    def __dir__(self) -> list[str]:
        return ["obj", *_TOLD]


class _Spellings:
    """The attributes that every Parameter gets; a script may set its own values, which change nothing."""

    comm_fusion, key, slice_num = 1, -1, 1
    cache_enable = init_in_server = is_default_input_init = is_in_parallel = is_in_shard = is_param_ps = False
    parallel_optimizer_comm_recompute = pull_weight_from_server = push_weight_to_server = sliced = unique = False
    requires_aggr = True
    init_mode = inited_param = None

    @cached_property
    def cache_shape(self) -> list[int]:
        """An empty list: no part of the Parameter is kept in a cache."""
        return []

    @property
    def param_info(self) -> ParamInfo:
        """The settings of the Parameter as attributes of one object."""
        return ParamInfo(self)

    def add_pipeline_stage(self, stage: int) -> None:
        """Check ``stage``, an int of at least 0; one process computes all stages."""
        check_int("add_pipeline_stage", "stage", stage, 0)

    def set_param_fl(
        self, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True
    ) -> None:
        """Note what a server of federated learning would do; there is none."""
        self.push_weight_to_server = check_bool("set_param_fl", "push_to_server", push_to_server)
        self.pull_weight_from_server = check_bool("set_param_fl", "pull_from_server", pull_from_server)
        self.requires_aggr = check_bool("set_param_fl", "requires_aggr", requires_aggr)

    def set_param_ps(self, init_in_server: bool = False) -> None:
        """Raise RuntimeError, as MindSpore does without servers of Parameters."""
        raise RuntimeError(f"For 'set_param_ps', set_ps_context(enable_ps=True) must hold, but {_SERVERS}.")


_set_data = Parameter.set_data


@wraps(_set_data)
def _set_integers_too(self, data: Tensor | float, slice_shape: bool = False) -> Parameter:
    """``set_data``; integers of another type are taken if all of them fit into the Parameter's own."""
    if isinstance(data, Tensor) and data.dtype != self.dtype and {self.dtype.np.kind, data.dtype.np.kind} <= {"i", "u"}:
        bounds = np.iinfo(self.dtype.np)
        if data.size and bounds.min <= int(data.min()) and int(data.max()) <= bounds.max:
            data = data.astype(self.dtype)
    return _set_data(self, data, slice_shape)


Parameter.set_data = _set_integers_too
add_to(Parameter, _Spellings)
