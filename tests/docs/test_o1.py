"""The page "O1 in an evening" is true: its blocks print what it shows, and the functions that it links are there."""

import contextlib
import functools
import importlib
import io
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "o1.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)
POINTERS = re.findall(r"\[`([\w.]+)`\]\(([\w./]+\.py)\)", PAGE)


def printed(code, names):
    """What code prints, without blanks at the ends of lines."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(code, names)
    return "".join(f"{line.rstrip()}\n" for line in shown.getvalue().strip("\n").splitlines())


@pytest.mark.usefixtures("restored")
def test_its_blocks_print_what_it_shows(tmp_path, monkeypatch):
    (source, _), *blocks = BLOCKS
    (tmp_path / "net.py").write_text(source)
    monkeypatch.chdir(tmp_path)  # the receipt shows places relative to the working directory
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "net", raising=False)
    names = {}
    try:
        found = [printed(code, names) for code, _ in blocks]
    finally:
        sys.modules.pop("net", None)
    assert found == [shown for _, shown in blocks]
    assert len(blocks) == 6 and all(found)


@pytest.mark.parametrize(("name", "path"), POINTERS, ids=[name for name, _ in POINTERS])
def test_a_function_that_it_links_is_in_that_file(name, path):
    file = (DOCS / path).resolve()
    parts = file.relative_to(DOCS.parent).with_suffix("").parts
    module = importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    found = functools.reduce(getattr, name.split("."), module)
    assert found.__module__ == module.__name__


def test_every_paragraph_on_a_step_links_a_function():
    steps = PAGE[PAGE.index("## The way in") : PAGE.index("## What is left out")]
    paragraphs = [text for text in re.sub(r"```.*?```", "", steps, flags=re.DOTALL).split("\n\n") if text.strip()]
    told = [text for text in paragraphs if not text.startswith("#") and len(text.split()) > 15]
    assert [text for text in told if not re.search(r"\]\(\.\./minispore/", text)] == []
