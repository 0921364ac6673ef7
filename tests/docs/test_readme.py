"""What README shows is what happens."""

import contextlib
import io
import re
import sys
import traceback
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text()


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


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 prints no notes")
@pytest.mark.usefixtures("restored")
def test_an_error_tells_where_as_shown(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(block_after("A network, as MindSpore writes it", "python").replace("8 * 14 * 14", "8 * 14"))
    with pytest.raises(ValueError) as raised:
        exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__"})
    entries = traceback.extract_tb(raised.value.__traceback__)[1:]  # without this test
    lines = [f'  File "{e.filename}", line {e.lineno}, in {e.name}\n    {e.line}' for e in entries]
    lines += [f"ValueError: {raised.value}", *raised.value.__notes__]
    found = "\n".join(["Traceback (most recent call last):", *lines]).replace(str(path), "net.py")
    assert found == block_after("Errors tell where", "text").strip()


def test_the_primitive_reads_as_in_the_code():
    """But for the comments, and what the operations module names in its own way."""
    shown = re.sub(r"  # .*", "", block_after("The floor plan", "python"))
    code = (Path(__file__).parents[2] / "minispore" / "ops" / "operations" / "linalg" / "matmul.py").read_text()
    assert shown.strip() in code
