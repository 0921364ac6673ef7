"""save: one pass over a dataset, written into MindRecord files."""

import itertools

import numpy as np

from minispore.core.checks import check_choice, check_int, check_text
from minispore.core.errors import value_error
from minispore.data.dataset.engine.dataset import operation
from minispore.data.mindrecord.filewriter import FileWriter
from minispore.ops.object_checks import check_path

__all__ = []

_AT_ONCE = 1024  # the number of rows held in memory
_WIDER = {"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32", "uint32": "int64"}
_KEPT = ("int32", "int64", "float32", "float64")


@operation
def save(self, file_name, num_files=1, file_type="mindrecord"):  # noqa: D417 - ``self`` is the dataset
    """Write the rows of one pass into MindRecord files, which ``MindDataset`` reads, here and in MindSpore.

    Small ints become int32, uint32 int64; an array of uint8 becomes bytes, which are read as a vector. The rows of one
    column must agree in all lengths but the first.

    Args:
        file_name (str): The path of the file; with several their numbers are put behind it.
        num_files (int): Over how many files the rows are spread, in [1, 1000].
        file_type (str): ``"mindrecord"``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a file exists already, there is no row, or the files cannot hold a column's type. Such types are
            bool, float16, uint64, complex, and several strings in one row.
    """
    check_path("save", "file_name", check_text("save", "file_name", file_name))
    check_int("save", "num_files", num_files, 1, 1001)
    check_choice("save", "file_type", file_type, ("mindrecord",))
    rows = (row for row in self.create_dict_iterator(num_epochs=1, output_numpy=True))  # which ends with the epoch
    writer, schema = FileWriter(file_name, num_files), None
    while chunk := list(itertools.islice(rows, _AT_ONCE)):
        if schema is None:
            schema = {name: _field(name, value) for name, value in chunk[0].items()}
            writer.add_schema(schema)
        writer.write_raw_data([{name: _stored(name, schema[name], row[name]) for name in schema} for row in chunk])
    if schema is None:
        raise value_error("save", "the dataset must have a row", "none")
    writer.commit()


def _field(name, value):
    """The field of a schema that holds a column's values."""
    kind = "string" if value.dtype.kind in "SU" else _WIDER.get(value.dtype.name, value.dtype.name)
    if kind not in ("string", *_KEPT) or (kind == "string" and value.ndim):
        expected = f"the column '{name}' must be of ints up to 64 bits, float32, float64, or one string in a row"
        raise value_error("save", expected, f"{value.dtype} of shape {value.shape}")
    if value.ndim and value.dtype == np.uint8:
        return {"type": "bytes"}
    return {"type": kind, "shape": [-1, *value.shape[1:]]} if value.ndim else {"type": kind}


def _stored(name, field, value):
    """A value as a row of the file has it."""
    if _field(name, value) != field:
        raise value_error("save", f"the rows of column '{name}' must be of one type and shape but for the first length")
    if field["type"] == "bytes":
        return value.tobytes()
    return value.astype(field["type"]) if "shape" in field else value.item()
