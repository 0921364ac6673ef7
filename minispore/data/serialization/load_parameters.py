"""Sets a network's parameters by name: all of them or none."""

from __future__ import annotations

import logging

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import runtime_error, shown, type_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor

__all__ = ["load_param_into_net"]

_log = logging.getLogger("minispore")


def load_param_into_net(net, parameter_dict, strict_load: bool = False) -> list[str]:
    """Set the parameters of ``net`` from ``parameter_dict`` by name; nothing is set unless everything fits.

    Values are converted among floats and among integers. A Parameter missing in the dict takes the entry with a name
    ending in ``"." + name``, if there is one. Such names come from a network that was saved inside another.

    Args:
        net: A Cell (or another object with ``parameters_dict``).
        parameter_dict: A dict from name to Parameter, as :func:`load_checkpoint` returns it.
        strict_load: Whether names and dtypes must agree exactly, and every parameter of ``net`` must be in the dict.

    Returns:
        The names in ``net`` without a loaded value, and the names in ``parameter_dict`` without a Parameter in ``net``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: If a shape or a kind of dtype differs, or, under ``strict_load``, a dtype differs or a parameter
            is missing. The message lists what differs, is missing and is extra; ``net`` is unchanged.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="zeros")
        >>> missing, unexpected = ms.load_param_into_net(net, {"weight": ms.Parameter([[1.0, 2.0]], name="weight")})
        >>> print(net.weight.asnumpy(), missing)
        [[1. 2.]] ['bias']
    """
    operation = "load_param_into_net"
    _check_load_arguments(operation, net, parameter_dict, strict_load)
    targets = dict(named_parameters(net))
    sources = _sources(targets, parameter_dict, strict_load)
    missing = [name for name in targets if name not in sources]
    extra = [name for name in parameter_dict if name not in targets]
    values, differing = {}, []
    for name, source in sources.items():
        values[name], difference = _fitted(targets[name], parameter_dict[source], strict_load)
        differing += [f"{name} {difference}"] if difference else []
    if differing or (strict_load and missing):
        raise runtime_error(
            operation, "the 'parameter_dict' must fit the network", _mismatch(differing, missing, extra)
        )
    for name, value in values.items():
        targets[name].set_data(Tensor(value))
    if missing:
        _log.warning("For '%s', %d parameters are not in the checkpoint: %s.", operation, len(missing), listed(missing))
    return missing, extra


def _update_param(param, new_param, strict_load) -> None:
    """Set one Parameter to the values of another, converted as :func:`load_param_into_net` does.

    Raises:
        TypeError: If one of the two is not a Parameter, or ``strict_load`` not a bool.
        RuntimeError: If shapes or kinds of dtype differ, or, under ``strict_load``, dtypes.
    """
    for argument, value in (("param", param), ("new_param", new_param)):
        if not isinstance(value, Parameter):
            raise type_error("_update_param", f"the '{argument}' must be a Parameter", type(value).__name__)
    value, difference = _fitted(param, new_param, check_bool("_update_param", "strict_load", strict_load))
    if difference:
        raise runtime_error("_update_param", "the 'new_param' must fit the 'param'", f"{param.name} {difference}")
    param.set_data(Tensor(value))


def named_parameters(owner):
    """Pairs of name and Parameter, of a Cell or of another object with ``parameters_dict``."""
    if hasattr(owner, "parameters_and_names"):
        return [(parameter.name, parameter) for _, parameter in owner.parameters_and_names()]
    return list(owner.parameters_dict().items())


def _check_load_arguments(operation, net, parameter_dict, strict_load):
    if not hasattr(net, "parameters_dict"):
        raise type_error(operation, "the 'net' must be a Cell", type(net).__name__)
    if not isinstance(parameter_dict, dict):
        raise type_error(operation, "the 'parameter_dict' must be a dict", type(parameter_dict).__name__)
    if not isinstance(strict_load, bool):
        raise type_error(operation, "the 'strict_load' must be a bool", type(strict_load).__name__)
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, Parameter | str):
            expected = "the 'parameter_dict' must hold Parameters by name"
            raise type_error(operation, expected, f"{shown(name)}: {type(value).__name__}")


def _sources(targets, parameter_dict, strict_load):
    """The checkpoint's name for each parameter: its own, or else the shortest one that ends in it."""
    candidates = [name for name, value in parameter_dict.items() if isinstance(value, Parameter)]
    sources = {name: name for name in targets if name in candidates}
    if strict_load:
        return sources
    others = [name for name in candidates if name not in targets]
    for name in targets:
        found = sorted((other for other in others if other.endswith("." + name)), key=len)
        if name not in sources and found and (len(found) == 1 or len(found[0]) < len(found[1])):
            sources[name] = found[0]
    return sources


def _fitted(parameter, value, strict_load):
    """``(array to set, None)``, or ``(None, the reason why it does not fit)``."""
    array, dtype = value.asnumpy(), parameter.dtype.np
    if array.shape != parameter.shape:
        return None, f"is {parameter.shape} in the network and {array.shape} in the checkpoint"
    if array.dtype == dtype:
        return array, None
    differs = f"is {parameter.dtype} in the network and {value.dtype} in the checkpoint"
    if strict_load or _kind(array.dtype) != _kind(dtype):
        return None, differs
    with np.errstate(over="ignore"):
        fitted = array.astype(dtype)
    if _kind(dtype) == "integer" and not np.array_equal(fitted, array):
        return None, f"{differs}, with values that do not fit"
    return fitted, None


def _kind(dtype):
    return {"b": "bool", "i": "integer", "u": "integer"}.get(dtype.kind, "float")


def _mismatch(differing, missing, extra):
    parts = (("that differ", differing), ("missing", missing), ("extra", extra))
    return "; ".join(f"{len(names)} {what}: {listed(names)}" for what, names in parts if names)


def listed(names, most=20):
    """The names as a list in text, at most the first ``most``."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
