"""The rows of MindRecord files by number: from their headers, their indices, and the bytes at these places."""

import contextlib
import itertools
import json
import os
import pathlib
import struct

import numpy as np

from minispore.core.errors import escaped, is_own_sentence, shown, type_error, value_error
from minispore.data.mindrecord.layout import separated
from minispore.data.mindrecord.msgpack import unpacked
from minispore.data.mindrecord.row_schema import blob_fields, check_schema, plain_fields

__all__ = ["Files"]

_WHERE = "PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END"
_BROKEN = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, MemoryError)


@contextlib.contextmanager
def _reported_as_broken(operation, path):
    """Report any error in a file's content as "not a MindRecord file"."""
    try:
        yield
    except (*_BROKEN, struct.error) as error:
        if is_own_sentence(error) and not isinstance(error, KeyError):
            raise
        reason = f"{type(error).__name__}: {shown(error, str)}"
        raise value_error(operation, f"the file '{path}' must be a whole MindRecord file", reason) from error


class Files:
    """Rows of one file with all that belong to it, or of a list of files.

    Args:
        operation (str): Who reads, for error texts.
        names (object): A path, or a list of paths.
    """

    def __init__(self, operation, names):
        self.operation, self.shards = operation, []
        listed = names if isinstance(names, list) else [names]
        for path in listed:
            if not isinstance(path, str | os.PathLike):
                raise type_error(operation, "the files must be a path or a list of paths", shown(names))
        if not listed:
            raise value_error(operation, "the files must be at least one", "none")
        self._open(names, [os.fspath(path) for path in listed])

    def _open(self, names, paths):
        first = _Shard(self.operation, paths[0])
        self.shards.append(first)
        if not isinstance(names, list):
            folder = os.path.dirname(paths[0])
            paths = [os.path.join(folder, name) for name in first.addresses]
            names = paths if len(paths) > 1 else [first.path]  # a single file may have been renamed
            self.shards = [_Shard(self.operation, path) for path in names]
        else:
            self.shards += (_Shard(self.operation, path) for path in paths[1:])
        self.schema, self.description = first.schema, first.description
        self.header_size, self.page_size, self.indexed = first.header_size, first.page_size, first.indexed
        for shard in self.shards[1:]:
            if shard.schema != self.schema:
                raise value_error(self.operation, f"the file '{shard.path}' must have the schema of the others")
        self.starts = [0, *itertools.accumulate(len(shard.places) for shard in self.shards)]

    def __len__(self):
        return self.starts[-1]

    def row(self, number):
        """A row as a dict, its plain fields first."""
        place = next(i for i, start in enumerate(self.starts[1:]) if number < start)
        return self.shards[place].row(number - self.starts[place])

    def plain(self, number):
        """The plain fields of a row."""
        place = next(i for i, start in enumerate(self.starts[1:]) if number < start)
        return self.shards[place].plain(number - self.starts[place])

    def rows_of(self, place):
        """The bytes of each row of one file, with its plain fields."""
        return map(self.shards[place].encoded, range(len(self.shards[place].places)))


