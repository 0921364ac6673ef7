"""Initializers draw from the distributions that they name, the same on every machine for the same seed."""

import math

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor
from minispore.nn.initial_values.base import Initializer
from minispore.nn.initial_values.distributions import Normal, TruncatedNormal, Uniform
from minispore.nn.initial_values.he import HeNormal, HeUniform
from minispore.nn.initial_values.matrices import Constant, Dirac, Identity, One, Orthogonal, Zero
from minispore.nn.initial_values.variance_scaling import XavierNormal, XavierUniform
from minispore.nn.initializer import Sparse, VarianceScaling, initializer
from minispore.ops.kernels.random_streams import next_stream

SHAPE = (64, 32, 3, 3)
FAN_IN, FAN_OUT = 32 * 9, 64 * 9
ROOT = math.sqrt

# initializer: (standard deviation, bound on |value - mean|, mean)
DISTRIBUTIONS = [
    (Normal(0.5, 1.0), 0.5, None, 1.0),
    (TruncatedNormal(0.5, 1.0, 0.0, 2.0), 0.5 * 0.8796, 1.0, 1.0),
    (Uniform(0.3), 0.3 / ROOT(3), 0.3, 0),
    (XavierUniform(2), 2 * ROOT(2 / (FAN_IN + FAN_OUT)), 2 * ROOT(6 / (FAN_IN + FAN_OUT)), 0),
    (XavierNormal(), ROOT(2 / (FAN_IN + FAN_OUT)), None, 0),
    (HeUniform(), ROOT(2 / FAN_IN), ROOT(6 / FAN_IN), 0),
    (HeUniform(ROOT(5)), 1 / ROOT(3 * FAN_IN), 1 / ROOT(FAN_IN), 0),
    (HeUniform(mode="fan_out", nonlinearity="relu"), ROOT(2 / FAN_OUT), ROOT(6 / FAN_OUT), 0),
    (HeNormal(nonlinearity="tanh"), 5 / 3 / ROOT(FAN_IN), None, 0),
]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("init, deviation, bound, mean", DISTRIBUTIONS, ids=lambda x: repr(x)[:40])
def test_values_have_the_distributions_moments_and_bounds(init, deviation, bound, mean):
    ms.set_seed(1)
    values = initializer(init, SHAPE).asnumpy().astype(np.float64)
    assert abs(values.std() / deviation - 1) < 0.02
    assert abs(values.mean() - mean) < 5 * deviation / ROOT(values.size)
    if bound is not None:
        assert bound * 0.99 < abs(values - mean).max() <= bound * (1 + 1e-6)


RECORDED = [
    (Normal(1.0), [-1.4384645223617554, 2.1393203735351562, 1.6202764511108398, 0.5176432728767395]),
    (Uniform(1.0), [-0.8496977090835571, 0.9675902724266052, 0.8948270678520203, 0.39529281854629517]),
    (
        TruncatedNormal(1.0, 0.0, -0.5, 2.0),
        [-0.3616894781589508, 1.8305144309997559, 1.5725170373916626, 0.7556227445602417],
    ),
    (Orthogonal(), [-0.6639044880867004, 0.7478173971176147, 0.7478173971176147, 0.6639044880867004]),
]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("init, recorded", RECORDED, ids=lambda x: repr(x)[:20])
def test_a_seed_gives_the_recorded_values_on_every_machine(init, recorded):
    ms.set_seed(1)
    values = initializer(init, (2, 2)).asnumpy().ravel()
    if isinstance(init, Orthogonal):
        np.testing.assert_allclose(values, recorded, atol=1e-6)
    else:
        np.testing.assert_array_max_ulp(values, np.array(recorded, np.float32), 1)


@pytest.mark.usefixtures("restored")
def test_an_orthogonal_matrix_hangs_on_its_normal_numbers_smoothly():
    """Another LAPACK rounds otherwise; the signs of the columns must not turn with it."""
    stream = next_stream()

    class Nudged:
        def normal(self, shape):
            return normal * (1 + 1e-13 * np.cos(np.arange(normal.size).reshape(shape)))

    normal = stream.normal((40, 30))
    found = Orthogonal().draw(Nudged(), (40, 30))
    q, r = np.linalg.qr(normal)
    np.testing.assert_allclose(found, q * np.sign(np.diag(r)), atol=1e-6)
    assert (np.diag(found.T @ normal) > 0).all()


def test_constant_initializers_fill():
    for init, value in ((Zero(), 0), (One(), 1), (Constant(7), 7), ("zeros", 0), ("ones", 1), (3.5, 3.5)):
        assert initializer(init, (2, 2)).tolist() == [[value] * 2] * 2


def test_structured_initializers():
    for shape in ((3, 8), (8, 3), (4, 2, 2)):
        q = initializer(Orthogonal(2.0), shape, ms.float64).asnumpy().reshape(shape[0], -1) / 2
        gram = q @ q.T if q.shape[0] <= q.shape[1] else q.T @ q
        np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-12)
    np.testing.assert_array_equal(initializer(Identity(), (2, 3)).asnumpy(), np.eye(2, 3))
    kernel = initializer(Dirac(), (2, 2, 3, 3)).asnumpy()
    x = np.random.default_rng(0).standard_normal((1, 2, 4, 4)).astype(np.float32)
    same = ms.ops.Conv2D(2, 3, pad_mode="same")(Tensor(x), Tensor(kernel))
    np.testing.assert_allclose(same.asnumpy(), x, rtol=1e-6)


