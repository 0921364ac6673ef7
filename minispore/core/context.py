"""Global and per-thread state: the user's settings, the seed, and the context in which the thread computes.

``set_context`` writes ``settings``. ``running`` is per thread: among others the tape that operations are recorded on,
and the type that the running cell casts its operations' inputs to.
"""

from __future__ import annotations

import threading
from types import MappingProxyType
from typing import Any

from minispore.core import _startup, log
from minispore.core.checks import check_64_bits, check_int, check_text, is_int
from minispore.core.errors import shown, type_error, value_error

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "ParallelMode",
    "get_algo_parameters",
    "get_auto_parallel_context",
    "get_context",
    "get_ps_context",
    "get_seed",
    "reset_algo_parameters",
    "reset_auto_parallel_context",
    "reset_ps_context",
    "set_algo_parameters",
    "set_auto_parallel_context",
    "set_context",
    "set_device",
    "set_ps_context",
    "set_seed",
]

GRAPH_MODE, PYNATIVE_MODE = 0, 1


class ParallelMode:
    """MindSpore's names of the ways in which training is spread, for ``set_auto_parallel_context(parallel_mode=...)``.

    In a job of one process all of them are the same.
    """

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]  # noqa: RUF012


class _Running(threading.local):
    """The context in which this thread computes; a new thread starts from these values."""

    _begin_with = MappingProxyType({})  # the fields of ``layers.py``

    def __init__(self):
        self.fields = self._begin_with
        self.__dict__.update(self.fields)
        self.tape = None  # the list that operations are recorded on, or None
        self.cast = None  # NumPy dtype to which floating inputs are cast in the running cell, an Autocast, or None
        self.narrowed = None  # NumPy dtype to which the only operation of the running layer is cast afterwards, or None
        self.stand_ins = None  # during a run on a tape: Tensor written -> stand-ins that keep its earlier values
        self.narrow_grads = None  # during a pull-back: ids of weights whose gradient may stay as narrow as their cast
        self.pulling_back = False  # whether a pull-back runs: what computes belongs to gradients
        self.cast_cache = None  # during a step: what was converted to another type: ``kernels/float16/cast.py``
        self.followed = {}  # Parameter -> the tape that follows it: threads share Parameters, but not tapes
        self.reduction = (
            None  # during a data-parallel step: what reduces its gradients, ``parallel/overlapped_reduction.py``
        )

    def begin(self, fields):
        """Have this thread, and each new one, begin with ``fields``."""
        type(self)._begin_with = self.fields = fields
        self.__dict__.update(fields)


running = _Running()


class _Changes:
    """Counts changes of settings and of attributes of cells and primitives in use; recordings depend on them."""

    count = 0


changes = _Changes()


class under:  # noqa: N801 - it reads as a function, in `with under(tape=None)`
    """Set fields of ``running`` during a ``with`` block, and restore them however it ends.

    A class rather than a generator, which an interrupt could leave suspended and restore much later.
    """

    def __init__(self, **changes):
        now = running.__dict__
        self._changes, self._before = changes, {name: now[name] for name in changes}

    def __enter__(self):
        try:
            running.__dict__.update(self._changes)
        except BaseException:  # an interrupt, after the update: `__exit__` is not called
            running.__dict__.update(self._before)
            raise

    def __exit__(self, *error):
        running.__dict__.update(self._before)


# Each key of set_context: (default, legal). A tuple of types checks the kind; a list or range checks the value, where a
# type among a list's values stands for all of its kind; a dict lists the legal keys of a dict.
_CONTEXT = {
    "mode": (PYNATIVE_MODE, [GRAPH_MODE, PYNATIVE_MODE]),
    "device_target": ("CPU", ["CPU"]),
    "device_id": (0, range(4096)),
    "enable_ge": (False, (bool,)),
    "cpu_loss_scale": (False, (bool,)),
    "pynative_synchronize": (False, (bool,)),
    "save_graphs": (False, (bool, int)),
    "save_graphs_path": (".", (str,)),
    "check_bprop": (False, (bool,)),
    "max_call_depth": (1000, range(1, 2**31)),
    "deterministic": ("OFF", ["ON", "OFF"]),
    "op_timeout": (1900, range(2**31)),
    "runtime_num_threads": (_startup.WORKERS, range(1025)),
}


def add_device(target):
    """Make a kind of device a legal ``device_target``: the room of devices does."""
    _CONTEXT["device_target"][1].append(target)


