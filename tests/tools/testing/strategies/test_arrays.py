"""Shapes, shapes that broadcast, and arrays with numbers at the edges of dtypes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minispore.tools.testing.strategies.arrays import arrays, broadcastable, edges


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
