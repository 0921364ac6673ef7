"""Random operations draw what they say: distributions, dtypes, reproducible streams, and errors by name."""

import math
import random

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops
from minispore.core import seeds

pytestmark = pytest.mark.usefixtures("restored")
MANY = (100, 100)


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(2)


def distance(found, probability):
    """The Kolmogorov-Smirnov distance from a distribution, times the root of how many values there are."""
    values = np.sort(found.asnumpy().astype(np.float64).ravel())
    expected = np.array([probability(x) for x in values])
    steps = np.arange(len(values) + 1) / len(values)
    return max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max()) * math.sqrt(len(values))


def normal_cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def laplace_cdf(x):
    return math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2


TWO, THREE = Tensor(2.0, ms.float32), Tensor(3.0, ms.float32)
WEIGHTS = Tensor([0.0, 9.0, 4.0, 0.0, 3.0])
DISTRIBUTIONS = {
    "standard_normal": (lambda **k: ops.standard_normal(MANY, **k), normal_cdf),
    "randn": (lambda **k: ops.randn(*MANY, **k), normal_cdf),
    "randn_like": (lambda **k: ops.randn_like(ops.zeros(MANY), **k), normal_cdf),
    "normal": (lambda **k: ops.normal(MANY, TWO, THREE, **k), lambda x: normal_cdf((x - 2) / 3)),
    "standard_laplace": (lambda **k: ops.standard_laplace(MANY, **k), laplace_cdf),
    "laplace": (lambda **k: ops.laplace(MANY, TWO, THREE, **k), lambda x: laplace_cdf((x - 2) / 3)),
    "rand": (lambda **k: ops.rand(MANY, **k), float),
    "rand_like": (lambda **k: ops.rand_like(ops.zeros(MANY), **k), float),
    "uniform": (lambda **k: ops.uniform(MANY, TWO, THREE, **k), lambda x: x - 2),
}
DRAWS = {
    **{name: call for name, (call, _) in DISTRIBUTIONS.items()},
    "randint": lambda **k: ops.randint(-3, 9, MANY, **k),
    "randint_like": lambda **k: ops.randint_like(ops.zeros(MANY, ms.int8), -3, 9, **k),
    "uniform of int32": lambda **k: ops.uniform(MANY, Tensor(-3, ms.int32), Tensor(9, ms.int32), dtype=ms.int32, **k),
    "bernoulli": lambda **k: ops.bernoulli(ops.zeros(MANY), 0.3, **k),
    "multinomial": lambda **k: ops.multinomial(WEIGHTS, 99, **k),
    "multinomial without replacement": lambda **k: ops.multinomial(ops.ones(99), 50, replacement=False, **k),
    "shuffle": lambda **k: ops.shuffle(ops.arange(99), **k),
    "dropout": lambda **k: ops.dropout(ops.ones(MANY), 0.3, **k),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_numbers_are_of_the_distribution_that_is_named(name):
    call, probability = DISTRIBUTIONS[name]
    assert distance(call(), probability) < 1.6


@pytest.mark.parametrize("seed", [None, 0, 5])
@pytest.mark.parametrize("name", DRAWS)
def test_each_call_draws_anew_and_set_seed_begins_again(name, seed):
    call, given = DRAWS[name], {} if seed is None else {"seed": seed}

    def three():
        ms.set_seed(8)
        return [call(**given).asnumpy() for _ in range(3)]

    first, second = three(), three()
    for x, y in zip(first, second, strict=True):
        np.testing.assert_array_equal(x, y)
    assert (first[0] != first[1]).any() and (first[1] != first[2]).any()


@pytest.mark.parametrize("name", DRAWS)
def test_another_seed_draws_others(name):
    ms.set_seed(8)
    first = DRAWS[name](seed=1).asnumpy()
    ms.set_seed(8)
    assert (DRAWS[name](seed=2).asnumpy() != first).any()


@pytest.mark.parametrize("name", DRAWS)
def test_the_number_of_draws_put_back_puts_the_numbers_back(name):
    before = seeds.seed.draws
    first = DRAWS[name]().asnumpy()
    seeds.seed.draws = before
    np.testing.assert_array_equal(DRAWS[name]().asnumpy(), first)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.StandardNormal(3, 4)((5,)),
        lambda: ops.UniformReal(3)((5,)),
        lambda: ops.RandomShuffle(3, 4)(ops.arange(9)),
        lambda: ops.Multinomial(3, 4)(WEIGHTS, 9),
        lambda: ops.randperm(9, 3, 4),
        lambda: ops.random_categorical(ops.zeros((1, 9)), 9, seed=3),
        lambda: ops.Bernoulli(0)(ops.zeros(20), 0.5),
    ],
)
def test_a_primitives_seeds_name_one_draw_whatever_the_seed_in_force(call):
    first = call().asnumpy()
    ms.set_seed(99)
    np.testing.assert_array_equal(call().asnumpy(), first)


