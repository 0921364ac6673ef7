"""MindRecord files: what is written is read, MindSpore's files are, and broken ones are refused in a sentence."""

import contextlib
import json
import os
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minispore import dataset as ds
from minispore.data.mindrecord import files
from minispore.data.mindrecord.layout import joined, separated
from minispore.data.mindrecord.msgpack import packed, unpacked
from minispore.mindrecord import SUCCESS, FileReader, FileWriter

VECTORS = np.load(Path(__file__).parents[2] / "conformance" / "vectors" / "mindrecord.npz")
RECORDED = json.loads(str(VECTORS["rows"]))
SAMPLES = {"id": {"type": "int32"}, "data": {"type": "bytes"}}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of its own with the recorded files."""
    monkeypatch.chdir(tmp_path)
    for name in VECTORS.files:
        if name != "rows":
            Path(name).write_bytes(VECTORS[name].tobytes())
    return tmp_path


def first(name):
    return f"{name}0" if name == "shards" else name


def plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.decode("latin-1") if isinstance(value, bytes) else value


def rows_of(name):
    return [{key: plain(value) for key, value in row.items()} for row in FileReader(name).get_next()]


def written(name, schema, calls, shards=1, page_size=2**15):
    writer = FileWriter(name, shards)
    writer.set_header_size(2**14)
    writer.set_page_size(page_size)
    writer.add_schema(schema, "recorded")
    for call in calls:
        assert writer.write_raw_data(call) == SUCCESS
    assert writer.commit() == SUCCESS


@pytest.mark.parametrize("name", RECORDED)
def test_a_file_of_mindspore_has_the_rows_that_mindspore_reads(folder, name):
    assert rows_of(first(name)) == RECORDED[name]


@pytest.mark.parametrize("name", ["plain", "bytes", "mixed", "pages", "shards"])
def test_a_file_written_here_is_the_file_of_mindspore_byte_by_byte(folder, name):
    reader = FileReader(first(name))
    rows = list(reader.get_next())
    own = first(name).replace(name, f"new_{name}")
    calls = [rows[:2], rows[2:]] if name == "pages" else [rows]
    written(f"new_{name}", reader.schema(), calls, 3 if name == "shards" else 1)
    ours, theirs = Path(own).read_bytes(), Path(first(name)).read_bytes()
    assert ours[2**14 :] == theirs[2**14 :]
    assert rows_of(own) == RECORDED[name]


def test_int_arrays_of_every_width_come_back():
    for bits in range(64):
        array = np.array([2**bits - 1, -(2**bits), 0, bits][: bits % 5], np.int64)
        assert separated(joined([array, b"x"], ["int64", "bytes"]), ["int64", "bytes"])[0].tolist() == array.tolist()


@pytest.mark.parametrize(
    "value", [0, 127, 128, -32, -33, 2**63 - 1, -(2**63), 0.5, 0.1, 1e300, "", "é" * 40, "x" * 70000]
)
def test_a_plain_field_comes_back_from_its_bytes(value):
    assert unpacked(packed({"a": value, "b": 1})) == {"a": value, "b": 1}


def test_rows_larger_than_a_page_in_sum_are_spread_over_pages_and_read_in_their_order(folder):
    rows = [{"id": i, "data": bytes([i]) * 9000} for i in range(20)]
    written("many", SAMPLES, [rows[:7], rows[7:]], shards=2)
    assert sorted(row["id"] for row in FileReader("many0").get_next()) == list(range(20))
    assert all(row["data"] == bytes([row["id"]]) * 9000 for row in FileReader("many0").get_next())


def test_rows_are_added_to_a_file_that_is_there(folder):
    writer = FileWriter.open_for_append("pages")
    writer.write_raw_data([{"id": 8, "data": b"new"}])
    assert [row["id"] for row in FileReader("pages").get_next()] == [1, -5, 70000, 300]
    writer.commit()
    assert [row["id"] for row in FileReader("pages").get_next()] == [1, -5, 70000, 300, 8]


def test_a_file_that_is_not_finished_is_not_there(folder):
    writer = FileWriter("new")
    writer.add_schema(SAMPLES)
    writer.write_raw_data([{"id": 8, "data": b"new"}])
    del writer
    assert not list(folder.glob("new*"))


def ids(**options):
    data = ds.MindDataset("shards0", **options)
    rows = [row["id"].item() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
    assert len(rows) == data.get_dataset_size()
    return rows


def test_a_dataset_deals_rows_in_blocks_and_pads_them_as_mindspore_does(folder):
    assert ids(shuffle=False) == [0, 1, 2, 3, 4, 5, 6]
    assert ids(shuffle=False, num_shards=3, shard_id=0) == [0, 1, 2]
    assert ids(shuffle=False, num_shards=3, shard_id=2) == [6, 0, 1]
    assert ids(shuffle=False, num_samples=3) == [0, 1, 2]
    padding = {"padded_sample": {"id": -1}, "num_padded": 2, "columns_list": ["id"]}
    assert ids(shuffle=False, num_shards=3, shard_id=2, **padding) == [6, -1, -1]
    assert ids(sampler=ds.SequentialSampler(2, 3)) == [2, 3, 4]
    assert sorted(ids()) == [0, 1, 2, 3, 4, 5, 6]
    assert sorted(ids(shuffle=ds.Shuffle.INFILE)[:2]) == [0, 1]


def test_a_dataset_has_the_types_that_mindspore_gives_its_columns(folder):
    row = next(ds.MindDataset("mixed", shuffle=False).create_dict_iterator(output_numpy=True))
    assert [(name, str(value.dtype)[:6], value.shape) for name, value in row.items()] == [
        ("x", "float3", (2,)),
        ("y", "uint8", (0,)),
        ("z", "<U2", ()),
    ]


def test_workers_that_share_a_file_read_its_rows(folder):
    for processes in (False, True):
        data = ds.MindDataset("shards0", shuffle=False)
        data = data.map(lambda x: x + 1, "id", num_parallel_workers=2, python_multiprocessing=processes)
        assert [row[0].item() for row in data.create_tuple_iterator(output_numpy=True)] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("error", "row"),
    [
        (TypeError, {"id": "1", "data": b""}),
        (TypeError, {"id": 1, "data": "text"}),
        (TypeError, 3),
        (ValueError, {"id": 1}),
        (ValueError, {"id": 2**31, "data": b""}),
        (ValueError, {"id": 1, "data": bytes(40000)}),
    ],
)
def test_a_row_that_its_schema_does_not_fit_is_refused_and_nothing_is_written(folder, error, row):
    writer = FileWriter("new")
    writer.set_page_size(2**15)
    writer.add_schema(SAMPLES)
    with pytest.raises(error, match=r"^For 'write_raw_data', .*, but got .*"):
        writer.write_raw_data([{"id": 1, "data": b"x"}, row])
    assert not list(folder.glob("new*"))


@given(
    row=st.fixed_dictionaries(
        {"id": st.integers(-(2**31), 2**31 - 1), "data": st.binary(max_size=20)},
        optional={"label": st.integers(), "object": st.builds(object), 3: st.none(), "ID": st.floats()},
    )
)
def test_fields_beyond_the_schema_are_not_written(tmp_path_factory, row):
    name = str(tmp_path_factory.mktemp("rows") / "rows")
    written(name, SAMPLES, [[row, {"id": 0, "data": b""}]])
    assert [dict(found) for found in FileReader(name).get_next()] == [
        {key: row[key] for key in SAMPLES},
        {"id": 0, "data": b""},
    ]


def test_a_file_that_is_there_is_replaced_with_overwrite_alone(folder):
    writer = FileWriter("plain")
    writer.add_schema(SAMPLES)
    with pytest.raises(ValueError, match="For 'FileWriter', the file 'plain' must not be there unless 'overwrite' is"):
        writer.write_raw_data([])


@given(field=st.sampled_from(files._WHERE.split(", ")), value=st.integers(0, 2**62))
def test_an_index_that_points_beyond_the_file_ends_in_one_sentence(tmp_path_factory, field, value):
    name = str(tmp_path_factory.mktemp("rows") / "rows")
    written(name, SAMPLES, [[{"id": 1, "data": b"x"}]])
    with contextlib.closing(sqlite3.connect(f"{name}.db")) as index, index:
        (before,) = index.execute(f"SELECT {field} FROM INDEXES").fetchone()
        index.execute(f"UPDATE INDEXES SET {field} = {value}")
    try:
        found = [dict(row) for row in FileReader(name).get_next()]
        assert found == [{"id": 1, "data": b"x"}] or value != before
    except ValueError as error:
        assert str(error).startswith("For '"), error


def test_an_index_does_not_compute(folder):
    with contextlib.closing(sqlite3.connect("plain.db")) as index, index:
        names = [row[1] for row in index.execute("PRAGMA table_info(INDEXES)")]
        index.execute("ALTER TABLE INDEXES RENAME TO OLD")
        columns = ", ".join(n if n != "PAGE_ID_RAW" else f"{n} AS (length(hex(zeroblob(9)))) VIRTUAL" for n in names)
        index.execute(f"CREATE TABLE INDEXES ({columns})")
    with pytest.raises(ValueError, match="an index with columns that are computed"):
        FileReader("plain")


def test_a_broken_file_ends_in_one_sentence(folder):
    rng = np.random.default_rng(0)
    tries = 200 if settings.default.max_examples < 500 else 20000
    contents = {name: VECTORS[name] for name in ("mixed", "mixed.db", "ints", "ints.db")}
    for _ in range(tries):
        name = sorted(contents)[rng.integers(4)]
        content = contents[name].copy()
        used = np.flatnonzero(content)
        for place in rng.choice(used, rng.integers(1, 4)):
            content[place] = rng.integers(256)
        content = content[: rng.integers(len(content))] if rng.random() < 0.2 else content
        Path(name).write_bytes(content.tobytes())
        try:
            rows_of(name.removesuffix(".db"))
        except (ValueError, FileNotFoundError) as error:
            assert str(error).startswith("For '"), error
        finally:
            Path(name).write_bytes(contents[name].tobytes())
    assert os.listdir(folder)
