"""Sources of files: columns, orders and types as MindSpore 2.0.0 has them, and one sentence for a broken file."""

import numpy as np
import pytest

from minispore import dataset as ds


def read(dataset):
    rows = dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)
    return [[value.tolist() for value in row] for row in rows]


def kinds(dataset):
    return [value.dtype.str for value in next(dataset.create_tuple_iterator(output_numpy=True))]


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "a.txt").write_text("a1\na2\n\na3")
    (tmp_path / "b.txt").write_text("b1\r\nb2\nb3\nb4\n")
    return tmp_path


def test_lines_come_file_after_file_without_empty_ones(lines):
    data = ds.TextFileDataset([str(lines / "b.txt"), str(lines / "a.txt")], shuffle=False)
    assert [row for (row,) in read(data)] == ["a1", "a2", "a3", "b1", "b2", "b3", "b4"]
    assert (data.get_col_names(), len(data), data.output_types()) == (["text"], 7, [np.dtype("<U")])


def test_shards_of_files_are_blocks_that_wrap_around(lines):
    def shard(i):
        return [row for (row,) in read(ds.TextFileDataset(f"{lines}/*.txt", 9, None, False, 2, i))]

    assert [shard(0), shard(1)] == [["a1", "a2", "a3", "b1"], ["b2", "b3", "b4", "a1"]]


@pytest.mark.parametrize("level", ds.Shuffle)
def test_every_level_of_shuffling_keeps_all_rows(lines, level):
    got = [row for (row,) in read(ds.TextFileDataset(f"{lines}/*.txt", shuffle=level))]
    assert sorted(got) == ["a1", "a2", "a3", "b1", "b2", "b3", "b4"]
    if level is not ds.Shuffle.GLOBAL:
        assert {row[0] for row in got[:3]} == {got[0][0]}


def test_csv_takes_names_from_its_first_line_and_types_from_defaults(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('x,y,s\n1,2.5,hi\n3,4.5,"q,r"\n')
    data = ds.CSVDataset(str(path), shuffle=False)
    assert data.get_col_names() == ["x", "y", "s"] and read(data) == [["1", "2.5", "hi"], ["3", "4.5", "q,r"]]
    typed = ds.CSVDataset(str(path), column_defaults=[0, 0.0, ""], shuffle=False)
    assert read(typed) == [[1, 2.5, "hi"], [3, 4.5, "q,r"]] and kinds(typed) == ["<i4", "<f4", "<U2"]
    assert read(ds.CSVDataset(str(path), column_names=["p", "q", "r"], shuffle=False))[0] == ["x", "y", "s"]


@pytest.mark.parametrize(
    "text, options, message",
    [
        ("1,2\n3\n", {}, r"line 2 of '.*' must have 2 fields, but got 1"),
        ("1,2\nz,4\n", {"column_defaults": [0, 0]}, "line 2 of .* must be of type int, but got 'z'"),
        ("1,2\n", {"column_defaults": [0]}, "must be 2, one for each column, but got 1"),
        ("", {"column_names": None}, "must begin with the names"),
    ],
)
def test_a_broken_csv_file_gets_one_sentence(tmp_path, text, options, message):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=f"^For 'CSVDataset', .*{message}"):
        ds.CSVDataset(str(tmp_path / "a.csv"), **{"column_names": ["p", "q"], **options})


def test_a_missing_file_and_one_that_is_not_text_are_named(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe\xfa")
    for path, message in (("nowhere", "must be there, but got no file"), ("x.txt", "must be UTF-8 text")):
        with pytest.raises(ValueError, match=message):
            ds.TextFileDataset(str(tmp_path / path))


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


@pytest.fixture
def images(tmp_path):
    image = pytest.importorskip("PIL.Image")
    for kind, name, value in (("cat", "2.png", 20), ("cat", "1.png", 10), ("dog", "1.png", 30)):
        (tmp_path / kind).mkdir(exist_ok=True)
        image.fromarray(np.full((4, 5, 3), value, np.uint8)).save(tmp_path / kind / name)
    return tmp_path


def test_an_image_folder_numbers_its_classes_by_name(images):
    data = ds.ImageFolderDataset(images, decode=True, shuffle=False)
    rows = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert [(i.shape, int(i[0, 0, 0]), int(label)) for i, label in rows] == [
        ((4, 5, 3), 10, 0),
        ((4, 5, 3), 20, 0),
        ((4, 5, 3), 30, 1),
    ]
    assert (data.num_classes(), data.batch(2).get_class_indexing(), rows[0][1].dtype) == (2, {"cat": 0, "dog": 1}, "i4")
    raw = next(ds.ImageFolderDataset(images, shuffle=False).create_tuple_iterator(output_numpy=True))[0]
    assert raw.tobytes() == (images / "cat" / "1.png").read_bytes()


def test_an_image_folder_reads_chosen_classes_and_extensions(images):
    assert [r[1] for r in read(ds.ImageFolderDataset(images, class_indexing={"dog": 7}))] == [7]
    assert [r[1] for r in read(ds.ImageFolderDataset(images, sampler=ds.PKSampler(2)))] == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="must hold images in a folder for each class"):
        ds.ImageFolderDataset(images, extensions=[".bmp"])
    with pytest.raises(ValueError, match=r"must name folders of .*, but got 'cow'"):
        ds.ImageFolderDataset(images, class_indexing={"cow": 1})


def test_a_file_that_is_no_image_is_named(images):
    (images / "cat" / "1.png").write_bytes(b"no image")
    with pytest.raises(ValueError, match=r"1\.png' must be a whole image, but got '1\.png' of 8 bytes"):
        read(ds.ImageFolderDataset(images, decode=True, shuffle=False))


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
