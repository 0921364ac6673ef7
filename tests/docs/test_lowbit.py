"""The page on low bits is true: its blocks print what it shows, and what it links is there."""

import runpy
import sys

import pytest
from support.executed_page import CLONE, blocks_of, linked, links_of, run, sentences_of

from minispore import amp

EXAMPLES = CLONE / "examples" / "low_bit"
PAGE = CLONE / "docs" / "explain" / "lowbit.md"
TEXT = PAGE.read_text(encoding="utf-8")
POINTERS = links_of(PAGE)


@pytest.mark.usefixtures("restored")
def test_its_blocks_print_what_it_shows(tmp_path, monkeypatch):
    blocks = blocks_of(TEXT)
    found = run(blocks, tmp_path, monkeypatch)
    assert found == [shown for _, shown in blocks]
    assert len(blocks) == 12 and all(found[1:])


@pytest.mark.parametrize(("name", "path"), POINTERS, ids=[name for name, _ in POINTERS])
def test_what_it_links_is_in_that_file(name, path):
    found, module = linked(PAGE, path, name)
    assert found.__module__ == module.__name__


@pytest.mark.parametrize("maker", [amp.DelayedFP8, amp.CurrentFP8, amp.BlockFP8, amp.MXFP8, amp.MXFP4, amp.NVFP4])
def test_its_table_has_each_recipe(maker):
    assert f"| `{maker.__name__}` |" in TEXT


def test_its_sentences_are_short():
    assert [s for s in sentences_of(TEXT) if len(s.split()) > 25] == []


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(("net", "chosen"), [("mlp", []), ("transformer", ["--recipes", "MXFP8", "nvfp4"])])
def test_the_example_of_characters_trains_by_each_recipe(net, chosen, monkeypatch, capsys, tmp_path):
    names = runpy.run_path(str(EXAMPLES / "characters.py"))
    picture = tmp_path / "losses.png"
    arguments = [str(PAGE), "--net", net, "--steps", "1", "--seeds", "1", "--picture", str(picture), *chosen]
    monkeypatch.setattr(sys, "argv", ["characters.py", *arguments])
    names["main"]()
    lines = capsys.readouterr().out.splitlines()
    assert [line[:28].strip() for line in lines[1:]] == (["float32", *chosen[1:]] if chosen else list(names["RECIPES"]))
    assert picture.exists()


@pytest.mark.usefixtures("restored")
def test_small_gradients_are_lost_without_a_scale_alone(monkeypatch, capsys):
    names = runpy.run_path(str(EXAMPLES / "characters.py"))
    chosen = ["FP8 without a scale", "FP8 without a scale, / 4096", "FP8 current", "FP8 current, / 4096"]
    monkeypatch.setattr(sys, "argv", ["", str(PAGE), "--steps", "30", "--seeds", "1", "--recipes", *chosen])
    names["main"]()
    more = {line[:28].strip(): float(line.split()[-2]) for line in capsys.readouterr().out.splitlines()[2:]}
    assert more["FP8 without a scale, / 4096"] > 0.1
    assert all(abs(more[name]) < 0.02 for name in (chosen[0], *chosen[2:]))


@pytest.mark.usefixtures("restored")
def test_the_example_of_images_tells_and_trains(capsys):
    runpy.run_path(str(EXAMPLES / "lenet5.py"))["main"]("mxfp8(convolutions=yes; keep=last)", "1", "64")
    told = capsys.readouterr().out
    assert "conv1" in told and "mxfp8 (e4m3/32)" in told and "kept: last" in told and "accuracy" in told
