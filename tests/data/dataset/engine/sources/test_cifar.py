"""CIFAR-10 and CIFAR-100 from their binary files: records of one label byte, or two, and 3072 bytes of pixels."""

import numpy as np
import pytest
from data.dataset.engine.sources.test_image_folder import read

from minispore import dataset as ds


def kinds(dataset):
    return [value.dtype.str for value in next(dataset.create_tuple_iterator(output_numpy=True))]


def record(labels, start):
    return bytes(labels) + (np.arange(3072) + start).astype(np.uint8).tobytes()


def test_cifar_files_hold_planes_after_their_labels(tmp_path):
    (tmp_path / "data_batch_1.bin").write_bytes(record([3], 0) + record([9], 1))
    (tmp_path / "test_batch.bin").write_bytes(record([5], 2))
    data = ds.Cifar10Dataset(tmp_path, shuffle=False)
    assert data.get_col_names() == ["image", "label"] and kinds(data) == ["|u1", "<u4"] and len(data) == 3
    assert [int(label) for _, label in data] == [3, 9, 5] and len(ds.Cifar10Dataset(tmp_path, "test")) == 1
    image = next(data.create_tuple_iterator(output_numpy=True))[0]
    assert image.shape == (32, 32, 3) and image[0, 1].tolist() == [1, 1025 % 256, 2049 % 256]


def test_cifar100_has_a_coarse_and_a_fine_label(tmp_path):
    (tmp_path / "train.bin").write_bytes(record([2, 33], 0))
    data = ds.Cifar100Dataset(tmp_path)
    assert data.get_col_names() == ["image", "coarse_label", "fine_label"] and read(data)[0][1:] == [2, 33]


def test_a_truncated_or_missing_cifar_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"must hold data_batch_1\.bin"):
        ds.Cifar10Dataset(tmp_path)
    (tmp_path / "test_batch.bin").write_bytes(record([5], 2)[:-1])
    with pytest.raises(ValueError, match=r"whole records of 3073 bytes, but got 3072 bytes"):
        ds.Cifar10Dataset(tmp_path)
    (tmp_path / "test_batch.bin").write_bytes(record([10], 2))
    with pytest.raises(ValueError, match="must be below 10, but got 10"):
        ds.Cifar10Dataset(tmp_path)


def test_cifar_images_are_laid_out_when_they_are_read(tmp_path):
    records = np.random.default_rng(0).integers(0, 10, (6, 3073), np.uint8)
    (tmp_path / "data_batch_1.bin").write_bytes(records.tobytes())
    data = ds.Cifar10Dataset(tmp_path, shuffle=False)
    assert np.shares_memory(data.columns["image"], data.columns["image"].base)
    whole = records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    rows = [row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    (batch, _), *_ = data.batch(6).create_tuple_iterator(num_epochs=1, output_numpy=True)
    for found in (np.stack(rows), batch):
        np.testing.assert_array_equal(found, whole)
    assert batch.flags.c_contiguous and all(row.flags.c_contiguous for row in rows)
