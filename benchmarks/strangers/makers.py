"""Makers of the data that the programs of strangers read, each by its name in ``programs/*.json``: few, drawn or ours.

A maker takes a folder and writes there. The images are those of the Fashion-MNIST that minispore ships.
"""

import json
import pickle

import numpy as np
from PIL import Image

from minispore.dataset import embedded_fashion_mnist
from minispore.mindrecord import FileWriter

IMAGES = 640


def images():
    """The first images and labels, to train with and to test with: uint8 ``(640, 28, 28)`` and ``(640,)``."""
    for pixels, labels in embedded_fashion_mnist():
        yield np.asarray(pixels[:IMAGES], np.uint8), np.asarray(labels[:IMAGES], np.uint8)


def mnist(folder):
    """Write the images and labels as the four files of MNIST, in one folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (pixels, labels) in zip(("train", "t10k"), images(), strict=True):
        heads = np.array([2051, len(pixels), 28, 28], ">i4"), np.array([2049, len(labels)], ">i4")
        (folder / f"{name}-images-idx3-ubyte").write_bytes(heads[0].tobytes() + pixels.tobytes())
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(heads[1].tobytes() + labels.tobytes())


def mnist_splits(folder):
    """Write the files of MNIST into the folders ``train`` and ``test``, as the tutorials have them."""
    mnist(folder)
    for split, start in (("train", "train"), ("test", "t10k")):
        (folder / split).mkdir(exist_ok=True)
        for file in folder.glob(f"{start}-*"):
            file.replace(folder / split / file.name)


def colour(pixels):
    """Images of 32 by 32 in three colours: ``(N, 3, 32, 32)``; a colour is the grey image, moved by 0, 1 or 2."""
    padded = np.pad(pixels, ((0, 0), (2, 2), (2, 2)))
    return np.stack([np.roll(padded, move, axis=2) for move in range(3)], axis=1)


def cifar10(folder):
    """Write the images as the binary files of CIFAR-10: five to train with, one to test with."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"data_batch_{i}" for i in range(1, 6)], ["test_batch"]
    for files, (pixels, labels) in zip(names, images(), strict=True):
        rows = np.concatenate([labels[:, None], colour(pixels).reshape(len(labels), -1)], axis=1)
        for name, part in zip(files, np.array_split(rows, len(files)), strict=True):
            (folder / f"{name}.bin").write_bytes(part.tobytes())
    (folder / "batches.meta.txt").write_text("\n".join(f"class {i}" for i in range(10)) + "\n")


def cifar10_pickled(folder):
    """Write the images as the pickled files of CIFAR-10, as its version for Python has them."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"data_batch_{i}" for i in range(1, 6)], ["test_batch"]
    for files, (pixels, labels) in zip(names, images(), strict=True):
        for name, rows in zip(files, np.array_split(np.arange(len(labels)), len(files)), strict=True):
            whole = colour(pixels[rows]).reshape(len(rows), -1)
            content = {b"data": whole, b"labels": labels[rows].tolist(), b"filenames": [b""] * len(rows)}
            (folder / name).write_bytes(pickle.dumps(content, protocol=2))


def iris(folder):
    """Write ``iris.data``: 150 flowers of three kinds, four drawn lengths of each."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers, rows = np.random.RandomState(0), []
    for kind, centre in (
        ("setosa", (5.0, 3.4, 1.5, 0.2)),
        ("versicolor", (5.9, 2.8, 4.3, 1.3)),
        ("virginica", (6.6, 3.0, 5.6, 2.0)),
    ):
        rows += [f"{','.join(f'{x:.1f}' for x in centre + 0.3 * numbers.randn(4))},Iris-{kind}" for _ in range(50)]
    (folder / "iris.data").write_text("\n".join(rows) + "\n")


