"""Public corpora of text: which files each consists of, and how their lines become rows.

A class names the files of each usage in ``parts``, and the columns in ``columns``. ``_rows_of`` reads the rows from the
text of a file. Sources with the same signature share a base. It is :class:`TextFolder`, or :class:`_OtherOrder` if
MindSpore has ``num_parallel_workers`` after the shards.
"""

import itertools
import json
import re
from types import MappingProxyType

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.errors import shown, value_error
from minispore.data.dataset.engine.sources.arguments import ARRAYS, arguments
from minispore.data.dataset.engine.sources.indexed import MappableDataset, TextBaseDataset
from minispore.data.dataset.engine.sources.mnist import check_usage, folder_of
from minispore.data.dataset.engine.sources.text_files import FilesDataset, Shuffle, text_of
from minispore.ops.list_checks import check_names

__all__ = [
    "AGNewsDataset",
    "AmazonReviewDataset",
    "CoNLL2000Dataset",
    "DBpediaDataset",
    "EnWik9Dataset",
    "IMDBDataset",
    "Multi30kDataset",
    "PennTreebankDataset",
    "SQuADDataset",
    "SST2Dataset",
    "SogouNewsDataset",
    "UDPOSDataset",
    "WikiTextDataset",
    "YahooAnswersDataset",
    "YelpReviewDataset",
]

_TRAIN_TEST = MappingProxyType({"train": ["train.csv"], "test": ["test.csv"], "all": ["test.csv", "train.csv"]})
_TRAIN_FIRST = MappingProxyType({**_TRAIN_TEST, "all": ["train.csv", "test.csv"]})


class TextFolder(FilesDataset, TextBaseDataset):
    """A source of the files of one usage in a folder.

    Args:
        dataset_dir: The folder with the files.
        usage: Which of them; None means ``"all"``.
        num_samples: The largest number of rows to read.
        num_parallel_workers: How many files a row is taken from in turn; their contents are read at construction.
        shuffle: ``Shuffle.GLOBAL`` or True, ``Shuffle.FILES``, ``Shuffle.INFILE``, or False.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; the data is in memory anyway.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``usage`` is unknown, or a file does not hold rows of its format.
        FileNotFoundError: If one of the files is missing.
    """

    parts = MappingProxyType({})
    columns = ()
    unnamed = "all"  # the usage that None stands for

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        check_usage(type(self).__name__, usage, {**self.parts, None: ()})
        self.usage = usage or self.unnamed
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _paths(self, dataset_dir):
        folder = folder_of(type(self).__name__, dataset_dir)
        return [self._there(folder, file) for file in self.parts[self.usage]]

    def _there(self, folder, file):
        if not (folder / file).is_file():
            raise FileNotFoundError(
                f"For '{type(self).__name__}', the folder '{folder}' must hold '{file}', but there is no such file."
            )
        return folder / file

    def _read(self, path):
        return list(self._rows_of(path, text_of(type(self).__name__, path)))

    def _rows_of(self, path, text):
        """The rows that the text of a file holds."""
        raise NotImplementedError

    def _strings(self, path, number, fields, columns):
        """A row of strings, which must be as many as the columns."""
        if len(fields) != len(columns):
            expected = f"line {number} of '{path}' must have {len(columns)} fields"
            raise value_error(type(self).__name__, expected, len(fields))
        return tuple(np.array(field) for field in fields)

    def _names(self):
        return self.columns


class _OtherOrder(TextFolder):
    """The like of :class:`TextFolder`, whose arguments MindSpore has in another order."""

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        shuffle=Shuffle.GLOBAL,
        num_shards=None,
        shard_id=None,
        num_parallel_workers=None,
        cache=None,
    ):
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


# Files of fields between commas


class _Fields:
    """Rows of fields between commas, in quotes where a comma is in them."""

    parts = _TRAIN_TEST

    def _rows_of(self, path, text):
        import csv  # here, so that importing minispore stays quick

        rows = csv.reader(text.splitlines())
        return [self._strings(path, rows.line_num, row, self.columns) for row in rows if row]


