"""Rules computed a block at a time give what they give on whole arrays, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import Parameter, Tensor, ops
from minispore.ops.kernels import workers
from minispore.ops.kernels.blocking import cache_blocks


def rule(xp, outs, x, y, rate):
    total = x + y * rate
    outs[0][...] = total
    xp.subtract(xp.sqrt(total * total), x, out=outs[1])
    outs[2][...] = rate + 1


def new_outs(x):
    return np.empty(x.shape), np.empty(x.shape), np.empty(())


@given(st.integers(0, 60), st.integers(1, 7), st.integers(1, 9), st.sampled_from([1, 2, 3]), st.integers(0, 2**32 - 1))
def test_blocks_give_what_the_whole_gives_on_any_number_of_workers(size, block, shared, count, seed):
    rng = np.random.default_rng(seed)
    x, y, rate = rng.standard_normal(size), rng.standard_normal(size), np.asarray(0.3)
    whole = new_outs(x)
    rule(np, whole, x, y, rate)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_blocks, "_BLOCK", block)
        patch.setattr(cache_blocks, "_SHARED", shared)
        patch.setattr(cache_blocks, "_MANY", 2 * shared)
        patch.setattr(workers, "count", lambda: count)
        found = cache_blocks.in_blocks(rule, np, new_outs(x), x, y, rate)
    for a, b in zip(found, whole, strict=True):
        np.testing.assert_array_equal(a, b)


ONE_STEP = {  # of two arrays, or of one
    "add": lambda x, y: ops.add(x, y),
    "mul": lambda x, y: x * y,
    "exp": lambda x, y: ops.exp(x),
    "relu": lambda x, y: ops.relu(x),
    "relu's gradient": lambda x, y: ops.ReluGrad()(x, y),
}


@pytest.mark.parametrize("name", ONE_STEP)
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_single_step_on_long_arrays_has_the_same_bits_for_any_number_of_workers(name, kind):
    x, y = (Tensor(a.astype(kind)) for a in np.random.default_rng(0).standard_normal((2, 3, 501, 701)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "count", lambda: 1)
        alone = ONE_STEP[name](x, y).asnumpy()
        for count in (2, 3):
            patch.setattr(workers, "count", lambda count=count: count)
            np.testing.assert_array_equal(ONE_STEP[name](x, y).asnumpy(), alone)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_workers_share_a_single_step_on_long_arrays_alone(monkeypatch, kind):
    handed = []
    monkeypatch.setattr(cache_blocks, "share", lambda xp, work, pieces: handed.append(len([*map(work, pieces)])))
    monkeypatch.setattr(workers, "count", lambda: 2)
    x = np.ones((2, 1 << 19), kind)
    for xs in ([x, x], [x.T, x.T], [x, np.ones((1, 1 << 19), kind)], [x[:1], x[:1]], [x.astype(int)] * 2):
        np.testing.assert_array_equal(cache_blocks.in_one(np.add, np, *xs), np.add(*xs))
    assert handed == [2], "arrays of another layout, of two shapes, short ones and ints are added as they are"


@given(st.integers(1, 10**7), st.integers(1, 5))
def test_blocks_cover_each_element_once_and_workers_get_equally_many(size, count):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "count", lambda: count)
        found, sharing = cache_blocks._blocks(size), workers.useful(size, cache_blocks._SHARED)
    assert [b.start for b in found] == [0, *(b.stop for b in found[:-1])]
    assert found[-1].start < size <= found[-1].stop
    if count > 1 and size >= cache_blocks._MANY:
        assert len(found) % sharing == 0 and min(sharing, len(found)) > 1


@given(st.integers(0, 10**5), st.integers(1, 1000))
def test_blocks_of_rows_cover_each_row_once_and_are_few(rows, length):
    found, size = cache_blocks._blocks_of_rows(rows, length), rows * length
    assert [b.start for b in found] == [0, *(b.stop for b in found[:-1])]
    assert found[-1].start <= rows <= found[-1].stop
    longest = max((b.stop - b.start) * length for b in found)
    assert len(found) == 1 if size < cache_blocks._LONGEST else longest <= cache_blocks._LONGEST + length
    assert len(found) <= max(1, 2 + 2 * size // cache_blocks._LONGEST)


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_a_large_parameter_is_updated_as_its_parts_are(kind):
    """Of a size that is no multiple of a block, from a gradient that is not contiguous."""
    rng = np.random.default_rng(0)
    w, m, v, g = (rng.uniform(0.1, 1, (331, 333)).astype(kind) for _ in range(4))
    numbers = [Tensor(np.float32(x)) for x in (0.9, 0.99, 0.1, 0.9, 0.99, 1e-3)]

    def updated(rows):
        written = [Parameter(x[rows].copy()) for x in (w, m, v)]
        ops.Adam()(*written, *numbers, Tensor.from_numpy(g.T.copy()).T[rows])
        return [x.asnumpy() for x in written]

    whole, parts = updated(slice(None)), [updated(slice(i, i + 1)) for i in range(331)]
    for i, found in enumerate(whole):
        np.testing.assert_array_equal(found, np.concatenate([part[i] for part in parts]))
