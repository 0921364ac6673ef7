"""Sources of public data sets: what a broken folder is told, and what MindSpore does otherwise."""

import numpy as np
import pytest
from conformance.cases.source_folders import FOLDERS, matlab, pixels, put

from minispore import dataset as ds

# the folder, what is broken in it, the source, and what its sentence says
BROKEN = [
    (
        "celeba",
        {"list_attr_celeba.txt": "4\na b\n000001.jpg 1 2\n"},
        "CelebADataset(d)",
        "a file and 2 numbers, 1 or -1",
    ),
    ("celeba", {"list_attr_celeba.txt": "4\n"}, "CelebADataset(d)", "must begin with a number"),
    ("celeba", {"list_eval_partition.txt": "x\n"}, "CelebADataset(d, usage='test')", "must have a file and a number"),
    ("celeba", {"000002.jpg": "no image"}, "CelebADataset(d, decode=True)", "must be a whole image"),
    ("celeba", {"list_attr_celeba.txt": b"\xff\xfe"}, "CelebADataset(d)", "must be UTF-8 text"),
    ("voc", {"Annotations/a.xml": "<annotation><obj"}, "VOCDataset(d, 'Detection')", "must hold xml"),
    ("voc", {"Annotations/a.xml": "<annotation/>"}, "VOCDataset(d, 'Detection')", "must hold an object"),
    (
        "voc",
        {"Annotations/a.xml": "<a><object><name>x</name></object></a>"},
        "VOCDataset(d, 'Detection')",
        "of numbers",
    ),
    ("voc", {"ImageSets/Main/train.txt": "z\n"}, "VOCDataset(d, 'Detection')", r"'.*z\.xml' must be there"),
    ("voc", {"ImageSets/Segmentation/train.txt": "z\n"}, "VOCDataset(d)", r"the image '.*z\.jpg' must be there"),
    ("voc", {}, "VOCDataset(d, 'Detection', 'train', {'cow': 1})", "must hold images that are to be read"),
    (
        "coco",
        {"boxes.json": "{"},
        "CocoDataset(d + '/images', d + '/boxes.json')",
        "must hold annotations of 'Detection'",
    ),
    ("coco", {"boxes.json": '{"images": [3]}'}, "CocoDataset(d + '/images', d + '/boxes.json')", "KeyError"),
    (
        "coco",
        {},
        "CocoDataset(d + '/images', d + '/boxes.json', 'Captioning')",
        "must hold annotations of 'Captioning'",
    ),
    (
        "cityscapes",
        {"gtFine/val/ulm/ulm_3_4_gtFine_polygons.json": "{"},
        "CityscapesDataset(d, 'val', task='polygon')",
        "json",
    ),
    ("sbu", {"SBU_captioned_photo_dataset_urls.txt": "a\n"}, "SBUDataset(d)", "a caption for each of the 1 addresses"),
    (
        "flickr",
        {"captions.token": "b.jpg one\n"},
        "FlickrDataset(d, d + '/captions.token')",
        "an image's name, #, a number",
    ),
    ("manifest", {"m.json": '{"source": 3}\n'}, "ManifestDataset(d + '/m.json')", "line 1 of .* must be a json object"),
    ("qmnist", {"qmnist-train-labels-idx2-int": b"\0\0\x0c\2"}, "QMnistDataset(d)", "must have an idx header"),
    (
        "emnist",
        {"emnist-digits-test-labels-idx1-ubyte": b"\0\0\x08\1\0\0\0\0"},
        "EMnistDataset(d, 'digits')",
        "a label for each",
    ),
    ("stl10", {"train_X.bin": b"x"}, "STL10Dataset(d)", "must hold images of 27648 bytes"),
    ("stl10", {"train_y.bin": b"\1\x0b"}, "STL10Dataset(d, 'train')", "a label of 1 to 10 for each of 2 images"),
    ("svhn", {"test_32x32.mat": b"MATLAB"}, "SVHNDataset(d)", "must be a whole Matlab file"),
    ("svhn", {"test_32x32.mat": matlab({"X": pixels(1)})}, "SVHNDataset(d)", "must hold an array 'y'"),
    (
        "flowers",
        {"imagelabels.mat": matlab({"labels": np.array([[1]], np.uint8)})},
        "Flowers102Dataset(d)",
        "of 1 to 1",
    ),
    ("semeion", {"semeion.data": "1 2 3\n"}, "SemeionDataset(d)", "must be of 266 numbers, but got 3"),
    ("semeion", {"semeion.data": "x\n"}, "SemeionDataset(d)", "must be of numbers"),
    ("usps", {"usps": "11 1:1\n"}, "USPSDataset(d)", "must be of 257 numbers"),
    ("reviews3", {"test.csv": '"1","2"\n'}, "AGNewsDataset(d)", "line 1 of .* must have 3 fields, but got 2"),
    (
        "sst2",
        {"dev.tsv": "sentence\tlabel\nbad\n"},
        "SST2Dataset(d, 'dev')",
        "line 2 of .* must have 2 fields, but got 1",
    ),
    ("tagged", {"train.txt": "a b\n"}, "CoNLL2000Dataset(d)", "line 1 of .* must have 3 fields, but got 2"),
    ("squad", {"train-v1.1.json": "[]"}, "SQuADDataset(d)", "must be of SQuAD's format"),
    ("multi30k", {"training/train.de": "x\n"}, "Multi30kDataset(d, 'train')", "a line for each of the 3"),
    ("clue", {"afqmc.json": "[]\n"}, "CLUEDataset(d + '/afqmc.json')", "line 1 of .* must be a json object"),
    ("clue", {"wsc.json": '{"target": {}}'}, "CLUEDataset(d + '/wsc.json', 'WSC')", "line 1 of .*'span1_index'"),
    ("imdb", {"train/pos/9.txt": b"\xff"}, "IMDBDataset(d)", "must be UTF-8 text"),
    ("lines", {}, "PennTreebankDataset(d + '/none')", "must be a folder"),
]


