"""Replacing a file: wholly or not at all, with its mode, through links, and without what killed writers left."""

import os
import stat

import pytest

from minispore.data import atomic_file
from minispore.data.atomic_file import replace_file


def replace(path, data):
    replace_file(path, lambda file: file.write(data))


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_file_is_made_and_replaced(tmp_path):
    for data in (b"old and long", b"new"):
        replace(tmp_path / "f", data)
        assert (tmp_path / "f").read_bytes() == data and names_in(tmp_path) == ["f"]


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, error):
    def fail(file):
        file.write(b"half")
        raise error

    replace(tmp_path / "f", b"old")
    with pytest.raises(type(error)):
        replace_file(tmp_path / "f", fail)
    assert (tmp_path / "f").read_bytes() == b"old" and names_in(tmp_path) == ["f"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_a_file_that_was_there_keeps_its_mode_at_every_moment(tmp_path, umask, mode):
    path, seen = tmp_path / "f", []
    path.touch()
    path.chmod(mode)
    replace_file(path, lambda file: seen.append(stat.S_IMODE(os.fstat(file.fileno()).st_mode)))
    assert seen == [mode] and mode_of(path) == mode


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path, umask):
    replace(tmp_path / "f", b"")
    assert mode_of(tmp_path / "f") == 0o644


def test_a_symbolic_link_stays_and_what_it_points_to_is_replaced(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to("far/f")
    for data in (b"first", b"second"):
        replace(tmp_path / "link", data)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "far" / "f").read_bytes() == data
    assert names_in(tmp_path) == ["far", "link"] and names_in(tmp_path / "far") == ["f"]


def test_what_killed_writers_of_the_path_left_is_removed_and_nothing_else(tmp_path):
    left = [".f*.0123abcd.tmp", ".f*.ffffffff.tmp"]
    others = [".f*.0123abcd.tmp.old", ".f*.0123abcz.tmp", ".fx.0123abcd.tmp", "f*.0123abcd.tmp"]
    for name in left + others:
        (tmp_path / name).write_bytes(b"half")
    replace(tmp_path / "f*", b"new")
    assert names_in(tmp_path) == sorted([*others, "f*"])


def test_what_a_living_writer_of_the_same_path_has_written_is_left_alone(tmp_path):
    def write(file):
        file.write(b"outer")
        replace(tmp_path / "f", b"inner")

    replace_file(tmp_path / "f", write)
    assert (tmp_path / "f").read_bytes() == b"outer" and names_in(tmp_path) == ["f"]


def test_a_file_whose_writing_fails_is_as_it_was_and_the_error_names_the_cause(tmp_path):
    path = tmp_path / "network.py"
    path.write_text("old")

    def write(file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match=r"For 'save', the file '.*network.py' must be writable, but got .*No space left"):
        replace_file(path, write, "save")
    assert path.read_text() == "old" and names_in(tmp_path) == ["network.py"]


def test_a_temporary_file_that_another_saver_removes_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    (tmp_path / "f").write_bytes(b"old")
    opened, real_open = [], open

    def open_and_lose_the_first(*arguments, **keywords):
        file = real_open(*arguments, **keywords)
        if arguments[1] == "xb":
            opened.append(file.name)
            if len(opened) == 1:
                os.unlink(file.name)
        return file

    monkeypatch.setattr(atomic_file, "open", open_and_lose_the_first, raising=False)
    replace(tmp_path / "f", b"new")
    assert len(opened) == 2 and (tmp_path / "f").read_bytes() == b"new" and names_in(tmp_path) == ["f"]
