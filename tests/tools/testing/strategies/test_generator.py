"""A substitute for NumPy's generator, by which a line draws inputs that shrink."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minispore.tools.testing.strategies.generator import MOST, Generator


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
