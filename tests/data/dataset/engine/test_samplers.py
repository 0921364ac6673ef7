"""Samplers: the indices of MindSpore 2.0.0 where the order is fixed, the laws of the random ones, and chains."""

import numpy as np
import pytest

from minispore import dataset as ds
from minispore.core import seeds


def places(sampler, n=6):
    data = ds.NumpySlicesDataset(list(range(n)), sampler=sampler)
    rows = [int(x) for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert data.get_dataset_size() == len(rows)
    return rows


def chain(parent, child):
    parent.add_child(child)
    return parent


class Backwards(ds.Sampler):
    def __iter__(self):
        yield from range(self.dataset_size - 1, -1, -2)


@pytest.mark.parametrize(
    "sampler, n, expected",
    [
        (ds.SequentialSampler(2), 6, [2, 3, 4, 5]),
        (ds.SequentialSampler(2, 3), 6, [2, 3, 4]),
        (ds.SequentialSampler(2, 0), 6, [2, 3, 4, 5]),
        (ds.DistributedSampler(3, 1, False), 7, [1, 4, 0]),
        (ds.DistributedSampler(3, 1, False, num_samples=1), 7, [1]),
        (ds.DistributedSampler(3, 1, False, offset=0), 7, [1, 4]),
        (ds.DistributedSampler(3, 0, False, offset=1), 7, [2, 5]),
        (ds.DistributedSampler(4, 2, False, offset=3), 6, [3]),
        (ds.DistributedSampler(4, 2, False), 2, [0]),
        (ds.SubsetSampler([4, 0, 0, 3]), 6, [4, 0, 0, 3]),
        (ds.SubsetSampler([4, 0, 0, 3], 2), 6, [4, 0]),
        (ds.IterSampler([1, 5, 2]), 6, [1, 5, 2]),
        ([3, 1], 6, [3, 1]),
        (Backwards(), 6, [5, 3, 1]),
        (Backwards(2), 6, [5, 3]),
        (chain(ds.SequentialSampler(1, 2), ds.SubsetSampler([5, 3, 1, 0])), 6, [3, 1]),
        (chain(ds.SubsetSampler([2, 0]), ds.SequentialSampler(3, 3)), 6, [5, 3]),
        (chain(ds.DistributedSampler(2, 1, False), ds.SubsetSampler([5, 3, 1, 0, 2])), 6, [3, 0, 5]),
    ],
)
def test_a_fixed_order_is_mindspores(sampler, n, expected):
    assert places(sampler, n) == expected


def test_random_samplers_permute_draw_and_weigh():
    assert sorted(places(ds.RandomSampler())) == list(range(6))
    assert len(places(ds.RandomSampler(replacement=True, num_samples=20))) == 20
    assert sorted(places(ds.SubsetRandomSampler([4, 0, 3]))) == [0, 3, 4]
    assert set(places(ds.WeightedRandomSampler([0, 0, 0, 0, 1, 1], 30))) == {4, 5}
    assert sorted(places(ds.WeightedRandomSampler([0, 0, 0, 0, 1, 1], 2, replacement=False))) == [4, 5]
    drawn = places(ds.WeightedRandomSampler([1.0, 3.0], 4000), 2)
    assert 0.70 < np.mean(drawn) < 0.80


def test_the_shards_of_a_shuffled_dataset_share_one_order_without_a_seed_too():
    before, seeds.seed.value = seeds.seed.value, None
    try:
        shards = [places(ds.DistributedSampler(3, i), 12) for i in range(3)]
    finally:
        seeds.seed.value = before
    assert sorted(place for shard in shards for place in shard) == list(range(12))


def test_a_class_sampler_gives_its_number_of_rows_of_each_class():
    data = ds.NumpySlicesDataset({"label": [0, 1, 0, 2, 1, 0]}, sampler=ds.PKSampler(2))
    assert [int(x) for (x,) in data] == [0, 0, 1, 1, 2, 2]
    with pytest.raises(ValueError, match="must not be a PKSampler"):
        list(ds.GeneratorDataset([1, 2], ["label"], sampler=ds.PKSampler(1)))


def test_a_sampler_can_be_added_and_put_in_place_of_another():
    data = ds.NumpySlicesDataset(list(range(6)), shuffle=False)
    data.add_sampler(ds.SequentialSampler(1, 3))
    data.add_sampler(ds.DistributedSampler(2, 1, False))
    assert [int(x) for (x,) in data] == [2, 1]
    data.use_sampler(ds.SequentialSampler(2))
    assert [int(x) for (x,) in data] == [3]


@pytest.mark.parametrize(
    "error, call, message",
    [
        (ValueError, lambda: places(ds.SequentialSampler(9)), "'start_index' must be below 6"),
        (ValueError, lambda: places(ds.SubsetSampler([4, 9])), r"in \[0, 6\), the rows, but got 9"),
        (ValueError, lambda: places(ds.SubsetSampler([4, -1])), r"in \[0, 6\), the rows, but got -1"),
        (ValueError, lambda: places(ds.IterSampler([99])), r"in \[0, 6\), the rows, but got 99"),
        (TypeError, lambda: ds.SubsetSampler([1.5]), "must be ints"),
        (ValueError, lambda: ds.WeightedRandomSampler([0.0, 0]), "not all 0"),
        (ValueError, lambda: ds.WeightedRandomSampler([-1.0, 1]), "at least 0"),
        (ValueError, lambda: places(ds.WeightedRandomSampler([1] * 9)), "at most 6, the rows"),
        (ValueError, lambda: ds.DistributedSampler(2, 2), "must be below 'num_shards', 2, but got 2"),
        (NotImplementedError, lambda: ds.PKSampler(1, 2), "'num_class' must be None"),
        (RuntimeError, lambda: chain(chain(Backwards(), Backwards()), Backwards()), "at most one"),
        (ValueError, lambda: ds.NumpySlicesDataset([1], sampler=[0], shuffle=True), "without other ways"),
        (TypeError, lambda: ds.NumpySlicesDataset([1], sampler=3), "a sampler or an iterable"),
        (ValueError, lambda: ds.GeneratorDataset(lambda: iter([1]), ["x"], sampler=[0]), "for a 'sampler'"),
    ],
)
def test_what_a_sampler_cannot_do_is_refused(error, call, message):
    with pytest.raises(error, match=message):
        call()


def test_a_sampler_that_fails_is_named():
    class Fails(ds.Sampler):
        def __iter__(self):
            yield 1
            raise KeyError("x")

    with pytest.raises(RuntimeError, match=r"^For 'Fails', .* KeyError: 'x' from '__iter__' on row 1"):
        places(Fails())
