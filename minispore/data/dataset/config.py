"""Settings of all pipelines, under MindSpore's names: ``dataset.config.set_seed`` and its like.

Three of them have an effect here: the seed, the number of workers, and the number of items prepared ahead. The others
tune MindSpore's own engine; their legal values are accepted and kept, others refused.
"""

from __future__ import annotations

import enum
import json
import os
from typing import Any

from minispore.core.checks import check_bool, check_int, check_text
from minispore.core.errors import type_error, value_error
from minispore.core.seeds import begin_others
from minispore.data.dataset import draws

__all__ = [
    "ErrorSamplesMode",
    "get_auto_num_workers",
    "get_auto_offload",
    "get_autotune_interval",
    "get_callback_timeout",
    "get_debug_mode",
    "get_dynamic_shape",
    "get_enable_autotune",
    "get_enable_shared_mem",
    "get_enable_watchdog",
    "get_error_samples_mode",
    "get_fast_recovery",
    "get_monitor_sampling_interval",
    "get_multiprocessing_timeout_interval",
    "get_num_parallel_workers",
    "get_numa_enable",
    "get_prefetch_size",
    "get_seed",
    "load",
    "set_auto_num_workers",
    "set_auto_offload",
    "set_autotune_interval",
    "set_callback_timeout",
    "set_debug_mode",
    "set_dynamic_shape",
    "set_enable_autotune",
    "set_enable_shared_mem",
    "set_enable_watchdog",
    "set_error_samples_mode",
    "set_fast_recovery",
    "set_monitor_sampling_interval",
    "set_multiprocessing_timeout_interval",
    "set_num_parallel_workers",
    "set_numa_enable",
    "set_prefetch_size",
    "set_seed",
    "set_sending_batches",
]


class ErrorSamplesMode(enum.IntEnum):
    """MindSpore's ways with a sample whose transform fails: report it, put another in its place, or leave it out."""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


_DEFAULT_SEED = 5489  # MindSpore's answer before a seed is set
_settings = {
    "num_parallel_workers": 1,
    "prefetch_size": 16,
    "numa_enable": False,
    "monitor_sampling_interval": 1000,
    "callback_timeout": 60,
    "auto_num_workers": False,
    "enable_shared_mem": True,
    "enable_autotune": False,
    "autotune_interval": 0,
    "auto_offload": False,
    "enable_watchdog": True,
    "multiprocessing_timeout_interval": 300,
    "dynamic_shape": False,
    "fast_recovery": True,
    "debug_mode": False,
    "error_samples_mode": ErrorSamplesMode.RETURN,
    "sending_batches": 0,
}
_MOST = 2**31


def workers(num_parallel_workers):
    """The number of workers of an operation that got ``num_parallel_workers``: None takes the setting."""
    return _settings["num_parallel_workers"] if num_parallel_workers is None else num_parallel_workers


def set_seed(seed) -> None:
    """Start shuffling and random transforms anew from ``seed``, an int in [0, 2 ** 32).

    The framework's ``set_seed`` does the same to them; of the two the later call counts. The modules ``random`` and
    ``numpy.random`` get the seed too, as by MindSpore.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is out of its range.
    """
    draws.set_seed(check_int("set_seed", "seed", seed, 0, 2**32))
    begin_others(seed)


def get_seed() -> Any:
    """The seed of the data that was set last; 5489, as in MindSpore, where none was set."""
    seed = draws.seed()
    return _DEFAULT_SEED if seed is None else seed


def set_num_parallel_workers(num) -> None:
    """Set the number of workers of operations that are not given one; 1, the calling thread alone, at the start.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is below 1.
    """
    _settings["num_parallel_workers"] = check_int("set_num_parallel_workers", "num", num, 1, _MOST)


def get_num_parallel_workers() -> Any:
    """The number of workers of an operation that is not given one."""
    return _settings["num_parallel_workers"]


def set_prefetch_size(size) -> None:
    """Set how many items the threads of one operation work on ahead of their use; 16 at the start.

    Raises:
        TypeError: If it is not an int.
        ValueError: If it is below 1.
    """
    _settings["prefetch_size"] = check_int("set_prefetch_size", "size", size, 1, _MOST)


def get_prefetch_size() -> Any:
    """The number of items that the threads of one operation work on ahead of their use."""
    return _settings["prefetch_size"]


def _switch(name, does):
    """The functions that set and return a bool without effect here."""

    def set_value(enable):
        _settings[name] = check_bool(f"set_{name}", name, enable)

    def get_value():
        return _settings[name]

    return _named(name, does, set_value, get_value)


def _number(name, does, low):
    """The functions that set and return an int from ``low`` without effect here."""

    def set_value(interval):
        _settings[name] = check_int(f"set_{name}", name, interval, low, _MOST)

    def get_value():
        return _settings[name]

    return _named(name, does, set_value, get_value)


def _named(name, does, set_value, get_value):
    set_value.__name__ = set_value.__qualname__ = f"set_{name}"
    get_value.__name__ = get_value.__qualname__ = f"get_{name}"
    set_value.__doc__ = f"Keep the setting of {does}; accepted without effect, since nothing here depends on it."
    get_value.__doc__ = f"The setting of {does} that was set last."
    return set_value, get_value


