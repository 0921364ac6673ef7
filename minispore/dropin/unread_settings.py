"""MindSpore's settings that nothing here reads: keys of ``set_context``, and those of servers of Parameters.

They are checked, kept and given back. The log tells, once and at level "debug", that a key has no effect.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from minispore.core.context import Settings, settings
from minispore.core.errors import shown, type_error

__all__ = ["get_ps_context", "reset_ps_context", "set_ps_context"]  # those of offload came later: ``dropin.addresses``

_log = logging.getLogger("minispore.log")

_KEYS = {  # of set_context: about compilers, memory and processors
    "ascend_config": ({}, (dict,)),
    "auto_tune_mode": ("NO_TUNE", (str,)),
    "compile_cache_path": ("", (str,)),
    "deterministic": ("OFF", ["ON", "OFF"]),
    "disable_format_transform": (False, (bool,)),
    "enable_auto_mixed_precision": (False, (bool,)),
    "enable_compile_cache": (False, (bool, int)),
    "enable_dump": (False, (bool,)),
    "enable_graph_kernel": (False, (bool,)),
    "enable_profiling": (False, (bool,)),
    "enable_reduce_precision": (True, (bool,)),
    "enable_sparse": (False, (bool, int)),
    "grad_for_scalar": (False, (bool,)),
    "graph_kernel_flags": ("", (str,)),
    "inter_op_parallel_num": (0, range(2**31)),
    "jit_config": ({}, (dict,)),
    "jit_syntax_level": (2, [0, 1, 2]),
    "max_call_depth": (1000, range(1, 2**31)),
    "max_device_memory": ("1024GB", (str,)),
    "memory_offload": ("OFF", ["ON", "OFF"]),
    "memory_optimize_level": ("O0", ["O0", "O1"]),
    "mempool_block_size": ("1GB", (str,)),
    "precompile_only": (False, (bool,)),
    "print_file_path": ("", (str,)),
    "profiling_options": ("training_trace", (str,)),
    "pynative_synchronize": (False, (bool,)),
    "reserve_class_name_in_scope": (True, (bool,)),
    "save_dump_path": (".", (str,)),
    "save_graphs": (False, (bool, int)),
    "save_graphs_path": (".", (str,)),
    "support_binary": (False, (bool,)),
    "variable_memory_max_size": ("0", (str,)),
}
ps_settings = Settings(
    {
        "client_password": ("", (str,)),
        "config_file_path": ("", (str,)),
        "enable_ps": (False, [False]),
        "enable_ssl": (False, (bool,)),
        "ms_role": ("MS_NOT_PS", (str,)),
        "scheduler_manage_port": (11202, range(1, 65536)),
        "server_password": ("", (str,)),
        "worker_num": (0, range(2**31)),
    }
)
offload_settings = Settings(
    {
        "aio_block_size": ("1MB", (str,)),
        "aio_queue_depth": (1024, range(2, 2**31)),
        "auto_offload": (False, (bool,)),
        "cpu_ratio": (1.0, (float,)),
        "enable_aio": (True, (bool,)),
        "enable_pinned_mem": (True, (bool,)),
        "hbm_ratio": (1.0, (float,)),
        "host_mem_block_size": ("1GB", (str,)),
        "offload_checkpoint": ("", (str,)),
        "offload_cpu_size": ("", (str,)),
        "offload_disk_size": ("", (str,)),
        "offload_param": ("", ["", "cpu", "disk"]),
        "offload_path": ("./offload/", (str,)),
    }
)
_reported = set()  # the keys that the log has reported


def _report(key, new_settings):
    """Report in the log that a key is set to no effect."""
    if key not in _reported:
        _reported.add(key)
        _log.debug("set_context(%s=...) has no effect in minispore: nothing here reads it", key)


settings.add_keys(_KEYS)
for _key in _KEYS:
    settings.watch(_key, partial(_report, _key))


def set_ps_context(**kwargs: Any) -> None:
    """Set options of training with a server of Parameters; there is none here, so that ``enable_ps`` must be False.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones.
        TypeError: If a value is of a wrong type.
    """
    ps_settings.change("set_ps_context", kwargs)


def get_ps_context(attr_key: str) -> Any:
    """The current value of one option of :func:`set_ps_context`."""
    return ps_settings.read("get_ps_context", attr_key)


def reset_ps_context() -> None:
    """Set every option of :func:`set_ps_context` back to its default."""
    ps_settings.reset()


def set_offload_context(offload_config: dict[str, Any]) -> None:
    """Set options of weights that wait in the host's memory or on disk; nothing here reads them.

    Raises:
        ValueError: If a key is unknown or a value is not among the legal ones.
        TypeError: If ``offload_config`` is no dict, or a value is of a wrong type.
    """
    if not isinstance(offload_config, dict):
        raise type_error("set_offload_context", "the 'offload_config' must be a dict", shown(offload_config))
    offload_settings.change("set_offload_context", offload_config)
    _log.debug("set_offload_context has no effect in minispore: nothing here reads it")


def get_offload_context() -> dict[str, Any]:
    """The options of :func:`set_offload_context`, as they were given."""
    return dict(offload_settings)
