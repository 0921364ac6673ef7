"""Converters: data sets of other formats, written into MindRecord files with the schemas of MindSpore's converters."""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from minispore.core.checks import check_int, check_text
from minispore.core.errors import is_own_sentence, shown, type_error, value_error
from minispore.data.dataset.engine.sources.image_files import lines_of
from minispore.data.dataset.engine.sources.text_files import text_of
from minispore.data.dataset.engine.sources.tf_example import example_of, records_of
from minispore.data.dataset.idx import read_idx
from minispore.data.mindrecord.filewriter import FileWriter
from minispore.data.mindrecord.status import SUCCESS
from minispore.ops.list_checks import check_names
from minispore.ops.object_checks import check_path
from minispore.ops.object_text import of_arguments

__all__ = ["Cifar10ToMR", "Cifar100ToMR", "CsvToMR", "ImageNetToMR", "MnistToMR", "TFRecordToMR"]

_AT_ONCE = 1024  # the number of rows held in memory
_CORE = "numpy._core" if hasattr(np, "_core") else "numpy.core"


class _Converter:
    """Base of all converters: the paths that they read and write."""

    __repr__ = of_arguments

    def __init__(self, source, destination, partition_number=1) -> None:
        name = type(self).__name__
        self.name, self.source = name, Path(check_path(name, "source", source))
        if not check_text(name, "destination", destination):
            raise value_error(name, "the 'destination' must not be empty")
        self.destination = destination
        self.partition_number = check_int(name, "partition_number", partition_number, 1, 1001)

    def run(self) -> Any:
        """Write the files: ``SUCCESS``; the same as ``transform``."""
        return self.transform()

    def _folder(self):
        if not self.source.is_dir():
            raise FileNotFoundError(f"For '{self.name}', the folder '{self.source}' must exist, but there is none.")
        return self.source

    def _write(self, path, schema, description, rows, indexed=()):
        """Write rows into the files of one path."""
        writer, rows = FileWriter(path, self.partition_number), iter(rows)
        writer.add_schema(schema, description)
        if indexed:
            writer.add_index(list(indexed))
        while chunk := [row for _, row in zip(range(_AT_ONCE), rows, strict=False)]:
            writer.write_raw_data(chunk)
        return writer.commit()


