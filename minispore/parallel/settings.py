"""MindSpore's settings of how training is spread over processes; the steps, the reducer and the groups read some."""

from __future__ import annotations

from typing import Any

from minispore.core.context import Settings, settings

__all__ = ["ParallelMode", "get_auto_parallel_context", "reset_auto_parallel_context", "set_auto_parallel_context"]


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


settings.add_keys({"op_timeout": (1900, range(2**31))})
_SEARCHES = ["dynamic_programming", "recursive_programming", "sharding_propagation"]
_FUSED = {"mode": "auto", "config": None}
_FUSIONS = {"openstate": True, "allreduce": _FUSED, "allgather": _FUSED, "reducescatter": _FUSED}
_STRATEGIES = {"load_file": "", "save_file": "", "only_trainable_params": True}
_SHARDS = {"gradient_accumulation_shard": True, "parallel_optimizer_threshold": 64, "optimizer_weight_shard_size": -1}
parallel_settings = Settings(
    {
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
)
_OLD_NAMES = {"auto_parallel_search_mode": "search_mode"}


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
    parallel_settings.change("set_auto_parallel_context", wished)


def get_auto_parallel_context(attr_key: str) -> Any:
    """The current value of one option of :func:`set_auto_parallel_context`."""
    key = _OLD_NAMES.get(attr_key, attr_key) if isinstance(attr_key, str) else attr_key
    return parallel_settings.read("get_auto_parallel_context", key)


def reset_auto_parallel_context() -> None:
    """Set every keyword of :func:`set_auto_parallel_context` back to its default."""
    parallel_settings.reset()
