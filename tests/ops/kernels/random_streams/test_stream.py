"""Random streams: the same integers everywhere, and numbers of the distributions that they name."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import strict_cupy

import minispore as ms
from minispore.core import seeds
from minispore.ops.kernels.random_streams import Stream, dropping_stream, next_stream, seeded_stream, shuffling_stream
from minispore.ops.kernels.random_streams.normal_quantile import normal_probability, normal_quantile
from minispore.ops.kernels.random_streams.philox import high_product, host_words, scrambled, words

WORDS = st.integers(0, 2**64 - 1)
ONES = 2**64 - 1
# Of the Random123 library: (counter, key, words) of Philox4x64-10.
PUBLISHED = [
    ([0] * 4, [0] * 2, "16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b"),
    ([ONES] * 4, [ONES] * 2, "87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0"),
    (
        [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89],
        [0x452821E638D01377, 0xBE5466CF34E90C6C],
        "a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6",
    ),
]
NORMAL = statistics.NormalDist()


def distance(values, probability):
    """The Kolmogorov-Smirnov distance from a distribution, times the root of how many values there are."""
    values = np.sort(values.ravel())
    expected = np.array([probability(x) for x in values])
    steps = np.arange(len(values) + 1) / len(values)
    return max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max()) * np.sqrt(len(values))


# Integers


@pytest.mark.parametrize("counter, key, expected", PUBLISHED)
def test_philox_gives_the_published_words(counter, key, expected):
    found = scrambled(key, [np.array([c], np.uint64) for c in counter])
    assert [int(w[0]) for w in found] == [int(w, 16) for w in expected.split()]


@given(WORDS, WORDS)
def test_the_upper_half_of_a_product_is_exact(word, factor):
    assert int(high_product(np.array([word], np.uint64), factor)[0]) == word * factor >> 64


@given(key=st.tuples(WORDS, WORDS), number=WORDS, domain=WORDS, start=st.integers(0, 9), count=st.integers(0, 40))
def test_array_modules_give_the_words_of_numpys_generator(key, number, domain, start, count):
    expected = host_words(key, number, domain).random_raw(start + count)[start:]
    for xp in (np, strict_cupy):
        found = words(xp, key, number, domain, start, count)
        np.testing.assert_array_equal(found if xp is np else found.get(), expected)


def test_the_words_of_a_stream_are_the_recorded_ones():
    recorded = [5705853004827290377, 6584680345644299050, 680768428710196683, 17743966978540583234]
    assert Stream((1, 2)).words(4).tolist() == recorded
    assert Stream((1, 2)).halves(3).tolist() == [x >> s & (2**32 - 1) for x in recorded for s in (0, 32)][:3]


CALLS = {
    "words": lambda s: s.words(7),
    "halves": lambda s: s.halves(7),
    "uniform": lambda s: s.uniform((2, 3)),
    "uniform32": lambda s: s.uniform32((2, 3)),
    "normal": lambda s: s.normal((40, 3)),
    "truncated": lambda s: s.truncated_normal((5,), -1, 2),
    "integers": lambda s: s.integers(-3, 9, (4,)),
    "chances": lambda s: s.chances((3, 3), 0.3),
    "permutation": lambda s: s.permutation(6),
}


@given(key=st.tuples(WORDS, WORDS), names=st.lists(st.sampled_from(sorted(CALLS)), max_size=6))
def test_devices_agree_whatever_is_drawn_in_whatever_order(key, names):
    host, device = Stream(key), Stream(key, xp=strict_cupy)
    for name in names:
        found, expected = CALLS[name](device).get(), CALLS[name](host)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@given(
    xp=st.sampled_from([np, strict_cupy]),
    lengths=st.lists(st.integers(1, 21), min_size=1, max_size=4),
    draw=st.sampled_from([Stream.uniform, lambda s, shape, before=0: s.chances(shape, 0.4, before)]),
)
def test_parts_drawn_from_where_the_parts_before_end_are_the_whole(xp, lengths, draw):
    parts = [draw(Stream((5, 6), xp=xp), (n,), sum(lengths[:i])) for i, n in enumerate(lengths)]
    whole = draw(Stream((5, 6)), (sum(lengths),))
    np.testing.assert_array_equal(np.concatenate([part if xp is np else part.get() for part in parts]), whole)


@pytest.mark.parametrize("name", CALLS)
def test_a_device_draws_on_the_device(name, device):
    drawn, same = CALLS[name](Stream((5, 6), xp=device)), CALLS[name](Stream((5, 6)))
    assert type(drawn) is device.ndarray
    drawn = drawn if device is np else drawn.get()
    if name in ("normal", "truncated"):
        np.testing.assert_array_max_ulp(drawn, same, 8)  # the logarithms of the tails
    else:
        np.testing.assert_array_equal(drawn, same)


@pytest.mark.usefixtures("restored")
def test_streams_of_different_names_are_different():
    ms.set_seed(3)
    streams = [
        next_stream(),
        next_stream(),
        *(Stream((3, i)) for i in (3, 4)),
        *(seeded_stream(*seeds) for seeds in ((3, 1), (1, 3), (3, 0))),
        *(dropping_stream(3, 1) for _ in range(2)),
        *(shuffling_stream(3, *place) for place in ((1, 0), (0, 1), (0, 0))),
    ]
    assert len({int(stream.words(1)[0]) for stream in streams}) == len(streams)


@pytest.mark.usefixtures("restored")
def test_draws_is_all_the_state_there_is():
    ms.set_seed(3)
    next_stream()
    before = seeds.seed.draws
    first = [s.words(3).tolist() for s in (next_stream(), dropping_stream(5, 6), seeded_stream(5, 6))]
    seeds.seed.draws = before
    assert [s.words(3).tolist() for s in (next_stream(), dropping_stream(5, 6), seeded_stream(5, 6))] == first


# What is made of them


def test_uniform_numbers_are_whole_multiples_below_one():
    for found, bits in ((Stream((1, 1)).uniform32((9999,)), 24), (Stream((1, 1)).uniform((9999,)), 53)):
        steps = found.astype(np.float64) * 2.0**bits
        assert (steps == np.floor(steps)).all() and steps.min() >= 0 and found.max() < 1
        assert distance(found.astype(np.float64), float) < 1.5


def test_the_quantile_function_is_good_to_the_last_places():
    tails = 10.0 ** -np.arange(1, 299, 1.7)
    p = np.concatenate([np.random.default_rng(0).random(9999), tails, 1 - tails[tails > 1e-15]])
    expected = np.array([NORMAL.inv_cdf(x) for x in p])
    for xp in (np, strict_cupy):
        found = normal_quantile(xp, xp.asarray(p))
        np.testing.assert_allclose(found if xp is np else found.get(), expected, rtol=1e-15, atol=1e-17)


@given(st.floats(1e-300, 0.5))
def test_probability_and_quantile_undo_each_other(p):
    assert normal_probability(normal_quantile(np, np.array([p]))[0]) == pytest.approx(p, rel=1e-11)


def test_normal_numbers_are_normal():
    found = Stream((1, 2)).normal((200, 100))
    assert distance(found, NORMAL.cdf) < 1.5
    assert np.isfinite(Stream((1, 2)).normal((10**6,))).all()


@given(low=st.floats(-40, 40), width=st.floats(0.1, 80))
def test_truncated_numbers_are_within_their_bounds(low, width):
    found = Stream((1, 2)).truncated_normal((50,), low, low + width)
    assert (found >= low).all() and (found <= low + width).all()


@pytest.mark.parametrize("low, high", [(-1, 2), (0.5, 3), (3, 4), (-5, -4)])
def test_truncated_numbers_have_the_distribution_between(low, high):
    sign = -1 if low > 0 else 1  # the upper tail mirrored, where probabilities are fine
    below, above = sorted(NORMAL.cdf(sign * x) for x in (low, high))
    found = sign * Stream((1, 2)).truncated_normal((5000,), low, high)
    assert distance(found, lambda x: (NORMAL.cdf(x) - below) / (above - below)) < 1.6


@given(low=st.integers(-(2**63), 2**63 - 2), data=st.data())
def test_integers_are_within_their_bounds(low, data):
    high = data.draw(st.integers(low + 1, 2**63 - 1))
    found = Stream((1, 2)).integers(low, high, (20,))
    assert all(low <= x < high for x in found.tolist())


def test_integers_have_equal_chances():
    counts = np.bincount(Stream((1, 2)).integers(0, 7, (70000,)), minlength=7)
    assert (np.abs(counts - 10000) < 5 * np.sqrt(10000 * 6 / 7)).all()


@pytest.mark.parametrize("probability", [0.0, 1e-12, 0.1, 0.5, 0.9, 1.0])
def test_chances_come_true_as_often_as_they_say(probability):
    found = Stream((1, 2)).chances((300, 333), probability)
    deviation = np.sqrt(probability * (1 - probability) / found.size)
    assert found.dtype == bool and abs(found.mean() - probability) <= 5 * deviation


@given(st.integers(0, 60), st.tuples(WORDS, WORDS))
def test_a_permutation_holds_every_integer_once(count, key):
    assert sorted(Stream(key).permutation(count).tolist()) == list(range(count))


def test_every_permutation_is_as_probable():
    stream = Stream((1, 2))
    places = np.array([stream.permutation(4) for _ in range(4000)])
    for column in places.T:
        assert (np.abs(np.bincount(column) - 1000) < 5 * np.sqrt(750)).all()