class AGNewsDataset(_Fields, TextFolder):
    """AG's news: ``index``, ``title`` and ``description``, strings, of ``train.csv`` and ``test.csv``.

    Arguments and errors as in :class:`TextFolder`; ``usage`` is ``"train"``, ``"test"`` or ``"all"``.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"3","Markets","Prices rise."')
        >>> data = dataset.AGNewsDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['3', 'Markets', 'Prices rise.']]
    """

    columns = ("index", "title", "description")


class AmazonReviewDataset(_Fields, TextFolder):
    """Amazon's reviews: ``label``, ``title`` and ``content``, strings; else as :class:`AGNewsDataset`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"2","Good","It works."')
        >>> data = dataset.AmazonReviewDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['2', 'Good', 'It works.']]
    """

    columns = ("label", "title", "content")


class DBpediaDataset(_Fields, TextFolder):
    """DBpedia's articles: ``class``, ``title`` and ``content``, strings; else as :class:`AGNewsDataset`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"1","E. coli","A bacterium."')
        >>> data = dataset.DBpediaDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['1', 'E. coli', 'A bacterium.']]
    """

    columns = ("class", "title", "content")


class YahooAnswersDataset(_Fields, TextFolder):
    """Yahoo's answers: ``class``, ``title``, ``content`` and ``answer``, strings; else as :class:`AGNewsDataset`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"5","Why?","Why so?","Because."')
        >>> data = dataset.YahooAnswersDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['5', 'Why?', 'Why so?', 'Because.']]
    """

    columns = ("class", "title", "content", "answer")


class SogouNewsDataset(_Fields, _OtherOrder):
    """Sogou's news: ``index``, ``title`` and ``content``, strings; else as :class:`AGNewsDataset`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", or ``num_samples`` is
            below 0. Also if ``num_shards`` and ``shard_id`` are not given together.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"4","Title","Text."')
        >>> data = dataset.SogouNewsDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['4', 'Title', 'Text.']]
    """

    parts = _TRAIN_FIRST
    columns = ("index", "title", "content")


class YelpReviewDataset(_Fields, _OtherOrder):
    """Yelp's reviews: ``label`` and ``text``, strings; else as :class:`AGNewsDataset`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", or ``num_samples`` is
            below 0. Also if ``num_shards`` and ``shard_id`` are not given together.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.csv").write_text('"2","Tasty."')
        >>> data = dataset.YelpReviewDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['2', 'Tasty.']]
    """

    parts = _TRAIN_FIRST
    columns = ("label", "text")


class SST2Dataset(TextFolder):
    """The sentences of SST-2: ``sentence`` and, but for ``"test"``, ``label``, strings, of files ``*.tsv``.

    Arguments and errors as in :class:`TextFolder`; ``usage`` is ``"train"``, ``"test"`` or ``"dev"``, None the first.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``shuffle`` is not a bool or a Shuffle, or ``usage`` is not a str
            or None. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "dev", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.tsv").write_text(
        ...     chr(10).join(["sentence" + chr(9) + "label", "a fine film" + chr(9) + "1"])
        ... )
        >>> data = dataset.SST2Dataset(folder, shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['a fine film', '1']]
    """

    parts = MappingProxyType({"train": ["train.tsv"], "test": ["test.tsv"], "dev": ["dev.tsv"]})
    unnamed = "train"

    @property
    def columns(self):
        """The columns' names."""
        return ("sentence",) if self.usage == "test" else ("sentence", "label")

    def _rows_of(self, path, text):
        for number, line in enumerate(text.splitlines()[1:], 2):  # the first line has the columns' names
            if line:
                row = self._strings(path, number, line.split("\t"), ("index", "sentence"))
                yield row[1:] if self.usage == "test" else row


# Files of lines


class _Lines:
    columns = ("text",)
    keeps_empty = False

    def _rows_of(self, path, text):
        lines = (line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))
        return [(np.array(line),) for line in lines if line or self.keeps_empty]


