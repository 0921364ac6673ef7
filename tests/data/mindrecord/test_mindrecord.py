"""MindRecord files: what is written is read, MindSpore's files are, and broken ones are refused in a sentence."""

import contextlib
import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import dataset as ds
from minispore.data.mindrecord import files
from minispore.mindrecord import SUCCESS, FileReader, FileWriter

VECTORS = np.load(Path(__file__).parents[2] / "conformance" / "vectors" / "mindrecord.npz")
RECORDED = json.loads(str(VECTORS["rows"]))
SAMPLES = {"id": {"type": "int32"}, "data": {"type": "bytes"}}


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
