"""Distributions give MindSpore's numbers, draws have the moments that they tell, and wrong arguments are refused."""

import builtins
import json
from pathlib import Path

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor
from minispore.nn.probability import distribution

VECTORS = Path(__file__).parents[3] / "conformance" / "vectors" / "distributions.json"
ROWS = json.loads(VECTORS.read_text())["rows"]
OF_VALUES = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")
BETWEEN = ("kl_loss", "cross_entropy")


def tensor(values):
    return Tensor(np.array(values, np.float32))


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(5)


# MindSpore's logarithms add 1e-6 or so to their arguments, so that the logarithm of 0 is finite or infinite by chance


@pytest.mark.parametrize("row", ROWS, ids=[f"{i}-{row[0]}" for i, row in enumerate(ROWS)])
def test_answers_are_mindspores(row):
    name, parameters, others, values, recorded = row
    made = getattr(distribution, name)(*parameters)
    for method, answer in recorded.items():
        given = [tensor(values)] if method in OF_VALUES else []
        given = [name, *map(tensor, others)] if method in BETWEEN else given
        if isinstance(answer, str):
            with pytest.raises(getattr(builtins, answer)):
                getattr(made, method)(*given)
            continue
        dtype, expected = answer
        found = getattr(made, method)(*given)
        expected = np.array(expected, np.float64)
        assert (str(found.dtype), found.shape) == (dtype, expected.shape), method
        far = (expected < -12) | (np.abs(expected) < 3e-6) if "log" in method else np.zeros(expected.shape, bool)
        np.testing.assert_allclose(found.asnumpy()[~far], expected[~far], rtol=5e-5, atol=5e-6, err_msg=method)


MADE = [
    distribution.Normal(0.5, 2.0),
    distribution.LogNormal(0.5, 0.25),
    distribution.Uniform([0.5, 1.0], 3.0),
    distribution.Exponential([0.5, 2.0]),
    distribution.Logistic(0.5, 2.0),
    distribution.Gumbel(0.5, 2.0),
    distribution.Gamma([0.5, 3.0], [2.0]),
    distribution.Beta([0.5, 3.0], [2.0]),
    distribution.Poisson([0.5, 30.0]),
    distribution.Bernoulli([0.3, 0.6]),
    distribution.Geometric([0.3, 0.6]),
    distribution.Categorical([0.2, 0.3, 0.5]),
]


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.name)
def test_draws_have_the_moments_that_are_told(made):
    drawn = made.sample((20000,))
    assert drawn.dtype == made.dtype and drawn.shape == (20000, *made.broadcast_shape)
    values = drawn.asnumpy().astype(np.float64)
    sd = made.sd().asnumpy()
    np.testing.assert_allclose(values.mean(0) - made.mean().asnumpy(), 0, atol=float(5 * sd.max() / 20000**0.5))
    np.testing.assert_allclose(values.std(0) + 0 * sd, sd + 0 * values.std(0), rtol=0.06)


def test_a_call_gives_parameters_or_takes_the_constructors():
    normal = distribution.Normal(0.0, 1.0)
    beside = normal.prob(tensor(1), mean=tensor(2)).item()
    assert beside == normal.prob(tensor(1), tensor(2)).item() == normal.prob(tensor(-1)).item()
    assert normal("prob", tensor(1)).item() == normal.prob(tensor(1)).item()
    assert normal.kl_loss("Normal", mean_b=tensor(0), sd_b=tensor(1)).item() == 0
    assert distribution.Normal().sample((2,), tensor([1, 2]), tensor([1, 1])).shape == (2, 2)
    assert distribution.Normal().batch_shape is None and normal.get_dist_args()[1].item() == 1
    assert (normal.get_dist_type(), normal.seed, normal.is_scalar_batch) == ("Normal", 0, True)
    assert normal.parameters["param_dict"] == {"mean": 0.0, "sd": 1.0}
    assert str(normal) == "Normal<mean = 0.0, standard deviation = 1.0>"
    assert str(distribution.Bernoulli([0.3, 0.6])) == "Bernoulli<batch_shape = (2,)>"


class Fair(distribution.Distribution):
    """A user's distribution: 0 or 1 with equal chances."""

    def __init__(self):
        super().__init__(None, ms.int32, "Fair", {})

    def _prob(self, value):
        return ms.ops.full_like(value, 0.5)

    def _var(self):
        return tensor(0.25)


def test_a_users_distribution_gets_what_follows_from_its_formulas():
    assert Fair().log_prob(tensor(1)).item() == np.float32(np.log(np.float32(0.5))) and Fair().sd().item() == 0.5
    with pytest.raises(NotImplementedError, match=r"^For 'Fair', 'entropy' is not defined\."):
        Fair().entropy()


X = tensor([1])
WRONG = [
    (lambda: distribution.Normal(0.0, 0.0), ValueError),
    (lambda: distribution.Normal("a", 1.0), TypeError),
    (lambda: distribution.Normal(True, 1.0), TypeError),
    (lambda: distribution.Normal([1.0, 2.0], [1.0, 2.0, 3.0]), ValueError),
    (lambda: distribution.Normal(0.0, 1.0, -1), ValueError),
    (lambda: distribution.Normal(0.0, 1.0, dtype=ms.int32), TypeError),
    (lambda: distribution.Normal(0.0, 1.0, name=1), TypeError),
    (lambda: distribution.Uniform(1.0, 1.0), ValueError),
    (lambda: distribution.Bernoulli(1.0), ValueError),
    (lambda: distribution.Categorical([0.5, 0.4]), ValueError),
    (lambda: distribution.Categorical([1.0, 0.0]), ValueError),
    (lambda: distribution.Gamma([0.0], [1.0]), ValueError),
    (lambda: distribution.Beta([1.0], [-1.0]), ValueError),
    (lambda: distribution.Gamma(3.0, [4.0]), TypeError),
    (lambda: distribution.Gamma([3.0], [4.0], dtype=ms.int32), TypeError),
    (lambda: distribution.Poisson([3.0], dtype=ms.bool_), TypeError),
    (lambda: distribution.Bernoulli([0.3], dtype=ms.bool_), TypeError),
    (lambda: distribution.Geometric([0.3], dtype=ms.bool_), TypeError),
    (lambda: distribution.Categorical([0.5, 0.5], dtype=ms.complex64), TypeError),
    (lambda: distribution.Normal(0.0, 1.0).prob(1.0), TypeError),
    (lambda: distribution.Normal(0.0, 1.0).prob(X, 1.0), TypeError),
    (lambda: distribution.Normal(0.0, 1.0).prob(X, scale=X), TypeError),
    (lambda: distribution.Normal().prob(X), TypeError),
    (lambda: distribution.Normal(0.0, 1.0).kl_loss("Normal", X), TypeError),
    (lambda: distribution.Normal(0.0, 1.0).kl_loss("Uniform", X, X), ValueError),
    (lambda: distribution.Normal(0.0, 1.0).sample(2), TypeError),
    (lambda: distribution.Normal(0.0, 1.0)("construct", X), NotImplementedError),
]


@pytest.mark.parametrize(("ask", "kind"), WRONG)
def test_wrong_arguments_are_refused_in_a_sentence(ask, kind):
    with pytest.raises(kind, match=r"^For '\w+', "):
        ask()
