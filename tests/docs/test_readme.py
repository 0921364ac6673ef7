"""What README shows is what happens."""

import contextlib
import io
import re
import sys
import traceback
from pathlib import Path

import pytest
from test_rooms import ABOVE, BELOW, ROOT

import minispore as ms

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


@pytest.mark.usefixtures("restored")
def test_the_verdict_of_an_overflow_reads_as_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.set_context(cpu_loss_scale=True)
    code = f"import minispore as ms\nfrom minispore import amp, nn\n{block_after('Why a step overflowed', 'python')}"
    Path("train.py").write_text(code)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(code, "train.py", "exec"), {})
    assert shown.getvalue().strip() == block_after("Why a step overflowed", "text").strip()


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
    shown = re.sub(r"  # .*", "", block_after("The rooms", "python"))
    code = (Path(__file__).parents[2] / "minispore" / "ops" / "operations" / "linalg" / "matmul.py").read_text()
    assert shown.strip() in code


def test_the_rooms_are_those_of_the_law():
    section = README[README.index("## The rooms") : README.index("To see the most")]
    rooms, line = re.findall(r"^\| `(\w+)/` \|", section, re.MULTILINE), "| **the line** |"
    assert rooms == [*ABOVE, *BELOW]
    assert section.index(f"`{ABOVE[-1]}/`") < section.index(line) < section.index(f"`{BELOW[0]}/`")
    assert [room for room in rooms if not (ROOT / room).is_dir()] == []


def test_what_it_links_is_there():
    root = ROOT.parent
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links and [link for link in links if not (root / link).exists()] == []
