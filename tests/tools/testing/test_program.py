"""Programs that are printed: each runs when pasted, and so does the case in the target's own API, torch's too."""

import numpy as np
import pytest

from minispore.tools.testing import program
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.program import in_code
from minispore.tools.testing.runner import tried
from minispore.tools.testing.strategies.courses import Run
from minispore.tools.testing.strategies.layer_arguments import Input
from minispore.tools.testing.targets import load
from minispore.tools.testing.targets.minispore import Minispore
from minispore.tools.testing.targets.of_torch import Torch

pytestmark = pytest.mark.usefixtures("restored")

VALUES = [
    np.float16([[0.1, -np.inf], [np.nan, -0.0]]),
    np.zeros((0, 2), np.int32),
    np.array(True),
    np.array([1 + 2j]),
    (1.5, float("inf"), -float("inf"), None, "text", (2,)),
    {"axis": (0, -1), "keep": True},
    Run(["relu", ("sum", ["dense"])], "SGD", "O2", None, ("good",)),
    Input((2, 3), whole=4),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_told_as_the_expression_that_makes_it(value):
    made = eval(in_code(value), {"np": np, "Run": Run, "Input": Input})
    if isinstance(value, np.ndarray):
        assert (made.dtype, made.shape, made.tobytes()) == (value.dtype, value.shape, value.tobytes())
    else:
        assert made == value


# A target's file in which every answer is spoiled
OWN = """
import numpy as np

from minispore.testing.targets.{module} import {kind}


class Spoiled({kind}):
    def compute(self, *case):
        return [y + y.dtype.type(1) if y.dtype.kind == "f" else y for y in super().compute(*case)]

    def gradient(self, *case):
        return [np.asarray(g) + 1 for g in super().gradient(*case)]

    def finite(self, arrays):
        return not super().finite(arrays)

    def unscale(self, *case):
        return [y + 1 for y in super().unscale(*case)]

    def descend(self, *case):
        return [w + 1 for w in super().descend(*case)]


def target():
    made = {made}
    made.name = "spoiled"
    return made
"""
MADE = {
    "mindspore": ("minispore", "Minispore", "Spoiled()"),
    "torch": ("of_torch", "Torch", "Spoiled(__import__('torch'))"),
}
OF_EXPRESSIONS = ("formula", "drawn_arguments", "rounds_to_nearest", "long_sums", "loss_formula", "gradient")
OF_NUMBERS = ("overflow_is_seen", "unscaling", "optimizer_formula")
ONLY = {"formula": "-Exp float32", "gradient": "-Exp"}


CASES = [("mindspore", law) for law in OF_EXPRESSIONS + OF_NUMBERS]
CASES += [("torch", law) for law in ("formula", "drawn_arguments", "loss_formula", "gradient", "unscaling")]


@pytest.mark.parametrize(("speaks", "law"), CASES)
def test_the_program_of_an_own_target_shows_the_failure_when_it_is_pasted(speaks, law, tmp_path):
    if speaks == "torch":
        pytest.importorskip("torch")
    module, kind, made = MADE[speaks]
    (tmp_path / "own.py").write_text(OWN.format(module=module, kind=kind, made=made))
    result = tried(LAWS[law], load(str(tmp_path / "own.py")), only=ONLY.get(law, "*"))
    assert result.failures and result.smallest.said == ""
    with pytest.raises(AssertionError) as found:
        exec(result.smallest.program, {})
    assert str(found.value) == result.smallest.words


class Spoiled(Minispore):
    """Every answer is spoiled; it is told as minispore."""

    def compute(self, *case):
        return [y + y.dtype.type(1) if y.dtype.kind == "f" else y for y in super().compute(*case)]

    def forward(self, *case):
        return super().forward(*case) + 1

    def ran_in(self, *case):
        return "float64"

    def rewrite(self, *case):
        before, after = super().rewrite(*case)
        return [before, [None if y is None else y + 1 for y in after]]


IN_ITS_API = ("formula", "drawn_arguments", "rounds_to_nearest", "long_sums", "layer_formula", "network_formula")
IN_ITS_API += ("listed_cells", "level_computes", "rewritten_network")


@pytest.mark.parametrize("law", IN_ITS_API)
def test_the_case_in_the_targets_own_api_runs_when_it_is_pasted(law, capsys):
    result = tried(LAWS[law], Spoiled(), only={"formula": "-Exp float32", "layer_formula": "Dense"}.get(law, "*"))
    said = result.smallest.said
    assert "import minispore as ms" in said
    exec(compile(said, "<pasted>", "exec"), {"__name__": "pasted"}) if law != "rewritten_network" else None


@pytest.mark.parametrize("law", OF_EXPRESSIONS[:-1])
def test_the_case_for_torch_is_told_in_torch(law, capsys):
    class OfTorch(Torch):
        def compute(self, *case):
            return [y + y.dtype.type(1) if y.dtype.kind == "f" else y for y in super().compute(*case)]

    result = tried(LAWS[law], OfTorch(pytest.importorskip("torch")), only=ONLY.get(law, "*"))
    assert "import torch\n" in result.smallest.said and "mindspore" not in result.smallest.said
    exec(result.smallest.said, {})
    assert capsys.readouterr().out.startswith("tensor(")


def test_a_case_of_no_known_form_has_its_own_program():
    class Case:
        def program(self):
            return "its own"

    assert program.pasted(LAWS["formula"], Minispore(), Case()) == "its own"
