"""What MindSpore's data sets show: sizes, workers, columns and shards."""

import numpy as np
import pytest

from minispore import dataset as ds


def source(**options):
    return ds.GeneratorDataset([[np.float32(i)] for i in range(4)], ["x"], **options)


def test_dataset_size_is_the_number_of_rows_and_may_be_set():
    assert (source().dataset_size, source().batch(3).dataset_size) == (4, 2)
    rows = source()
    rows.dataset_size = 7
    assert rows.get_dataset_size() == len(rows) == 7


def test_a_source_tells_its_rows_and_shards():
    plain, part = source(shuffle=False), source(num_shards=2, shard_id=1, num_samples=1)
    assert (plain.num_samples, plain.num_shards, plain.shard_id, plain.shuffle_flag, plain.source_len) == (
        0,
        1,
        0,
        False,
        4,
    )
    assert (part.num_samples, part.num_shards, part.shard_id, part.shuffle_flag) == (1, 2, 1, True)
    assert ds.GeneratorDataset(lambda: iter([1]), ["x"]).source_len == -1
    assert (plain.column_types, plain.is_sync(), plain.get_sync_notifiers()) == ([], False, {})


def test_an_operation_tells_its_workers_and_columns():
    mapped = source().map(lambda x: x, ["x"], ["y"], num_parallel_workers=2)
    assert (mapped.num_parallel_workers, mapped.input_columns, mapped.output_columns) == (2, ["x"], ["y"])
    renamed = source().rename(["x"], ["y"])
    assert (renamed.input_column_names, renamed.output_column_names) == (["x"], ["y"])
    assert source().batch(lambda info: 2).batch_size_func is not None and source().batch(2).batch_size_func is None
    assert source().create_dict_iterator().get_col_names() == ["x"]
    assert source().sync_wait("c").batch(2).is_sync()


def test_build_vocab_is_that_of_text():
    words = ds.NumpySlicesDataset(["a", "b", "a"], ["t"], shuffle=False)
    assert list(words.build_vocab(["t"], None, None, None, None).vocab()) == ["a", "b"]


def test_what_is_about_the_engine_is_withheld():
    with pytest.raises(AttributeError, match=r"has no attribute 'to_json'\. MindSpore's has it: it is about"):
        source().to_json()
