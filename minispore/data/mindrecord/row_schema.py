"""Schemas: the fields of a row, plain ones (an int, a float, a text) and large ones."""

import re

import numpy as np

from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.mindrecord.layout import ARRAYS
from minispore.ops.number_checks import check_number, is_real

__all__ = ["blob_fields", "check_schema", "fitting", "plain_fields"]

_KINDS = ("bytes", "string", *ARRAYS)


def check_schema(operation, content):
    """``content``, a dict from names to dicts with ``type`` and, for an array, ``shape``."""
    if not isinstance(content, dict):
        raise type_error(operation, "the 'content' must be a dict", shown(content))
    if not content:
        raise value_error(operation, "the 'content' must have a field", "none")
    for name, field in content.items():
        _check_field(operation, name, field)
    return {name: dict(content[name]) for name in sorted(content)}


def _check_field(operation, name, field):
    if not isinstance(name, str) or not isinstance(field, dict):
        raise type_error(operation, "the 'content' must map names to dicts", shown({name: field}))
    if not re.fullmatch(r"[0-9A-Za-z_]+", name):
        raise value_error(operation, "the names of fields must be of letters, digits and _", shown(name))
    kind = field.get("type")
    if not isinstance(kind, str) or kind not in _KINDS or set(field) - {"type", "shape"}:
        raise value_error(operation, f"the field '{name}' must have a 'type' among {list(_KINDS)}", shown(field))
    if "shape" not in field:
        return
    shape = field["shape"]
    fits = isinstance(shape, list) and shape and all(is_int(n) and (n == -1 or 0 < n < 2**31) for n in shape)
    if not fits or kind not in ARRAYS or shape.count(-1) > 1:
        expected = f"the 'shape' of '{name}' must be lengths, at most one of them -1, and its type a number's"
        raise value_error(operation, expected, shown(field))


def blob_fields(schema):
    """The names of the large fields."""
    return [name for name, field in schema.items() if field["type"] == "bytes" or "shape" in field]


def plain_fields(schema):
    """The names of the plain fields."""
    large = set(blob_fields(schema))
    return [name for name in schema if name not in large]


def fitting(operation, schema, row):
    """The values of a row as its schema has them; fields that the schema has not are left out.

    Raises:
        TypeError: If the row is not a dict, or a value is of another kind.
        ValueError: If a field is missing, or an array has another shape.
    """
    if not isinstance(row, dict):
        raise type_error(operation, "the 'raw_data' must be a list of dicts", shown(row))
    if not set(schema) <= set(row):
        raise value_error(operation, f"a row must have the fields {list(schema)}", shown(list(row)))
    return {name: _value(operation, name, field, row[name]) for name, field in schema.items()}


def _value(operation, name, field, value):
    kind = field["type"]
    if "shape" in field:
        return _array(operation, name, field, value)
    if kind in ("bytes", "string"):
        wanted, also = (str, str) if kind == "string" else (bytes, (bytes, bytearray))
        if not isinstance(value, also):
            raise type_error(operation, f"the field '{name}' must be {wanted.__name__}", shown(value))
        return wanted(value)
    return _number(operation, name, kind, value.item() if isinstance(value, np.ndarray) and not value.ndim else value)


def _number(operation, name, kind, value):
    whole = kind.startswith("int")
    if not (is_int(value) if whole else is_real(value)):
        raise type_error(operation, f"the field '{name}' must be {kind}", shown(value))
    if whole and not -(2 ** (bits := int(kind[3:]) - 1)) <= value < 2**bits:
        raise value_error(operation, f"the field '{name}' must fit into {kind}", shown(value))
    return int(value) if whole else float(check_number(operation, name, value))


def _array(operation, name, field, value):
    kind, shape = field["type"], field["shape"]
    if not isinstance(value, np.ndarray) or not np.can_cast(value.dtype, kind, "same_kind"):
        got = value.dtype if isinstance(value, np.ndarray) else shown(value)
        raise type_error(operation, f"the field '{name}' must be an array of {kind}", str(got))
    if value.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, value.shape, strict=True)):
        raise value_error(operation, f"the field '{name}' must have the shape {shape}", f"{value.shape}")
    cast = value.astype(kind)
    if cast.dtype.kind == "i" and not np.array_equal(cast, value):
        raise value_error(operation, f"the field '{name}' must fit into {kind}", shown(value))
    return cast
