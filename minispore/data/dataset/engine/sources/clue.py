"""CLUEDataset: the tasks of the Chinese benchmark CLUE, from files with a json object in each line."""

import json
from types import MappingProxyType

import numpy as np

from minispore.core.checks import check_choice, is_int
from minispore.core.errors import shown, value_error
from minispore.data.dataset.engine.sources.indexed import TextBaseDataset
from minispore.data.dataset.engine.sources.text_files import FilesDataset, Shuffle, text_of

__all__ = ["CLUEDataset"]

_PAIR = ("sentence1", "sentence2")
_SPANS = ("idx", "target.span1_index", "target.span1_text", "target.span2_index", "target.span2_text", "text")
_FIELDS = MappingProxyType(  # of the rows for training and evaluation, and of those for the test
    {
        "AFQMC": (("label", *_PAIR), ("id", *_PAIR)),
        "CMNLI": (("label", *_PAIR), ("id", *_PAIR)),
        "CSL": (("abst", "id", "keyword", "label"), ("abst", "id", "keyword")),
        "IFLYTEK": (("label", "label_des", "sentence"), ("id", "sentence")),
        "TNEWS": (("keywords", "label", "label_desc", "sentence"), ("id", "keywords", "sentence")),
        "WSC": (("idx", "label", *_SPANS[1:]), _SPANS),
    }
)
_NUMBERS = {"id", "idx", "target.span1_index", "target.span2_index"}


class CLUEDataset(FilesDataset, TextBaseDataset):
    """The rows of one task of CLUE: strings, and uint32 for the columns ``id``, ``idx`` and ``span1_index``.

    The columns depend on the task, in the order of the alphabet: ``label``, ``sentence1`` and ``sentence2`` for
    ``"AFQMC"``, with ``id`` in place of ``label`` for the test; ``keyword`` of ``"CSL"`` is a vector of strings.

    Args:
        dataset_files: A path, a pattern such as ``"*.json"``, or a list of them.
        task: ``"AFQMC"``, ``"CMNLI"``, ``"CSL"``, ``"IFLYTEK"``, ``"TNEWS"`` or ``"WSC"``.
        usage: ``"train"``, ``"eval"`` or ``"test"``.
        num_samples: The largest number of rows to read.
        num_parallel_workers: How many files a row is taken from in turn; their contents are read at construction.
        shuffle: ``Shuffle.GLOBAL`` or True, ``Shuffle.FILES``, ``Shuffle.INFILE``, or False.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; the data is in memory anyway.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``task`` or ``usage`` is unknown, a pattern matches no file, or a line is not a row of the task.

    Examples:
        >>> import json, tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "rows.json").write_text(json.dumps({"sentence1": "a", "sentence2": "b", "label": "1"}))
        >>> data = dataset.CLUEDataset(str(folder / "rows.json"), task="AFQMC", usage="train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['1', 'a', 'b']]
    """

    def __init__(
        self,
        dataset_files,
        task="AFQMC",
        usage="train",
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        check_choice("CLUEDataset", "task", task, tuple(_FIELDS))
        check_choice("CLUEDataset", "usage", usage, ("train", "eval", "test"))
        self.fields = _FIELDS[task][usage == "test"]
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _read(self, path):
        lines = text_of("CLUEDataset", path).split("\n")
        return [self._of_line(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]

    def _of_line(self, path, number, line):
        try:
            value = json.loads(line)
            return tuple(_value(value, field) for field in self.fields)
        except (ValueError, KeyError, TypeError) as error:
            expected = f"line {number} of '{path}' must be a json object with {[f.split('.')[-1] for f in self.fields]}"
            raise value_error("CLUEDataset", expected, f"{type(error).__name__}: {shown(error, str)}") from error

    def _names(self):
        return [field.split(".")[-1] for field in self.fields]


def _value(value, field):
    """The value at ``field``, such as ``target.span1_text``: uint32, a string, or a vector of strings."""
    for key in field.split("."):
        value = value[key]
    if field in _NUMBERS:
        if not is_int(value) or not 0 <= value < 2**32:
            raise ValueError(f"{field} is {shown(value)}")
        return np.array(value, np.uint32)
    if field == "keyword":
        return np.array([_text(part) for part in value])
    return np.array(_text(value))


def _text(value):
    if not isinstance(value, str):
        raise TypeError(f"{shown(value)} is not a str")
    return value
