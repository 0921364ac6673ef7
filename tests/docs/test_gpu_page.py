"""The page on a GPU: its program prints what is shown there, and on the CPU with two words changed."""

import re

import pytest
from support.executed_page import CLONE, blocks_of, printed

from minispore import runtime

BLOCKS = blocks_of((CLONE / "docs" / "how-to" / "gpu.md").read_text())
ON_CPU = "cpu_loss_scale=True, mode=ms.GRAPH_MODE"


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("target", ["CPU", "GPU"])
def test_its_training_prints_what_it_shows(target):
    if target == "GPU" and not runtime.is_available("GPU"):
        pytest.skip("no GPU")
    code, shown = BLOCKS[0]
    if target == "CPU":
        code = code.replace('device_target="GPU", mode=ms.GRAPH_MODE', ON_CPU)
    assert printed(code, {"__name__": "train"}, f"<train on {target}>") == shown


@pytest.mark.usefixtures("restored")
def test_its_memory_is_counted():
    if not runtime.is_available("GPU"):
        pytest.skip("no GPU")
    assert re.match(r"True True\n.*allocated", printed(BLOCKS[1][0], {}, "<memory>"), re.DOTALL)
