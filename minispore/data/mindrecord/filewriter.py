"""FileWriter: rows into the pages of one file or several, and their index."""

from __future__ import annotations

import json
import os
import struct
import weakref
from typing import Any, NamedTuple

from minispore.core.checks import check_bool, check_int, check_text
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.mindrecord import files
from minispore.data.mindrecord.layout import joined
from minispore.data.mindrecord.msgpack import packed
from minispore.data.mindrecord.row_schema import blob_fields, check_schema, fitting, plain_fields
from minispore.data.mindrecord.status import SUCCESS
from minispore.ops.list_checks import check_names
from minispore.ops.object_text import of_arguments

__all__ = ["FileWriter"]

_NAME = "FileWriter"
_PLACES = ["PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END", "ROW_GROUP_ID", "PAGE_ID_BLOB", "PAGE_OFFSET_BLOB"]
_COLUMNS = ", ".join(f"{name} INT NOT NULL" for name in ("ROW_ID", *_PLACES, "PAGE_OFFSET_BLOB_END"))
_TYPES = {"string": "TEXT", "int32": "INTEGER", "int64": "INTEGER", "float32": "NUMERIC", "float64": "NUMERIC"}


class FileWriter:
    """Writes rows into MindRecord files.

    Args:
        file_name (str): The path of the file; with several shards their numbers are put behind it.
        shard_num (int): Over how many files the rows are spread, in [1, 1000]. Default: 1.
        overwrite (bool): If True, files of that name are replaced. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``file_name`` is empty or ``shard_num`` out of its range.

    Examples:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> writer = FileWriter(path)
        >>> _ = writer.add_schema({"id": {"type": "int32"}, "data": {"type": "bytes"}}, "some rows")
        >>> _ = writer.write_raw_data([{"id": 1, "data": b"one"}])
        >>> _ = writer.commit()
    """

    __repr__ = of_arguments

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False) -> None:
        if not check_text(_NAME, "file_name", file_name):
            raise value_error(_NAME, "the 'file_name' must not be empty")
        number = check_int(_NAME, "shard_num", shard_num, 1, 1001)
        width = len(str(number - 1))
        self.paths = [file_name] if number == 1 else [f"{file_name}{i:0{width}}" for i in range(number)]
        self.overwrite = check_bool(_NAME, "overwrite", overwrite)
        self.header_size, self.page_size = 2**24, 2**25
        self.schema, self.description, self.indexed = None, "", None
        self.shards = None

    @classmethod
    def open_for_append(cls, file_name: str) -> Any:
        """A writer that adds rows to existing files.

        Args:
            file_name (str): The path of the file, or of the first of several.

        Raises:
            TypeError: If ``file_name`` is not a str.
            ValueError: If it is not a MindRecord file.
            FileNotFoundError: If there is no such file.
        """
        found = files.Files(_NAME, check_text(_NAME, "file_name", file_name))
        writer = cls(file_name)
        writer.paths, writer.schema = [shard.path for shard in found.shards], found.schema
        writer.description, writer.indexed = found.description, found.indexed
        writer.header_size, writer.page_size = found.header_size, found.page_size
        writer._open()
        for place, shard in enumerate(writer.shards):
            shard.add(found.rows_of(place))
        return writer

    def init_append(self, file_name, header) -> Any:
        """Called by MindSpore's ``open_for_append``; ``open_for_append`` of this class needs no such step.

        Raises:
            RuntimeError: Always.
        """
        raise runtime_error("init_append", "the rows must be added by a writer of 'FileWriter.open_for_append'")

    def add_schema(self, content: dict[str, Any], desc: str | None = None) -> Any:
        """Say which fields a row has; 0, the schema's number.

        Args:
            content (dict): From names to ``{"type": ...}``: ``"int32"``, ``"int64"``, ``"float32"``, ``"float64"``,
                ``"string"`` or ``"bytes"``; a number with a ``"shape"``, a list of lengths or one -1, is an array.
            desc (str): A description. Default: None.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If a field is not like this.
            RuntimeError: If there is a schema already.
        """
        schema = check_schema("add_schema", content)
        if desc is not None:
            check_text("add_schema", "desc", desc)
        if self.schema is not None:
            raise runtime_error("add_schema", "a writer must have one schema, but it has one already")
        self.schema, self.description = schema, desc or ""
        return 0

    def add_index(self, index_fields) -> Any:
        """Name the fields to be in the index; without it all but bytes and arrays are.

        Raises:
            TypeError: If ``index_fields`` is not a list of str.
            ValueError: If no such field has this name.
            RuntimeError: If there is no schema yet.
        """
        if not isinstance(index_fields, list):
            raise type_error("add_index", "the 'index_fields' must be a list of str", shown(index_fields))
        names, known = check_names("add_index", "index_fields", index_fields), plain_fields(self._schema("add_index"))
        for name in names:
            if name not in known:
                raise value_error("add_index", f"the 'index_fields' must be among {known}", shown(name))
        if len(set(names)) < len(names):
            raise value_error("add_index", "the 'index_fields' must differ from one another", shown(names))
        self.indexed = names
        return SUCCESS

    def _schema(self, operation):
        if self.schema is None:
            raise runtime_error(operation, "the schema must be added by 'add_schema' first")
        return self.schema

    def set_header_size(self, header_size) -> Any:
        """Set the bytes of the header: in [2 ** 14, 2 ** 27], a multiple of 4.

        Raises:
            TypeError: If it is not an int.
            ValueError: If it is another number.
        """
        self.header_size = _check_size("set_header_size", "header_size", header_size, 2**14, 2**27)
        return SUCCESS

    def set_page_size(self, page_size) -> Any:
        """Set the bytes of a page, the most that a row may have: in [2 ** 15, 2 ** 28], a multiple of 4.

        Raises:
            TypeError: If it is not an int.
            ValueError: If it is another number.
        """
        self.page_size = _check_size("set_page_size", "page_size", page_size, 2**15, 2**28)
        return SUCCESS

    def open_and_set_header(self) -> Any:
        """Begin the files; ``write_raw_data`` does it by itself.

        Raises:
            RuntimeError: If there is no schema yet.
            ValueError: If a file is there and is not to be replaced.
        """
        self._schema("open_and_set_header")
        if self.shards is None:
            self._check_free()
            self._open()
        return SUCCESS

    def _check_free(self):
        for path in self.paths:
            if (os.path.exists(path) or os.path.exists(f"{path}.db")) and not self.overwrite:
                expected = f"the file '{path}' must not be there unless 'overwrite' is True"
                raise value_error(_NAME, expected)

    def _open(self):
        indexed = plain_fields(self.schema) if self.indexed is None else self.indexed
        layout = _Layout(self.schema, self.description, indexed, self.header_size, self.page_size)
        self.shards = [_Shard(layout, i, path) for i, path in enumerate(self.paths)]

    def write_raw_data(self, raw_data: list[Any], parallel_writer: bool = False) -> Any:
        """Write rows, spread over the files.

        Args:
            raw_data (list): Dicts with a value for each field of the schema; other values are not written.
            parallel_writer (bool): Accepted; rows are written one by one. Default: False.

        Raises:
            TypeError: If it is not a list of dicts, or a value is of another type than the schema says.
            ValueError: If a row lacks a field, an array has another shape, or a row is larger than a page.
            RuntimeError: If there is no schema yet.
        """
        check_bool("write_raw_data", "parallel_writer", parallel_writer)
        if not isinstance(raw_data, list):
            raise type_error("write_raw_data", "the 'raw_data' must be a list of dicts", shown(raw_data))
        schema = self._schema("write_raw_data")
        rows = [self._encoded(fitting("write_raw_data", schema, row)) for row in raw_data]
        self.open_and_set_header()
        bounds = [(2 * i * len(rows) // len(self.shards) + 1) // 2 for i in range(len(self.shards) + 1)]
        for shard, low, high in zip(self.shards, bounds, bounds[1:], strict=False):
            shard.add(rows[low:high])
        return SUCCESS

    def _encoded(self, row):
        names, schema = blob_fields(self.schema), self.schema
        plain = {name: row[name] for name in plain_fields(schema)}
        raw = packed(plain or {"id": 0})
        blob = joined([row[name] for name in names], [schema[name]["type"] for name in names])
        for part in (raw, blob):
            if len(part) + 8 > self.page_size:
                expected = f"a row must fit into a page of {self.page_size} bytes, which 'set_page_size' sets"
                raise value_error("write_raw_data", expected, f"{len(part) + 8} bytes")
        return plain, raw, blob

    def commit(self) -> Any:
        """Finish the files and their indices.

        Raises:
            RuntimeError: If there is no schema.
            ValueError: If the header is larger than ``set_header_size`` says.
        """
        self.open_and_set_header()
        names = [os.path.basename(path) for path in self.paths]
        for shard in self.shards:
            shard.finish(names)
        self.shards = None
        return SUCCESS


def _check_size(operation, argument, value, low, high):
    if check_int(operation, argument, value, low, high + 1) % 4:
        raise value_error(operation, f"the '{argument}' must be a multiple of 4", value)
    return int(value)


class _Layout(NamedTuple):
    """The common layout of a writer's shards."""

    schema: dict
    description: str
    indexed: list
    header_size: int
    page_size: int


def _abandon(file, path):
    """Remove a file that was not finished."""
    file.close()
    os.remove(path)


class _Shard:
    """One file: pages of rows' large fields, each with its rows' plain fields in a page of such ones."""

    def __init__(self, layout, number, path):
        self.layout, self.number, self.path = layout, number, path
        self.indexed = layout.indexed
        self.unfinished = f"{self.path}.unfinished"
        self.file = open(self.unfinished, "wb")  # noqa: SIM115 - closed by ``finish``, or where that is not called
        self.abandon = weakref.finalize(self, _abandon, self.file, self.unfinished)
        self.pages, self.index, self.group = [], [], []
        self.group_size = 0
        self.blob_page = self.raw_page = None

    def _page(self, kind, number):
        page = {"end_row_id": 0, "page_id": len(self.pages), "page_size": 0, "page_type": kind}
        page |= {"page_type_id": number, "row_group_ids": [], "shard_id": self.number, "start_row_id": 0}
        self.pages.append(page)
        return page

    def _put(self, page, data):
        """Write data with its length at the end of a page; where it begins and ends in it."""
        start = page["page_size"]
        self.file.seek(self.layout.header_size + page["page_id"] * self.layout.page_size + start)
        self.file.write(struct.pack("<Q", len(data)) + data)
        page["page_size"] = start + 8 + len(data)
        return start, page["page_size"]

    def add(self, rows):
        """Write rows: pairs of bytes with the plain fields."""
        for plain, raw, blob in rows:
            if self._full(blob, raw):
                self._end_group()
                self._begin_group()
            place = self._put(self.blob_page, blob)
            self.blob_page["end_row_id"] += 1
            self.group.append(raw)
            self.group_size += 8 + len(raw)
            self.index.append([plain, None, self.blob_page["page_type_id"], self.blob_page["page_id"], *place])

    def _full(self, blob, raw):
        """True if a row begins a new page: of large fields, or as its group would not fit into one of plain ones."""
        size = self.layout.page_size
        if self.blob_page is None or self.blob_page["page_size"] + 8 + len(blob) > size:
            return True
        return self.group_size + 8 + len(raw) > size

    def _begin_group(self):
        number = sum(page["page_type"] == "BLOB_DATA" for page in self.pages)
        row = len(self.index)
        self.blob_page = self._page("BLOB_DATA", number)
        self.blob_page |= {"row_group_ids": [{"id": 0, "offset": 0}], "start_row_id": row, "end_row_id": row}

    def _end_group(self):
        """Write the plain fields of the rows of the present page; they stand in one page together."""
        if not self.group:
            return
        if self.raw_page is None or self.raw_page["page_size"] + self.group_size > self.layout.page_size:
            self.raw_page = self._page("RAW_DATA", 0 if self.raw_page is None else len(self.pages))
        offset = {"id": self.blob_page["page_type_id"], "offset": self.raw_page["page_size"]}
        self.raw_page["row_group_ids"].append(offset)
        for row, raw in zip(self.index[-len(self.group) :], self.group, strict=True):
            row[1] = (self.raw_page["page_id"], *self._put(self.raw_page, raw))
        self.group, self.group_size = [], 0

    def finish(self, names):
        """Write the last rows, the header and the index."""
        self._end_group()
        header = json.dumps(self._header(names), separators=(",", ":"), ensure_ascii=False).encode()
        if len(header) + 8 > self.layout.header_size:
            expected = f"the header must fit into {self.layout.header_size} bytes, which 'set_header_size' sets"
            raise value_error("commit", expected, f"{len(header) + 8} bytes")
        self.file.seek(0, os.SEEK_END)
        self.file.truncate(max(self.file.tell(), self.layout.header_size))
        self.file.seek(0)
        self.file.write(struct.pack("<Q", len(header)) + header)
        self.file.close()
        self._write_index()
        os.replace(self.unfinished, self.path)
        self.abandon.detach()

    def _header(self, names):
        layout = self.layout
        schema = {"blob_fields": blob_fields(layout.schema), "desc": layout.description, "schema": layout.schema}
        return {
            "header_size": layout.header_size,
            "index_fields": [{"index_field": name, "schema_id": 0} for name in self.indexed] or None,
            "page": self.pages,
            "page_size": layout.page_size,
            "compression_size": 0,
            "schema": [schema],
            "shard_addresses": names,
            "shard_id": self.number,
            "statistics": None,
            "version": "3.0",
        }

    def _write_index(self):
        path = f"{self.path}.db"
        if os.path.exists(path):
            os.remove(path)
        own = [
            (f"INC_{i}", f"{name}_0", _TYPES[self.layout.schema[name]["type"]]) for i, name in enumerate(self.indexed)
        ]
        more = "".join(f", {inc} INT, {name} {kind}" for inc, name, kind in own)
        key = ", ".join(["ROW_ID", *(inc for inc, _, _ in own)])
        marks = ", ".join("?" * (8 + 2 * len(own)))
        import sqlite3  # imported when an index is written: so importing the package stays quick

        connection = sqlite3.connect(path)
        try:
            connection.execute(f"CREATE TABLE INDEXES({_COLUMNS}{more}, PRIMARY KEY({key}))")
            connection.executemany(f"INSERT INTO INDEXES VALUES({marks})", map(self._index_row, enumerate(self.index)))
            connection.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
            connection.execute("INSERT INTO SHARD_NAME VALUES(?)", [os.path.basename(self.path)])
            connection.commit()
        finally:
            connection.close()

    def _index_row(self, numbered):
        number, (plain, raw, *blob) = numbered
        return [number, *raw, *blob, *(part for name in self.indexed for part in (0, plain[name]))]
