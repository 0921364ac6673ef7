"""TFRecordDataset: the rows of TFRecord files."""

import gzip
import io
import zlib

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine.schema import Schema
from minispore.data.dataset.engine.sources.indexed import UnionBaseDataset
from minispore.data.dataset.engine.sources.text_files import FilesDataset, Shuffle, merged
from minispore.data.dataset.engine.sources.tf_example import example_of, records_of
from minispore.ops.list_checks import check_names

__all__ = ["TFRecordDataset"]

_NAME = "TFRecordDataset"
_OPENED = {"GZIP": gzip.decompress, "ZLIB": zlib.decompress}


class TFRecordDataset(FilesDataset, UnionBaseDataset):
    """The rows of TFRecord files of examples: a column for each feature.

    Ints are int64 and floats float32, as vectors. Bytes are a vector of uint8, or with a schema one of strings; where a
    feature has several, shorter ones are filled up with spaces. The records are found at construction, and read when
    their rows are.

    Args:
        dataset_files: A path, a pattern such as ``"*.tfrecord"``, or a list of them; read in the order of their names,
            as many at a time as there are workers, a row from each in turn.
        schema: A Schema or the path of its json file, for the columns, their types and shapes; None takes the features
            of the first record, in the order of their names.
        columns_list: The columns to read, in this order; None means all.
        num_samples: The largest number of rows to read; None means the ``num_rows`` of the schema, or all.
        num_parallel_workers: How many files are read at a time.
        shuffle: ``Shuffle.GLOBAL`` or True, ``Shuffle.FILES``, ``Shuffle.INFILE``, or False.
        num_shards: The number of parts into which the files are split.
        shard_id: The part to read.
        shard_equal_rows: True to split the rows instead, into parts of one size; the last part wraps around.
        cache: None; there is no cache server.
        compression_type: ``"GZIP"``, ``"ZLIB"``, or None or ``""`` for none. Compressed files are held in memory.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a pattern matches no file, there are fewer files than shards, or a file does not consist of
            records. Also if a column is neither in the schema nor in the first record. While iterating, if a record is
            no example, or a column of another type or length than the schema says.
        FileNotFoundError: If ``schema`` names no file.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> length, example = "0f000000000000006d532b09", "0a0d0a0b0a016112061a040a020304ce56c814"
        >>> record = bytes.fromhex(length + example)  # of the feature "a" = [3, 4]; each part with a checksum
        >>> file = Path(tempfile.mkdtemp()) / "numbers.tfrecord"
        >>> _ = file.write_bytes(record + record)
        >>> print([row["a"].tolist() for row in dataset.TFRecordDataset(str(file)).create_dict_iterator()])
        [[3, 4], [3, 4]]
    """

    def __init__(
        self,
        dataset_files,
        schema=None,
        columns_list=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        shard_equal_rows=False,
        cache=None,
        compression_type=None,
    ):
        self.equal_rows = check_bool(_NAME, "shard_equal_rows", shard_equal_rows)
        self.opened = _OPENED.get(check_choice(_NAME, "compression_type", compression_type, (None, "", *_OPENED)))
        schema = schema if isinstance(schema, Schema | None) else Schema(schema)
        if columns_list is not None and not isinstance(columns_list, list):
            raise type_error(_NAME, "the 'columns_list' must be a list of str", shown(columns_list))
        wanted = check_names(_NAME, "columns_list", columns_list or [])
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        if not self.files:
            raise value_error(_NAME, "the 'dataset_files' must not be empty")
        if schema is not None and schema.num_rows and not self.num_samples:
            self.num_samples = check_int("Schema", "num_rows", schema.num_rows, 0)
        if not self.equal_rows and len(self.files) < self.shards[0]:
            expected = (
                f"the 'dataset_files' must be at least {self.shards[0]}, one for each shard, or 'shard_equal_rows'"
            )
            raise value_error(_NAME, f"{expected} must be True", f"{len(self.files)} files")
        self.columns = self._chosen(self._of_schema(schema) if schema is not None else self._of_first(), wanted)

    def _read(self, path):
        """The places of the records of a file; of a compressed one their data."""
        try:
            with open(path, "rb") as file:
                if self.opened is None:
                    records = [(path, *span) for span in records_of(file)]
                else:
                    data = self.opened(file.read())
                    records = [data[slice(*span)] for span in records_of(io.BytesIO(data))]
        except (OSError, EOFError, zlib.error) as error:
            raise value_error(_NAME, f"the file '{path}' must be readable", str(error)) from error
        except ValueError as error:
            raise ValueError(f"For '{_NAME}', the file '{path}' must {error}.") from error
        if not records:
            raise value_error(_NAME, f"the file '{path}' must hold records", "none")
        return records

    @staticmethod
    def _of_schema(schema):
        kinds = zip(schema.columns, schema.types(), strict=True)
        return {column["name"]: (kind, column.get("shape")) for column, kind in kinds}

    def _of_first(self):
        features = self._example(self.files[0][0])
        if not features:
            raise value_error(_NAME, "the first record must have features, unless there is a 'schema'", "none")
        for name, values in features.items():
            if values is None:
                raise value_error(_NAME, f"the feature '{name}' of the first record must have values", "none")
        return dict.fromkeys(sorted(features), (None, None))

    @staticmethod
    def _chosen(columns, wanted):
        for name in wanted:
            if name not in columns:
                raise value_error(_NAME, f"the 'columns_list' must be among {list(columns)}", shown(name))
        if len(set(wanted)) < len(wanted):
            raise value_error(_NAME, "the 'columns_list' must be names that differ from one another", shown(wanted))
        return {name: columns[name] for name in wanted} if wanted else columns

    def _names(self):
        return self.columns

    def _blocks(self):
        """This shard's records, file by file."""
        shards, mine = self.shards
        return super()._blocks() if self.equal_rows else self.files[mine::shards]

    def _items(self, run):
        blocks, stream = self._blocks(), run.stream(self.depth)
        if self.shuffle_level is Shuffle.FILES:
            blocks = [blocks[i] for i in stream.permutation(len(blocks))]
        if self.shuffle_level is Shuffle.INFILE:
            blocks = [[records[i] for i in stream.permutation(len(records))] for records in blocks]
        records = list(merged(blocks, self.workers))
        if self.shuffle_level is Shuffle.GLOBAL:
            records = [records[i] for i in stream.permutation(len(records))]
        return iter(records[: self.num_samples])

    def get_dataset_size(self):
        size = sum(map(len, self._blocks()))
        return min(size, self.num_samples or size)

    def _example(self, record):
        data = record if isinstance(record, bytes) else _stored(*record)
        try:
            return example_of(data)
        except UnicodeDecodeError as error:
            raise value_error(_NAME, "the names of features must be UTF-8", str(error)) from error
        except ValueError as error:
            where = "" if isinstance(record, bytes) else f" at byte {record[1]} of '{record[0]}'"
            raise ValueError(f"For '{_NAME}', the example{where} must {error}.") from error

    def _row(self, item):
        features = self._example(item)
        return tuple(_column(name, features.get(name), *wanted) for name, wanted in self.columns.items())


