"""The page on mixed precision tells the truth: its code runs, and what it points to exists."""

import importlib
import re
from pathlib import Path

import pytest

from minispore import amp

pytestmark = pytest.mark.usefixtures("restored")
PAGE = (Path(amp.__file__).parent / "README.md").read_text()


@pytest.mark.needs("tools")  # `policy_of`
def test_its_code_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names = {}
    for block in blocks:
        exec(block, names)  # what a reader would type
    told = re.findall(r"^print\(.*\)(?:  |\n)# (.*)$", "\n".join(blocks), re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(told) == 4 and printed[0] == "True 16777216.0 8388608.0"
    assert all(text == line or text.startswith(f"{line}: ") for line, text in zip(printed, told, strict=True)), printed
    nn, ms = names["nn"], names["ms"]
    network = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    step = names["OwnStep"](network, optimizer, nn.DynamicLossScaleUpdateCell(8, 2, 1))
    before = network.trainable_params()[0].asnumpy().copy()
    assert not bool(step(ms.ops.ones((2, 2)), ms.ops.ones((2, 1)))[1])
    assert (before != network.trainable_params()[0].asnumpy()).any()


def test_the_functions_that_it_points_to_exist():
    table = PAGE.split("## From the seed to the code")[1]
    pointers = re.findall(r"\| `([\w/]+)\.py`: ([^|]+) \|", table)
    assert len(pointers) == 11
    for module, names in pointers:
        found = importlib.import_module(f"minispore.amp.{module.replace('/', '.')}")
        for name in re.findall(r"`(\w+)`", names):
            assert hasattr(found, name), f"{module}.{name}"
