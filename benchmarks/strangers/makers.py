"""Makers of the data that the programs of strangers read, each by its name in ``programs/*.json``: few, drawn or ours.

A maker takes a folder and writes there. The images are those of the Fashion-MNIST that minispore ships.
"""

import pickle

import numpy as np

from minispore.dataset import embedded_fashion_mnist

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


def nothing(folder):
    """Make the folder alone."""
    folder.mkdir(parents=True, exist_ok=True)


MAKERS = {each.__name__: each for each in (mnist, mnist_splits, cifar10, cifar10_pickled, iris, cora, nothing)}
