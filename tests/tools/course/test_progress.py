"""The progress of a reader: written and read back; a file of others is refused."""

import pytest

from minispore.tools.course.progress import State, read_progress, write_progress


def test_it_is_read_as_it_was_written(tmp_path):
    states = {"6.1": State(2, 1, True), "7.2": State()}
    write_progress(tmp_path, states)
    assert read_progress(tmp_path) == states
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]


def test_without_a_file_nothing_was_begun(tmp_path):
    assert read_progress(tmp_path / "nowhere") == {}


@pytest.mark.parametrize("text", ["", "[]", '{"6.1": 3}', '{"6.1": {"trials": 3}}'])
def test_a_file_of_others_is_refused_and_kept(tmp_path, text):
    path = tmp_path / "progress.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="must be the course's own; delete it to begin anew"):
        read_progress(tmp_path)
    assert path.read_text() == text