class PennTreebankDataset(_Lines, TextFolder):
    """The lines of the Penn Treebank: ``text``, a string, of ``ptb.train.txt``, ``ptb.valid.txt``, ``ptb.test.txt``.

    Arguments and errors as in :class:`TextFolder`; ``usage`` is ``"train"``, ``"valid"``, ``"test"`` or ``"all"``.
    Empty lines are left out.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "valid", "test" or "all", or
            ``num_samples`` is below 0. Also if ``num_parallel_workers`` is below 1.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "ptb.train.txt").write_text("the cat sat")
        >>> data = dataset.PennTreebankDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['the cat sat']]
    """

    parts = MappingProxyType(
        {part: [f"ptb.{part}.txt"] for part in ("train", "valid", "test")}
        | {"all": ["ptb.test.txt", "ptb.train.txt", "ptb.valid.txt"]}
    )


class WikiTextDataset(_Lines, TextFolder):
    """The lines of WikiText: ``text``, a string, of ``wiki.train.tokens`` and the like; as the Penn Treebank.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "valid", "test" or "all", or
            ``num_samples`` is below 0. Also if ``num_parallel_workers`` is below 1.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "wiki.train.tokens").write_text("= A page =")
        >>> data = dataset.WikiTextDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['= A page =']]
    """

    parts = MappingProxyType(
        {part: [f"wiki.{part}.tokens"] for part in ("train", "valid", "test")}
        | {"all": ["wiki.test.tokens", "wiki.train.tokens", "wiki.valid.tokens"]}
    )


