"""Gamma, Poisson, Cauchy and truncated normal numbers: their distributions, seeds, shapes, dtypes, and refusals."""

import math

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops
from minispore.ops.kernels.incomplete_gamma import incomplete_gamma

MANY = 20000


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(2)


def distance(values, probability):
    """The Kolmogorov-Smirnov distance from a distribution, times the root of how many values there are."""
    values = np.sort(np.asarray(values, np.float64).ravel())
    expected, steps = probability(values), np.arange(len(values) + 1) / len(values)
    return max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max()) * math.sqrt(len(values))


def shares(a, x):
    """The incomplete gamma functions' shares below and above x."""
    with np.errstate(all="ignore"):
        return incomplete_gamma(np, np.asarray(a, np.float64), np.asarray(x, np.float64))


def normal_cdf(x):
    return np.vectorize(lambda t: math.erfc(-t / math.sqrt(2)) / 2)(x)


@pytest.mark.parametrize("alpha", [0.3, 1.0, 2.5, 40.0])
def test_gamma_numbers_are_of_the_gamma_distribution(alpha):
    found = ops.random_gamma((MANY,), Tensor(np.array(alpha)))
    assert distance(found.asnumpy(), lambda x: shares(np.full(x.shape, alpha), x)[0]) < 1.7


@pytest.mark.parametrize("rate", [0.5, 4.0, 9.99, 10.0, 30.0, 400.0])
def test_poisson_numbers_have_their_chances(rate):
    found = ops.random_poisson((MANY,), Tensor(np.array(rate)), dtype=ms.int64).asnumpy()
    spread = max(4 * math.sqrt(rate), 3)
    for k in np.unique(np.linspace(max(rate - spread, 0), rate + spread, 9).astype(int)):
        chance = float(shares(k + 1.0, rate)[1])
        assert abs((found <= k).mean() - chance) < 4.5 * math.sqrt(chance * (1 - chance) / MANY) + 1e-9


def test_a_rate_of_zero_gives_zeros_and_shapes_are_joined():
    found = ops.random_poisson(Tensor([3, 1]), Tensor([[0.0], [20.0]]))
    assert (found.shape, found.dtype) == ((3, 1, 2, 1), ms.float32)
    assert (found.asnumpy()[:, :, 0] == 0).all()
    assert ops.random_gamma((2,), Tensor([1.0, 2.0], ms.float16)).dtype == ms.float16
    assert ops.random_gamma((0, 2), Tensor([1.0])).shape == (0, 2, 1)


def test_cauchy_lognormal_and_truncated_numbers_are_of_their_distributions():
    cauchy = ops.Cauchy([MANY], 1.0, 0.5)()
    assert distance(cauchy.asnumpy(), lambda x: np.arctan((x - 1) / 0.5) / np.pi + 0.5) < 1.7
    logs = np.log(ops.LogNormalReverse(0.5, 0.25)(ops.zeros((MANY,), ms.float64)).asnumpy())
    assert distance(logs, lambda x: normal_cdf((x - 0.5) / 0.25)) < 1.7
    cut = ops.TruncatedNormal()((MANY,)).asnumpy()
    low, high = normal_cdf(-2.0), normal_cdf(2.0)
    assert distance(cut, lambda x: (normal_cdf(x) - low) / (high - low)) < 1.7
    parameters = (Tensor([x]) for x in (1.0, 2.0, -1.0, 2.0))
    bounded = ops.ParameterizedTruncatedNormal()((1, MANY), *parameters).asnumpy()
    low, high = normal_cdf(-1.0), normal_cdf(0.5)
    assert distance(bounded, lambda x: (normal_cdf((x - 1) / 2) - low) / (high - low)) < 1.7
    assert bounded.min() >= -1
    assert bounded.max() <= 2


def test_whole_numbers_fill_their_dtype():
    for kind in (ms.int32, ms.int64):
        found = ops.NonDeterministicInts(kind)((MANY,))
        assert found.dtype == kind
        limits = np.iinfo(found.asnumpy().dtype)
        assert distance(found.asnumpy(), lambda x, n=limits: (x - n.min) / (n.max * 2.0)) < 1.7


SEEDED = [
    lambda: ops.random_gamma((3,), Tensor([2.0]), seed=5),
    lambda: ops.random_poisson((3,), Tensor([50.0]), seed=5),
    lambda: ops.random_gamma((3,), Tensor([2.0])),
    lambda: ops.TruncatedNormal()((3,)),
    lambda: ops.gumbel_softmax(Tensor([[0.0, 1.0]])),
]


@pytest.mark.parametrize("call", SEEDED)
def test_set_seed_begins_again_and_each_call_draws_anew(call):
    first, second = call().asnumpy(), call().asnumpy()
    ms.set_seed(2)
    np.testing.assert_array_equal(call().asnumpy(), first)
    assert (first != second).any()


def test_gumbel_softmax_chooses_by_the_chances_and_passes_the_soft_gradient():
    logits = ops.log(Tensor([0.5, 0.2, 0.3])).broadcast_to((MANY, 3))
    shares = ops.gumbel_softmax(logits, 0.7, True).mean(0).asnumpy()
    np.testing.assert_allclose(shares, [0.5, 0.2, 0.3], atol=0.02)
    ms.set_seed(2)
    soft = ms.grad(lambda x: ops.gumbel_softmax(x, 0.7)[:, 0].sum())(logits[:2])
    ms.set_seed(2)
    hard = ms.grad(lambda x: ops.gumbel_softmax(x, 0.7, True)[:, 0].sum())(logits[:2])
    np.testing.assert_allclose(hard.asnumpy(), soft.asnumpy(), rtol=1e-6)


def test_seeds_of_a_multinomial_may_be_tensors():
    weights = Tensor([[0.0, 9.0, 4.0, 0.0]])
    found = ops.multinomial_with_replacement(weights, Tensor(2), Tensor(5), 2, True)
    np.testing.assert_array_equal(found.asnumpy(), ops.MultinomialWithReplacement(2, True)(weights, 2, 5).asnumpy())


ONE = Tensor([1.0])
WRONG = [
    (ValueError, "For 'RandomGamma', the 'alpha' must be finite and above 0", lambda: ops.random_gamma((2,), ONE * 0)),
    (TypeError, "For 'RandomGamma', the 'alpha' must be a Tensor", lambda: ops.random_gamma((2,), 1.0)),
    (
        ValueError,
        "For 'RandomPoisson', the 'rate' must be finite and at least 0",
        lambda: ops.random_poisson((2,), -ONE),
    ),
    (ValueError, "For 'RandomPoisson', the 'dtype' must be", lambda: ops.random_poisson((2,), ONE, dtype=ms.int8)),
    (ValueError, "For 'RandomPoisson', the 'shape'", lambda: ops.random_poisson((-2,), ONE)),
    (TypeError, "For 'Cauchy', the 'sigma' must be a float", lambda: ops.Cauchy([2], 0.0, 1)),
    (ValueError, "For 'gumbel_softmax', the 'tau' must be", lambda: ops.gumbel_softmax(ONE, 0.0)),
]


@pytest.mark.parametrize(("kind", "part", "call"), WRONG)
def test_what_does_not_fit_is_refused(kind, part, call):
    with pytest.raises(kind, match=part):
        call()
