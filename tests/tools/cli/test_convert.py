"""``minispore convert``: the same parameters and texts in the other format."""

import re

import numpy as np
import pytest

import minispore as ms
from minispore.__main__ import main


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "a.ckpt"
    ms.save_checkpoint([{"name": "w", "data": ms.Tensor([1.5, np.nan])}], path, append_dict={"note": "text"})
    return path


def test_there_and_back_gives_the_same_bytes(source, tmp_path, capsys):
    between, back = tmp_path / "b.safetensors", tmp_path / "c.ckpt"
    assert main(["convert", str(source), str(between)]) == 0 and main(["convert", str(between), str(back)]) == 0
    assert back.read_bytes() == source.read_bytes() != between.read_bytes()
    assert capsys.readouterr().out.splitlines()[0] == f"Written: {between}, with 1 parameters and 1 texts."


@pytest.mark.parametrize(
    "target, message", [("a.ckpt", "must not exist unless '--overwrite' is given"), ("b.npz", r"must end in \.ckpt or")]
)
def test_an_existing_or_unknown_target_is_refused(source, tmp_path, capsys, target, message):
    before = source.read_bytes()
    with pytest.raises(SystemExit) as ended:
        main(["convert", str(source), str(tmp_path / target)])
    assert ended.value.code == 2 and source.read_bytes() == before
    assert re.search(message, capsys.readouterr().err)


def test_an_existing_target_is_replaced_when_told(source):
    assert main(["convert", str(source), str(source), "--overwrite"]) == 0
    assert ms.load_checkpoint(source)["note"] == "text"
