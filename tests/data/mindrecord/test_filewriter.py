"""FileWriter: rows into the pages of one file or several, and their index."""

import pytest
from data.mindrecord.test_mindrecord import SAMPLES

from minispore.mindrecord import FileWriter


def test_a_file_that_is_not_finished_is_not_there(folder):
    writer = FileWriter("new")
    writer.add_schema(SAMPLES)
    writer.write_raw_data([{"id": 8, "data": b"new"}])
    del writer
    assert not list(folder.glob("new*"))


@pytest.mark.parametrize(
    ("error", "row"),
    [
        (TypeError, {"id": "1", "data": b""}),
        (TypeError, {"id": 1, "data": "text"}),
        (TypeError, 3),
        (ValueError, {"id": 1}),
        (ValueError, {"id": 2**31, "data": b""}),
        (ValueError, {"id": 1, "data": bytes(40000)}),
    ],
)
def test_a_row_that_its_schema_does_not_fit_is_refused_and_nothing_is_written(folder, error, row):
    writer = FileWriter("new")
    writer.set_page_size(2**15)
    writer.add_schema(SAMPLES)
    with pytest.raises(error, match=r"^For 'write_raw_data', .*, but got .*"):
        writer.write_raw_data([{"id": 1, "data": b"x"}, row])
    assert not list(folder.glob("new*"))


def test_a_file_that_is_there_is_replaced_with_overwrite_alone(folder):
    writer = FileWriter("plain")
    writer.add_schema(SAMPLES)
    with pytest.raises(ValueError, match="For 'FileWriter', the file 'plain' must not be there unless 'overwrite' is"):
        writer.write_raw_data([])
