"""The files that MindSpore wrote, in a folder."""

from pathlib import Path

import pytest
from data.mindrecord.test_mindrecord import VECTORS


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of its own with the recorded files."""
    monkeypatch.chdir(tmp_path)
    for name in VECTORS.files:
        if name != "rows":
            Path(name).write_bytes(VECTORS[name].tobytes())
    return tmp_path
