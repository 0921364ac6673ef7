"""Dataset pipelines: generators, samplers, map, batch with a function, zip, concat, filter, split, repeat, buckets."""

import numpy as np
from mindspore import dataset as ds
from mindspore.dataset import GeneratorDataset


class RandomAccess:
    def __init__(self):
        self.data = np.arange(10, 20, dtype=np.int64)

    def __getitem__(self, index):
        return self.data[index], np.array([index, index], np.float32)

    def __len__(self):
        return len(self.data)


class Iterable:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        self.index = 0
        return self

    def __next__(self):
        if self.index == self.count:
            raise StopIteration
        self.index += 1
        return (np.array(self.index * self.index),)


def column(dataset, name="data"):
    return [row[name].tolist() for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)]


def source(**arguments):
    return GeneratorDataset(RandomAccess(), ["data", "pair"], **arguments)


print(column(source(shuffle=False)), column(GeneratorDataset(Iterable(4), ["data"])))
print(column(source(sampler=ds.SequentialSampler(start_index=3, num_samples=4))))
print(column(source(sampler=ds.SubsetSampler([5, 1, 1]))), column(source(sampler=[7, 0])))
print(
    column(source(sampler=ds.DistributedSampler(3, 1, shuffle=False))), len(column(source(sampler=ds.RandomSampler())))
)
print(column(source(num_shards=4, shard_id=3, shuffle=False)), source(shuffle=False, num_samples=3).get_dataset_size())
print(
    sorted(column(source(sampler=ds.SubsetRandomSampler([2, 4])))),
    len(column(source(sampler=ds.RandomSampler(True, 6)))),
)

data = source(shuffle=False).map(lambda x: x * 2, input_columns="data")
data = data.map(lambda x, y: (x, y, y.sum() + x), ["data", "pair"], output_columns=["data", "pair", "sum"])
data = data.rename("pair", "two").project(["sum", "data"]).skip(2).take(5)
print(data.get_col_names(), column(data, "sum"), data.get_dataset_size())
batches = source(shuffle=False).batch(4, drop_remainder=False)
print([len(row) for row in column(batches)], batches.get_batch_size(), batches.output_shapes())
print(column(source(shuffle=False).batch(4, True)), source(shuffle=False).batch(3).repeat(2).get_dataset_size())


def scaled(col, batch_info):
    return ([value * (batch_info.get_batch_num() + 1) for value in col],)


print(column(source(shuffle=False).project("data").batch(5, per_batch_map=scaled, input_columns=["data"])))
print(column(source(shuffle=False).filter(lambda x: x % 3 == 0, input_columns="data")))
zipped = ds.zip((source(shuffle=False).project("data"), GeneratorDataset(Iterable(3), ["square"])))
print(column(zipped, "square"), zipped.get_col_names())
print(column(source(shuffle=False).take(2).concat(source(shuffle=False).skip(8))))
first, second = source(shuffle=False).split([0.7, 0.3], randomize=False)
print(column(first), column(second))
ragged = GeneratorDataset(lambda: ((np.arange(n),) for n in (3, 1, 2, 5)), ["data"])
print(column(ragged.padded_batch(2, drop_remainder=False, pad_info={"data": ([5], -1)})))
shuffled = source(shuffle=False).shuffle(4)
print(sorted(column(shuffled)))
ds.config.set_seed(3)
print(sorted(column(source(shuffle=True))) == list(range(10, 20)), ds.config.get_seed())
for epoch in range(2):
    iterator = source(shuffle=False).batch(5).create_tuple_iterator(num_epochs=1)
    print(epoch, [row[0].shape for row in iterator])
sizes = GeneratorDataset(lambda: ((np.zeros(n, np.int32),) for n in (2, 5, 3, 6, 1)), ["data"])
sizes = sizes.bucket_batch_by_length(["data"], [4], [2, 2], pad_info={"data": ([None], 0)})
print([np.shape(row) for row in column(sizes)])