def _jpeg(image):
    """An image, (height, width) or (height, width, 3), as MindSpore's converters encode it."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("For 'mindrecord', images need Pillow: pip install \"pillow>=9.1\".") from error
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=95)
    return file.getvalue()


class MnistToMR(_Converter):
    """Converts MNIST: ``label``, int64, and ``data``, the image as JPEG, into two sets of files.

    They are ``DESTINATION_train.mindrecord`` and ``DESTINATION_test.mindrecord``. Pillow is needed (the extra
    ``images``).

    Args:
        source (str): The folder with MNIST's four files, ``.gz`` or not.
        destination (str): The beginning of the files' names.
        partition_number (int): How many files each part is spread over. Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``partition_number`` is out of [1, 1000]; in ``run``, if a file is not MNIST's or one is there.
        FileNotFoundError: In ``run``, if a file is missing.
    """

    def transform(self) -> Any:
        """Write the files: ``SUCCESS``."""
        for part, kind in (("train", "train"), ("t10k", "test")):
            images, labels = (self._read(f"{part}-{what}-ubyte") for what in ("images-idx3", "labels-idx1"))
            if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels) or images.dtype != np.uint8:
                got = f"shapes {images.shape} and {labels.shape}"
                raise value_error(self.name, f"the files of '{part}' must hold images and a label for each", got)
            rows = ({"label": int(y), "data": _jpeg(x)} for x, y in zip(images, labels, strict=True))
            schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
            self._write(f"{self.destination}_{kind}.mindrecord", schema, "mnist", rows)
        return SUCCESS

    def _read(self, name):
        path = self._folder() / f"{name}.gz"
        return read_idx(path if path.is_file() else self.source / name)


class _CifarToMR(_Converter):
    parts = ()  # for the training and for the test: the files' names, and the end of the destination's name
    labels = MappingProxyType({})  # the column of each key of labels
    description = ""

    def __init__(self, source, destination) -> None:
        super().__init__(source, destination)

    def run(self, fields=None) -> Any:
        """Write the files: ``SUCCESS``; the same as ``transform``."""
        return self.transform(fields)

    def transform(self, fields: list[Any] | None = None) -> Any:
        """Write the files: ``SUCCESS``.

        Args:
            fields (list): The names of the fields to be in the index; None means all but the image.
        """
        indexed = () if fields is None else check_names(self.name, "fields", fields)
        columns = ["id", *self.labels.values()]
        schema = {**{name: {"type": "int64"} for name in columns}, "data": {"type": "bytes"}}
        for ending, names in self.parts:
            batches = [self._batch(self._folder() / name) for name in names]
            self._write(f"{self.destination}{ending}", schema, self.description, self._rows(batches), indexed)
        return SUCCESS

    def _rows(self, batches):
        number = 0
        for images, *labels in batches:
            for image, *marks in zip(images, *labels, strict=True):
                yield {"id": number, **dict(zip(self.labels.values(), marks, strict=True)), "data": _jpeg(image)}
                number += 1

    def _batch(self, path):
        """The images and the labels of one file."""
        if not path.is_file():
            raise FileNotFoundError(f"For '{self.name}', the file '{path}' must exist, but there is no such file.")
        try:
            batch = _Arrays(io.BytesIO(path.read_bytes()), encoding="latin1").load()
            batch = {key.decode() if isinstance(key, bytes) else key: value for key, value in batch.items()}
            images = np.asarray(batch["data"], np.uint8).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
            labels = [[int(mark) for mark in batch[key]] for key in self.labels]
            if any(len(marks) != len(images) for marks in labels):
                raise ValueError(f"{len(images)} images and another number of labels")
        # a broken pickle fails in whatever way its bytes lead to
        except Exception as error:
            if is_own_sentence(error):
                raise
            got = f"{type(error).__name__}: {shown(error, str)}"
            raise value_error(self.name, f"the file '{path}' must be of CIFAR's python version", got) from error
        return np.ascontiguousarray(images), *labels


class _Arrays(pickle.Unpickler):
    """Reads a pickle of arrays, lists and strings, and of nothing that could run code."""

    known = frozenset(
        {("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode")}
        | {(module, "_reconstruct") for module in ("numpy.core.multiarray", "numpy._core.multiarray")}
        | {(module, "_frombuffer") for module in ("numpy.core.numeric", "numpy._core.numeric")}
    )

    def find_class(self, module, name):
        """The object that a name of the pickle stands for."""
        if (module, name) not in self.known:
            raise pickle.UnpicklingError(f"it holds {module}.{name}, which is no part of an array")
        return super().find_class(module.replace("numpy._core", "numpy.core").replace("numpy.core", _CORE), name)


class Cifar10ToMR(_CifarToMR):
    """Converts CIFAR-10's python version: ``id`` and ``label``, int64, and ``data``, the image as JPEG.

    The training images go to ``DESTINATION``, the test's to ``DESTINATION_test``. Of the pickled files only arrays are
    read. Pillow is needed (the extra ``images``).

    Args:
        source (str): The folder with ``data_batch_1`` to ``data_batch_5`` and ``test_batch``.
        destination (str): The path of the file for the training images.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: In ``run``, if a file is not CIFAR's or one is there.
        FileNotFoundError: In ``run``, if a file is missing.
    """

    parts = (("", tuple(f"data_batch_{i}" for i in range(1, 6))), ("_test", ("test_batch",)))
    labels = MappingProxyType({"labels": "label"})
    description = "cifar10"


class Cifar100ToMR(_CifarToMR):
    """Converts CIFAR-100's python version: ``id``, ``fine_label`` and ``coarse_label``, int64, and ``data``, as JPEG.

    The files are ``train`` and ``test``; else it is as :class:`Cifar10ToMR`.
    """

    parts = (("", ("train",)), ("_test", ("test",)))
    labels = MappingProxyType({"fine_labels": "fine_label", "coarse_labels": "coarse_label"})
    description = "cifar100"


class ImageNetToMR(_Converter):
    """Converts images in a folder for each class: ``label``, int32, ``image``, the file's bytes, and ``file_name``.

    Args:
        map_file (str): A file with lines of a folder's name and its label, as ``n02119789 0``.
        image_dir (str): The folder of these folders; their files with the ending ``.JPEG`` or ``.jpg`` are read.
        destination (str): The path of the file.
        partition_number (int): How many files the rows are spread over. Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``partition_number`` is out of [1, 1000]; in ``run``, if a line is not like this or a file is
            there.
        FileNotFoundError: In ``run``, if there is no such map or folder.
    """

    def __init__(self, map_file: str, image_dir: str, destination: str, partition_number: int = 1) -> None:
        super().__init__(image_dir, destination, partition_number)
        self.map_file = Path(check_path(self.name, "map_file", map_file))

    def transform(self) -> Any:
        """Write the files: ``SUCCESS``."""
        schema = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
        classes = [self._class(line) for line in lines_of(self.name, self.map_file)]
        return self._write(self.destination, schema, "imagenet", self._rows(classes))

    def _class(self, line):
        folder, *label = line.split()
        if not label or not label[0].isdecimal() or not (self._folder() / folder).is_dir():
            expected = f"each line of '{self.map_file}' must be the name of a folder in '{self.source}' and a number"
            raise value_error(self.name, expected, shown(line))
        return self.source / folder, int(label[0])

    @staticmethod
    def _rows(classes):
        for folder, label in classes:
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in (".jpeg", ".jpg"):
                    yield {"label": label, "image": path.read_bytes(), "file_name": os.fspath(path)}


class CsvToMR(_Converter):
    """Converts a csv file whose first line has the columns' names.

    A column of ints becomes int64, one of numbers float64, any other one strings.

    Args:
        source (str): The file.
        destination (str): The path of the file to write.
        columns_list (list): The columns to write; None means all.
        partition_number (int): How many files the rows are spread over. Default: 1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``partition_number`` is out of [1, 1000]; in ``run``, if a column is missing, or its name has
            other characters than letters, digits and _. Also if a line has another number of fields, or a file exists
            already.
        FileNotFoundError: In ``run``, if there is no such file.
    """

    def __init__(
        self, source: str, destination: str, columns_list: list[Any] | None = None, partition_number: int = 1
    ) -> None:
        super().__init__(source, destination, partition_number)
        self.columns_list = None if columns_list is None else check_names(self.name, "columns_list", columns_list)

    def transform(self) -> Any:
        """Write the files: ``SUCCESS``."""
        columns = self._columns()
        fields = {name: _typed(values) for name, values in columns.items()}
        schema = {name: {"type": kind} for name, (kind, _) in fields.items()}
        rows = zip(*(values for _, values in fields.values()), strict=True)
        return self._write(self.destination, schema, "csv", (dict(zip(fields, row, strict=True)) for row in rows))

    def _columns(self):
        """The fields of each column that is to be written."""
        import csv  # here, so that importing minispore stays quick

        if not self.source.is_file():
            raise FileNotFoundError(
                f"For '{self.name}', the file '{self.source}' must exist, but there is no such file."
            )
        lines = csv.reader(text_of(self.name, self.source).splitlines())
        rows = [(lines.line_num, row) for row in lines if row]
        if not rows:
            raise value_error(
                self.name, f"the file '{self.source}' must begin with the names of its columns", "no line"
            )
        (_, names), *rows = rows
        for number, row in rows:
            if len(row) != len(names):
                expected = f"line {number} of '{self.source}' must have {len(names)} fields"
                raise value_error(self.name, expected, len(row))
        wanted = names if self.columns_list is None else self.columns_list
        for name in wanted:
            if name not in names:
                raise value_error(self.name, f"the 'columns_list' must be among {names}", shown(name))
        return {name: [row[names.index(name)] for _, row in rows] for name in wanted}


def _typed(values):
    """The type of a column of texts, and its values of that type."""
    for kind, read in (("int64", int), ("float64", float)):
        try:
            return kind, [read(value) for value in values]
        except ValueError:  # not of this type; the next one may fit
            continue
    return "string", values


class TFRecordToMR(_Converter):
    """Converts a TFRecord file of examples.

    Args:
        source (str): The file.
        destination (str): The path of the file to write.
        feature_dict (dict): From the names of features to objects with ``shape`` and ``dtype``, such as
            TensorFlow's ``tf.io.FixedLenFeature``; types are int64, float32 and string. Signs that are not letters,
            digits or _ become _ in the names of fields.
        bytes_fields (list): The names of the string features that are bytes; the others are text. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a feature is of another type; in ``run``, if a record lacks a feature or has another number of
            values, or a file is there.
        FileNotFoundError: In ``run``, if there is no such file.
    """

    def __init__(
        self, source: str, destination: str, feature_dict: dict[str, Any], bytes_fields: list[Any] | None = None
    ) -> None:
        super().__init__(source, destination)
        if not isinstance(feature_dict, dict) or not feature_dict:
            raise type_error(self.name, "the 'feature_dict' must be a dict of features", shown(feature_dict))
        self.bytes_fields = check_names(self.name, "bytes_fields", bytes_fields or [])
        for name in self.bytes_fields:
            if name not in feature_dict:
                raise value_error(self.name, f"the 'bytes_fields' must be among {list(feature_dict)}", shown(name))
        self.features = {name: self._feature(name, feature) for name, feature in feature_dict.items()}

    def _feature(self, name, feature):
        """The name, the type and the shape of a feature's field."""
        check_text(self.name, "feature_dict", name)
        if not hasattr(feature, "dtype") or not hasattr(feature, "shape"):
            raise type_error(self.name, "each feature must have a 'dtype' and a 'shape'", shown(feature))
        kind, shape = str(getattr(feature.dtype, "name", feature.dtype)), list(feature.shape)
        if kind not in ("int64", "float32", "string") or len(shape) > 1 or (kind == "string" and shape):
            expected = "a feature must be int64 or float32 of shape [] or [n], or a string of shape []"
            raise value_error(self.name, expected, f"{kind} of shape {shape}")
        kind = "bytes" if name in self.bytes_fields else kind
        return "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in name), kind, shape

    def transform(self) -> Any:
        """Write the files: ``SUCCESS``."""
        fields = self.features.values()
        schema = {name: {"type": kind, **({"shape": shape} if shape else {})} for name, kind, shape in fields}
        return self._write(self.destination, schema, "tfrecord", self._rows())

    def _rows(self):
        if not self.source.is_file():
            raise FileNotFoundError(
                f"For '{self.name}', the file '{self.source}' must exist, but there is no such file."
            )
        content = self.source.read_bytes()
        try:
            for start, end in records_of(io.BytesIO(content)):
                yield self._row(start, example_of(content[start:end]))
        except (ValueError, UnicodeDecodeError) as error:
            if is_own_sentence(error):
                raise
            raise ValueError(f"For '{self.name}', the file '{self.source}' must {error}.") from error

    def _row(self, start, example):
        return {
            field: self._value(f"the example at byte {start} of '{self.source}'", name, kind, shape, example.get(name))
            for name, (field, kind, shape) in self.features.items()
        }

    def _value(self, where, name, kind, shape, values):
        """The value of a feature as its field holds it."""
        found = "bytes" if isinstance(values, list) else getattr(values, "dtype", None)
        if values is None or str(found) != ("bytes" if kind == "string" else kind):
            raise value_error(self.name, f"{where} must have '{name}' of type {kind}", str(found))
        if len(values) != (shape[0] if shape else 1):
            raise value_error(
                self.name, f"{where} must have {shape[0] if shape else 1} values of '{name}'", len(values)
            )
        if shape:
            return values.copy()
        return values[0].decode() if kind == "string" else values[0] if kind == "bytes" else values[0].item()
