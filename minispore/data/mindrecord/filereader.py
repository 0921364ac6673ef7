"""FileReader: the rows of MindRecord files as dicts."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.mindrecord.files import Files
from minispore.ops.object_text import of_arguments

__all__ = ["FileReader"]

_NAME = "FileReader"


class FileReader:
    """Reads the rows of MindRecord files.

    Args:
        file_name (str): A path, for all files that were written with it, or a list of paths.
        num_consumer (int): How many threads MindSpore reads with; here one reads. Default: 4.
        columns (list): The fields to read; None reads all. Default: None.
        operator (object): MindSpore's own; None. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a file is not a MindRecord file, or a column is unknown.
        FileNotFoundError: If there is no such file.
    """

    __repr__ = of_arguments

    def __init__(
        self, file_name: str, num_consumer: int = 4, columns: list[Any] | None = None, operator: object | None = None
    ) -> None:
        check_int(_NAME, "num_consumer", num_consumer, 1)
        if columns is not None and not (isinstance(columns, list) and all(isinstance(c, str) for c in columns)):
            raise type_error(_NAME, "the 'columns' must be a list of str", shown(columns))
        if operator is not None:
            raise value_error(_NAME, "the 'operator' must be None", shown(operator))
        self.files = Files(_NAME, file_name)
        self.columns = columns or list(self.files.schema)
        for name in self.columns:
            if name not in self.files.schema:
                raise value_error(_NAME, f"the 'columns' must be among {list(self.files.schema)}", shown(name))

    def get_next(self) -> Any:
        """An iterator over the rows, as dicts."""
        files = self._open("get_next")
        for number in range(len(files)):
            row = files.row(number)
            yield {name: value for name, value in row.items() if name in self.columns}

    def len(self) -> Any:
        """The number of rows."""
        return self._open("len").starts[-1]

    def schema(self) -> Any:
        """The fields, as ``add_schema`` takes them."""
        return {name: dict(field) for name, field in self._open("schema").schema.items()}

    def close(self) -> None:
        """End the reading; no row comes after it."""
        self.files = None

    def _open(self, operation):
        if self.files is None:
            raise runtime_error(operation, "the reader must not be closed")
        return self.files
