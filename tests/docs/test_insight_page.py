"""The page on insight is true: its blocks, one script, print what it shows."""

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "insight.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)


@pytest.mark.usefixtures("restored")
def test_its_blocks_print_what_it_shows():
    names = {}
    for code, told in BLOCKS:
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(code, "train.py", "exec"), names)
        assert shown.getvalue() == told
