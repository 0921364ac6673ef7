"""FileReader: the rows of MindRecord files as dicts."""

import contextlib
import os
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from data.mindrecord.test_mindrecord import RECORDED, VECTORS, first, rows_of
from hypothesis import settings

from minispore.mindrecord import FileReader


@pytest.mark.parametrize("name", RECORDED)
def test_a_file_of_mindspore_has_the_rows_that_mindspore_reads(folder, name):
    assert rows_of(first(name)) == RECORDED[name]


def test_an_index_does_not_compute(folder):
    with contextlib.closing(sqlite3.connect("plain.db")) as index, index:
        names = [row[1] for row in index.execute("PRAGMA table_info(INDEXES)")]
        index.execute("ALTER TABLE INDEXES RENAME TO OLD")
        columns = ", ".join(n if n != "PAGE_ID_RAW" else f"{n} AS (length(hex(zeroblob(9)))) VIRTUAL" for n in names)
        index.execute(f"CREATE TABLE INDEXES ({columns})")
    with pytest.raises(ValueError, match="an index with columns that are computed"):
        FileReader("plain")


def test_a_broken_file_ends_in_one_sentence(folder):
    rng = np.random.default_rng(0)
    tries = 200 if settings.default.max_examples < 500 else 20000
    contents = {name: VECTORS[name] for name in ("mixed", "mixed.db", "ints", "ints.db")}
    for _ in range(tries):
        name = sorted(contents)[rng.integers(4)]
        content = contents[name].copy()
        used = np.flatnonzero(content)
        for place in rng.choice(used, rng.integers(1, 4)):
            content[place] = rng.integers(256)
        content = content[: rng.integers(len(content))] if rng.random() < 0.2 else content
        Path(name).write_bytes(content.tobytes())
        try:
            rows_of(name.removesuffix(".db"))
        except (ValueError, FileNotFoundError) as error:
            assert str(error).startswith("For '"), error
        finally:
            Path(name).write_bytes(contents[name].tobytes())
    assert os.listdir(folder)
