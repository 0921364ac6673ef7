"""The settings of ``set_auto_parallel_context`` that MindSpore's training cells ask for."""

from minispore.parallel.communication import world
from minispore.parallel.settings import ParallelMode, get_auto_parallel_context

__all__ = []


def _get_parallel_mode():
    return get_auto_parallel_context("parallel_mode")


def _get_device_num():
    """The setting; where it is the default, the number of processes."""
    number = get_auto_parallel_context("device_num")
    return world.world().size if number == 1 else number


def _get_global_rank():
    """The setting; where it is the default, the number of this process."""
    return get_auto_parallel_context("global_rank") or world.world().rank


def _get_gradients_mean():
    return get_auto_parallel_context("gradients_mean")


def _get_full_batch():
    return get_auto_parallel_context("full_batch")


def _get_parameter_broadcast():
    return get_auto_parallel_context("parameter_broadcast")


def _get_enable_parallel_optimizer():
    return get_auto_parallel_context("enable_parallel_optimizer")


def _get_pipeline_stages():
    return get_auto_parallel_context("pipeline_stages")


def _get_stage_device_num():
    return _get_device_num() // _get_pipeline_stages()


def _is_in_auto_parallel_mode():
    return _get_parallel_mode() in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _is_in_data_parallel_mode():
    return _get_parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode():
    return _get_parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _is_pynative_parallel():
    """False: no operation is spread over devices, in eager mode either."""
    return False


def _is_sharding_propagation():
    return get_auto_parallel_context("search_mode") == "sharding_propagation"
