"""Dataset transforms: Compose, vision operations, lambdas, one-hot labels."""

import mindspore as ms
import numpy as np
from mindspore.dataset import GeneratorDataset, NumpySlicesDataset, transforms, vision
from mindspore.dataset.vision import Inter

draw = np.random.RandomState(1)
picture = draw.randint(0, 256, (6, 8, 3)).astype(np.uint8)

composed = transforms.Compose([vision.Rescale(1.0 / 255.0, 0), vision.Normalize((0.5,), (0.25,)), vision.HWC2CHW()])
result = composed(draw.randint(0, 256, (4, 4, 1)).astype(np.uint8))
print(result.shape, result.dtype, f"{result.mean():.6f}")

rescale = vision.Rescale(1.0 / 255.0, 0)
print(rescale(picture)[0, 0], rescale(picture).dtype)
normalize = vision.Normalize(mean=[120.0, 115.0, 110.0], std=[60.0, 61.0, 62.0])
print(f"{normalize(picture).sum():.4f}", normalize(picture).dtype)
print(vision.HWC2CHW()(picture).shape, vision.CenterCrop(4)(picture)[0, 0], vision.Pad(1)(picture).shape)
print(vision.Resize((3, 4), Inter.NEAREST)(picture)[:, 0, 0], vision.Resize((12, 16))(picture).shape)
print(vision.RandomHorizontalFlip(1.0)(picture)[0, 0], vision.RandomVerticalFlip(1.0)(picture)[0, 0])
print(vision.RandomHorizontalFlip(0.0)(picture)[0, 0], vision.Crop((1, 2), (2, 3))(picture)[0])
print(vision.Invert()(picture)[0, 0], vision.ToPIL()(picture).size, vision.ToTensor()(picture).shape)

print(transforms.OneHot(4)(np.array([0, 3])), transforms.TypeCast(ms.float32)(np.array([1, 2])).dtype)
print(transforms.PadEnd([4], 9)(np.array([1, 2])), transforms.Fill(7)(np.zeros(2, np.int32)))
print(transforms.Slice(slice(1, 3))(np.arange(5)), transforms.Concatenate(0, np.array([9]))(np.arange(2)))
print([x.tolist() for x in transforms.Duplicate()(np.array([1, 2]))])
print(transforms.Mask(transforms.Relational.GE, 2)(np.arange(4)))


def numbers():
    for i in range(5):
        yield (np.array([i, i + 1]),)


dataset = GeneratorDataset(numbers, column_names=["data"]).map(lambda x: x * x, "data")
print([data[0].asnumpy().tolist() for data in dataset.create_tuple_iterator()])

dataset = NumpySlicesDataset({"x": np.arange(4, dtype=np.float32), "y": np.array([0, 1, 2, 1])}, shuffle=False)
dataset = dataset.map(transforms.OneHot(3), "y").map(lambda x: (x, -x), "x", ["x", "minus"])
dataset = dataset.project(["minus", "y", "x"])
print(dataset.get_col_names(), dataset.output_shapes(), dataset.output_types())
for row in dataset.create_dict_iterator(output_numpy=True, num_epochs=1):
    print(row["minus"], row["y"], row["x"])
