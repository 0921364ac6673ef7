"""The levels of mixed precision, as records: each names the parts to convert, and its training step.

A further level is a further record in ``LEVELS``. Conversion, training step, ``Model``, command line and their texts
follow from it, even if a running program adds it. ``BY_OPERATION`` is not in ``LEVELS``: it is the "auto" of
``auto_mixed_precision``. The "auto" of ``build_train_network`` is one of ``LEVELS``, chosen by the device.
"""

from typing import NamedTuple

from minispore.amp.policy.lists import AMP_BLACK_LIST, AMP_WHITE_LIST
from minispore.core import context
from minispore.core.checks import check_choice
from minispore.core.dtype import DType, float16, float32
from minispore.core.errors import type_error, value_error

__all__ = []

WHITE, BLACK, OPERATIONS = "white", "black", "operations"


class Level(NamedTuple):
    """One level.

    Attributes:
        name (str): Its name.
        says (str): Which parts compute in float16, as the documentation puts it.
        convert (str): How a network is converted: "" (not at all), WHITE (the classes of ``classes`` compute in
            float16, in a new network), BLACK (all but ``classes`` do; the network is changed in place and wrapped) or
            OPERATIONS (each operation by auto's lists; the network is marked).
        classes (tuple): The listed classes; none if BLACK casts the whole network.
        cast_model_type (DType): The type that the network is cast to as a whole; float32 if it is not. The keyword
            of ``build_train_network`` overrides it.
        keep_batchnorm_fp32 (bool): True if some classes then keep float32. The keyword overrides it, too.
        dynamic_loss_scale (bool): True if ``build_train_network`` makes a dynamic loss scale.
        recommended_for (str): The device for which "auto" is this level, if any.
    """

    name: str
    says: str
    convert: str = ""
    classes: tuple = ()
    cast_model_type: DType = float32
    keep_batchnorm_fp32: bool = False
    dynamic_loss_scale: bool = False
    recommended_for: str = ""

    @property
    def dtype(self):
        """The narrow type, if the user requests no other."""
        return float16 if self.cast_model_type == float32 else self.cast_model_type

    @property
    def narrows_outputs(self):
        """True if a network converted without a wrapper may give outputs in the narrow type."""
        return self.convert in (BLACK, OPERATIONS) or self.cast_model_type != float32


AS_IT_IS = Level("O0", "nothing: the network is returned as it is")
WHOLE = "; the network is changed in place and wrapped"
NORMS_KEPT = Level(
    "O2", f"all but the cells of the black list{WHOLE}", BLACK, AMP_BLACK_LIST, float16, True, True, "GPU"
)
AS_A_WHOLE = Level("O3", f"everything{WHOLE}", BLACK, (), float16, recommended_for="Ascend")
_LISTED = "the cells and primitives of the white list; the result is a new network of the same Parameters"

LEVELS = {
    level.name: level
    for level in (
        AS_IT_IS,
        Level("O1", _LISTED, WHITE, AMP_WHITE_LIST),
        NORMS_KEPT,
        AS_A_WHOLE,
    )
}
BY_OPERATION = Level("auto", "each operation by its class, as auto's lists say; the network is marked", OPERATIONS)


def names():
    """The names of all levels."""
    return tuple(LEVELS)


def all_names():
    """The names of all levels, and "auto", by operation."""
    return (*LEVELS, BY_OPERATION.name)


def level_of(operation, name):
    """The record of the level named by the argument ``amp_level``.

    Raises:
        ValueError: If there is no such level.
    """
    check_choice(operation, "amp_level", name, all_names())
    return LEVELS.get(name, BY_OPERATION)


def documented(function):
    """Replace ``{levels}`` in a function's docstring by the description of each level."""
    if function.__doc__ is not None:  # `python -OO` removes it
        rows = [(level.name, level.says) for level in (*LEVELS.values(), BY_OPERATION)]
        width = max(len(says) for _, says in rows)
        rule = f"===== {'=' * width}"
        lines = [rule, "level what computes in float16", rule, *(f"{name:5} {says}" for name, says in rows), rule]
        function.__doc__ = function.__doc__.replace("{levels}", "\n    ".join(lines))
    return function


def resolve(name):
    """The record of the ``level`` given to ``build_train_network``; "auto" depends on the current device.

    Raises:
        TypeError: If ``name`` is not a str.
        ValueError: If it is not a level, or "auto" on a device without a recommended one.
    """
    known = [*names(), "auto"]
    if not isinstance(name, str):
        raise type_error("build_train_network", f"the 'level' must be a str of {known}", type(name).__name__)
    check_choice("build_train_network", "level", name, known)
    return _recommended() if name == "auto" else LEVELS[name]


def _recommended():
    """The level recommended for the current device."""
    devices = {level.recommended_for: level for level in LEVELS.values() if level.recommended_for}
    device = context.get_context("device_target")
    if device not in devices:
        expected = f"the 'level' may be 'auto' only where the 'device_target' is one of {list(devices)}"
        raise value_error("build_train_network", expected, device)
    return devices[device]