class EnWik9Dataset(_Lines, TextFolder):
    """The lines of the file ``enwik9``, empty ones too: ``text``, a string; else as :class:`TextFolder`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``shuffle`` is not a bool or a Shuffle, or ``num_samples`` or
            ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``num_samples`` is below 0, ``num_parallel_workers`` is below 1,
            or ``num_shards`` and ``shard_id`` are not given together.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "enwik9").write_text("<page>")
        >>> data = dataset.EnWik9Dataset(folder, shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['<page>']]
    """

    parts = MappingProxyType({"all": ["enwik9"]})
    keeps_empty = True

    def __init__(
        self,
        dataset_dir,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=True,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        super().__init__(dataset_dir, None, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


class Multi30kDataset(TextFolder):
    """Sentences of Multi30K and their translation, line by line: ``text`` and ``translation``, strings.

    The files are ``training/train.en``, ``validation/val.en``, ``mmt16_task1_test/test.en`` and the like with ``.de``.
    Arguments and errors as in :class:`TextFolder`, with one more.

    Args:
        dataset_dir: The folder with these folders.
        usage: ``"train"``, ``"valid"``, ``"test"`` or ``"all"``.
        language_pair: The two endings in the order of the columns; None means ``["en", "de"]``.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``language_pair`` is not a str or a list of str.
        ValueError: If ``dataset_dir`` is not a folder, or ``usage`` is not "train", "valid", "test" or "all". Also if
            ``language_pair`` is not [``en``, ``de``] or [``de``, ``en``], or ``num_samples`` is below 0.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "training/train.en").parent.mkdir(parents=True)
        >>> _ = (folder / "training/train.en").write_text("A dog.")
        >>> _ = (folder / "training/train.de").write_text("Ein Hund.")
        >>> data = dataset.Multi30kDataset(folder, "train", shuffle=False)
        >>> print([[str(column) for column in row] for row in data])
        [['A dog.', 'Ein Hund.']]
    """

    columns = ("text", "translation")
    parts = MappingProxyType(
        {"train": ["training/train"], "valid": ["validation/val"], "test": ["mmt16_task1_test/test"]}
        | {"all": ["mmt16_task1_test/test", "training/train", "validation/val"]}
    )

    def __init__(
        self,
        dataset_dir,
        usage=None,
        language_pair=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        name = type(self).__name__
        pair = check_names(name, "language_pair", ["en", "de"] if language_pair is None else language_pair)
        if sorted(pair) != ["de", "en"]:
            raise value_error(name, "the 'language_pair' must be ['en', 'de'] or ['de', 'en']", shown(language_pair))
        self.endings = pair
        shuffle = Shuffle.GLOBAL if shuffle is None else shuffle
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _there(self, folder, file):
        return [super(Multi30kDataset, self)._there(folder, f"{file}.{ending}") for ending in self.endings]

    def _read(self, path):
        first, second = (text_of(type(self).__name__, file).splitlines() for file in path)
        if len(first) != len(second):
            expected = f"'{path[1]}' must have a line for each of the {len(first)} of '{path[0]}'"
            raise value_error(type(self).__name__, expected, len(second))
        return [(np.array(text), np.array(translation)) for text, translation in zip(first, second, strict=True)]


# Files of sentences, a word in each line


class _Words(_OtherOrder):
    """Sentences, each a block of lines with a word and its tags: a vector of strings for each column."""

    between = None  # the separator between the word and its tags

    def _rows_of(self, path, text):
        numbered = enumerate(text.splitlines(), 1)
        for empty, lines in itertools.groupby(numbered, lambda pair: not pair[1].strip()):
            if not empty:
                fields = [self._strings(path, n, line.split(self.between), self.columns) for n, line in lines]
                yield tuple(np.array(column) for column in zip(*fields, strict=True))


class CoNLL2000Dataset(_Words):
    """The sentences of CoNLL-2000: ``word``, ``pos_tag`` and ``chunk_tag``, vectors of strings.

    The files are ``train.txt`` and ``test.txt``; arguments and errors as in :class:`TextFolder`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "test" or "all", or ``num_samples`` is
            below 0. Also if ``num_shards`` and ``shard_id`` are not given together.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.txt").write_text(chr(10).join(["He PRP B-NP", "reads VBZ B-VP"]))
        >>> data = dataset.CoNLL2000Dataset(folder, "train", shuffle=False)
        >>> print([[column.tolist() for column in row] for row in data])
        [[['He', 'reads'], ['PRP', 'VBZ'], ['B-NP', 'B-VP']]]
    """

    columns = ("word", "pos_tag", "chunk_tag")
    parts = MappingProxyType({"train": ["train.txt"], "test": ["test.txt"], "all": ["test.txt", "train.txt"]})


class UDPOSDataset(_Words):
    """The sentences of UD's English tree bank: ``word``, ``universal`` and ``stanford``, vectors of strings.

    The files are ``en-ud-tag.v2.train.txt`` and the like for ``"valid"`` (``dev``) and ``"test"``; arguments and errors
    as in :class:`TextFolder`.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "valid", "test" or "all", or
            ``num_samples`` is below 0. Also if ``num_shards`` and ``shard_id`` are not given together.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "en-ud-tag.v2.train.txt").write_text(chr(9).join(["He", "PRON", "PRP"]))
        >>> data = dataset.UDPOSDataset(folder, "train", shuffle=False)
        >>> print([[column.tolist() for column in row] for row in data])
        [[['He'], ['PRON'], ['PRP']]]
    """

    columns, between = ("word", "universal", "stanford"), "\t"
    parts = MappingProxyType(
        {
            usage: [f"en-ud-tag.v2.{part}.txt"]
            for usage, part in (("train", "train"), ("valid", "dev"), ("test", "test"))
        }
        | {"all": [f"en-ud-tag.v2.{part}.txt" for part in ("dev", "test", "train")]}
    )


class SQuADDataset(TextFolder):
    """The questions of SQuAD 1.1 or 2.0: ``context``, ``question``, ``text`` and ``answer_start``.

    The first two are strings, ``text`` a vector of strings and ``answer_start`` one of uint32, an element for each
    answer; without answers they are one empty string and the largest number. The files are ``train-v1.1.json`` and
    ``dev-v1.1.json``, or the same with ``v2.0``. Arguments and errors as in :class:`TextFolder`; ``usage`` is
    ``"train"``, ``"dev"`` or ``"all"``.

    Raises:
        TypeError: If ``dataset_dir`` is not a path, ``usage`` is not a str or None, or ``shuffle`` is not a bool or a
            Shuffle. Also if ``num_samples`` or ``num_parallel_workers`` is not an int.
        ValueError: If ``dataset_dir`` is not a folder, ``usage`` is not "train", "dev" or "all", ``num_samples`` is
            below 0, or ``num_parallel_workers`` is below 1.

    Examples:
        >>> import json, tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> asked = {"question": "Who sat?", "answers": [{"text": "a cat", "answer_start": 0}]}
        >>> paragraph = {"context": "a cat sat", "qas": [asked]}
        >>> _ = (folder / "train-v1.1.json").write_text(json.dumps({"data": [{"paragraphs": [paragraph]}]}))
        >>> data = dataset.SQuADDataset(folder, "train", shuffle=False)
        >>> print([(str(question), text.tolist(), int(start)) for _, question, text, start in data])
        [('Who sat?', ['a cat'], 0)]
    """

    columns = ("context", "question", "text", "answer_start")
    parts = MappingProxyType({"train": ["train"], "dev": ["dev"], "all": ["train", "dev"]})

    def _there(self, folder, file):
        names = [f"{file}-v{version}.json" for version in ("1.1", "2.0")]
        there = [name for name in names if (folder / name).is_file()]
        return super()._there(folder, (there or names)[0])

    def _rows_of(self, path, text):
        try:
            for article in json.loads(text)["data"]:
                for paragraph in article["paragraphs"]:
                    for asked in paragraph["qas"]:
                        yield _question(paragraph["context"], asked["question"], asked["answers"])
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            got = f"{type(error).__name__}: {shown(error, str)}"
            raise value_error(type(self).__name__, f"the file '{path}' must be of SQuAD's format", got) from error


def _question(context, question, answers):
    texts = [str(answer["text"]) for answer in answers] or [""]
    starts = [answer["answer_start"] for answer in answers] or [2**32 - 1]
    return np.array(str(context)), np.array(str(question)), np.array(texts), np.array(starts, np.uint32)


@arguments("dataset_dir", usage=None, **ARRAYS)
class IMDBDataset(MappableDataset, TextBaseDataset):
    """The reviews of IMDB: columns ``text``, a string, and ``label``, int32: 1 for the folder ``pos``, 0 for ``neg``.

    Args:
        dataset_dir: The folder with ``train/pos``, ``train/neg``, ``test/pos`` and ``test/neg``, a file for a review.
        usage: ``"train"``, ``"test"`` or ``"all"``; None means all.
        num_samples: The largest number of rows to read.
        num_parallel_workers: Accepted; ``map`` has workers of its own.
        shuffle: Whether each epoch has a new order; None means yes.
        sampler: A sampler, or an iterable of row numbers, instead of the other ways to choose rows.
        num_shards: The number of parts into which the rows are split.
        shard_id: The part to read.
        cache: None; there is no cache server.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``usage`` is unknown, or there is no review; while iterating, if one is not UTF-8 text.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "train/pos/0_9.txt").parent.mkdir(parents=True)
        >>> _ = (folder / "train/pos/0_9.txt").write_text("a fine film")
        >>> (folder / "train/neg").mkdir()
        >>> data = dataset.IMDBDataset(folder, "train", shuffle=False)
        >>> print([(str(review), int(label)) for review, label in data])
        [('a fine film', 1)]
    """

    def _set_up(self, options, dataset_dir, usage):
        name = type(self).__name__
        folder, parts = folder_of(name, dataset_dir), {"train": ["train"], "test": ["test"], "all": ["train", "test"]}
        check_usage(name, usage, {**parts, None: ()})
        self.files = [
            (path, label)
            for part in parts[usage or "all"]
            for kind, label in (("pos", 1), ("neg", 0))
            for path in sorted((folder / part / kind).glob("*.txt"))
        ]
        if not self.files:
            raise value_error(name, "the 'dataset_dir' must hold reviews, as 'train/pos/1.txt'", f"'{folder}'")
        super().__init__(len(self.files), *options)

    def _row(self, item):
        path, label = self.files[item]
        return np.array(re.sub(r"\r?\n\Z", "", text_of(type(self).__name__, path))), np.array(label, np.int32)

    def _names(self):
        return ["text", "label"]

    def _labels(self, column):
        check_choice("PKSampler", "class_column", column, ["label"])
        return np.array([label for _, label in self.files])
