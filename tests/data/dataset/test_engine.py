"""The engine: orders, shapes, names and sizes as MindSpore 2.0.0 has them, and the laws of shuffling."""

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.core import context, seeds
from minispore.core.tensor import Tensor
from minispore.dataset import GeneratorDataset, NumpySlicesDataset, embedded_fashion_mnist


@pytest.fixture
def seeded():
    before = context.get_seed(), seeds.seed.draws
    context.set_seed(3)
    yield
    seeds.seed.value, seeds.seed.draws = before


def numbers(n=5, **options):
    return NumpySlicesDataset(list(range(1, n + 1)), **{"shuffle": False, **options})


def pairs():
    return NumpySlicesDataset({"a": np.arange(4, dtype=np.float32), "b": np.arange(4)}, shuffle=False)


def read(dataset):
    return [row[0].tolist() for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def dicts(dataset):
    rows = dataset.create_dict_iterator(num_epochs=1, output_numpy=True)
    return [{name: value.tolist() for name, value in row.items()} for row in rows]


class Indexable:
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return np.full(2, i, np.float32), i


def three_rows():
    yield from ((np.full(2, i, np.float32), i) for i in range(3))


# Sources


@pytest.mark.parametrize(
    "data, names",
    [
        ([1, 2], ["column_0"]),
        (([1, 2], [3, 4]), ["column_0", "column_1"]),
        (np.zeros((2, 3)), ["column_0"]),
        ({"x": [1, 2]}, ["x"]),
    ],
)
def test_columns_are_named_by_position_unless_a_dict_names_them(data, names):
    assert NumpySlicesDataset(data).get_col_names() == names


def test_rows_are_tensors_in_a_list_and_keep_the_arrays_dtype():
    row = next(iter(pairs()))
    assert isinstance(row, list) and all(type(value) is Tensor for value in row)
    assert [(str(value.dtype), value.shape) for value in row] == [("Float32", ()), ("Int64", ())]


@pytest.mark.parametrize(
    "error, arguments, message",
    [
        (TypeError, (None,), "'data' must be a list, tuple, dict or NumPy array, but got NoneType"),
        (TypeError, (3,), "but got int"),
        (ValueError, ([],), "must not be empty"),
        (ValueError, (([1, 2], [1]),), r"one length, but got \[2, 1\]"),
        (ValueError, (([1], [2]), ["x"]), "'column_names' must be 2 names, but got 1"),
        (ValueError, (([1], [2]), ["x", "x"]), "differ from one another"),
        (ValueError, ([[1, 2], [3]],), "one shape"),
    ],
)
def test_what_is_no_set_of_columns_is_refused(error, arguments, message):
    with pytest.raises(error, match=message):
        NumpySlicesDataset(*arguments)


def test_shards_deal_the_rows_and_have_one_size():
    assert read(numbers(num_shards=2, shard_id=1)) == [2, 4, 1]
    assert numbers(num_shards=2, shard_id=1).get_dataset_size() == 3
    with pytest.raises(ValueError, match="'shard_id' must be below 'num_shards', 2, but got 2"):
        numbers(num_shards=2, shard_id=2)


@pytest.mark.parametrize("source, size", [(three_rows, 3), (Indexable(), 4), (list(three_rows()), 3)])
def test_a_generator_dataset_reads_functions_and_indexable_objects(source, size):
    data = GeneratorDataset(source, ["x", "y"], shuffle=False)
    rows = [(x.tolist(), y.tolist()) for x, y in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert data.get_dataset_size() == size and data.get_col_names() == ["x", "y"]
    assert rows == [([float(i)] * 2, i) for i in range(size)]


def test_a_generator_function_is_called_again_for_each_epoch():
    rows = GeneratorDataset(three_rows, ["x", "y"]).create_tuple_iterator(columns="y", output_numpy=True)
    assert [[int(y) for (y,) in rows] for _ in range(2)] == [[0, 1, 2]] * 2


GIVEN_ONCE = {
    "generator": lambda rows: (row for row in rows),
    "map": lambda rows: map(tuple, rows),
    "zip": lambda rows: zip(*map(list, zip(*rows, strict=True)), strict=True),
    "filter": lambda rows: filter(len, rows),
    "iterator of a list": iter,
    "chain": lambda rows: itertools.chain(rows[:1], rows[1:]),
}


@pytest.mark.parametrize("kind", GIVEN_ONCE)
@given(data=st.data())
def test_what_gives_its_rows_once_is_read_as_a_list_of_them(kind, data):
    rows = [(np.array([i, i]), np.array(i)) for i in range(data.draw(st.integers(1, 6)))]
    source, names = GIVEN_ONCE[kind](rows), ["x", "y"]
    pipelines = [GeneratorDataset(source, names), GeneratorDataset(rows, names, shuffle=False)]
    for _ in range(data.draw(st.integers(0, 2))):
        name, number = data.draw(st.sampled_from(["take", "skip", "repeat"])), data.draw(st.integers(1, 3))
        pipelines = [getattr(each, name)(number) for each in pipelines]
    for look in data.draw(st.lists(st.sampled_from(["size", "shapes", "pass", "part", "epochs"]), max_size=5)):
        found, expected = (looked(each, look) for each in pipelines)
        assert found == expected


def looked(data, look):
    """What one way to look at a data set gives; rows that come are written into, as transforms in place do."""
    if look == "size":
        return data.get_dataset_size()
    if look == "shapes":
        return data.output_shapes() if data.get_dataset_size() else None
    epochs = 2 if look == "epochs" else 1
    rows, found = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True), []
    for _ in range(epochs):
        for x, y in itertools.islice(rows, 1 if look == "part" else None):
            found.append((x.tolist(), y.tolist()))
            x += 1 if look == "part" and x.flags.writeable else 0
    return found


class Once:
    """An iterator of a user's own that gives its rows once."""

    def __init__(self):
        self.left = 2

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return (self.left,)


def test_a_source_of_ones_own_that_is_used_up_is_refused():
    rows = GeneratorDataset(Once(), ["x"]).create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert len(list(rows)) == 2
    with pytest.raises(RuntimeError, match="must give its rows anew in each pass, but got an iterator that is used up"):
        list(rows)


def test_a_generator_that_fails_fails_in_each_pass():
    def fails():
        yield (1,)
        raise KeyError("planted")

    data = GeneratorDataset(fails(), ["x"])
    for _ in range(2):
        with pytest.raises(RuntimeError, match="planted"):
            list(data.create_tuple_iterator(num_epochs=1))


def test_num_samples_bounds_a_generator():
    assert GeneratorDataset(three_rows, ["x", "y"], num_samples=2).get_dataset_size() == 2


@pytest.mark.parametrize(
    "error, arguments, message",
    [
        (TypeError, (3, ["x"]), "callable, iterable or indexable, but got int"),
        (ValueError, (three_rows,), "'column_names' must not be empty"),
        (ValueError, (three_rows, []), "'column_names' must not be empty"),
    ],
)
def test_what_is_no_source_is_refused(error, arguments, message):
    with pytest.raises(error, match=message):
        GeneratorDataset(*arguments)


def test_a_row_with_another_number_of_values_is_refused():
    with pytest.raises(ValueError, match="a row must have 1 values, but got 2"):
        list(GeneratorDataset(three_rows, ["x"]))


# Operations


def test_a_batch_may_cross_the_border_of_a_repeat_and_not_the_other_way_round():
    assert read(numbers().repeat(2).batch(3)) == [[1, 2, 3], [4, 5, 1], [2, 3, 4], [5]]
    assert read(numbers().batch(3).repeat(2)) == [[1, 2, 3], [4, 5], [1, 2, 3], [4, 5]]


@pytest.mark.parametrize("make", [numbers, lambda n: GeneratorDataset(lambda: iter(range(1, n + 1)), ["x"])])
@given(data=st.data())
def test_the_size_told_is_the_number_of_rows_that_come(make, data):
    dataset = make(data.draw(st.integers(1, 12)))
    for _ in range(data.draw(st.integers(0, 4))):
        name, low = data.draw(st.sampled_from([("batch", 1), ("shuffle", 2), ("take", 1), ("skip", 0), ("repeat", 1)]))
        if name == "batch" and dataset.get_batch_size() > 1:
            continue
        dataset = getattr(dataset, name)(data.draw(st.integers(low, 5)))
    rows = read(dataset)
    assert dataset.get_dataset_size() == len(dataset) == len(rows)


def test_a_remainder_can_be_dropped():
    assert read(numbers().batch(2, drop_remainder=True)) == [[1, 2], [3, 4]]
    assert numbers().batch(2, drop_remainder=True).get_dataset_size() == 2


def test_a_batch_that_is_larger_than_the_data_is_refused_where_it_would_be_dropped():
    assert read(numbers().batch(9)) == [[1, 2, 3, 4, 5]]
    for data in (
        numbers().batch(9, drop_remainder=True),
        numbers().batch(9, True).repeat(2),
        numbers(4).batch(5, True),
    ):
        with pytest.raises(ValueError, match=r"^For 'batch', .* at most the number of rows, [54], but got [95]\.$"):
            read(data)
    assert read(numbers().repeat(2).batch(9, drop_remainder=True)) == [[1, 2, 3, 4, 5, 1, 2, 3, 4]]


def test_sizes_and_counts_are_as_in_mindspore():
    assert (numbers(3).repeat().get_dataset_size(), numbers(3).repeat(4).get_dataset_size()) == (3, 12)
    assert (numbers(3).take(-1).get_dataset_size(), numbers(3).take(5).get_dataset_size()) == (3, 3)
    assert (numbers(3).skip(2).get_dataset_size(), numbers(3).skip(5).get_dataset_size()) == (1, 0)
    batches = pairs().shuffle(2).batch(2).repeat(3)
    assert (batches.get_batch_size(), batches.get_repeat_count(), pairs().get_batch_size()) == (2, 3, 1)
    assert (pairs().batch(2).output_shapes(), pairs().batch(2).output_types()) == ([[2], [2]], [np.float32, np.int64])


def test_batches_of_rows_that_differ_in_shape_are_refused():
    ragged = GeneratorDataset([(np.zeros(i),) for i in (1, 2)], ["x"], shuffle=False).batch(2)
    with pytest.raises(ValueError, match=r"rows of column 'x' must have one shape, but got \[\(1,\), \(2,\)\]"):
        next(iter(ragged))


@pytest.mark.parametrize(
    "error, call, message",
    [
        (ValueError, lambda d: d.batch(0), "'batch_size' must be at least 1, but got 0"),
        (TypeError, lambda d: d.batch("a"), "'batch_size' must be an int, but got str"),
        (ValueError, lambda d: d.shuffle(1), "'buffer_size' must be at least 2, but got 1"),
        (ValueError, lambda d: d.repeat(0), "'count' must be at least 1 or -1, but got 0"),
        (ValueError, lambda d: d.take(0), "'count' must be at least 1 or -1, but got 0"),
        (ValueError, lambda d: d.skip(-1), "'count' must be at least 0, but got -1"),
        (TypeError, lambda d: d.map(3), "'operations' must be functions, but got int"),
        (ValueError, lambda d: d.map(abs, "z"), r"'input_columns' must be among \['column_0'\], but got 'z'"),
        (ValueError, lambda d: d.create_tuple_iterator(["z"]), r"'columns' must be among \['column_0'\]"),
        (ValueError, lambda d: d.create_dict_iterator(num_epochs=0), "'num_epochs' must be -1 or at least 1"),
    ],
)
def test_wrong_arguments_get_one_clear_sentence(error, call, message):
    with pytest.raises(error, match=message):
        call(numbers())


# map


def test_map_works_on_the_named_columns_and_on_the_first_by_default():
    assert dicts(pairs().map([lambda a: a * 2, lambda a: a + 1], "a"))[1] == {"a": 3.0, "b": 1}
    assert dicts(pairs().map(lambda a: a * 2))[1] == {"a": 2.0, "b": 1}
    assert dicts(pairs().batch(2).map(lambda a: a.sum(), ["a"]))[0] == {"a": 1.0, "b": [0, 1]}


def test_map_can_rename_add_and_remove_columns():
    assert pairs().map(lambda b: b, ["b"], ["c"]).get_col_names() == ["a", "c"]
    assert pairs().map(lambda b: (b, b), ["b"], ["c", "d"]).get_col_names() == ["c", "d", "a"]
    assert dicts(pairs().map(lambda a, b: a + b, ["a", "b"], ["c"]))[1] == {"c": 2.0}
    assert dicts(pairs().map(lambda a, b: (a, b, a + b), ["a", "b"], ["a", "b", "c"]))[1] == {
        "a": 1.0,
        "b": 1,
        "c": 2.0,
    }


def test_a_function_that_returns_another_number_of_columns_is_refused():
    with pytest.raises(ValueError, match="must return 1 columns, but got 2"):
        dicts(pairs().map(lambda a: (a, a), ["a"]))


# Shuffling and epochs


def test_the_same_seed_gives_the_same_epochs_and_each_epoch_its_own_order(seeded):
    def epochs():
        rows = NumpySlicesDataset(list(range(50))).create_tuple_iterator(output_numpy=True, num_epochs=3)
        return [[int(value) for (value,) in rows] for _ in range(3)]

    first = epochs()
    assert first == epochs()
    assert all(sorted(epoch) == list(range(50)) for epoch in first)
    assert len({tuple(epoch) for epoch in first}) == 3
    assert read(NumpySlicesDataset(list(range(50))).repeat(3)) == [value for epoch in first for value in epoch]


def test_another_seed_gives_another_order(seeded):
    first = read(NumpySlicesDataset(list(range(50))))
    context.set_seed(4)
    assert read(NumpySlicesDataset(list(range(50)))) != first


def test_without_a_seed_each_iterator_has_an_order_of_its_own(seeded):
    seeds.seed.value = None
    assert read(NumpySlicesDataset(list(range(50)))) != read(NumpySlicesDataset(list(range(50))))


def test_two_shuffles_in_one_pipeline_are_independent(seeded):
    once = np.array(read(numbers(50).shuffle(50)))
    assert read(numbers(50).shuffle(50).shuffle(50)) != once[once - 1].tolist()


def test_columns_stay_together_when_shuffled(seeded):
    data = NumpySlicesDataset((np.arange(40), np.arange(40) * 10)).batch(7)
    for a, b in data.create_tuple_iterator(output_numpy=True, num_epochs=1):
        np.testing.assert_array_equal(a * 10, b)


@given(n=st.integers(2, 40), buffer=st.integers(2, 50))
def test_a_shuffle_window_permutes_and_never_brings_a_row_forward_by_more_than_the_window(n, buffer):
    order = read(numbers(n).shuffle(buffer))
    assert sorted(order) == list(range(1, n + 1))
    assert all(value - 1 < place + buffer for place, value in enumerate(order))


def test_a_bounded_iterator_ends_with_an_error_that_says_so():
    rows = numbers().create_tuple_iterator(num_epochs=1)
    assert len(list(rows)) == 5
    with pytest.raises(RuntimeError, match="no more than the 1 epochs"):
        next(rows)


def test_a_loop_that_was_left_goes_on_where_it_stood():
    rows = numbers().create_tuple_iterator(output_numpy=True)
    next(rows)
    assert [int(value) for (value,) in rows] == [2, 3, 4, 5]


def test_an_epoch_of_ten_thousand_images_makes_no_call_for_each_image():
    (images, labels), _ = embedded_fashion_mnist()
    rows = NumpySlicesDataset((images, labels)).batch(32).create_tuple_iterator(num_epochs=1, output_numpy=True)
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        batches = sum(1 for _ in rows)
    finally:
        sys.setprofile(before)
    assert len(images) == 10_000 and batches == 313
    assert calls < len(images)