def test_integers_have_their_bounds_and_dtypes():
    for name, kind in (("randint", ms.int64), ("randint_like", ms.int8), ("uniform of int32", ms.int32)):
        found = DRAWS[name]()
        assert found.dtype == kind and set(found.asnumpy().ravel().tolist()) == set(range(-3, 9))
    assert ops.randint(0, 2**62, (9,)).asnumpy().max() > 2**32
    assert ops.randint(3, 4, (), dtype=ms.int16).item() == 3


def test_dtypes_are_mindspores():
    assert ops.rand().shape == ops.randn().shape == (1,)
    for kind in (ms.float16, ms.bfloat16, ms.float64):
        found = ops.rand([300, 300], dtype=kind)
        assert found.dtype == ops.rand_like(found).dtype == kind and (found.asnumpy() < 1).all()
        assert ops.randn(2, dtype=kind).dtype == kind and ops.randn_like(found).dtype == ms.float32
    assert ops.normal((2,), Tensor([1], ms.int32), Tensor([1.0], ms.float16)).dtype == ms.float32
    assert ops.randperm(4).dtype == ms.int64 and ops.randperm(4, dtype=ms.float32).dtype == ms.float32
    assert ops.multinomial(WEIGHTS, 3).dtype == ops.multinomial(WEIGHTS, 3, replacement=False).dtype == ms.int32
    assert ops.random_categorical(ops.zeros((1, 2)), 3, dtype=ms.int16).dtype == ms.int16


def test_gradients_pass_to_what_scales_and_shifts_a_draw_and_to_shuffled_rows():
    of_mean, of_deviation = ms.grad(lambda m, s: ops.normal((50,), m, s, seed=1).sum(), (0, 1))(TWO, THREE)
    assert of_mean.item() == 50 and abs(of_deviation.item()) < 40
    gradient = ms.grad(lambda x: (ops.shuffle(x) * Tensor([1.0, 2.0, 3.0])).sum())(Tensor([1.0, 2.0, 3.0]))
    assert sorted(gradient.tolist()) == [1, 2, 3]


def test_outcomes_follow_their_probabilities():
    chances = Tensor(np.linspace(0, 1, 5).repeat(2000).reshape(5, 2000), ms.float32)
    share = ops.bernoulli(ops.zeros((5, 2000), ms.int8), chances).asnumpy().astype(np.float64).mean(1)
    assert share[0] == 0 and share[4] == 1 and np.abs(share - np.linspace(0, 1, 5)).max() < 0.06


def test_categories_come_as_often_as_their_weights_say():
    counts = np.bincount(ops.multinomial(WEIGHTS, 16000).asnumpy(), minlength=5)
    assert counts[[0, 3]].sum() == 0 and np.abs(counts[[1, 2, 4]] - [9000, 4000, 3000]).max() < 300
    logits = ops.log(ops.stack([WEIGHTS + 1e-30, ops.ones(5)]))
    found = ops.random_categorical(logits, 16000).asnumpy()
    assert np.abs(np.bincount(found[0], minlength=5) - [0, 9000, 4000, 0, 3000]).max() < 300
    assert np.abs(np.bincount(found[1], minlength=5) - 3200).max() < 300


