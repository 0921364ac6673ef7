"""save: what is written is read again, in MindSpore's types, and what the files cannot hold is refused by name."""

import numpy as np
import pytest

from minispore import dataset as ds
from minispore.mindrecord import FileReader


def read(path):
    rows = ds.MindDataset(str(path), shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True)
    return [{name: value.tolist() for name, value in row.items()} for row in rows]


@pytest.mark.parametrize(
    ("kind", "plain", "vector"),
    [
        *((kind, {"type": "int32"}, {"type": "int32", "shape": [-1]}) for kind in ("int8", "int16", "uint16", "int32")),
        *((kind, {"type": "int64"}, {"type": "int64", "shape": [-1]}) for kind in ("uint32", "int64")),
        *((kind, {"type": kind}, {"type": kind, "shape": [-1]}) for kind in ("float32", "float64")),
        ("uint8", {"type": "int32"}, {"type": "bytes"}),
    ],
)
def test_the_schema_has_the_types_that_mindspore_gives_it(tmp_path, kind, plain, vector):
    values = np.array([[1, 2], [3, 4], [5, 6]], kind)
    path = str(tmp_path / "rows")
    assert ds.NumpySlicesDataset({"a": values[:, 0], "b": values}, shuffle=False).save(path) is None
    assert FileReader(path).schema() == {"a": plain, "b": vector}
    assert read(path) == [{"a": row[0], "b": row} for row in values.tolist()]


def test_strings_batches_and_rows_of_several_lengths_are_saved_over_several_files(tmp_path):
    lengths = [np.arange(6, dtype=np.float32).reshape(-1, 2)[:n] for n in (1, 3, 2, 3)]
    data = ds.NumpySlicesDataset({"s": ["x", "é", "", "zz"]}, shuffle=False)
    data = data.zip(ds.GeneratorDataset(lambda: iter([(x,) for x in lengths]), ["x"]))
    data.save(str(tmp_path / "rows"), num_files=2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rows0", "rows0.db", "rows1", "rows1.db"]
    assert read(tmp_path / "rows0") == [
        {"s": s, "x": x.tolist()} for s, x in zip(["x", "é", "", "zz"], lengths, strict=True)
    ]
    ds.NumpySlicesDataset({"a": np.arange(5)}, shuffle=False).batch(2).save(str(tmp_path / "batches"))
    assert read(tmp_path / "batches") == [{"a": [0, 1]}, {"a": [2, 3]}, {"a": [4]}]


@pytest.mark.parametrize("values", [[True], np.float16([1]), np.uint64([1]), [["a", "b"]]])
def test_a_column_that_the_files_cannot_hold_is_named_and_nothing_is_left(tmp_path, values):
    with pytest.raises(ValueError, match="For 'save', the column 'a' must be of ints"):
        ds.NumpySlicesDataset({"a": values}).save(str(tmp_path / "rows"))
    assert not list(tmp_path.iterdir())


def test_rows_of_other_lengths_than_the_first_ones_are_refused_and_nothing_is_left(tmp_path):
    data = ds.GeneratorDataset(lambda: iter([(np.zeros((2, n)),) for n in (2, 3)]), ["x"])
    with pytest.raises(ValueError, match="For 'save', the rows of column 'x' must be of one type and shape"):
        data.save(str(tmp_path / "rows"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("error", "arguments"),
    [(TypeError, (3,)), (ValueError, ("x", 0)), (TypeError, ("x", "1")), (ValueError, ("x", 1, "tf"))],
)
def test_wrong_arguments_of_save_are_refused(error, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=r"^For 'save', the '"):
        ds.NumpySlicesDataset([1]).save(*arguments)


def test_an_empty_dataset_and_a_file_that_is_there_are_refused(tmp_path):
    path = str(tmp_path / "rows")
    with pytest.raises(ValueError, match="For 'save', the dataset must have a row"):
        ds.NumpySlicesDataset([1]).skip(1).save(path)
    ds.NumpySlicesDataset([1]).save(path)
    with pytest.raises(ValueError, match="must not be there"):
        ds.NumpySlicesDataset([1]).save(path)
