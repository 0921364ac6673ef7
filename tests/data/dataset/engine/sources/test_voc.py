"""VOCDataset: the images of Pascal VOC with the classes of their pixels, or with the boxes of their objects."""

from conformance.cases.source_folders import FOLDERS, pixels, png

from minispore import dataset as ds


def test_metadata_comes_where_it_is_renamed_or_asked_for(tmp_path):
    FOLDERS["voc"](tmp_path)
    data = ds.VOCDataset(str(tmp_path), extra_metadata=True, shuffle=False)
    assert data.get_col_names() == ["image", "target", "_meta-filename"]
    assert list(next(data.create_dict_iterator(output_numpy=True))) == ["image", "target"]
    renamed = data.rename("_meta-filename", "name").project("name")
    assert [row[0].item() for row in renamed.create_tuple_iterator(output_numpy=True, num_epochs=1)] == ["b", "a"]


def test_an_image_may_be_decrypted(tmp_path):
    FOLDERS["voc"](tmp_path)
    data = ds.VOCDataset(str(tmp_path), shuffle=False, decode=True, decrypt=lambda path: png(pixels(2)))
    assert all((row[0] == pixels(2)).all() for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1))
