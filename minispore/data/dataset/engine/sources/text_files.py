"""TextFileDataset and CSVDataset: rows of text files, line by line."""

import enum
import glob
import itertools
import os

import numpy as np

from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset import config
from minispore.data.dataset.engine import samplers
from minispore.data.dataset.engine.sources.indexed import (
    SourceDataset,
    TextBaseDataset,
    UnionBaseDataset,
    check_source_options,
)
from minispore.data.dataset.engine.sources.numpy_slices import checked_names
from minispore.ops.list_checks import check_names

__all__ = ["CSVDataset", "Shuffle", "TextFileDataset"]


class Shuffle(enum.Enum):
    """The extent of shuffling: all rows, the order of the files, or the rows within each file.

    Examples:
        >>> from minispore import dataset
        >>> print([(level.name, level.value) for level in dataset.Shuffle])
        [('GLOBAL', 'global'), ('FILES', 'files'), ('INFILE', 'infile')]
    """

    GLOBAL = "global"
    FILES = "files"
    INFILE = "infile"


class FilesDataset(SourceDataset):
    """Rows of files, in the order of the files' names; dealt to shards in blocks that wrap around.

    As many files are read at a time as there are workers, a row from each in turn.
    """

    def __init__(self, dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache):
        name = type(self).__name__
        check_source_options(name, num_parallel_workers, cache)
        samplers.chosen(name, num_samples, None, None, num_shards, shard_id)  # the same checks
        if not isinstance(shuffle, bool | Shuffle | None):
            raise type_error(name, "the 'shuffle' must be a bool or a Shuffle", shown(shuffle))
        self.shuffle_level = Shuffle.GLOBAL if shuffle is True else (None if shuffle is False else shuffle)
        self.num_samples = num_samples or None
        self.shards = (num_shards, shard_id) if num_shards is not None else (1, 0)
        self.workers = config.workers(num_parallel_workers)
        self.files = [self._read(path) for path in self._paths(dataset_files)]

    def _paths(self, dataset_files):
        """The files in the order in which they are read."""
        return found_files(type(self).__name__, dataset_files)

    def _read(self, path):
        """The rows of one file."""
        raise NotImplementedError

    def _blocks(self):
        """This shard's rows, file by file."""
        if self.shards == (1, 0):
            return self.files
        numbered = [(number, row) for number, rows in enumerate(self.files) for row in rows]
        taken = [numbered[place] for place in self._mine(len(numbered))]
        return [[row for _, row in part] for _, part in itertools.groupby(taken, lambda pair: pair[0])]

    def _items(self, run):
        if self.shuffle_level is Shuffle.GLOBAL:
            rows = [row for file in self.files for row in file]
            rows = [rows[i] for i in run.shared_stream(self.depth).permutation(len(rows))]
            return iter([rows[i] for i in self._mine(len(rows))][: self.num_samples])
        stream, files = run.stream(self.depth), self._blocks()
        if self.shuffle_level is Shuffle.FILES:
            files = [files[i] for i in stream.permutation(len(files))]
        if self.shuffle_level is Shuffle.INFILE:
            files = [[rows[i] for i in stream.permutation(len(rows))] for rows in files]
        return itertools.islice(merged(files, self.workers), self.num_samples)

    def _mine(self, total):
        """The places of this shard's rows."""
        shards, mine = self.shards
        block = -(-total // shards)
        return [place % total for place in range(mine * block, (mine + 1) * block)]

    def get_dataset_size(self):
        size = len(self._mine(sum(map(len, self.files))))
        return min(size, self.num_samples or size)

    def is_shuffled(self):
        return self.shuffle_level is not None

    def is_sharded(self):
        return self.shards != (1, 0)


def merged(files, workers):
    """The rows of files, a row from each worker in turn; worker ``i`` reads the files ``i``, ``i + workers``, …."""
    iterators = [itertools.chain(*files[i::workers]) for i in range(workers)]
    while iterators:
        left = []
        for iterator in iterators:
            for row in itertools.islice(iterator, 1):
                yield row
                left.append(iterator)
        iterators = left


def found_files(name, dataset_files):
    """The paths that patterns match, in the order of their names."""
    listed = list(dataset_files) if isinstance(dataset_files, list | tuple) else [dataset_files]
    patterns = check_names(name, "dataset_files", [os.fspath(p) if isinstance(p, os.PathLike) else p for p in listed])
    paths = []
    for pattern in patterns:
        matches = [path for path in glob.glob(pattern) if os.path.isfile(path)]
        if not matches:
            raise value_error(name, "the 'dataset_files' must be there", f"no file '{pattern}'")
        paths += matches
    return sorted(paths)


def text_of(name, path):
    """The text of a file in UTF-8, its ends of lines as they are."""
    with open(path, encoding="utf-8", newline="") as file:
        try:
            return file.read()
        except UnicodeDecodeError as error:
            raise value_error(name, f"the file '{path}' must be UTF-8 text", str(error)) from error


class TextFileDataset(FilesDataset, TextBaseDataset):
    """The lines of text files: column ``text``, a string. Empty lines are left out.

    Args:
        dataset_files: A path, a pattern such as ``"*.txt"``, or a list of them; read in the order of their names.
        num_samples: The largest number of rows to read.
        num_parallel_workers: How many files a row is taken from in turn; their contents are read at construction.
        shuffle: ``Shuffle.GLOBAL`` or True, ``Shuffle.FILES``, ``Shuffle.INFILE``, or False.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; the data is in memory anyway.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a pattern matches no file, or a file is not UTF-8 text.

    Examples:
        >>> import os, tempfile
        >>> from minispore import dataset
        >>> file = os.path.join(tempfile.mkdtemp(), "lines.txt")
        >>> with open(file, "w") as lines:
        ...     print("first", "second", sep=chr(10), file=lines)
        >>> print([str(line) for (line,) in dataset.TextFileDataset(file, shuffle=False)])
        ['first', 'second']
    """

    def __init__(
        self,
        dataset_files,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _read(self, path):
        lines = text_of("TextFileDataset", path).split("\n")
        return [(np.array(line.removesuffix("\r")),) for line in lines if line.removesuffix("\r")]

    def _names(self):
        return ["text"]


class CSVDataset(FilesDataset, UnionBaseDataset):
    """The rows of CSV files.

    Args:
        dataset_files: A path, a pattern such as ``"*.csv"``, or a list of them; read in the order of their names.
        field_delim: The character between fields.
        column_defaults: A default for each column, whose type is the column's: an int makes int32, a float float32, a
            str a string; it stands for an empty field. None makes all columns strings.
        column_names: The names of the columns; None takes them from the first line of each file.
        num_samples: The largest number of rows to read.
        num_parallel_workers: How many files a row is taken from in turn; their contents are read at construction.
        shuffle: ``Shuffle.GLOBAL`` or True, ``Shuffle.FILES``, ``Shuffle.INFILE``, or False.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; the data is in memory anyway.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a pattern matches no file, or a row has another number of fields, or one of another type.

    Examples:
        >>> import os, tempfile
        >>> from minispore import dataset
        >>> file = os.path.join(tempfile.mkdtemp(), "rows.csv")
        >>> with open(file, "w") as rows:
        ...     print("1,cat", "2,dog", sep=chr(10), file=rows)
        >>> data = dataset.CSVDataset(file, column_defaults=[0, ""], column_names=["n", "name"], shuffle=False)
        >>> print([(int(n), str(name)) for n, name in data])
        [(1, 'cat'), (2, 'dog')]
    """

    def __init__(
        self,
        dataset_files,
        field_delim=",",
        column_defaults=None,
        column_names=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        name = "CSVDataset"
        if not isinstance(field_delim, str):
            raise type_error(name, "the 'field_delim' must be a str", type(field_delim).__name__)
        if len(field_delim) != 1 or field_delim in '"\r\n':
            raise value_error(name, "the 'field_delim' must be one character, no quote and no end of line", field_delim)
        self.field_delim = field_delim
        self.column_names = None if column_names is None else checked_names(name, column_names)
        self.headed = column_names is None
        self.defaults = self._checked_defaults(column_defaults)
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        if self.defaults is not None and len(self.defaults) != len(self.column_names):
            expected = f"the 'column_defaults' must be {len(self.column_names)}, one for each column"
            raise value_error(name, expected, len(self.defaults))

    @staticmethod
    def _checked_defaults(defaults):
        if defaults is None:
            return None
        fits = isinstance(defaults, list) and all(type(value) in (int, float, str) for value in defaults)
        if not fits:
            raise type_error("CSVDataset", "the 'column_defaults' must be a list of int, float or str", shown(defaults))
        return defaults

    def _read(self, path):
        import csv  # here, so that importing minispore stays quick

        lines = text_of("CSVDataset", path).splitlines()
        rows, header = csv.reader(lines, delimiter=self.field_delim), self.headed
        found = []
        for row in rows:
            if not row:
                continue
            if header:
                self._take_header(path, row)
                header = False
                continue
            found.append(self._row_of(path, rows.line_num, row))
        if self.column_names is None:
            raise value_error("CSVDataset", f"the file '{path}' must begin with the names of its columns", "no line")
        return found

    def _take_header(self, path, row):
        names = checked_names("CSVDataset", row)
        if self.column_names not in (None, names):
            raise value_error("CSVDataset", f"the file '{path}' must have the columns {self.column_names}", names)
        self.column_names = names

    def _row_of(self, path, line, fields):
        names = self.column_names
        if len(fields) != len(names):
            raise value_error("CSVDataset", f"line {line} of '{path}' must have {len(names)} fields", len(fields))
        if self.defaults is None:
            return tuple(np.array(field) for field in fields)
        return tuple(
            self._field(path, line, field, default) for field, default in zip(fields, self.defaults, strict=False)
        )

    @staticmethod
    def _field(path, line, field, default):
        kind = {int: np.int32, float: np.float32, str: str}[type(default)]
        try:
            return np.array(type(default)(field) if field else default, kind)
        except (ValueError, OverflowError) as error:
            expected = f"a field in line {line} of '{path}' must be of type {type(default).__name__}"
            raise value_error("CSVDataset", expected, shown(field)) from error

    def _names(self):
        return self.column_names
