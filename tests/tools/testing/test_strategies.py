"""What is drawn."""

import subprocess
import sys

import numpy as np
from hypothesis import Phase, find, settings

from minispore.tools.testing.primitives.table import TABLE
from minispore.tools.testing.strategies.arguments import argued
from minispore.tools.testing.strategies.calls import Call, calls, lines
from minispore.tools.testing.strategies.layers import layer_calls

FEW = settings(max_examples=50, database=None, phases=(Phase.generate, Phase.shrink))
CODE = """
import sys
sys.modules["hypothesis"] = None
from minispore.testing import judge, ran_in, vectors, ledger
try:
    import minispore.testing.strategies
except ModuleNotFoundError as error:
    print(error)
"""


def test_without_hypothesis_only_drawing_is_refused_and_it_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.stdout == "For 'testing', cases need hypothesis: pip install \"hypothesis>=6.100\".\n", done.stderr


def test_a_layer_shrinks_to_its_plainest_form():
    call = find(layer_calls(["Conv2d"]), lambda call: "has_bias" in call.making, settings=FEW)
    assert (call.making, call.inputs[0].shape, call.seed) == ("nn.Conv2d(1, 1, 1, has_bias=True)", (1, 1, 5, 5), 0)


def test_a_step_of_an_optimizer_is_told_with_the_parameters_that_it_leaves():
    line = next(line for line in TABLE if line.primitive.name == "ApplyAdagrad")
    call = Call(line, 1, np.float32)
    one, other = (f'(w{i} := ms.Parameter(x{i}, name="x{i}"))' for i in (0, 1))
    told = f"(ops.ApplyAdagrad(update_slots=True)({one}, {other}, x2, x3), w0, w1)[1:]"
    assert call.expression == told


def named(name):
    return next(line for _, line in lines() if line.primitive.name == name)


def test_a_call_shrinks_to_few_elements_in_a_plain_shape():
    call = find(calls(named("Tanh")), lambda call: call.inputs[0].size >= 2, settings=FEW)
    assert (call.inputs[0].shape, call.seed) == ((2,), 0)
    call = find(calls(named("Mul")), lambda call: call.inputs[0].shape != call.inputs[1].shape, settings=FEW)
    assert max(x.size for x in call.inputs) <= 2


def test_arguments_shrink_too():
    call = find(argued("Gather"), lambda call: (call.inputs[1] < 0).any(), settings=FEW)
    assert [x.shape for x in call.inputs] == [(1,), (1,)]
    assert call.arguments == {"axis": 0} and call.inputs[1].tolist() == [-1]
