"""Pages that are executed: their blocks of Python, what each prints, and the functions that they link."""

import contextlib
import functools
import importlib
import io
import linecache
import re
import sys
from pathlib import Path

CLONE = Path(__file__).parents[2]


def blocks_of(text):
    """The blocks of Python in a page, each with the block of text that follows it: what it prints, or ""."""
    return re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)


def is_file(code):
    """True for a block that begins with ``# net.py``: a file that the later blocks import."""
    return re.match(r"# (\w+\.py)\n", code)


def printed(code, names, file):
    """What code prints, without blanks at the ends of lines."""
    shown = io.StringIO()
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file  # rewriting reads the source
    with contextlib.redirect_stdout(shown):
        exec(compile(code, file, "exec"), names)
    return "".join(f"{line.rstrip()}\n" for line in shown.getvalue().strip("\n").splitlines())


def run(blocks, folder, monkeypatch, files=()):
    """What each block prints in a folder, one after another in one module; a file is written there instead.

    ``files`` are the names of files that are there already.
    """
    monkeypatch.chdir(folder)  # receipts show places relative to the working directory
    monkeypatch.syspath_prepend(folder)
    names, found = {"__name__": "evening"}, []
    modules = [file.removesuffix(".py") for file in (*files, *[is_file(c)[1] for c, _ in blocks if is_file(c)])]
    for module in modules:
        monkeypatch.delitem(sys.modules, module, raising=False)
    try:
        for number, (code, _) in enumerate(blocks):
            if is_file(code):
                (folder / is_file(code)[1]).write_text(code)
                found.append("")
            else:
                found.append(printed(code, names, f"<block {number}>"))
    finally:
        for module in modules:
            sys.modules.pop(module, None)
    return found


def links_of(page):
    """The pairs of a page's links to functions and classes: the name, and the file's path."""
    return re.findall(r"\[`([\w.]+)`\]\(([\w./]+\.py)\)", page.read_text())  # a link to a file has a slash in its text


def linked(page, path, name):
    """The object that a page's link names in a module, and the module."""
    parts = (page.parent / path).resolve().relative_to(CLONE).with_suffix("").parts
    module = importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return functools.reduce(getattr, name.split("."), module), module


def sentences_of(text):
    """The sentences of a page: without code, tables and headings; a link counts as its text."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    paragraphs = [p for p in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text) if not re.match(r"\s*[#|<]| {4}", p)]
    for paragraph in paragraphs:
        bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph).replace("**", "")
        bare = re.sub(r"^\s*(?:[-*]|\d+\.) ", "", bare)
        yield from filter(None, re.split(r"(?<=[.?!])\s+", " ".join(bare.split())))
