"""Schema: the names, types and shapes of columns, by hand or from a json file."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from minispore.core import dtype
from minispore.core.checks import check_int, check_text
from minispore.core.dtype import DType
from minispore.core.errors import shown, type_error, value_error
from minispore.ops.kinds import string
from minispore.ops.object_text import of_arguments

__all__ = ["Schema"]

_NAMES = {np.dtype(kind).name for kind in ("?", *"bBhHiIqQefd")}


def as_numpy_type(operation, kind):
    """The NumPy type of a minispore or NumPy type or a type's name; strings have ``<U0``."""
    if kind is str or kind is string or (isinstance(kind, str) and kind == "string"):
        return np.dtype(str)
    if isinstance(kind, str) and kind in _NAMES:
        return np.dtype(kind)
    if isinstance(kind, DType):
        return np.dtype(dtype.dtype_to_nptype(kind))
    if isinstance(kind, np.dtype) or (isinstance(kind, type) and issubclass(kind, np.generic)):
        return np.dtype(kind)
    raise type_error(operation, "the type of a column must be one of a Tensor's types", shown(kind))


class Schema:
    """Names, types and shapes of columns.

    Args:
        schema_file (str): A json file with ``columns``, as ``to_json`` writes it; None begins without columns.

    Raises:
        TypeError: If ``schema_file`` is not a path.
        ValueError: If it does not hold a schema.
        FileNotFoundError: If there is no such file.

    Examples:
        >>> from minispore.dataset import Schema
        >>> from minispore import dtype as mstype
        >>> schema = Schema()
        >>> schema.add_column("x", mstype.float32, [2])
        >>> schema.names()
        ['x']
    """

    __repr__ = of_arguments

    def __init__(self, schema_file: str | None = None) -> None:
        self.columns, self.num_rows, self.dataset_type = [], None, ""
        if schema_file is None:
            return
        if not isinstance(schema_file, str | os.PathLike):
            raise type_error("Schema", "the 'schema_file' must be a path", type(schema_file).__name__)
        if not os.path.isfile(schema_file):
            raise FileNotFoundError(f"For 'Schema', the file '{schema_file}' must exist, but there is no such file.")
        with open(schema_file, encoding="utf-8") as file:
            try:
                self.from_json(json.load(file))
            except json.JSONDecodeError as error:
                raise value_error("Schema", f"the file '{schema_file}' must hold json", str(error)) from error

    def add_column(self, name, de_type, shape=None) -> None:
        """Add a column.

        Raises:
            TypeError: If the name is not a str, the type no type of a Tensor, or the shape not a list of ints.
            ValueError: If there is a column of that name, or a length is below 1 and not -1.
        """
        check_text("add_column", "name", name)
        kind = as_numpy_type("add_column", de_type)
        if not isinstance(shape, list | tuple | None):
            raise type_error("add_column", "the 'shape' must be a list of ints", type(shape).__name__)
        for length in shape or ():
            if check_int("add_column", "shape", length) < 1 and length != -1:
                raise value_error("add_column", "the 'shape' must be lengths of at least 1, or -1", length)
        if name in self.names():
            raise value_error("add_column", "the 'name' must be new", f"'{name}'")
        column = {"name": name, "rank": 1, "type": "string" if kind.kind == "U" else kind.name}
        if shape is not None:
            column = {**column, "rank": len(shape), "shape": list(shape)}
        self.columns.append(dict(sorted(column.items())))

    def parse_columns(self, columns) -> None:
        """Add columns: a list of dicts with ``name`` and ``type``, or a dict from name to dicts with ``type``.

        Raises:
            TypeError: If it is neither.
            ValueError: If there are none, or a column lacks its name or type.
        """
        if isinstance(columns, dict):
            columns = [{"name": name, **what} for name, what in columns.items() if isinstance(what, dict)]
        if not isinstance(columns, list) or not all(isinstance(column, dict) for column in columns):
            raise type_error("parse_columns", "the 'columns' must be a list or dict of dicts", shown(columns))
        for column in columns:
            for key in ("name", "type"):
                if key not in column:
                    raise value_error("parse_columns", f"each column must have its '{key}'", shown(column))
            self.add_column(column["name"], column["type"], column.get("shape"))

    def from_json(self, json_obj) -> None:
        """Take the columns of a dict as ``to_json`` writes it.

        Raises:
            TypeError: If it is not a dict.
            ValueError: If it lacks ``columns``.
        """
        if not isinstance(json_obj, dict):
            raise type_error("from_json", "the 'json_obj' must be a dict", type(json_obj).__name__)
        if "columns" not in json_obj:
            raise value_error("from_json", "the 'json_obj' must have 'columns'", shown(list(json_obj)))
        self.num_rows, self.dataset_type = json_obj.get("numRows"), json_obj.get("datasetType", "")
        self.parse_columns(json_obj["columns"])

    def to_json(self) -> Any:
        """The columns as json text."""
        return json.dumps({"columns": self.columns}, indent=2)

    __str__ = to_json

    def names(self) -> Any:
        """The columns' names."""
        return [column["name"] for column in self.columns]

    def types(self) -> Any:
        """The columns' NumPy types."""
        return [as_numpy_type("Schema", column["type"]) for column in self.columns]
