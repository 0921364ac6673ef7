"""GeneratorDataset: rows of any kind that MindSpore 2.0.0 takes for a row."""

import numpy as np
import pytest

from minispore import dataset as ds

ROWS = {
    "a map": lambda i: map(np.asarray, (i, i + 1)),
    "a generator": lambda i: (np.asarray(j) for j in (i, i + 1)),
    "keys": lambda i: {i: 0, i + 1: 0}.keys(),
    "values": lambda i: {0: i, 1: i + 1}.values(),
    "a range": lambda i: range(i, i + 2),
    "a set": lambda i: {i, i + 1},
    "a list": lambda i: [i, i + 1],
}


def read(source, names):
    rows = ds.GeneratorDataset(source, names, shuffle=False).create_tuple_iterator(num_epochs=1, output_numpy=True)
    return [[value.tolist() for value in row] for row in rows]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_an_iterable_holds_the_values_of_its_row(row):
    assert read(lambda: (row(i) for i in range(2)), ["a", "b"]) == [[0, 1], [1, 2]]


def test_an_iterator_of_one_value_is_a_row_of_one_column():
    assert read(lambda: (map(np.asarray, [i]) for i in range(2)), ["a"]) == [[0], [1]]
    with pytest.raises(ValueError, match="a row must have 1 values, but got 2"):
        read(lambda: (map(np.asarray, [i, 2]) for i in range(2)), ["a"])


@pytest.mark.parametrize("value", [np.array([1, 2]), "ab"])
def test_what_is_itself_a_value_is_no_row(value):
    assert read(lambda: iter([value]), ["a"]) == [[value.tolist() if isinstance(value, np.ndarray) else value]]
    with pytest.raises(ValueError, match="a row must have 2 values, but got 1"):
        read(lambda: iter([value]), ["a", "b"])


def test_a_list_of_one_value_is_a_row_of_one_column_and_a_longer_one_its_value():
    assert read([[1], [2]], ["a"]) == read(lambda: iter([[1], [2]]), ["a"]) == [[1], [2]]
    assert read([[[1, 2]], [[3, 4]]], ["a"]) == read([[1, 2], [3, 4]], ["a"]) == [[[1, 2]], [[3, 4]]]
