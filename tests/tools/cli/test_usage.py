"""``minispore check``: what code uses of MindSpore, and what of it is missing."""

import json
from pathlib import Path

import pytest

from minispore.__main__ import main
from minispore.tools.cli import usage


def used(tmp_path, text, name="script.py"):
    (tmp_path / name).write_text(text)
    found = usage.used_in(tmp_path / name)
    assert not found.unread
    places = {n.address: [place.partition(":")[2] for place in n.places] for n in found.names}
    return places, {n.address for n in found.names if n.missing}


@pytest.mark.parametrize(
    ("code", "addresses"),
    [
        ("import mindspore as ms\nms.nn.Dense(3, 4)", {"nn.Dense"}),
        ("import mindspore.nn as nn\nnn.Dense.cls", {"nn", "nn.Dense"}),
        ("import mindspore.nn\nmindspore.ops.Add()", {"nn", "ops.Add"}),
        ("from mindspore import nn as layers, Tensor\nlayers.Dense", {"nn", "Tensor", "nn.Dense"}),
        ("from mindspore.nn import *\nDense(3, 4); no_such(1)", {"nn", "nn.Dense"}),
        ("import numpy as ms\nms.nn.Dense", set()),
        ("from .mindspore import nn", set()),
        ("from mindspore import context\ndef f(context):\n    return context.no_such", {"context"}),
        ("import mindspore as ms\ndef f(x, y=ms.float32):\n    return ms.ops.no_such", {"float32", "ops.no_such"}),
        ("try:\n    from mindspore import no_such\nexcept ImportError:\n    pass", set()),
    ],
)
def test_imports_aliases_and_stars_are_followed(tmp_path, code, addresses):
    assert used(tmp_path, code)[0].keys() == addresses


def test_missing_names_have_their_places(tmp_path):
    places, missing = used(tmp_path, "import mindspore as ms\nms.no_such\nms.ops.Add()\n\nms.no_such()\n")
    assert missing == {"no_such"} and places["no_such"] == ["2", "5"]


def test_a_notebooks_code_cells_are_read(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": "import mindspore.no"},
        {"cell_type": "code", "source": ["!pip install x\n", "import mindspore as ms"]},
        {"cell_type": "code", "source": "%%bash\nls *"},
        {"cell_type": "code", "source": ["if ms:\n", "  %time 3\n", "  ms.no_such"]},
    ]
    places, missing = used(tmp_path, json.dumps({"cells": cells}), "book.ipynb")
    assert missing == {"no_such"} and places["no_such"] == ["cell 3:3"]


def test_the_command_says_what_is_missing_and_what_to_use(tmp_path, capsys):
    (tmp_path / "a.py").write_text("from mindspore import nn\nnn.Dense; nn.Linear\n")
    (tmp_path / "b.py").write_text("import mindspore.ops.auto_generate as made\nmade.cat\n")
    (tmp_path / "c.py").write_text("this is no Python")
    assert main(["check", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3 files use 4 names of mindspore ") and lines[0].endswith("2 are missing")
    assert any("mindspore.ops.auto_generate (minispore follows MindSpore 2.0.0" in line for line in lines)
    assert any("c.py: SyntaxError" in line for line in lines)


def test_the_command_ends_with_0_where_all_is_here(tmp_path, capsys):
    (tmp_path / "a.py").write_text("from mindspore import nn\nnn.Dense\n")
    assert main(["check", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["names"]["nn.Dense"] == {"missing": False, "uses": 1, "places": [f"{tmp_path / 'a.py'}:2"]}


def test_a_path_that_is_not_there_is_refused(capsys):
    with pytest.raises(SystemExit) as end:
        main(["check", "no_such_folder"])
    assert end.value.code == 2 and "there is no file or folder" in capsys.readouterr().err


NESTED = "x = " + "-" * 60000 + "1"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", b"def f(:\n"),
        ("a.py", "x = '\xe9'".encode("latin1")),
        ("a.py", b"x = 1\0"),
        ("a.py", b"# coding: nosuch\n"),
        ("a.py", NESTED.encode()),
        ("a.ipynb", b""),
        ("a.ipynb", b"[" * 100000),
        ("a.ipynb", b"[]"),
        ("a.ipynb", b'{"cells": null}'),
        ("a.ipynb", b'{"cells": [3]}'),
        ("a.ipynb", b'{"cells": [{"cell_type": "code", "source": 3}]}'),
    ],
)
def test_a_file_that_is_no_code_is_named_and_the_others_are_read(tmp_path, name, text):
    (tmp_path / name).write_bytes(text)
    (tmp_path / "good.py").write_text("import mindspore as ms\nms.Tensor\n'\\d'\n")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    found = usage.used_in(tmp_path)
    assert [Path(path).name for path, _ in found.unread] == [name]
    assert [found_name.address for found_name in found.names] == ["Tensor"]


def test_the_commands_of_a_notebook_are_left_out(tmp_path):
    lines = ["%matplotlib inline\n", "files = !ls\n", "ms.nn?\n", "?ms.nn\n", "import mindspore as ms\n", "ms.Tensor"]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": lines}]}))
    found = usage.used_in(tmp_path)
    assert (found.unread, [name.address for name in found.names]) == ([], ["Tensor"])


def test_a_path_that_is_no_text_can_be_printed(tmp_path):
    try:
        (tmp_path / "bad\udcff.py").write_text("import mindspore as ms\nms.Tensor\n")
    except (OSError, UnicodeError):
        pytest.skip("the file system takes text only")
    assert r"bad\udcff.py:2" in usage.as_json(usage.used_in(tmp_path)).replace("\\\\", "\\")
