"""MindSpore's inner helpers of training: an argument's type checked, folders made, Tensors like a data set's."""

import os

from minispore.core.checks import check_text
from minispore.core.errors import type_error, value_error
from minispore.ops import functional as F  # noqa: N812 - the conventional name

__all__ = ["check_value_type"]


def check_value_type(arg_name, arg_value, valid_types):
    """Raise TypeError unless ``arg_value`` is of one of some types; a bool is an int only where bool is among them."""
    kinds = tuple(valid_types) if isinstance(valid_types, (list, tuple)) else (valid_types,)
    if not isinstance(arg_value, kinds) or (isinstance(arg_value, bool) and bool not in kinds):
        expected = f"the '{arg_name}' must be one of {[kind.__name__ for kind in kinds]}"
        raise type_error("check_value_type", expected, type(arg_value).__name__)


def _make_directory(path, arg_name="path"):
    """The real path of a folder, which is made if it is missing.

    Raises:
        TypeError: If the path is no str.
        ValueError: If it is empty.
    """
    if not check_text("_make_directory", arg_name, path).strip():
        raise value_error("_make_directory", f"the '{arg_name}' must name a folder", repr(path))
    os.makedirs(path, exist_ok=True)
    return os.path.realpath(path)


def _construct_tensor_list(types, shapes, batch_expand_num=1):
    """Tensors of zeros, one for each column of a data set; the first axis is ``batch_expand_num`` times as long.

    Raises:
        ValueError: If there are not as many types as shapes.
    """
    if len(types) != len(shapes):
        raise value_error("_construct_tensor_list", f"the 'shapes' must have {len(types)} shapes", len(shapes))
    longer = [(shape[0] * batch_expand_num, *shape[1:]) if len(shape) else () for shape in shapes]
    return [F.zeros(shape, dtype) for shape, dtype in zip(longer, types, strict=True)]
