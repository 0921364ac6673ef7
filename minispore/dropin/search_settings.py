"""MindSpore's settings of the search for a way to spread a network: kept and given back, and read by nothing."""

from __future__ import annotations

from typing import Any

from minispore.core.context import Settings

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]

_settings = Settings(
    {
        "elementwise_op_strategy_follow": (False, (bool,)),
        "fully_use_devices": (True, (bool,)),
        "tensor_slice_align_enable": (False, (bool,)),
        "tensor_slice_align_size": (16, range(1, 1025)),
    }
)


def set_algo_parameters(**kwargs: Any) -> None:
    """Set how MindSpore would search for a way to spread a network; nothing here searches.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones.
        TypeError: If a value is of a wrong type.
    """
    _settings.change("set_algo_parameters", kwargs)


def get_algo_parameters(attr_key: str) -> Any:
    """The current value of one option of :func:`set_algo_parameters`."""
    return _settings.read("get_algo_parameters", attr_key)


def reset_algo_parameters() -> None:
    """Set every option of :func:`set_algo_parameters` back to its default."""
    _settings.reset()
