"""What README shows is what happens."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text()


def block_after(heading, kind):
    """The first block of code of a kind under a heading."""
    return re.search(rf"```{kind}\n(.*?)```", README[README.index(f"## {heading}\n") :], re.DOTALL).group(1)


@pytest.mark.usefixtures("restored")
def test_the_network_trains_and_the_replay_reads_as_shown():
    names = {}
    exec(block_after("A network, as MindSpore writes it", "python"), names)
    assert 0 < float(names["loss"]) < 10 and float(names["scale"]) == 2.0**24
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(block_after("Graph mode", "python"), names)
    assert shown.getvalue().strip() == block_after("Graph mode", "text").strip()


def test_the_primitive_reads_as_in_the_code():
    """But for the comments, and what the operations module names in its own way."""
    shown = re.sub(r"  # .*", "", block_after("The floor plan", "python"))
    code = (Path(__file__).parent.parent / "minispore" / "ops" / "linear.py").read_text()
    assert shown.strip() in code