def test_without_replacement_none_comes_twice_and_the_heavy_come_first():
    draws = np.array([ops.multinomial(WEIGHTS, 3, replacement=False).asnumpy() for _ in range(2000)])
    assert all(sorted(row) == [1, 2, 4] for row in draws.tolist())
    assert np.abs(np.bincount(draws[:, 0], minlength=5) / 2000 - [0, 9 / 16, 4 / 16, 0, 3 / 16]).max() < 0.05


DROPPED = {
    "dropout1d": ((40, 50, 4), (2,)),
    "dropout2d": ((40, 50, 2, 3), (2, 3)),
    "dropout3d": ((40, 50, 2, 2, 2), (2, 3, 4)),
    "dropout": ((40, 50), ()),
}


@pytest.mark.parametrize("name", DROPPED)
def test_dropout_drops_wholly_with_its_probability_and_scales_the_rest(name):
    (shape, axes), call = DROPPED[name], getattr(ops, name)
    found = call(ops.ones(shape), 0.3).asnumpy()
    units = found.max(axes) if axes else found
    assert (found == np.broadcast_to(units.reshape(units.shape + (1,) * len(axes)), shape)).all()
    assert set(units.ravel().tolist()) == {0.0, float(np.float32(1 / 0.7))}
    assert abs((units == 0).mean() - 0.3) < 0.06
    assert (call(ops.ones(shape), 0.3, False).asnumpy() == 1).all() and (
        call(ops.ones(shape), 0.0).asnumpy() == 1
    ).all()


def test_tensors_have_the_methods():
    assert set(Tensor([0.0, 0.0]).bernoulli(1.0).tolist()) == {1.0}
    assert WEIGHTS.multinomial(4).shape == (4,) and ops.zeros((1, 2)).random_categorical(3).shape == (1, 3)


