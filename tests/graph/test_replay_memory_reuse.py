"""What a primitive computes into the memory of an input is what it computes, bit for bit."""

import numpy as np
import pytest

from minispore.graph import facts
from minispore.tools.testing.primitives.feeding import arrays_of, feed, run
from minispore.tools.testing.primitives.table import TABLE

INTO = [line for line in TABLE if facts.computes_into(line.primitive)]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("line", INTO, ids=[f"{i}-{line.primitive.name}" for i, line in enumerate(INTO)])
@pytest.mark.parametrize("large", [False, True])
def test_into_an_inputs_memory(line, kind, large, monkeypatch):
    seen, compute = [], type(line.primitive).compute
    watch = lambda self, xp, *arrays: seen.append((self, arrays)) or compute(self, xp, *arrays)  # noqa: E731
    monkeypatch.setattr(type(line.primitive), "compute", watch)
    run(line, feed(line, arrays_of(line, 3, kind)))
    primitive, arrays = seen[0]
    if large:  # where kernels take other ways
        arrays = [np.concatenate([x] * 40_000, axis=0) if x.ndim > 1 else x for x in arrays]
    expected = np.asarray(compute(primitive, np, *arrays))
    for i, x in enumerate(arrays):
        if (x.shape, x.dtype) == (expected.shape, expected.dtype):
            copies = [y.copy() for y in arrays]
            found = primitive.compute_into(np, copies[i], *copies)
            assert np.shares_memory(found, copies[i]) or not found.size
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


def test_the_table_has_such_primitives():
    assert {"Add", "Mul", "ReLU", "ReluGrad", "BiasAdd"} <= {line.primitive.name for line in INTO}
