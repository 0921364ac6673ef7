"""CustomRegOp and DataType: the description of a compiled kernel that scripts hand to ``Custom``."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_text, is_int
from minispore.core.errors import shown, type_error, value_error

__all__ = ["CustomRegOp", "DataType"]

_KINDS = {"None": "", "BOOL": "bool", "C64": "complex64", "C128": "complex128"}
_KINDS |= {f"{letter}{n}": f"{name}{n}" for letter, name in (("I", "int"), ("U", "uint")) for n in (8, 16, 32, 64)}
_KINDS |= {f"F{n}": f"float{n}" for n in (16, 32, 64)}
_FORMATS = {"None": "", "Default": "DefaultFormat", "5HD": "NC1HWC0", "FracZ": "FRACTAL_Z", "FracNZ": "FRACTAL_NZ"}
_FORMATS |= {name: name for name in ("C1HWNCoC0", "NCHW", "NHWC", "HWCN", "NDHWC", "NCDHW", "NDC1HWC0", "ChannelLast")}


class DataType:
    """Pairs of a dtype's and a layout's names: ``DataType.F32_Default`` is ``("float32", "DefaultFormat")``.

    Examples:
        >>> from minispore import ops
        >>> ops.DataType.F32_Default
        ('float32', 'DefaultFormat')
    """


for _kind, _name in _KINDS.items():
    for _format, _layout in _FORMATS.items():
        setattr(DataType, f"{_kind}_{_format}", (_name, _layout))


class CustomRegOp:
    """The description of a kernel, built call by call: its inputs, outputs, attributes and dtypes.

    No kernel is compiled here: ``Custom`` takes the description beside a function of NumPy.

    Args:
        op_name (str): The kernel's name. Default: "Custom".

    Raises:
        TypeError: If ``op_name`` is not a str, ``index`` is not an int, or ``param_type`` is not a string.

    Examples:
        >>> from minispore.ops import CustomRegOp, DataType
        >>> kernel = CustomRegOp("Double").input(0, "x").output(0, "y").target("CPU")
        >>> kernel.dtype_format(DataType.F32_Default, DataType.F32_Default).get_op_info()["op_name"]
        'Double'
    """

    def __init__(self, op_name: str = "Custom") -> None:
        self._info = {"op_name": check_text("CustomRegOp", "op_name", op_name), "inputs": [], "outputs": [], "attr": []}
        self._info |= {"fusion_type": "", "dtype_format": [], "target": "UnKnown"}

    def _tensor(self, kind, index, name, param_type, further):
        if index is not None and not is_int(index):
            raise type_error("CustomRegOp", "the 'index' must be an int", shown(index))
        given = {"index": index, "name": name, "paramType": param_type, **further}
        self._info[kind].append(_without_none(given))
        return self

    def input(self, index=None, name=None, param_type="required", **kwargs) -> Any:
        """Describe an input; returns the description."""
        return self._tensor("inputs", index, name, param_type, kwargs)

    def output(self, index=None, name=None, param_type="required", **kwargs) -> Any:
        """Describe an output; returns the description."""
        return self._tensor("outputs", index, name, param_type, kwargs)

    def attr(self, name=None, param_type=None, value_type=None, default_value=None, **kwargs) -> Any:
        """Describe an attribute; returns the description."""
        given = {"name": name, "paramType": param_type, "type": value_type, "defaultValue": default_value, **kwargs}
        self._info["attr"].append(_without_none(given))
        return self

    def dtype_format(self, *args) -> Any:
        """Add the dtypes and layouts of all inputs and then outputs, pairs of :class:`DataType`; returns it."""
        count = len(self._info["inputs"]) + len(self._info["outputs"])
        if len(args) != count:
            raise value_error("CustomRegOp", f"there must be {count} pairs, one for each input and output", len(args))
        self._info["dtype_format"].append(list(args))
        return self

    def target(self, target=None) -> Any:
        """Note the device: "Ascend", "GPU" or "CPU"; returns the description."""
        if target is not None:
            self._info["target"] = check_text("CustomRegOp", "target", target)
        return self

    def get_op_info(self) -> Any:
        """The description as a dict."""
        return {key: list(value) if isinstance(value, list) else value for key, value in self._info.items()}


def _without_none(given):
    for key, value in given.items():
        if value is not None and key in ("name", "paramType", "type") and not isinstance(value, str):
            raise type_error("CustomRegOp", f"the '{key}' must be a string", shown(value))
    return {key: value for key, value in given.items() if value is not None}