ONE = Tensor([1.0])
WRONG = [
    (lambda: ops.standard_normal([2]), TypeError, "'shape' must be a tuple of ints, but got"),
    (lambda: ops.standard_normal((2.0,)), TypeError, "'shape' must be a tuple of ints, but got"),
    (lambda: ops.standard_normal((2, -3)), ValueError, r"'shape' must be of lengths .*, but got \(2, -3\)"),
    (lambda: ops.standard_normal((2,), seed=-1), ValueError, "'seed' must be at least 0"),
    (lambda: ops.rand(2, seed=1.5), TypeError, "'seed' must be int, but got 1.5"),
    (lambda: ops.UniformReal(-1), ValueError, "'seed' must be at least 0"),
    (lambda: ops.uniform((2,), 1.0, TWO), TypeError, "'minval' must be a Tensor, but got float"),
    (lambda: ops.uniform((2,), TWO, THREE, dtype=ms.float16), TypeError, "'dtype' must be float32 or int32"),
    (lambda: ops.uniform((2,), TWO, THREE, dtype=ms.int32), TypeError, "'minval' must be a Tensor of the 'dtype'"),
    (lambda: ops.UniformInt()((2,), 1, 5), TypeError, "'minval' must be a Tensor of int32 or int64"),
    (lambda: ops.randint(10, 1, (2,)), RuntimeError, "'minval' must be below the 'maxval', but got 10 and 1"),
    (lambda: ops.randint(1.0, 10, (2,)), TypeError, "'low' must be an int, but got 1.0"),
    (lambda: ops.randint(1, 10, 2), ValueError, "'size' must be a tuple, but got 2"),
    (lambda: ops.randint(1, 10, (2,), dtype=ms.float32), ValueError, "'dtype' must be an int type, but got Float32"),
    (lambda: ops.rand(2, dtype=ms.int32), ValueError, "'dtype' must be a float type, but got Int32"),
    (lambda: ops.rand("a"), TypeError, "'size' must be ints"),
    (lambda: ops.rand_like(Tensor([1, 2])), ValueError, "'dtype' must be a float type"),
    (lambda: ops.rand_like([1.0]), TypeError, "'input' must be a Tensor, but got list"),
    (lambda: ops.normal((2,), [1.0], 1.0), TypeError, "'mean' must be a Tensor or a number, but got list"),
    (lambda: ops.randperm(0), ValueError, "'n' must be above 0, but got 0"),
    (lambda: ops.randperm(5.0), TypeError, "'n' must be an int"),
    (lambda: ops.randperm(5, seed=-2), ValueError, "'seed' must be at least 0"),
    (lambda: ops.bernoulli(ONE, 2.0), ValueError, r"'p' must be in \[0, 1\]"),
    (lambda: ops.bernoulli(ONE, 1), TypeError, "'p' must be a float or a floating Tensor"),
    (lambda: ops.bernoulli(ops.zeros(3), Tensor([0.0, 1.0])), ValueError, r"'p' must have one element or the shape"),
    (lambda: ops.multinomial(Tensor([-1.0, 2.0]), 2), ValueError, "'x' must be finite and at least 0"),
    (lambda: ops.multinomial(Tensor([0.0, 0.0]), 2), ValueError, "sum above 0"),
    (lambda: ops.multinomial(WEIGHTS, 6, replacement=False), ValueError, "'numsamples' must be at most 5"),
    (lambda: ops.multinomial(ops.ones((1, 1, 1)), 2), ValueError, "'x' must have 1 or 2 axes"),
    (lambda: ops.multinomial(ONE, -3), ValueError, "'num_samples' must be at least 0, but got -3"),
    (lambda: ops.multinomial([1.0], 2), TypeError, "'input' must be a Tensor"),
    (lambda: ops.Multinomial(dtype=ms.float32), TypeError, "'dtype' must be int32 or int64"),
    (lambda: ops.random_categorical(ONE, 5), ValueError, "'logits' must have 2 axes"),
    (lambda: ops.random_categorical(ops.ones((1, 2)), 0), ValueError, "'num_sample' must be at least 1, but got 0"),
    (lambda: ops.RandomCategorical(ms.float32), TypeError, "'dtype' must be int16, int32 or int64"),
    (lambda: ops.shuffle([1]), TypeError, "'x' must be a Tensor, but got list"),
    (lambda: ops.dropout(ONE, 1.0), ValueError, r"'p' must be in \[0, 1\)"),
    (lambda: ops.dropout(ONE, "a"), TypeError, "'p' must be a float"),
    (lambda: ops.dropout(ONE, 0.5, 1), TypeError, "'training' must be a bool, but got int"),
    (lambda: ops.dropout(Tensor([1, 2])), TypeError, "'x' must be a floating Tensor"),
    (lambda: ops.dropout(ONE, seed=-3), ValueError, "'seed' must be at least 0"),
    (lambda: ops.Dropout(0.0), ValueError, r"'keep_prob' must be in \(0, 1\]"),
    (lambda: ops.Dropout(0.5, 1.5), TypeError, "'Seed0' must be int"),
    (lambda: ops.Dropout2D(1.5), ValueError, r"'keep_prob' must be in \[0, 1\]"),
    (lambda: ops.dropout1d(ops.ones((2, 3, 4, 5))), ValueError, "'input' must have 2 or 3 axes"),
    (lambda: ops.dropout2d(ops.ones((2, 3, 4))), ValueError, "'input' must have 4 axes"),
    (lambda: ops.dropout3d(ops.ones((2, 3, 4, 5, 1)), 2.0), ValueError, r"'p' must be in \[0, 1\]"),
    (lambda: ops.dropout1d(ops.ones((2, 3, 4)), 1), TypeError, "'p' must be a float, but got 1"),
    (lambda: ops.dropout2d([1.0]), TypeError, "'input' must be a Tensor, but got list"),
]


@pytest.mark.parametrize("call, kind, message", WRONG, ids=range(len(WRONG)))
def test_wrong_arguments_are_refused_by_name_and_draw_nothing(call, kind, message):
    before = seeds.seed.draws
    with pytest.raises(kind, match=rf"^For '\w+', .*{message}"):
        call()
    assert seeds.seed.draws == before


@pytest.mark.needs("dropin")
def test_set_seed_starts_the_numbers_of_python_and_numpy_too():
    ms.set_seed(7)
    assert (random.random(), np.random.rand()) == (random.Random(7).random(), np.random.RandomState(7).rand())
    ms.manual_seed(3)  # which MindSpore keeps to its own numbers
    assert random.random() != random.Random(3).random() and np.random.rand() != np.random.RandomState(3).rand()
