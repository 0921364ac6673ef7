"""Converters: the files have the schemas and rows of MindSpore's converters, and a broken source is one sentence."""

import gzip
import io
import pickle
import types

import numpy as np
import pytest
from conformance.cases.source_folders import idx, put

from minispore import mindrecord as mr
from minispore.data.dataset.engine.sources.tf_example import masked_crc

SUCCESS = mr.SUCCESS


def rows_of(path):
    return list(mr.FileReader(str(path)).get_next())


def unpacked(data):
    image = pytest.importorskip("PIL.Image")
    return np.array(image.open(io.BytesIO(data)))


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_mnist_becomes_two_sets_of_files_of_labels_and_jpegs(tmp_path, ending):
    pytest.importorskip("PIL")
    flat = np.full((3, 28, 28), 77, np.uint8)
    packed = gzip.compress if ending else bytes
    for part, count in (("train", 3), ("t10k", 2)):
        put(tmp_path, {f"{part}-images-idx3-ubyte{ending}": packed(idx(flat[:count]))})
        put(tmp_path, {f"{part}-labels-idx1-ubyte{ending}": packed(idx(np.arange(count, dtype=np.uint8) + 4))})
    assert mr.MnistToMR(str(tmp_path), str(tmp_path / "m")).transform() == SUCCESS
    assert [row["label"] for row in rows_of(tmp_path / "m_train.mindrecord")] == [4, 5, 6]
    reader = mr.FileReader(str(tmp_path / "m_test.mindrecord"))
    assert reader.schema() == {"data": {"type": "bytes"}, "label": {"type": "int64"}}
    assert all((unpacked(row["data"]) == flat[0]).all() for row in reader.get_next())
    mr.MnistToMR(str(tmp_path), str(tmp_path / "two"), 2).run()
    assert (tmp_path / "two_train.mindrecord1").is_file()


def cifar(folder, keys, told=lambda x: x):
    """Batches of two images each, pickled under ``keys`` of labels."""
    for number, name in enumerate([*(f"data_batch_{i}" for i in range(1, 6)), "test_batch", "train", "test"]):
        batch = {"data": np.full((2, 3072), 9 * number, np.uint8)}
        batch |= {key: [number, place] for place, key in enumerate(keys)}
        put(folder, {name: pickle.dumps({told(key): value for key, value in batch.items()}, protocol=2)})


@pytest.mark.parametrize("told", [str, str.encode])
def test_cifar_10_has_the_rows_of_its_batches_one_after_another(tmp_path, told):
    pytest.importorskip("PIL")
    cifar(tmp_path, ["labels"], told)
    assert mr.Cifar10ToMR(str(tmp_path), str(tmp_path / "c")).transform(["label"]) == SUCCESS
    rows = rows_of(tmp_path / "c")
    assert [(row["id"], row["label"]) for row in rows] == [(i, i // 2 if i % 2 == 0 else 0) for i in range(10)]
    assert mr.FileReader(str(tmp_path / "c")).schema() == {
        "data": {"type": "bytes"},
        "id": {"type": "int64"},
        "label": {"type": "int64"},
    }
    assert unpacked(rows[4]["data"]).shape == (32, 32, 3) and int(unpacked(rows[4]["data"])[0, 0, 0]) == 18
    assert [row["id"] for row in rows_of(tmp_path / "c_test")] == [0, 1]


def test_cifar_100_has_two_labels(tmp_path):
    pytest.importorskip("PIL")
    cifar(tmp_path, ["fine_labels", "coarse_labels"])
    mr.Cifar100ToMR(str(tmp_path), str(tmp_path / "c")).run()
    told = [(row["id"], row["fine_label"], row["coarse_label"]) for row in rows_of(tmp_path / "c")]
    assert told == [(0, 6, 6), (1, 0, 1)]


class Harmful:
    def __reduce__(self):
        return print, ("run",)


@pytest.mark.parametrize(
    "content", [b"", b"no pickle", pickle.dumps({"data": [1]}), pickle.dumps([1]), pickle.dumps(Harmful())]
)
def test_a_batch_of_another_kind_is_refused_and_runs_nothing(tmp_path, capsys, content):
    cifar(tmp_path, ["labels"])
    put(tmp_path, {"data_batch_2": content})
    with pytest.raises(ValueError, match=r"^For 'Cifar10ToMR', the file '.*data_batch_2' must be of CIFAR's python"):
        mr.Cifar10ToMR(str(tmp_path), str(tmp_path / "c")).transform()
    assert capsys.readouterr().out == "" and not (tmp_path / "c").exists()


def test_a_folder_of_images_keeps_their_bytes_and_names(tmp_path):
    put(
        tmp_path, {"n1/b.JPEG": b"12", "n1/a.JPEG": b"1", "n0/c.jpg": b"3", "n0/d.txt": b"4", "map": "n1 0 cat\nn0 1\n"}
    )
    assert mr.ImageNetToMR(str(tmp_path / "map"), str(tmp_path), str(tmp_path / "i")).transform() == SUCCESS
    told = [(row["file_name"], row["label"], row["image"]) for row in rows_of(tmp_path / "i")]
    expected = [("n1/a.JPEG", 0, b"1"), ("n1/b.JPEG", 0, b"12"), ("n0/c.jpg", 1, b"3")]
    assert told == [(str(tmp_path / name), label, data) for name, label, data in expected]
    put(tmp_path, {"map": "n7 0\n"})
    with pytest.raises(ValueError, match=r"For 'ImageNetToMR', each line of .* must be the name of a folder"):
        mr.ImageNetToMR(str(tmp_path / "map"), str(tmp_path), str(tmp_path / "j")).run()


def test_a_csv_file_has_columns_of_ints_floats_and_strings(tmp_path):
    put(tmp_path, {"a.csv": 'a,b,c\n1,2.5,x\n3,4,"y,z"\n'})
    assert mr.CsvToMR(str(tmp_path / "a.csv"), str(tmp_path / "c")).transform() == SUCCESS
    assert mr.FileReader(str(tmp_path / "c")).schema() == {
        "a": {"type": "int64"},
        "b": {"type": "float64"},
        "c": {"type": "string"},
    }
    assert rows_of(tmp_path / "c") == [{"a": 1, "b": 2.5, "c": "x"}, {"a": 3, "b": 4.0, "c": "y,z"}]
    mr.CsvToMR(str(tmp_path / "a.csv"), str(tmp_path / "d"), ["c"]).run()
    assert rows_of(tmp_path / "d") == [{"c": "x"}, {"c": "y,z"}]


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("", None, "must begin with the names"),
        ("a,b\n1\n", None, "line 2 of .* must have 2 fields, but got 1"),
        ("a,b\n1,2\n", ["c"], "the 'columns_list' must be among"),
        ("a b\n1\n", None, "the names of fields must be of letters"),
    ],
)
def test_a_broken_csv_file_is_one_sentence(tmp_path, text, columns, message):
    put(tmp_path, {"a.csv": text})
    with pytest.raises(ValueError, match=f"^For '.*', .*{message}"):
        mr.CsvToMR(str(tmp_path / "a.csv"), str(tmp_path / "c"), columns).transform()