@pytest.mark.usefixtures("restored")
def test_a_seed_gives_the_same_values_and_every_call_others():
    ms.set_seed(5)
    first, second = initializer("normal", (4,)), initializer("normal", (4,))
    assert (first.asnumpy() != second.asnumpy()).all()
    ms.set_seed(5)
    np.testing.assert_array_equal(initializer("normal", (4,)).asnumpy(), first.asnumpy())


def test_dtypes_and_tensors_are_taken():
    assert initializer("normal", (2,), ms.float16).dtype == ms.float16
    given = Tensor([1.0, 2.0])
    assert initializer(given, (2,)) is given
    assert initializer("ones", 3).shape == (3,)


def test_a_users_initializer_fills_an_array():
    class Ramp(Initializer):
        def _initialize(self, arr):
            arr[:] = np.arange(arr.size).reshape(arr.shape)

    assert initializer(Ramp(), (2, 2)).tolist() == [[0, 1], [2, 3]]


WRONG = [
    (lambda: initializer("foo", (2,)), ValueError, "'init' must be one of .*'normal'.*, but got 'foo'"),
    (lambda: initializer("ones"), ValueError, "'shape' must be given"),
    (lambda: initializer("ones", (0, 2)), ValueError, r"'shape' must be positive ints, but got \(0, 2\)"),
    (lambda: initializer("ones", (1.5,)), ValueError, "'shape' must be positive ints"),
    (lambda: initializer(object(), (2,)), TypeError, "'init' must be a Tensor, a name"),
    (lambda: initializer(Tensor([1.0]), (2,)), ValueError, "must have the shape"),
    (lambda: TruncatedNormal(0), ValueError, "'sigma' must be above 0, but got 0"),
    (lambda: TruncatedNormal(1, 0, 2, 2), ValueError, "'a' must be below the 'b', but got 2 and 2"),
    (lambda: HeUniform(mode="x"), ValueError, "'mode' must be 'fan_in' or 'fan_out'"),
    (lambda: initializer(HeNormal(nonlinearity="x"), (2, 2)), ValueError, "'nonlinearity' must be one of"),
    (lambda: initializer(Orthogonal(), (2,)), ValueError, "at least two axes"),
    (lambda: initializer(Identity(), (2,)), ValueError, "two axes"),
    (lambda: initializer(Dirac(3), (2, 2, 3)), ValueError, "divisible by 'groups'"),
]


@pytest.mark.parametrize("call, kind, message", WRONG, ids=range(len(WRONG)))
def test_wrong_arguments_are_refused_by_name(call, kind, message):
    with pytest.raises(kind, match=rf"^For '\w+', .*{message}"):
        call()


def test_sparse_sets_a_share_of_each_column_to_zero(restored):
    ms.set_seed(1)
    values = initializer(Sparse(0.31, 2.0), [10, 600]).asnumpy()
    assert ((values == 0).sum(0) == 4).all() and abs(values.std() / (2 * 0.6**0.5) - 1) < 0.05
    assert len({tuple(column) for column in (values[:, :50] == 0).T}) > 20
    with pytest.raises(ValueError, match=r"^For 'Sparse', the 'shape' must have two axes"):
        initializer(Sparse(0.5), [3])


@pytest.mark.parametrize(("mode", "fan"), [("fan_in", 200), ("fan_out", 300), ("fan_avg", 250)])
@pytest.mark.parametrize(
    ("distribution", "bound"), [("uniform", 3**0.5), ("truncated_normal", 2.28), ("untruncated_normal", 10)]
)
def test_variance_scaling_has_its_variance_and_bound(mode, fan, distribution, bound, restored):
    ms.set_seed(1)
    kind = VarianceScaling(2.0, mode, distribution)
    values = initializer(kind, [300, 200]).asnumpy()
    assert abs(values.std() / (2 / fan) ** 0.5 - 1) < 0.02
    assert abs(values).max() <= bound * (2 / fan) ** 0.5


@pytest.mark.parametrize("arguments", [(0,), (1.0, "fan"), (1.0, "fan_in", "normal")])
def test_variance_scaling_refuses_other_values(arguments):
    with pytest.raises(ValueError, match=r"^For 'VarianceScaling', the '"):
        VarianceScaling(*arguments)


@pytest.mark.parametrize("kind", [HeNormal, HeUniform, XavierNormal, XavierUniform, Normal, Uniform])
def test_a_weight_in_place_of_a_number_is_taken_with_a_warning_and_refused_in_a_draw(kind):
    weight = ms.Parameter(np.ones((4, 3), np.float32), name="weight")
    with pytest.warns(UserWarning, match=rf"For '{kind.__name__}', the '\w+' is a Tensor, which is not filled"):
        drawer = kind(weight)
    with pytest.raises(TypeError, match=rf"For '{kind.__name__}', the '\w+' must be a number"):
        initializer(drawer, weight.shape)
    assert (weight.asnumpy() == 1).all()
