"""The README of a room names files that are there."""

import re
from pathlib import Path

from amp.test_readme import PAGE

from minispore import amp


def test_the_files_that_it_names_exist():
    here = Path(amp.__file__).parent
    named = {name for name in re.findall(r"`([\w/]+\.py)`", PAGE) if not name.startswith("tests/")}
    assert len(named) >= 12
    for name in named:
        assert (here / name).exists() or (here.parent / name).exists(), name
    for link in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (here / link).resolve().exists(), link
    for name in re.findall(r"`(tests/[\w/]+\.py)`", PAGE):
        assert (Path(__file__).resolve().parents[2] / name).exists(), name
