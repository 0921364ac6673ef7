"""MnistDataset and FashionMnistDataset against MindSpore 2.0.0's columns and orders, and on broken folders."""

import numpy as np
import pytest

from minispore.dataset import FashionMnistDataset, MnistDataset, embedded_fashion_mnist, embedded_fashion_mnist_dir


@pytest.fixture
def folder(tmp_path):
    for source in embedded_fashion_mnist_dir().iterdir():
        (tmp_path / source.name).write_bytes(source.read_bytes())
    return tmp_path


@pytest.mark.parametrize("kind", [MnistDataset, FashionMnistDataset])
@pytest.mark.parametrize(
    "usage, size, pixels", [("train", 10000, 76247), ("test", 2000, 33456), ("all", 12000, 33456), (None, 12000, 33456)]
)
def test_columns_sizes_and_the_first_image_are_as_in_mindspore(kind, usage, size, pixels):
    data = kind(embedded_fashion_mnist_dir(), usage=usage, shuffle=False)
    row = next(data.create_dict_iterator(output_numpy=True))
    assert list(row) == data.get_col_names() == ["image", "label"]
    assert (row["image"].shape, row["image"].dtype, row["label"].shape, row["label"].dtype) == (
        ((28, 28, 1), np.uint8, (), np.uint32)
    )
    assert (data.get_dataset_size(), int(row["image"].sum()), int(row["label"])) == (size, pixels, 9)
    assert data.num_classes() == 10


def test_batches_hold_the_files_rows_in_order():
    (images, labels), _ = embedded_fashion_mnist()
    batches = MnistDataset(embedded_fashion_mnist_dir(), "train", shuffle=False).batch(300)
    got = list(batches.create_dict_iterator(output_numpy=True, num_epochs=1))
    np.testing.assert_array_equal(np.concatenate([b["image"] for b in got])[..., 0], images)
    np.testing.assert_array_equal(np.concatenate([b["label"] for b in got]), labels)


def test_num_samples_bounds_the_rows():
    assert MnistDataset(str(embedded_fashion_mnist_dir()), num_samples=7).get_dataset_size() == 7


def test_a_missing_folder_and_an_unknown_usage_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"'dataset_dir' must be a folder, but got '.*nowhere'"):
        MnistDataset(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="'usage' must be 'train', 'test' or 'all', but got 'dev'"):
        MnistDataset(tmp_path, usage="dev")
    with pytest.raises(TypeError, match="'dataset_dir' must be a path, but got int"):
        MnistDataset(3)


def test_a_missing_file_is_named(folder):
    (folder / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(FileNotFoundError, match=r"t10k-labels-idx1-ubyte or t10k-labels-idx1-ubyte\.gz"):
        FashionMnistDataset(folder, usage="test")
    assert FashionMnistDataset(folder, usage="train").get_dataset_size() == 10000


def test_a_truncated_file_is_named(folder):
    path = folder / "t10k-images-idx3-ubyte.gz"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"t10k-images-idx3-ubyte\.gz' must be a whole gzip file"):
        FashionMnistDataset(folder)


def test_labels_of_other_images_are_refused(folder):
    (folder / "t10k-labels-idx1-ubyte.gz").write_bytes((folder / "train-labels-idx1-ubyte.gz").read_bytes())
    with pytest.raises(ValueError, match="must hold a label for each of 2000 images, but got 10000"):
        FashionMnistDataset(folder, usage="test")


def test_images_in_the_place_of_labels_are_refused(folder):
    (folder / "t10k-labels-idx1-ubyte.gz").write_bytes((folder / "t10k-images-idx3-ubyte.gz").read_bytes())
    with pytest.raises(ValueError, match=r"must hold bytes of rank 1, but got uint8 of shape \(2000, 28, 28\)"):
        FashionMnistDataset(folder, usage="test")


def test_parts_of_unequal_sizes_are_refused_together_and_read_alone(tmp_path):
    for part, side in (("train", 28), ("t10k", 20)):
        for name, array in (("images-idx3", np.zeros((2, side, side))), ("labels-idx1", np.zeros(2))):
            header = bytes([0, 0, 8, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape)
            (tmp_path / f"{part}-{name}-ubyte").write_bytes(header + array.astype(np.uint8).tobytes())
    assert MnistDataset(tmp_path, "test").get_dataset_size() == 2
    with pytest.raises(ValueError, match=r"all parts must have one size, but got \(20, 20\) and \(28, 28\)"):
        MnistDataset(tmp_path, "all")
