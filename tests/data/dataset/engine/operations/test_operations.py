"""Operations beyond the drawn pipelines: what they tell, what functions are given, and what is refused."""

import numpy as np
import pytest

from minispore import dataset as ds
from minispore.core import dtype as mstype


def numbers(n=5):
    return ds.NumpySlicesDataset({"a": list(range(n))}, shuffle=False)


def pairs(n=3):
    return ds.NumpySlicesDataset({"a": np.arange(n), "b": np.arange(n) * 10}, shuffle=False)


def read(dataset):
    rows = dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)
    return [row[0].tolist() if len(row) == 1 else [v.tolist() for v in row] for row in rows]


def test_a_batch_size_may_be_a_function_of_the_batch():
    data = numbers().batch(lambda info: info.get_batch_num() + 1)
    assert (read(data), len(data), data.get_batch_size()) == ([[0], [1, 2], [3, 4]], 3, -1)


def test_per_batch_map_may_give_other_columns_and_whole_arrays():
    data = pairs().batch(
        2, per_batch_map=lambda a, info: (a, np.zeros(7)), input_columns="a", output_columns=["x", "y"]
    )
    assert data.get_col_names() == ["x", "y", "b"]
    assert read(data)[1] == [[2], [0.0] * 7, [20]]


def test_concat_deals_its_rows_to_shards():
    data = numbers(3) + numbers(4)
    data.use_sampler(ds.DistributedSampler(2, 0, False))
    assert (read(data), len(data)) == ([0, 2, 1, 3], 4)


def test_parts_of_a_split_are_disjoint_in_every_epoch_and_take_a_sampler():
    for source in (ds.NumpySlicesDataset(list(range(10))), ds.NumpySlicesDataset(list(range(10))).map(abs)):
        first, second = source.split([0.7, 0.3])
        assert [sorted(read(first) + read(second)) for _ in range(2)] == [list(range(10))] * 2
        assert (len(first), len(second)) == (7, 3)
    part = numbers(6).split([4, 2], randomize=False)[0]
    part.use_sampler(ds.DistributedSampler(2, 1, False))
    assert read(part) == [1, 3]


def test_flat_map_apply_and_device_que_pass_rows_on():
    data = numbers(2).flat_map(lambda a: ds.NumpySlicesDataset({"z": [int(a), int(a) + 5]}, shuffle=False))
    assert (read(data), data.get_col_names(), len(data)) == ([0, 5, 1, 6], ["z"], 4)
    assert read(numbers(2).apply(lambda d: d.repeat(2)).device_que()) == [0, 1, 0, 1]


def test_sync_update_calls_the_callback_between_steps():
    factor = {"value": 1}
    data = numbers(3).sync_wait("step", callback=lambda new: factor.update(value=new))
    data = data.map(lambda a: a * factor["value"])
    got = []
    for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        got.append(int(row))
        data.sync_update("step", data=10)
    assert got == [0, 10, 20]


def test_what_a_pipeline_tells_of_itself():
    ragged = ds.GeneratorDataset([(np.zeros(i),) for i in (1, 3)], ["x"], shuffle=False)
    assert ragged.output_shapes() == [[1]] and ragged.output_shapes(estimate=True) == [[None]]
    assert numbers().repeat().get_repeat_count() == -1 and numbers().repeat(2).take(3).get_repeat_count() == 2
    assert numbers().num_classes() is None and numbers().get_class_indexing() == {} and numbers().input_indexs == ()
    assert isinstance(numbers().batch(2), ds.BatchDataset) and isinstance(numbers(), ds.MappableDataset)
    assert ds.NumpySlicesDataset([1]).shuffle(2).is_shuffled() and not numbers().is_sharded()


def test_padded_rows_fill_up_shards():
    data = ds.NumpySlicesDataset({"a": [5, 6, 7]}, shuffle=False) + ds.PaddedDataset([{"a": np.array(1)}])
    data.use_sampler(ds.DistributedSampler(2, 1, False))
    assert read(data) == [6, 1]


def test_a_schema_names_and_types_the_columns():
    schema = ds.Schema()
    schema.add_column("x", mstype.int64)
    schema.add_column("y", "float32", [2])
    again = ds.Schema()
    again.parse_columns(schema.columns)
    assert again.to_json() == schema.to_json() and again.names() == ["x", "y"]
    good, bad = (ds.GeneratorDataset([(1, np.zeros(2, kind))], schema=schema) for kind in (np.float32, np.float64))
    assert read(good) == [[1, [0.0, 0.0]]]
    with pytest.raises(TypeError, match="column 'y' must be float32, but got float64"):
        read(bad)


@pytest.mark.parametrize(
    "error, call, message",
    [
        (ValueError, lambda: pairs().map(abs, "a", column_order=["b"]), "call 'project' after 'map'"),
        (ValueError, lambda: pairs().map(abs, "a", "b"), "must differ from one another and from the other columns"),
        (TypeError, lambda: pairs().map(abs, "a", foo=3), "foo"),
        (ValueError, lambda: pairs().batch(2, input_columns="a"), "must come with a 'per_batch_map'"),
        (ValueError, lambda: read(pairs().batch(2, per_batch_map=lambda a, b, i: (a,))), "a tuple of 2 columns"),
        (ValueError, lambda: read(numbers().batch(2, per_batch_map=lambda a, i: ([1],))), "a list of 2 rows"),
        (ValueError, lambda: pairs().padded_batch(2, pad_info={"z": ([2], 0)}), "'pad_info' must be among"),
        (ValueError, lambda: read(numbers().padded_batch(2, pad_info={"a": ([2], 0)})), "must have one rank"),
        (ValueError, lambda: pairs().project(["a", "a"]), "differ from one another"),
        (ValueError, lambda: pairs().rename("a", "b"), "names that differ"),
        (ValueError, lambda: pairs().rename(["a", "b"], "c"), "must be 2 names"),
        (TypeError, lambda: ds.zip([pairs(), numbers()]), "must be a tuple of datasets"),
        (ValueError, lambda: pairs().zip(numbers()), "must have different names"),
        (ValueError, lambda: pairs() + numbers(), "columns of all 'datasets'"),
        (ValueError, lambda: read(numbers() + ds.NumpySlicesDataset({"a": [1.5]})), "types and ranks"),
        (ValueError, lambda: numbers().split([3, 1]), "add up to the number of rows, 5, but got 4"),
        (ValueError, lambda: numbers().split([0.5, 0.4]), "add up to 1"),
        (ValueError, lambda: numbers().bucket_batch_by_length(["a"], [3, 2], [1, 1, 1]), "must increase"),
        (ValueError, lambda: read(numbers().filter(lambda a: [True, False])), "must return a bool"),
        (RuntimeError, lambda: read(numbers().filter(lambda a: 1 / (a - 2).item())), "ZeroDivisionError: .* on row 2"),
        (TypeError, lambda: numbers().apply(lambda d: 3), "must return a dataset, but got int"),
        (ValueError, lambda: numbers().sync_update("c"), r"must be among \[\]"),
        (RuntimeError, lambda: ds.DatasetCache(1), "leave out 'cache'"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(error, call, message):
    with pytest.raises(error, match=message):
        call()