def _stored(path, start, end):
    with open(path, "rb") as file:
        file.seek(start)
        return file.read(end - start)


def _column(name, values, kind, shape):
    """A feature's values in the type and shape of its column."""
    if values is None:
        raise value_error(_NAME, f"each record must have values of the column '{name}'", "none")
    array = _of_bytes(name, values, kind) if isinstance(values, list) else _of_numbers(name, values, kind)
    if shape is None:
        return array
    try:
        return array.reshape(shape)
    except ValueError as error:
        expected = f"the column '{name}' must be of the schema's shape {shape}"
        raise value_error(_NAME, expected, f"{array.size} values") from error


def _of_numbers(name, values, kind):
    """Floats stay float32; ints wrap around in a smaller type."""
    kinds = "f" if values.dtype.kind == "f" else "iu"
    if kind is None:
        return values.copy()
    if kind.kind not in kinds or (kinds == "f" and kind != np.float32):
        expected = "of type float32" if kinds == "f" else "of an int type"
        raise value_error(_NAME, f"the column '{name}' of the schema must be {expected}", kind.name)
    return values.astype(kind)


def _of_bytes(name, values, kind):
    """Strings, or the bytes of all values, each filled up with spaces to the longest."""
    if kind is not None and kind.kind == "U":
        try:
            return np.array([value.decode() for value in values], np.str_)
        except UnicodeDecodeError as error:
            raise value_error(_NAME, f"the strings of the column '{name}' must be UTF-8", str(error)) from error
    if kind not in (None, np.uint8, np.int8):
        expected = f"the column '{name}' of the schema must be of type uint8, int8 or string"
        raise value_error(_NAME, expected, kind.name)
    longest = max(map(len, values), default=0)
    return np.frombuffer(b"".join(value.ljust(longest) for value in values), kind or np.uint8).copy()