def cora(folder):
    """Write ``cora.content`` and ``cora.cites``: drawn papers of 64 words and seven classes, and who cites whom."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = np.random.RandomState(0)
    kinds = numbers.randint(0, 7, 1600)
    words = (numbers.rand(1600, 64) < 0.1 + 0.3 * (np.arange(64) % 7 == kinds[:, None])).astype(int)
    lines = [
        " ".join([str(i), *map(str, row), f"Class_{kind}"])
        for i, (row, kind) in enumerate(zip(words, kinds, strict=True))
    ]
    (folder / "cora.content").write_text("\n".join(lines) + "\n")
    (folder / "cora.cites").write_text("\n".join(f"{a} {b}" for a, b in numbers.randint(0, 1600, (4000, 2))) + "\n")


def picture(pixels, size):
    """An image in colour of ``size`` by ``size``, to save or to crop."""
    return Image.fromarray(np.moveaxis(pixels, 0, -1)).resize((size, size))


def pairs(folder):
    """Write sixteen images that hold two side by side, for training and for validation: sketches and photographs."""
    (pixels, _), _ = images()
    both = colour(pixels[:16])
    for split in ("train", "val"):
        (folder / split).mkdir(parents=True, exist_ok=True)
        for i, each in enumerate(both):
            wide = np.concatenate([picture(255 - each, 64), picture(each, 64)], axis=1)
            Image.fromarray(wide).save(folder / split / f"{i:03d}.png")


def celeba(folder):
    """Write 32 images as CelebA has its faces: the images, the split of each, its forty attributes."""
    (pixels, labels), _ = images()
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{i:06d}.jpg" for i in range(1, 33)]
    for name, each in zip(names, colour(pixels[:32]), strict=True):
        picture(each, 64).save(folder / name)
    signs = np.where((labels[:32, None] >> np.arange(40) % 4) & 1, "1", "-1")
    rows = [f"{name} {' '.join(row)}" for name, row in zip(names, signs, strict=True)]
    titles = " ".join(f"attribute_{i}" for i in range(40))
    (folder / "list_attr_celeba.txt").write_text("\n".join(["32", titles, *rows]) + "\n")
    (folder / "list_eval_partition.txt").write_text("".join(f"{name} {i // 28}\n" for i, name in enumerate(names)))


def mnist_m(folder):
    """Write the images in colour as the pickled file of MNIST-M."""
    (folder / "raw").mkdir(parents=True, exist_ok=True)
    both = [np.moveaxis(colour(pixels), 1, -1)[:, 2:-2, 2:-2] for pixels, _ in images()]
    content = {name: np.ascontiguousarray(part) for name, part in zip((b"train", b"test"), both, strict=True)}
    (folder / "raw" / "keras_mnistm.pkl").write_bytes(pickle.dumps(content, protocol=2))


def records(path, names, size):
    """Write eight pairs of images as a MindRecord with two columns: float32 ``(3, size, size)`` from -1 to 1."""
    path.parent.mkdir(parents=True, exist_ok=True)
    (pixels, _), _ = images()
    writer = FileWriter(str(path), 1, overwrite=True)
    writer.add_schema({name: {"type": "float32", "shape": [3, size, size]} for name in names})
    whole = [np.moveaxis(np.array(picture(each, size), np.float32), -1, 0) / 127.5 - 1 for each in colour(pixels[:8])]
    writer.write_raw_data([dict(zip(names, (each, -each), strict=True)) for each in whole])
    writer.commit()


def facades(folder):
    """Write the record of pix2pix."""
    records(folder / "train.mindrecord", ("input_images", "target_images"), 256)


def apples(folder):
    """Write the record of CycleGAN, smaller."""
    records(folder / "apple2orange_train.mindrecord", ("image_A", "image_B"), 64)


def boxes(folder):
    """Write sixteen images of 64 by 64 with one box each, as YOLO reads COCO, and a configuration that names them."""
    (pixels, labels), _ = images()
    (folder / "train2017.cache.npy").unlink(missing_ok=True)  # a pickle of another NumPy
    for kind in ("images", "labels"):
        (folder / kind / "train2017").mkdir(parents=True, exist_ok=True)
    for i, (each, label) in enumerate(zip(colour(pixels[:16]), labels[:16], strict=True)):
        picture(each, 64).save(folder / "images" / "train2017" / f"{i:012d}.jpg")
        place = 0.5, 0.48, 0.55 + 0.02 * (i % 8), 0.6  # large enough for the widest anchors
        line = " ".join([str(label), *(f"{number:.4f}" for number in place)])
        (folder / "labels" / "train2017" / f"{i:012d}.txt").write_text(line + "\n")
    paths = sorted((folder / "images" / "train2017").glob("*.jpg"))
    (folder / "train2017.txt").write_text("".join(f"./{path.relative_to(folder)}\n" for path in paths))
    for name, base in (("v5", "yolov5/yolov5n"), ("v8", "yolov8/yolov8n"), ("v7", "yolov7/yolov7-tiny")):
        (folder / f"{name}.yaml").write_text(YOLO.format(base=base, folder=folder.name))


YOLO = """__BASE__: ['../configs/{base}.yaml']
img_size: 64
data:
  train_set: ./{folder}/train2017.txt
  val_set: ./{folder}/train2017.txt
  num_parallel_workers: 1
  train_transforms:
    - {{func_name: letterbox, scaleup: True}}
    - {{func_name: label_norm, xyxy2xywh_: True}}
    - {{func_name: label_pad, padding_size: 160, padding_value: -1}}
    - {{func_name: image_norm, scale: 255.}}
    - {{func_name: image_transpose, bgr2rgb: True, hwc2chw: True}}
"""


def words(folder):
    """Write sixteen images of words for a reader of words, and for a finder of them: labels of both forms."""
    folder.mkdir(parents=True, exist_ok=True)
    (pixels, _), _ = images()
    read, found = [], []
    for i, each in enumerate(colour(pixels[:16])):
        text = "".join(chr(97 + (i * 7 + j * 3) % 26) for j in range(4))
        picture(each, 128).save(folder / f"{i}.png")
        corners = [[16, 32], [112, 32], [112, 96], [16, 96]]
        read.append(f"{i}.png\t{text}\n")
        found.append(f"{i}.png\t{json.dumps([{'transcription': text, 'points': corners}])}\n")
    (folder / "rec_gt.txt").write_text("".join(read))
    (folder / "det_gt.txt").write_text("".join(found))


def nothing(folder):
    """Make the folder alone."""
    folder.mkdir(parents=True, exist_ok=True)


OF_IMAGES = mnist, mnist_splits, mnist_m, cifar10, cifar10_pickled, pairs, celeba, facades, apples, boxes
MAKERS = {each.__name__: each for each in (*OF_IMAGES, words, iris, cora, nothing)}
