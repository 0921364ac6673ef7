"""Record files: written with a schema in one file and in several, read whole, in part, by samplers and by a class."""

import os

import numpy as np
from mindspore import dataset as ds
from mindspore import nn
from mindspore.dataset import transforms
from mindspore.mindrecord import FileReader, FileWriter
from mindspore.train import Callback, Model
from tiny import fill, images

SCHEMA = {
    "file_name": {"type": "string"},
    "label": {"type": "int32"},
    "image": {"type": "float32", "shape": [1, 8, 8]},
    "raw": {"type": "bytes"},
}
pictures, labels = images(24)


def rows():
    for number, (picture, label) in enumerate(zip(pictures, labels)):
        yield {"file_name": f"{number:02}.png", "label": int(label), "image": picture, "raw": bytes([number] * 3)}


writer = FileWriter("train.mindrecord", shard_num=1, overwrite=True)
print(writer.add_schema(SCHEMA, "pictures of four classes"))
print(writer.add_index(["file_name", "label"]))
data = list(rows())
for start in range(0, len(data), 10):
    writer.write_raw_data(data[start : start + 10])
writer.commit()
print(sorted(os.listdir(".")))

reader = FileReader("train.mindrecord")
print(reader.len(), sorted(reader.schema()))
for row in reader.get_next():
    print(row["file_name"], row["label"], row["image"].shape, row["image"].dtype, row["raw"])
    break
reader.close()

dataset = ds.MindDataset("train.mindrecord", shuffle=False)
print(dataset.get_dataset_size(), dataset.get_col_names(), dataset.output_shapes(), dataset.output_types())
for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
    print(row["file_name"], row["label"], f"{row['image'].sum():.5f}", row["raw"])
    if row["label"] == 3:
        break

dataset = ds.MindDataset("train.mindrecord", columns_list=["label"], shuffle=False, num_shards=3, shard_id=1)
print([int(label) for (label,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)])
sampler = ds.SequentialSampler(start_index=5, num_samples=4)
dataset = ds.MindDataset("train.mindrecord", columns_list=["file_name"], sampler=sampler)
print([str(name) for (name,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)])
dataset = ds.MindDataset("train.mindrecord", columns_list=["label"], sampler=ds.PKSampler(2))
print(sorted(int(label) for (label,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)))
dataset = ds.MindDataset("train.mindrecord", columns_list=["label"], sampler=ds.SubsetRandomSampler([0, 5, 10]))
print(sorted(int(label) for (label,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)))
padded = {"label": -1, "image": np.zeros((1, 8, 8), np.float32)}
dataset = ds.MindDataset(
    "train.mindrecord", ["label", "image"], shuffle=False, padded_sample=padded, num_padded=2, num_shards=2, shard_id=1
)
print([int(row["label"]) for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)])

writer = FileWriter("part.mindrecord", shard_num=3, overwrite=True)
writer.add_schema({"data": {"type": "int64", "shape": [-1]}, "size": {"type": "int32"}})
writer.write_raw_data([{"data": np.arange(size, dtype=np.int64), "size": size} for size in range(1, 7)])
writer.commit()
print(sorted(name for name in os.listdir(".") if name.startswith("part")))
dataset = ds.MindDataset([f"part.mindrecord{part}" for part in range(3)], shuffle=False)
print(sorted(row["data"].tolist() for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)))

writer = FileWriter.open_for_append("part.mindrecord0")
writer.write_raw_data([{"data": np.array([7, 7], np.int64), "size": 2}])
writer.commit()
print(ds.MindDataset(["part.mindrecord0", "part.mindrecord1", "part.mindrecord2"]).get_dataset_size())


class Losses(Callback):
    def __init__(self):
        self.values = []

    def on_train_step_end(self, run_context):
        self.values.append(f"{float(run_context.original_args().net_outputs.asnumpy()):.5f}")


dataset = ds.MindDataset("train.mindrecord", columns_list=["image", "label"], shuffle=False)
dataset = dataset.map(lambda picture: picture * 2, "image")
dataset = dataset.map(transforms.TypeCast(np.int32), "label").batch(8, drop_remainder=True)
net = fill(nn.SequentialCell(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 64, 4)))
model = Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 0.01), metrics={"accuracy"})
losses = Losses()
model.train(2, dataset, callbacks=losses, dataset_sink_mode=False)
print(losses.values, model.eval(dataset, dataset_sink_mode=False))

for bad in ({"image": {"type": "picture"}}, {"image": {"shape": [1]}}, ["image"]):
    try:
        FileWriter("bad.mindrecord", 1, overwrite=True).add_schema(bad)
    except Exception as error:
        print("refused:", len(str(error)) > 0)
