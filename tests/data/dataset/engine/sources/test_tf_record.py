"""TFRecordDataset: rows, types, shapes and orders as MindSpore 2.0.0 has them; one sentence for a broken file."""

import gzip
import json
import struct
import zlib

import numpy as np
import pytest

import minispore as ms
from minispore import dataset as ds
from minispore.data.dataset.engine.sources.tf_example import masked_crc
from minispore.data.serialization.protobuf import bytes_field, number_field


def record(data):
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))


def feature(values, packed):
    if isinstance(values[0], bytes):
        return bytes_field(1, b"".join(bytes_field(1, value) for value in values))
    if isinstance(values[0], float):
        parts = [struct.pack("<f", value) for value in values]
        return bytes_field(2, bytes_field(1, b"".join(parts)) if packed else b"".join(b"\r" + part for part in parts))
    parts = [number_field(1, value % 2**64) for value in values]
    return bytes_field(3, bytes_field(1, b"".join(part[1:] for part in parts)) if packed else b"".join(parts))


def example(row, packed=True):
    entries = (bytes_field(1, k.encode()) + bytes_field(2, feature(v, packed)) for k, v in row.items())
    return bytes_field(1, b"".join(bytes_field(1, entry) for entry in entries))


def content(rows, packed=True):
    return b"".join(record(example(row, packed)) for row in rows)


ROWS = [{"a": [i, i + 1, -i], "f": [i * 0.5, 1.0], "s": [b"x%d" % i], "l": [b"hello", b"w%d" % i]} for i in range(6)]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.tf").write_bytes(content(ROWS))
    (tmp_path / "b.tf").write_bytes(content([{"a": [100 + i]} for i in range(4)]))
    (tmp_path / "c.tf").write_bytes(content([{"a": [1000 + i]} for i in range(3)]))
    return tmp_path


def rows(data):
    return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


def only(path, column, kind, shape=None):
    schema = ds.Schema()
    schema.add_column(column, kind, shape)
    return rows(ds.TFRecordDataset(str(path), schema, shuffle=False))[1][column]


@pytest.mark.parametrize("packed", [True, False])
def test_features_come_by_name_with_bytes_filled_up_with_spaces(tmp_path, packed):
    (tmp_path / "a.tf").write_bytes(content(ROWS, packed))
    data = ds.TFRecordDataset(str(tmp_path / "a.tf"), shuffle=False)
    assert (data.get_col_names(), len(data)) == (["a", "f", "l", "s"], 6)
    assert data.output_types() == [np.int64, np.float32, np.uint8, np.uint8]
    row = rows(data)[1]
    assert (row["a"].tolist(), row["f"].tolist()) == ([1, 2, -1], [0.5, 1.0])
    assert (row["l"].tobytes(), row["s"].tobytes()) == (b"hellow1   ", b"x1")


@pytest.mark.parametrize(
    ("column", "kind", "shape", "expected"),
    [
        ("a", ms.int32, None, np.array([1, 2, -1], np.int32)),
        ("a", ms.uint8, [3, 1], np.array([[1], [2], [255]], np.uint8)),
        ("a", ms.int64, [-1, 3], np.array([[1, 2, -1]])),
        ("f", ms.float32, [2], np.array([0.5, 1], np.float32)),
        ("s", ms.int8, None, np.array([120, 49], np.int8)),
        ("l", ms.string, None, np.array(["hello", "w1"])),
        ("l", ms.string, [2, 1], np.array([["hello"], ["w1"]])),
    ],
)
def test_a_schema_says_type_and_shape(folder, column, kind, shape, expected):
    out = only(folder / "a.tf", column, kind, shape)
    assert out.dtype == expected.dtype
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize(
    ("column", "kind", "shape", "message"),
    [
        ("a", ms.float32, None, "'a' of the schema must be of an int type, but got float32"),
        ("f", ms.float64, None, "'f' of the schema must be of type float32, but got float64"),
        ("s", ms.int32, None, "must be of type uint8, int8 or string, but got int32"),
        ("a", ms.int64, [2], r"must be of the schema's shape \[2\], but got 3 values"),
        ("a", ms.int64, [], r"must be of the schema's shape \[\], but got 3 values"),
        ("q", ms.int64, None, "each record must have values of the column 'q', but got none"),
    ],
)
def test_a_schema_that_does_not_fit_gets_one_sentence(folder, column, kind, shape, message):
    with pytest.raises(ValueError, match=f"^For 'TFRecordDataset', .*{message}"):
        only(folder / "a.tf", column, kind, shape)


