"""ImageFolderDataset: images in a folder for each class."""

import numpy as np
import pytest

from minispore import dataset as ds


def read(dataset):
    rows = dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)
    return [[value.tolist() for value in row] for row in rows]


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