set_numa_enable, get_numa_enable = _switch("numa_enable", "whether workers are bound to processor nodes")
set_auto_num_workers, get_auto_num_workers = _switch("auto_num_workers", "whether MindSpore chooses the workers")
set_enable_shared_mem, get_enable_shared_mem = _switch("enable_shared_mem", "whether processes share memory")
set_auto_offload, get_auto_offload = _switch("auto_offload", "whether transforms run on the device")
set_enable_watchdog, get_enable_watchdog = _switch("enable_watchdog", "whether a thread watches over the processes")
set_dynamic_shape, get_dynamic_shape = _switch("dynamic_shape", "whether the shapes of the data change")
set_fast_recovery, get_fast_recovery = _switch("fast_recovery", "whether a pipeline restarts without its random state")
set_monitor_sampling_interval, get_monitor_sampling_interval = _number(
    "monitor_sampling_interval", "the milliseconds between two looks of the profiler", 1
)
set_callback_timeout, get_callback_timeout = _number("callback_timeout", "the seconds to wait for a callback", 1)
set_autotune_interval, get_autotune_interval = _number("autotune_interval", "the steps between two tunings", 0)
set_multiprocessing_timeout_interval, get_multiprocessing_timeout_interval = _number(
    "multiprocessing_timeout_interval", "the seconds between two warnings of a slow process", 1
)
set_sending_batches, _ = _number("sending_batches", "how many batches are sent to the device", 0)


def set_enable_autotune(enable, filepath_prefix=None) -> None:
    """Keep whether MindSpore tunes its workers; accepted without effect, and no file is written here.

    Raises:
        TypeError: If ``enable`` is not a bool, or ``filepath_prefix`` neither None nor a str.
    """
    if filepath_prefix is not None:
        check_text("set_enable_autotune", "filepath_prefix", filepath_prefix)
    _settings["enable_autotune"] = check_bool("set_enable_autotune", "enable", enable)


def get_enable_autotune() -> Any:
    """True if tuning was switched on last."""
    return _settings["enable_autotune"]


def set_debug_mode(debug_mode_flag, debug_hook_list=None) -> None:
    """Keep whether a pipeline is debugged; here its functions run in the calling thread unless workers are asked for.

    Raises:
        TypeError: If ``debug_mode_flag`` is not a bool, or ``debug_hook_list`` neither None nor a list.
        ValueError: If there are hooks: print in a function of ``map`` instead.
    """
    if not isinstance(debug_hook_list, list | None):
        raise type_error("set_debug_mode", "the 'debug_hook_list' must be a list", type(debug_hook_list).__name__)
    if debug_hook_list:
        raise value_error("set_debug_mode", "the 'debug_hook_list' must be empty: print in a function of 'map' instead")
    _settings["debug_mode"] = check_bool("set_debug_mode", "debug_mode_flag", debug_mode_flag)


def get_debug_mode() -> Any:
    """True if debugging was switched on last."""
    return _settings["debug_mode"]


def set_error_samples_mode(error_samples_mode) -> None:
    """Keep the way with a sample whose transform fails: here it is always reported, ``ErrorSamplesMode.RETURN``.

    Raises:
        TypeError: If it is not an ``ErrorSamplesMode``.
        ValueError: If it is another mode: leave such samples out by ``filter`` instead.
    """
    operation, name = "set_error_samples_mode", "error_samples_mode"
    if not isinstance(error_samples_mode, ErrorSamplesMode):
        raise type_error(operation, f"the '{name}' must be an ErrorSamplesMode", type(error_samples_mode).__name__)
    if error_samples_mode is not ErrorSamplesMode.RETURN:
        expected = f"the '{name}' must be RETURN: leave samples out by 'filter' instead"
        raise value_error(operation, expected, error_samples_mode.name)
    _settings[name] = error_samples_mode


def get_error_samples_mode() -> Any:
    """The way with a sample whose transform fails."""
    return _settings["error_samples_mode"]


_KEYS_OF_A_FILE = {
    "numParallelWorkers": set_num_parallel_workers,
    "seed": set_seed,
    "monitorSamplingInterval": set_monitor_sampling_interval,
    "prefetchSize": set_prefetch_size,
}


def load(file) -> None:
    """Take the settings from a json file with ``numParallelWorkers``, ``seed``, ``prefetchSize`` and their like.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is not a json object.
    """
    if not os.path.isfile(file):
        raise FileNotFoundError(f"For 'load', the file '{file}' must exist, but there is no such file.")
    with open(file, encoding="utf-8") as opened:
        try:
            wished = json.load(opened)
        except ValueError as error:
            raise value_error("load", f"the file '{file}' must hold json", str(error)) from error
    if not isinstance(wished, dict):
        raise value_error("load", f"the file '{file}' must hold a json object", type(wished).__name__)
    for key in wished.keys() & _KEYS_OF_A_FILE.keys():
        _KEYS_OF_A_FILE[key](wished[key])
