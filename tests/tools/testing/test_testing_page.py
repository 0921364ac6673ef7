"""docs/how-to/testing.md: its blocks run and print what it shows, and its tables are what the kit has."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from minispore.tools.testing import __main__ as command
from minispore.tools.testing import targets
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.oracles import loss_scale

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "how-to" / "testing.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
pytestmark = pytest.mark.usefixtures("restored")


def printed(run):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run()
    return out.getvalue()


def law_printed(folder, blocks):
    """What the command of the page prints, without seconds and without the program under a counterexample."""
    (text,) = [text for kind, text in blocks if kind == "bash" and "--law" in text]
    arguments = text.split()[3:]
    found = printed(lambda: command.main([a.replace("my_scaler.py", f"{folder}/my_scaler.py") for a in arguments]))
    lines = [re.sub(r" [\d.]+ s ", " 0.0 s ", line) for line in found.splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith(" " * 8)) + "\n"


def test_the_strangers_path_goes_from_a_failing_law_to_its_repair(tmp_path):
    blocks = BLOCKS[: next(i for i, (kind, text) in enumerate(BLOCKS) if "-p minispore" in text)]
    wrong, repair = [text for kind, text in blocks if kind == "python"]
    failing, repaired = [text for kind, text in blocks if kind == "text"]
    told, new = repair.splitlines()
    (tmp_path / "my_scaler.py").write_text(wrong)
    assert law_printed(tmp_path, blocks) == failing
    (line,) = re.findall(r'in place of the line "(.*)"', told)
    (tmp_path / "my_scaler.py").write_text(wrong.replace(line, new.strip()))
    assert law_printed(tmp_path, blocks) == repaired


@pytest.mark.parametrize("begins", ["import numpy as np", "from minispore.testing import vectors"])
def test_a_block_prints_what_it_shows(begins, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    at = next(i for i, (kind, text) in enumerate(BLOCKS) if kind == "python" and text.startswith(begins))
    assert printed(lambda: exec(BLOCKS[at][1], {})) == BLOCKS[at + 1][1]


def test_the_table_of_dialects_is_computed():
    assert loss_scale.table() in PAGE


def test_every_law_stands_on_the_page():
    rows = [
        f"| `{law.name}` | {law.sentence} | {', '.join(f'`{verb}`' for verb in law.needs)} |" for law in LAWS.values()
    ]
    assert [row for row in rows if row not in PAGE] == []


def test_every_verb_stands_on_the_page_and_in_the_protocol():
    told = [*targets.VERBS, "speaks", "says", "has", "faces", "lacks"]
    assert [verb for verb in told if f"| `{verb}` |" not in PAGE or f"``{verb}``  " not in targets.__doc__] == []


def test_every_option_stands_on_the_page():
    options = re.findall(r"--[a-z]+", command.parser().format_usage())
    assert [option for option in options if f"`{option}" not in PAGE] == []