def record(data):
    head = len(data).to_bytes(8, "little")
    return head + masked_crc(head).to_bytes(4, "little") + data + bytes(4)


def field(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def example(**features):
    entries = b""
    for name, (kind, data) in features.items():
        entries += field(1, field(1, name.encode()) + field(2, field(kind, data)))
    return field(1, entries)


FEATURES = {
    "id": types.SimpleNamespace(shape=(), dtype=types.SimpleNamespace(name="int64")),
    "text": types.SimpleNamespace(shape=(), dtype="string"),
    "raw": types.SimpleNamespace(shape=(), dtype="string"),
    "x/y": types.SimpleNamespace(shape=(2,), dtype="float32"),
}
ROW = {"id": (3, b"\x08\x07"), "text": (1, field(1, b"hi")), "raw": (1, field(1, b"\xff"))}
ROW["x/y"] = (2, field(1, np.array([1, 2], "<f4").tobytes()))


def test_a_tfrecord_file_has_fields_of_the_features_types(tmp_path):
    put(tmp_path, {"r": record(example(**ROW))})
    assert mr.TFRecordToMR(str(tmp_path / "r"), str(tmp_path / "m"), FEATURES, ["raw"]).transform() == SUCCESS
    (row,) = rows_of(tmp_path / "m")
    assert row.pop("x_y").tolist() == [1, 2] and row == {"id": 7, "text": "hi", "raw": b"\xff"}


@pytest.mark.parametrize(
    "changed", [{"id": (2, b"")}, {"x/y": (2, field(1, bytes(4)))}, {"text": (1, field(1, b"\xff"))}]
)
def test_a_record_of_other_features_is_one_sentence(tmp_path, changed):
    put(tmp_path, {"r": record(example(**{**ROW, **changed}))})
    with pytest.raises(ValueError, match=r"^For 'TFRecordToMR', "):
        mr.TFRecordToMR(str(tmp_path / "r"), str(tmp_path / "m"), FEATURES, ["raw"]).run()
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (TypeError, lambda: mr.MnistToMR(3, "x")),
        (TypeError, lambda: mr.MnistToMR("x", 3)),
        (ValueError, lambda: mr.MnistToMR("x", "y", 0)),
        (TypeError, lambda: mr.CsvToMR("x", "y", [3])),
        (TypeError, lambda: mr.TFRecordToMR("x", "y", {"a": 1})),
        (ValueError, lambda: mr.TFRecordToMR("x", "y", {"a": types.SimpleNamespace(shape=(), dtype="int8")})),
        (FileNotFoundError, lambda: mr.CsvToMR("nowhere", "y").run()),
        (FileNotFoundError, lambda: mr.Cifar10ToMR("nowhere", "y").run()),
        (FileNotFoundError, lambda: mr.TFRecordToMR("nowhere", "y", FEATURES).run()),
    ],
)
def test_wrong_arguments_and_missing_files_are_refused(error, make):
    with pytest.raises(error, match=r"^For '"):
        make()