def test_a_json_schema_says_the_number_of_rows(folder):
    path = folder / "schema.json"
    path.write_text(json.dumps({"numRows": 3, "columns": {"s": {"type": "uint8"}, "a": {"type": "int32", "rank": 1}}}))
    data = ds.TFRecordDataset(str(folder / "a.tf"), str(path), shuffle=False)
    assert (len(data), data.get_col_names()) == (3, ["s", "a"])
    assert len(ds.TFRecordDataset(str(folder / "a.tf"), str(path), ["a"], 5)) == 5


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 1000, 1001, 1002]),
        ({"num_parallel_workers": 2}, [0, 100, 1, 101, 2, 102, 3, 103, 4, 5, 1000, 1001, 1002]),
        ({"num_parallel_workers": 2, "num_shards": 2, "shard_id": 0}, [0, 1000, 1, 1001, 2, 1002, 3, 4, 5]),
        ({"num_shards": 2, "shard_id": 1}, [100, 101, 102, 103]),
        (
            {"num_parallel_workers": 2, "num_shards": 2, "shard_id": 1, "shard_equal_rows": True},
            [101, 1000, 102, 1001, 103, 1002, 0],
        ),
        ({"num_shards": 2, "shard_id": 1, "shard_equal_rows": True, "num_samples": 3}, [101, 102, 103]),
    ],
)
def test_files_are_read_in_turn_and_dealt_to_shards(folder, options, expected):
    paths = [str(folder / f"{name}.tf") for name in "cab"]
    data = ds.TFRecordDataset(paths, columns_list=["a"], shuffle=False, **{"num_parallel_workers": 1, **options})
    assert [row["a"][0] for row in rows(data)] == expected
    assert len(data) == len(expected)


@pytest.mark.parametrize("level", ds.Shuffle)
def test_shuffling_keeps_all_rows(folder, level):
    data = ds.TFRecordDataset(f"{folder}/*.tf", columns_list=["a"], shuffle=level)
    first = [row["a"][0] for row in rows(data)]
    assert sorted(first) == [0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 1000, 1001, 1002]


@pytest.mark.parametrize(("kind", "squeeze"), [("GZIP", gzip.compress), ("ZLIB", zlib.compress)])
def test_compressed_files_hold_the_same_rows(folder, kind, squeeze):
    (folder / "a.z").write_bytes(squeeze(content(ROWS)))
    data = ds.TFRecordDataset(str(folder / "a.z"), shuffle=False, compression_type=kind)
    assert [row["a"][0] for row in rows(data)] == [0, 1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="must be readable"):
        ds.TFRecordDataset(str(folder / "a.tf"), compression_type=kind)


WHOLE = content(ROWS)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "must hold records, but got none"),
        (WHOLE[:5], "the one at byte 0 is cut off"),
        (WHOLE[:-20], "the one at byte .* is cut off"),
        (b"hello world this is text", "there is none at byte 0: its checksum differs"),
        (record(b""), "the first record must have features"),
        (record(b"\xff\xff"), "the example at byte 12 of .* must be complete"),
        (record(b"\n\x7f"), "must be complete, but got 0 of 127 bytes"),
        (record(bytes_field(2, b"")), "must hold fields of its format"),
        (record(bytes_field(1, bytes_field(1, bytes_field(1, b"\xff")))), "names of features must be UTF-8"),
        (record(bytes_field(1, bytes_field(1, bytes_field(1, b"a")))), "'a' of the first record must have values"),
    ],
)
def test_a_broken_file_gets_one_sentence(tmp_path, data, message):
    (tmp_path / "bad.tf").write_bytes(data)
    with pytest.raises(ValueError, match=f"^For 'TFRecordDataset', .*{message}"):
        ds.TFRecordDataset(str(tmp_path / "bad.tf"))


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (TypeError, {"schema": 3}),
        (TypeError, {"columns_list": "a"}),
        (ValueError, {"columns_list": ["a", "a"]}),
        (ValueError, {"columns_list": ["zz"]}),
        (TypeError, {"shard_equal_rows": 3}),
        (ValueError, {"compression_type": "x"}),
        (ValueError, {"num_shards": 2, "shard_id": 1}),
        (TypeError, {"shuffle": 3}),
        (ValueError, {"num_samples": -1}),
        (ValueError, {"dataset_files": []}),
    ],
)
def test_a_wrong_argument_ends_in_a_sentence(folder, error, options):
    with pytest.raises(error, match=r"^For '"):
        ds.TFRecordDataset(**{"dataset_files": str(folder / "a.tf"), **options})
