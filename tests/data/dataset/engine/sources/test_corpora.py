"""Public corpora of text: which files each consists of, and how their lines become rows."""

from conformance.cases.source_folders import FOLDERS, put

from minispore import dataset as ds


def test_the_rows_of_a_shard_are_whole_where_mindspore_joins_fields_of_two_lines(tmp_path):
    FOLDERS["reviews3"](tmp_path)
    rows = ds.AGNewsDataset(str(tmp_path), "train", shuffle=False, num_shards=2, shard_id=1)
    assert next(rows.create_tuple_iterator(output_numpy=True))[0].item() == "2"


def test_the_last_sentence_needs_no_empty_line_after_it(tmp_path):
    put(tmp_path, {"train.txt": "a b c\n\nd e f\n"})
    rows = ds.CoNLL2000Dataset(str(tmp_path), "train", shuffle=False)
    assert [row[0].tolist() for row in rows.create_tuple_iterator(output_numpy=True, num_epochs=1)] == [["a"], ["d"]]


def test_a_review_of_several_lines_is_read_whole(tmp_path):
    put(tmp_path, {"train/pos/1.txt": "one\ntwo\n"})
    (row,) = ds.IMDBDataset(str(tmp_path), "train").create_tuple_iterator(output_numpy=True, num_epochs=1)
    assert row[0].item() == "one\ntwo"