@pytest.mark.parametrize(("folder", "broken", "source", "message"), BROKEN)
def test_a_broken_folder_is_one_sentence(tmp_path, folder, broken, source, message):
    pytest.importorskip("PIL")
    FOLDERS[folder](tmp_path)
    put(tmp_path, broken)
    with pytest.raises(ValueError, match=rf"^For '\w+', (?s:.*){message}"):
        list(eval(f"ds.{source}", {"ds": ds, "d": str(tmp_path)}))


@pytest.mark.parametrize(
    "source", ["WikiTextDataset", "AGNewsDataset", "SVHNDataset", "STL10Dataset", "CelebADataset", "Food101Dataset"]
)
def test_a_missing_file_is_named(tmp_path, source):
    with pytest.raises(FileNotFoundError, match=rf"^For '{source}', "):
        getattr(ds, source)(str(tmp_path))


def test_classes_are_numbered_as_mindspore_numbers_them(tmp_path):
    FOLDERS["voc"](tmp_path / "voc")
    FOLDERS["coco"](tmp_path / "coco")
    coco = str(tmp_path / "coco")
    assert ds.VOCDataset(str(tmp_path / "voc"), "Detection").get_class_indexing() == {"cat": 0, "dog": 1}
    boxes = ds.CocoDataset(f"{coco}/images", f"{coco}/boxes.json")
    assert boxes.get_class_indexing() == {"person": [1], "dog": [5]}
    panoptic = ds.CocoDataset(f"{coco}/images", f"{coco}/panoptic.json", "Panoptic")
    assert panoptic.get_class_indexing() == {"person": [1, 0], "dog": [5, 1]}
    for data in (ds.VOCDataset(str(tmp_path / "voc")), ds.CocoDataset(f"{coco}/images", f"{coco}/stuff.json", "Stuff")):
        with pytest.raises(NotImplementedError, match=r"must be 'Detection'"):
            data.get_class_indexing()


def test_a_sampler_of_classes_finds_the_labels_of_images_and_text(tmp_path):
    FOLDERS["classes"](tmp_path / "images")
    FOLDERS["imdb"](tmp_path / "text")
    for data in (
        ds.RenderedSST2Dataset(str(tmp_path / "images"), "train", sampler=ds.PKSampler(1)),
        ds.IMDBDataset(str(tmp_path / "text"), "train", sampler=ds.PKSampler(1)),
    ):
        labels = [row[1].item() for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]
        assert labels == [0, 1]
    with pytest.raises(ValueError, match="must be one of"):
        list(ds.IMDBDataset(str(tmp_path / "text"), sampler=ds.PKSampler(1, class_column="text")))


def test_the_bases_say_what_the_rows_are():
    assert issubclass(ds.CelebADataset, ds.VisionBaseDataset) and not issubclass(ds.CelebADataset, ds.TextBaseDataset)
    assert issubclass(ds.IMDBDataset, ds.TextBaseDataset) and issubclass(ds.MnistDataset, ds.VisionBaseDataset)
    assert issubclass(ds.MindDataset, ds.UnionBaseDataset) and issubclass(ds.CSVDataset, ds.AudioBaseDataset)
