"""The idx reader reads what it should, and refuses the rest by name."""

import gzip
import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minispore.dataset import embedded_fashion_mnist, read_idx

CODES = {"uint8": 0x08, "int8": 0x09, "int16": 0x0B, "int32": 0x0C, "float32": 0x0D, "float64": 0x0E}


def idx_bytes(array):
    header = struct.pack(">HBB", 0, CODES[array.dtype.name], array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return header + array.astype(array.dtype.newbyteorder(">")).tobytes()


@given(
    array=st.sampled_from(sorted(CODES)).flatmap(
        lambda name: hnp.arrays(name, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
    ),
    zipped=st.booleans(),
)
def test_what_is_written_as_idx_is_read_back(tmp_path_factory, array, zipped):
    path = tmp_path_factory.mktemp("idx") / "file"
    path.write_bytes(gzip.compress(idx_bytes(array)) if zipped else idx_bytes(array))
    read = read_idx(path)
    assert read.dtype == array.dtype and read.dtype.isnative
    np.testing.assert_array_equal(read, array)


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing-here"):
        read_idx(tmp_path / "nothing-here")


@pytest.mark.parametrize("change, found", [(-1, 27), (1, 29)])
def test_a_truncated_or_longer_file_is_refused_with_both_sizes(tmp_path, change, found):
    data = idx_bytes(np.zeros((4, 4), np.uint8))
    (tmp_path / "cut").write_bytes(data[:change] if change < 0 else data + b"x")
    with pytest.raises(ValueError, match=rf"cut' must hold 28 bytes.*\(4, 4\).*got {found} bytes"):
        read_idx(tmp_path / "cut")


@pytest.mark.parametrize("content", [b"", b"\x80\x04picklish", b"\0\0\x07\x01", b"\0\0\x08\0"])
def test_a_foreign_file_is_refused_by_name(tmp_path, content):
    (tmp_path / "foreign").write_bytes(content)
    with pytest.raises(ValueError, match=r"foreign' must be an idx file.*but got \d+ bytes"):
        read_idx(tmp_path / "foreign")


def test_a_file_that_ends_in_its_header_is_refused(tmp_path):
    (tmp_path / "head").write_bytes(b"\0\0\x08\x03\0\0\0\x01")
    with pytest.raises(ValueError, match="header of 16 bytes, but got 8 bytes"):
        read_idx(tmp_path / "head")


@pytest.mark.parametrize("lengths", [[1] * 65, [0] * 100, [0, 2**32 - 1, 2**32 - 1, 2**32 - 1]])
def test_an_array_that_numpy_cannot_hold_is_refused(tmp_path, lengths):
    size = int(all(lengths))
    header = bytes([0, 0, 8, len(lengths)]) + b"".join(length.to_bytes(4, "big") for length in lengths)
    (tmp_path / "odd").write_bytes(header + bytes(size))
    with pytest.raises(ValueError, match=r"^For 'read_idx', the file '.*odd' must hold an array that NumPy can"):
        read_idx(tmp_path / "odd")


@pytest.mark.parametrize("announced", [784, 2**31])
def test_no_more_is_decompressed_than_the_header_announces_and_no_memory_taken_for_what_does_not_come(
    tmp_path, announced
):
    header = bytes([0, 0, 8, 1]) + announced.to_bytes(4, "big")
    (tmp_path / "bomb").write_bytes(gzip.compress(header + bytes(1 << 26 if announced == 784 else 784)))
    tracemalloc.start()
    with pytest.raises(ValueError, match=rf"bomb' must hold {announced + 8} bytes"):
        read_idx(tmp_path / "bomb")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4 << 20


@pytest.mark.parametrize("damage", [lambda z: z[:-9], lambda z: z[:12] + b"\xff\xff" + z[14:]])
def test_a_damaged_gzip_file_is_refused(tmp_path, damage):
    zipped = gzip.compress(idx_bytes(np.arange(200, dtype=np.uint8)))
    (tmp_path / "z.gz").write_bytes(damage(zipped))
    with pytest.raises(ValueError, match=r"z\.gz' must be a whole gzip file"):
        read_idx(tmp_path / "z.gz")


def test_the_embedded_images_are_balanced_over_ten_classes():
    (images, labels), (test_images, test_labels) = embedded_fashion_mnist()
    assert images.shape == (10000, 28, 28) and test_images.shape == (2000, 28, 28)
    assert images.dtype == labels.dtype == np.uint8
    assert np.bincount(labels).tolist() == [1000] * 10 and np.bincount(test_labels).tolist() == [200] * 10