_WITHOUT_EFFECT = {  # keys about compilers, memory and processors that MindSpore has and nothing here reads
    "ascend_config": ({}, (dict,)),
    "auto_tune_mode": ("NO_TUNE", (str,)),
    "compile_cache_path": ("", (str,)),
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
    "max_device_memory": ("1024GB", (str,)),
    "memory_offload": ("OFF", ["ON", "OFF"]),
    "memory_optimize_level": ("O0", ["O0", "O1"]),
    "mempool_block_size": ("1GB", (str,)),
    "precompile_only": (False, (bool,)),
    "print_file_path": ("", (str,)),
    "profiling_options": ("training_trace", (str,)),
    "reserve_class_name_in_scope": (True, (bool,)),
    "save_dump_path": (".", (str,)),
    "support_binary": (False, (bool,)),
    "variable_memory_max_size": ("0", (str,)),
}
_CONTEXT |= _WITHOUT_EFFECT
_SEARCHES = ["dynamic_programming", "recursive_programming", "sharding_propagation"]
_FUSED = {"mode": "auto", "config": None}
_FUSIONS = {"openstate": True, "allreduce": _FUSED, "allgather": _FUSED, "reducescatter": _FUSED}
_STRATEGIES = {"load_file": "", "save_file": "", "only_trainable_params": True}
_SHARDS = {"gradient_accumulation_shard": True, "parallel_optimizer_threshold": 64, "optimizer_weight_shard_size": -1}
_PARALLEL = {
    "parallel_mode": ("stand_alone", ParallelMode.MODE_LIST),
    "gradients_mean": (False, (bool,)),
    "device_num": (1, range(1, 4097)),
    "global_rank": (0, range(4096)),
    "pipeline_stages": (1, range(1, 4097)),
    "parameter_broadcast": (False, (bool,)),
    "full_batch": (False, (bool,)),
    "all_reduce_fusion_config": ([], (list,)),
    "comm_fusion": (_FUSIONS, _FUSIONS),
    "communi_parallel_mode": (
        "all_group_parallel",
        ["all_group_parallel", "same_server_group_parallel", "no_group_parallel"],
    ),
    "dataset_strategy": ("data_parallel", ["data_parallel", "full_batch", tuple]),
    "enable_alltoall": (False, (bool,)),
    "enable_parallel_optimizer": (False, (bool,)),
    "grad_accumulation_step": (1, range(1, 2**31)),
    "gradient_fp32_sync": (True, (bool,)),
    "group_ckpt_save_file": ("", (str,)),
    "loss_repeated_mean": (True, (bool,)),
    "optimizer_weight_shard_aggregated_save": (False, (bool,)),
    "optimizer_weight_shard_size": (-1, range(-1, 2**31)),
    "parallel_optimizer_config": (_SHARDS, _SHARDS),
    "search_mode": ("dynamic_programming", _SEARCHES),
    "sharding_propagation": (False, (bool,)),
    "strategy_ckpt_config": (_STRATEGIES, _STRATEGIES),
    "strategy_ckpt_load_file": ("", (str,)),
    "strategy_ckpt_save_file": ("", (str,)),
}
_OLD_NAMES = {"auto_parallel_search_mode": "search_mode"}
_PARAMETER_SERVER = {
    "client_password": ("", (str,)),
    "config_file_path": ("", (str,)),
    "enable_ps": (False, [False]),
    "enable_ssl": (False, (bool,)),
    "ms_role": ("MS_NOT_PS", (str,)),
    "scheduler_manage_port": (11202, range(1, 65536)),
    "server_password": ("", (str,)),
    "worker_num": (0, range(2**31)),
}
_ALGORITHM = {
    "elementwise_op_strategy_follow": (False, (bool,)),
    "fully_use_devices": (True, (bool,)),
    "tensor_slice_align_enable": (False, (bool,)),
    "tensor_slice_align_size": (16, range(1, 1025)),
}


def _defaults(table):
    """The default of each key of a table."""
    return {key: default for key, (default, _) in table.items()}


settings = _defaults(_CONTEXT)
parallel_settings = _defaults(_PARALLEL)
ps_settings = _defaults(_PARAMETER_SERVER)
algo_settings = _defaults(_ALGORITHM)
_told = set()  # the keys without effect of which the log has been told
_watchers = {}  # setting -> functions of the new settings, called before they are stored; one may raise to reject them


def watch(key, function):
    """Have ``function(new_settings)`` called before ``key`` changes; if it raises, the old settings stay."""
    _watchers.setdefault(key, []).append(function)


