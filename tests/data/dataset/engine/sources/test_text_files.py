"""TextFileDataset and CSVDataset: rows of text files, line by line."""

import numpy as np
import pytest
from data.dataset.engine.sources.test_cifar import kinds
from data.dataset.engine.sources.test_image_folder import read

from minispore import dataset as ds


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "a.txt").write_text("a1\na2\n\na3")
    (tmp_path / "b.txt").write_text("b1\r\nb2\nb3\nb4\n")
    return tmp_path


def test_lines_come_file_after_file_without_empty_ones(lines):
    data = ds.TextFileDataset([str(lines / "b.txt"), str(lines / "a.txt")], shuffle=False)
    assert [row for (row,) in read(data)] == ["a1", "a2", "a3", "b1", "b2", "b3", "b4"]
    assert (data.get_col_names(), len(data), data.output_types()) == (["text"], 7, [np.dtype("<U")])


def test_shards_of_files_are_blocks_that_wrap_around(lines):
    def shard(i):
        return [row for (row,) in read(ds.TextFileDataset(f"{lines}/*.txt", 9, None, False, 2, i))]

    assert [shard(0), shard(1)] == [["a1", "a2", "a3", "b1"], ["b2", "b3", "b4", "a1"]]


@pytest.mark.parametrize("level", ds.Shuffle)
def test_every_level_of_shuffling_keeps_all_rows(lines, level):
    got = [row for (row,) in read(ds.TextFileDataset(f"{lines}/*.txt", shuffle=level))]
    assert sorted(got) == ["a1", "a2", "a3", "b1", "b2", "b3", "b4"]
    if level is not ds.Shuffle.GLOBAL:
        assert {row[0] for row in got[:3]} == {got[0][0]}


def test_csv_takes_names_from_its_first_line_and_types_from_defaults(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('x,y,s\n1,2.5,hi\n3,4.5,"q,r"\n')
    data = ds.CSVDataset(str(path), shuffle=False)
    assert data.get_col_names() == ["x", "y", "s"] and read(data) == [["1", "2.5", "hi"], ["3", "4.5", "q,r"]]
    typed = ds.CSVDataset(str(path), column_defaults=[0, 0.0, ""], shuffle=False)
    assert read(typed) == [[1, 2.5, "hi"], [3, 4.5, "q,r"]] and kinds(typed) == ["<i4", "<f4", "<U2"]
    assert read(ds.CSVDataset(str(path), column_names=["p", "q", "r"], shuffle=False))[0] == ["x", "y", "s"]


@pytest.mark.parametrize(
    "text, options, message",
    [
        ("1,2\n3\n", {}, r"line 2 of '.*' must have 2 fields, but got 1"),
        ("1,2\nz,4\n", {"column_defaults": [0, 0]}, "line 2 of .* must be of type int, but got 'z'"),
        ("1,2\n", {"column_defaults": [0]}, "must be 2, one for each column, but got 1"),
        ("", {"column_names": None}, "must begin with the names"),
    ],
)
def test_a_broken_csv_file_gets_one_sentence(tmp_path, text, options, message):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=f"^For 'CSVDataset', .*{message}"):
        ds.CSVDataset(str(tmp_path / "a.csv"), **{"column_names": ["p", "q"], **options})


def test_a_missing_file_and_one_that_is_not_text_are_named(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe\xfa")
    for path, message in (("nowhere", "must be there, but got no file"), ("x.txt", "must be UTF-8 text")):
        with pytest.raises(ValueError, match=message):
            ds.TextFileDataset(str(tmp_path / path))
