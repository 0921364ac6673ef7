"""CONTRIBUTING shows the floor plan and the primitive that the code has."""

import re

import pytest
from support.executed_page import CLONE
from test_floors import FLOORS, ROOT

TEXT = (CLONE / "CONTRIBUTING.md").read_text()


def test_the_primitive_reads_as_in_the_code():
    """But for the comments, and what the operations module names in its own way."""
    shown = re.sub(
        r"  # .*", "", re.search(r"```python\n(.*?)```", TEXT[TEXT.index("## A primitive\n") :], re.DOTALL).group(1)
    )
    code = (CLONE / "minispore" / "ops" / "operations" / "linalg" / "matmul.py").read_text()
    assert shown.strip() in code


def test_the_floor_plan_is_that_of_the_floors_test():
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", TEXT[TEXT.index("## The floor plan") :], re.MULTILINE)
    shown = [set(re.findall(r"`([\w/.]+)`", files)) for _, files in rows]
    there = {
        path.stem: f"{path.name}/" * path.is_dir() or path.name for path in ROOT.iterdir() if path.suffix != ".pyi"
    }
    floors = [{there[name] for name in names.split() if name in there} for names in FLOORS["minispore"]]
    assert shown == [floor for floor in floors if floor]
    assert [int(number) for number, _ in rows] == list(range(len(rows)))


@pytest.mark.parametrize("package", [name for name in FLOORS if name.count(".") == 1])
def test_the_inner_floors_are_those_of_the_floors_test(package):
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
