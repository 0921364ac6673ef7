"""What is drawn."""

import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minispore.testing.strategies.arrays import arrays, broadcastable, edges
from minispore.testing.strategies.courses import Run

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