def _check(operation, table, key, value):
    check_text(operation, "attr_key", key)
    if key not in table:
        raise value_error(operation, f"the keyword must be one of {sorted(table)}", shown(key))
    legal = table[key][1]
    if isinstance(legal, dict):
        _check_keys(operation, key, legal, value)
    elif isinstance(legal, list) and isinstance(value, tuple(item for item in legal if isinstance(item, type))):
        return
    elif isinstance(legal, (list, range)):
        if isinstance(legal, range) and not is_int(value):
            raise type_error(operation, f"the '{key}' must be int", f"{shown(value)} of type {type(value).__name__}")
        if type(value) is not type(legal[0]) or value not in legal:
            known = legal if isinstance(legal, list) else f"[{legal.start}, {legal.stop})"
            raise value_error(
                operation, f"the '{key}' must be {'one of' if known is legal else 'in'} {known}", shown(value)
            )
    elif not isinstance(value, legal) or (isinstance(value, bool) and bool not in legal):
        names = " or ".join(kind.__name__ for kind in legal)
        raise type_error(operation, f"the '{key}' must be {names}", f"{shown(value)} of type {type(value).__name__}")
    elif isinstance(value, list) and not all(is_int(item) for item in value):
        raise type_error(operation, f"the '{key}' must be a list of ints", shown(value))
    else:
        check_64_bits(operation, key, value)


def _check_keys(operation, key, legal, value):
    if not isinstance(value, dict):
        raise type_error(operation, f"the '{key}' must be dict", f"{shown(value)} of type {type(value).__name__}")
    unknown = [name for name in value if name not in legal]
    if unknown:
        raise value_error(operation, f"the keys of '{key}' must be among {sorted(legal)}", shown(unknown[0]))


def _update(operation, table, target, wished):
    for key, value in wished.items():
        _check(operation, table, key, value)
    for key in wished.keys() & _WITHOUT_EFFECT.keys() - _told:
        _told.add(key)
        log.debug("set_context(%s=...) has no effect in minispore: nothing here reads it", key)
    new = {**target, **wished}
    for key in wished:
        for function in _watchers.get(key, ()) if target is settings else ():
            function(new)
    target.update(wished)
    changes.count += 1


def _read(operation, table, target, key):
    check_text(operation, "attr_key", key)
    if key not in table:
        raise value_error(operation, f"the keyword must be one of {sorted(table)}", shown(key))
    return target[key]


def set_context(**kwargs: Any) -> None:
    """Set options of the process: ``mode``, ``device_target`` ("CPU", "GPU", "Ascend"), ``device_id``, and others.

    Nothing changes unless every keyword and value is legal. "Ascend" is emulated: it computes on NumPy, and keeps the
    overflow register that Ascend processors have. ``runtime_num_threads`` is how many threads share a large operation
    on the CPU: by default, and for 0, one for each core, but 1 if the environment sets the number of BLAS threads.
    ``op_timeout`` is how many seconds a collective operation waits for the other processes; 0 is without end.
    MindSpore's keys about compilers, memory and processors are accepted without effect, which the log tells at level
    "debug". With ``check_bprop`` a user's ``bprop`` must return a gradient for each input, of the input's dtype.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones; the message lists them.
        TypeError: If a value is of a wrong type.
        RuntimeError: If ``device_target`` is "GPU" and CuPy or the device is missing; the message says which.

    Examples:
        >>> import minispore as ms
        >>> ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
        >>> ms.get_context("device_target")
        'CPU'
    """
    _update("set_context", _CONTEXT, settings, kwargs)


def get_context(attr_key: str) -> Any:
    """The current value of one option of :func:`set_context`.

    Raises:
        TypeError: If the keyword is not a str.
        ValueError: If the keyword is unknown.
    """
    return _read("get_context", _CONTEXT, settings, attr_key)


def set_auto_parallel_context(**kwargs: Any) -> None:
    """Set how training is spread: ``parallel_mode``, ``gradients_mean``, ``device_num`` and others.

    In a job of several processes (``communication.init()``) training steps read ``parallel_mode``, which must be
    "stand_alone" or "data_parallel" (or "hybrid_parallel", which is the same here), ``gradients_mean``, ``device_num``
    and ``global_rank``, which must be the number of processes and that of this one where they are set, and which
    gradients travel together: ``all_reduce_fusion_config`` lists the last one of each bucket, or the "allreduce" of
    ``comm_fusion`` has the mode "size", and how many MiB as "config", or "index", and such a list; otherwise it is 1
    MiB. The Parameters of process 0 are those of all from the first data-parallel step on, whatever
    ``parameter_broadcast`` says. MindSpore's other keys are accepted with their legal values.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones.
        TypeError: If a value is of a wrong type.
    """
    wished = {_OLD_NAMES.get(key, key): value for key, value in kwargs.items()}
    _update("set_auto_parallel_context", _PARALLEL, parallel_settings, wished)


