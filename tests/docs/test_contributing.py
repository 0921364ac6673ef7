"""CONTRIBUTING shows the rooms and the primitive that the code has."""

import re

import pytest
from support.executed_page import CLONE
from test_rooms import ABOVE, BELOW, FLOORS, ROOT

TEXT = (CLONE / "CONTRIBUTING.md").read_text()


def test_the_primitive_reads_as_in_the_code():
    """But for the comments, and what the operations module names in its own way."""
    shown = re.sub(
        r"  # .*", "", re.search(r"```python\n(.*?)```", TEXT[TEXT.index("## A primitive\n") :], re.DOTALL).group(1)
    )
    code = (CLONE / "minispore" / "ops" / "operations" / "linalg" / "outer_product.py").read_text()
    assert shown.strip() in code


def test_the_rooms_are_those_of_the_law():
    section = TEXT[TEXT.index("## The rooms") : TEXT.index("The large rooms")]
    rooms, line = re.findall(r"^\| `(\w+)/` \|", section, re.MULTILINE), "| **the line** |"
    assert rooms == [*ABOVE, *BELOW]
    assert section.index(f"`{ABOVE[-1]}/`") < section.index(line) < section.index(f"`{BELOW[0]}/`")
    assert [room for room in rooms if not (ROOT / room).is_dir()] == []


@pytest.mark.parametrize("package", [name for name in FLOORS if name.count(".") == 1])
def test_the_inner_floors_are_those_of_the_law(package):
    folder = package.partition(".")[2]
    text = re.search(rf"^- `{folder}/`: (.*?)\n(?=- |\n)", TEXT, re.MULTILINE | re.DOTALL)[1]
    names = [name.rstrip("/") for name in re.findall(r"`([\w/]+)`", text)]
    inner = ROOT / folder
    floors = [names.split() for names in FLOORS[package][:-1]]
    floors = [{n for n in floor if (inner / n).exists() or (inner / f"{n}.py").exists()} for floor in floors]
    for floor in floors:
        assert set(names[: len(floor)]) == floor
        names = names[len(floor) :]
    assert names == []