class _Shard:
    def __init__(self, operation, path):
        self.operation, self.path = operation, path
        with _reported_as_broken(operation, path):
            found = os.path.isfile(path)
        for name in (path, f"{path}.db"):
            if not found or not os.path.isfile(name):
                text = f"For '{operation}', the file '{name}' must exist, but there is no such file."
                raise FileNotFoundError(escaped(text))
        with _reported_as_broken(operation, path):
            self._read_header()
            self.places = self._read_index()

    def _read_header(self):
        self.size = os.path.getsize(self.path)
        header = json.loads(self._at(0).decode())
        self.header_size, self.page_size = header["header_size"], header["page_size"]
        for size in (self.header_size, self.page_size):
            if type(size) is not int or not 0 < size < 2**31:
                raise ValueError(f"a size of {shown(size)}")
        (schema,) = header["schema"]
        self.schema = check_schema(self.operation, schema["schema"])
        self.large = blob_fields(self.schema)
        if schema["blob_fields"] != self.large:
            raise ValueError("other large fields than the schema's")
        self.addresses = header["shard_addresses"]
        if not isinstance(self.addresses, list) or not all(isinstance(name, str) for name in self.addresses):
            raise ValueError("no names of files")
        if any(os.path.basename(name) != name or name in ("", ".", "..") for name in self.addresses):
            raise ValueError("the name of a file in another folder")
        self.description = str(schema.get("desc", ""))
        self.indexed = [field["index_field"] for field in header["index_fields"] or ()]
        if set(self.indexed) - set(plain_fields(self.schema)):
            raise ValueError("an index of other fields than the schema's")

    def _read_index(self):
        """The place of each row: six ints each, in the order of the rows' numbers."""
        import sqlite3  # imported when an index is read: so importing the package stays quick

        connection = sqlite3.connect(f"{pathlib.Path(self.path + '.db').resolve().as_uri()}?mode=ro", uri=True)
        try:
            kinds = connection.execute("SELECT type FROM sqlite_master WHERE name = 'INDEXES'").fetchall()
            if kinds != [("table",)]:
                raise ValueError("no table INDEXES in its index")
            if any(column[-1] for column in connection.execute("PRAGMA table_xinfo(INDEXES)")):
                raise ValueError("an index with columns that are computed")
            rows = connection.execute(f"SELECT {_WHERE} FROM INDEXES ORDER BY ROW_ID").fetchall()
        except sqlite3.Error as error:
            raise ValueError(f"its index is broken: {error}") from error
        finally:
            connection.close()
        if not all(type(n) is int and 0 <= n < 2**40 for row in rows for n in row):
            raise ValueError("an index that is not of places")
        return np.array(rows, np.int64).reshape(-1, 6)

    def _at(self, place):
        """The bytes behind a length; the file is opened for each, so that threads and processes may share this."""
        if place > self.size - 8:
            raise ValueError("it ends early")
        with open(self.path, "rb") as file:
            file.seek(place)
            (length,) = struct.unpack("<Q", file.read(8))
            if length > self.size - place - 8:
                raise ValueError("it ends early")
            return file.read(length)

    def _part(self, page, start, end):
        data = self._at(self.header_size + page * self.page_size + start)
        if len(data) + 8 != end - start:
            raise ValueError("its index says another length")
        return data

    def encoded(self, number):
        """The plain fields of a row, and its bytes in the two pages."""
        where = self.places[number].tolist()
        with _reported_as_broken(self.operation, self.path):
            return self.plain(number), self._part(*where[:3]), self._part(*where[3:])

    def plain(self, number):
        """The plain fields of a row."""
        with _reported_as_broken(self.operation, self.path):
            fields = unpacked(self._part(*self.places[number].tolist()[:3]))
            return {name: self._plain(name, fields[name]) for name in plain_fields(self.schema)}

    def _plain(self, name, value):
        kind = self.schema[name]["type"]
        if isinstance(value, str) != (kind == "string") or (kind.startswith("int") and type(value) is not int):
            raise ValueError(f"the field '{name}' is not {kind}")
        return value if kind == "string" else np.array(value, kind).item()

    def row(self, number):
        """A row as a dict, its plain fields first."""
        with _reported_as_broken(self.operation, self.path):
            fields = self.plain(number)
            kinds = [self.schema[name]["type"] for name in self.large]
            values = separated(self._part(*self.places[number].tolist()[3:]), kinds)
            return fields | {name: self._shaped(name, value) for name, value in zip(self.large, values, strict=True)}

    def _shaped(self, name, value):
        shape = self.schema[name].get("shape")
        if shape is None:
            return value
        if -1 in shape and not value.size:
            shape = [max(n, 0) for n in shape]
        return value.reshape(shape).astype(self.schema[name]["type"])