def get_auto_parallel_context(attr_key: str) -> Any:
    """The current value of one option of :func:`set_auto_parallel_context`."""
    key = _OLD_NAMES.get(attr_key, attr_key) if isinstance(attr_key, str) else attr_key
    return _read("get_auto_parallel_context", _PARALLEL, parallel_settings, key)


def reset_auto_parallel_context() -> None:
    """Set every keyword of :func:`set_auto_parallel_context` back to its default."""
    parallel_settings.update(_defaults(_PARALLEL))
    changes.count += 1


def set_algo_parameters(**kwargs: Any) -> None:
    """Set how MindSpore would search for a way to spread a network; nothing here searches.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones.
        TypeError: If a value is of a wrong type.
    """
    _update("set_algo_parameters", _ALGORITHM, algo_settings, kwargs)


def get_algo_parameters(attr_key: str) -> Any:
    """The current value of one option of :func:`set_algo_parameters`."""
    return _read("get_algo_parameters", _ALGORITHM, algo_settings, attr_key)


def reset_algo_parameters() -> None:
    """Set every option of :func:`set_algo_parameters` back to its default."""
    algo_settings.update(_defaults(_ALGORITHM))


def set_ps_context(**kwargs: Any) -> None:
    """Set options of training with a server of Parameters; there is none here, so that ``enable_ps`` must be False.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones.
        TypeError: If a value is of a wrong type.
    """
    _update("set_ps_context", _PARAMETER_SERVER, ps_settings, kwargs)


def get_ps_context(attr_key: str) -> Any:
    """The current value of one option of :func:`set_ps_context`."""
    return _read("get_ps_context", _PARAMETER_SERVER, ps_settings, attr_key)


def reset_ps_context() -> None:
    """Set every option of :func:`set_ps_context` back to its default."""
    ps_settings.update(_defaults(_PARAMETER_SERVER))


def set_device(device_target: str, device_id: int = 0) -> None:
    """Choose the device: ``set_context(device_target=..., device_id=...)``, as later releases of MindSpore name it."""
    set_context(device_target=device_target, device_id=device_id)


class _Seed:
    """The current seed and how many random streams have been taken from it: the whole state of randomness.

    Restoring ``draws`` repeats the same random numbers: a skipped training step and a resumed run do so. Streams named
    by an operation's own seeds or by a dataset's epoch need no other state.
    """

    value = None
    times = 0  # how often it was set: what begins anew with the seed sees it here

    def __init__(self):
        self._draws, self._device_count = 0, None

    @property
    def draws(self):
        """The number of streams taken so far; a count that a device keeps is waited for."""
        if self._device_count is not None:
            self.draws = self._device_count()
        return self._draws

    @draws.setter
    def draws(self, count):
        self._draws, self._device_count = count, None

    def leave_to_device(self, count):
        """Let a device count until the host asks: ``count()`` returns how many streams have been taken then."""
        self._device_count = count

    def is_left_to(self, count):
        """True if the device counts by ``count``."""
        return self._device_count is count


seed = _Seed()


def set_seed(seed_value: int) -> None:
    """Start every random stream (initializers, random operations, shuffling) anew from ``seed_value``.

    The same seed gives the same numbers on every machine and device; a process without a seed uses seed 0, but
    shuffles differently each time.

    Args:
        seed_value (int): In [0, 2 ** 32).

    Raises:
        TypeError: If the seed is not an int.
        ValueError: If the seed is out of its range.
    """
    check_int("set_seed", "seed", seed_value)
    if not 0 <= seed_value < 2**32:
        raise value_error("set_seed", "the 'seed' must be at least 0 and below 2 ** 32", seed_value)
    seed.value, seed.draws, seed.times = seed_value, 0, seed.times + 1
    changes.count += 1  # a function that sets the seed cannot be replayed from its operations alone


def get_seed() -> int | None:
    """The seed last given to :func:`set_seed`, or None."""
    return seed.value


def rewind(draws):
    """Set the number of random streams taken back to ``draws``, the count at which this thread began."""
    take_streams(draws - seed.draws)


def take_streams(count):
    """Count random streams as taken, or given back; returns how many were taken before."""
    before = seed.draws
    seed.draws = before + count
    for layer_drew in running.drew:
        layer_drew(before, count)
    return before


def next_stream():
    """A pair ``(seed, number of the stream)`` that names the next independent random stream."""
    number = take_streams(1) + 1
    return (0 if seed.value is None else seed.value), number
