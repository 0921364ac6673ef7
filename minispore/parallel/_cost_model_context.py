"""MindSpore's settings of how it would cost strategies of several devices: kept and given back, and read by nothing."""

from minispore.core.checks import check_choice
from minispore.core.errors import runtime_error, shown, type_error, value_error

__all__ = ["get_cost_model_context", "reset_cost_model_context", "set_cost_model_context"]

_FUSION = "costmodel_allreduce_fusion_"
_DEFAULTS = {
    "device_memory_capacity": 16.0 * 2**30,
    "costmodel_alpha": 1.0,
    "costmodel_beta": 400.0,
    "costmodel_gamma": 0.001,
    "costmodel_communi_threshold": 2048.0,
    "costmodel_communi_const": 3072.0,
    "costmodel_communi_bias": 1024.0,
    "multi_subgraphs": False,
    "run_phase": 0,
    f"{_FUSION}algorithm": 0,
    f"{_FUSION}times": 0,
    f"{_FUSION}tail_percent": 0.1,
    f"{_FUSION}tail_time": 0.1,
    f"{_FUSION}allreduce_inherent_time": 0.1,
    f"{_FUSION}allreduce_bandwidth": 0.1,
    f"{_FUSION}computation_time_parameter": 0.1,
}
_settings = dict(_DEFAULTS)


def set_cost_model_context(**kwargs):
    """Set keys of the cost model; in one process there are no strategies whose cost it could tell.

    Raises:
        TypeError: If a value is not of the type of the key's default.
        ValueError: If there is no such key, or ``run_phase`` is neither 0 nor 1.
        RuntimeError: If a number of memory, cost or communication is not above 0, or ``costmodel_gamma`` not in [0, 1].
    """
    for key, value in kwargs.items():
        _check(key, value)
    _settings.update(kwargs)


def _check(key, value):
    _check_key("set_cost_model_context", key)
    kind = type(_DEFAULTS[key])
    if type(value) is not kind:
        raise type_error("set_cost_model_context", f"the '{key}' must be of type {kind.__name__}", shown(value))
    if key == "run_phase":
        check_choice("set_cost_model_context", key, value, (0, 1))
    if key == "costmodel_gamma" and not 0 <= value <= 1:
        raise runtime_error("set_cost_model_context", f"the '{key}' must be in [0, 1]", value)
    if kind is float and key != "costmodel_gamma" and not value > 0:
        raise runtime_error("set_cost_model_context", f"the '{key}' must be above 0", value)


def _check_key(function, key):
    if key not in _DEFAULTS:
        raise value_error(function, f"the keys must be of {sorted(_DEFAULTS)}", shown(key))


def get_cost_model_context(attr_key):
    """The value of a key.

    Raises:
        ValueError: If there is no such key.
    """
    _check_key("get_cost_model_context", attr_key)
    return _settings[attr_key]


def reset_cost_model_context():
    """Set every key back to its default."""
    _settings.update(_DEFAULTS)


def _set_multi_subgraphs(multi_subgraph=True):
    set_cost_model_context(multi_subgraphs=multi_subgraph)


def _get_multi_subgraphs():
    return get_cost_model_context("multi_subgraphs")
