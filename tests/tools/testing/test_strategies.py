"""What is drawn."""

import subprocess
import sys

import numpy as np
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from minispore import nn
from minispore.tools.testing.oracles.float64 import values_for
from minispore.tools.testing.primitives.table import TABLE
from minispore.tools.testing.strategies.arguments import argued
from minispore.tools.testing.strategies.arrays import arrays, broadcastable, edges
from minispore.tools.testing.strategies.calls import Call, calls, lines
from minispore.tools.testing.strategies.courses import Run
from minispore.tools.testing.strategies.generator import MOST, Generator
from minispore.tools.testing.strategies.layer_arguments import HELD_ELSEWHERE, LAYERS
from minispore.tools.testing.strategies.layers import layer_calls
from minispore.tools.testing.targets import load

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


@given(broadcastable(3))
def test_shapes_that_broadcast_do(shapes):
    np.broadcast_shapes(*shapes)


@given(arrays(dtype=st.sampled_from(["float16", "float32"])))
def test_arrays_are_finite_unless_asked_otherwise(array):
    assert np.isfinite(array).all()


def test_the_edges_of_a_dtype_are_there():
    found = edges("float16", non_finite=True)
    assert {65504.0, 2.0**-24, np.inf} <= set(found.tolist())
    assert np.signbit(found[found == 0]).any()


def test_a_run_counts_the_calls_of_its_network():
    assert Run(["relu", ("sum", ["dense", "tanh"])], "SGD", "O2", None, ("good",)).size == 5


def test_every_layer_is_drawn_or_has_its_reason():
    layers = {name for name in nn.layer.__all__ if isinstance(getattr(nn, name, None), type) and name[0].isupper()}
    layers = {name for name in layers if issubclass(getattr(nn, name), nn.Cell)}
    told = LAYERS.keys() | HELD_ELSEWHERE.keys()
    missing = layers - told
    assert not missing, f"add to testing/strategies/layer_arguments.py a line for each of {sorted(missing)}"
    assert not LAYERS.keys() & HELD_ELSEWHERE.keys()
    assert not {name for name in told if not hasattr(nn, name)}


@given(layer_calls())
def test_a_drawn_layer_prints_as_a_program_that_gives_its_output(call):
    space = {}
    exec(call.said_in("mindspore").replace("mindspore", "minispore"), space)
    values = values_for(space["layer"], call.seed)
    found = load("minispore").forward(call.source(), values, call.inputs)
    np.testing.assert_array_equal(space["y"].asnumpy(), found)


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


@given(st.data())
def test_what_stands_in_for_a_generator_keeps_to_the_ranges(data):
    rng, many = Generator(data.draw), MOST + 1
    for size in ((), 3, (2, 1), (0, 2), many):
        found = rng.uniform(0.3, 2.0, size)
        assert found.shape == np.empty(size).shape and (found >= 0.3).all() and (found <= 2.0).all()
        assert len(set(found.ravel().tolist())) == found.size, "no two are equal"
        whole = rng.integers(-1, 4, size)
        assert whole.dtype.kind == "i" and (whole >= -1).all() and (whole < 4).all()
        assert np.isin(rng.choice([-6.0, 0.5], size), [-6.0, 0.5]).all()
    assert 0 <= rng.integers(7) < 7
    for count in (0, 4, many):
        assert sorted(rng.permutation(count).tolist()) == list(range(count))
